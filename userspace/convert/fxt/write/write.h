/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the files of an export to the Fuchsia trace format share. */
#ifndef CONVERT_FXT_WRITE_WRITE_H
#define CONVERT_FXT_WRITE_WRITE_H

#include "../../cpus.h"
#include "../fxt.h"

/* Builds a record of the Fuchsia trace format, word by word. */

/* Bytes of a record. The longest text in a record has FXT_STRING_MAX bytes. */
#define RECORD_BYTES (FXT_WORDS_MAX * 8)

/**
 * struct record - a record that is being built
 * @words: its words, beginning with the header
 * @count: how many words it has so far
 * @arguments: how many arguments it has so far
 */
struct record {
	u64 words[FXT_WORDS_MAX];
	unsigned int count;
	unsigned int arguments;
};

static inline void record_word(struct record *record, u64 word)
{
	record->words[record->count++] = word;
}

/* Appends bytes, padded with zeros to a whole word. */
static inline void record_stream(struct record *record, const char *bytes, size_t length)
{
	if (!length)
		return;
	record->words[record->count + (length - 1) / 8] = 0;
	memcpy(record->words + record->count, bytes, length);
	record->count += (unsigned int)((length + 7) / 8);
}

/* Returns the reference to a string of @length bytes that follows inline. */
static inline u64 record_inline(size_t length)
{
	return length ? 0x8000 | length : 0;
}

static inline void record_u32(struct record *record, enum fxt_word name, u32 value)
{
	record_word(record, FXT_UINT32 | 1 << 4 | (u64)name << 16 | (u64)value << 32);
	record->arguments++;
}

/* Appends a number as an argument, in 32 bits if that is enough. */
static inline void record_u64(struct record *record, enum fxt_word name, u64 value)
{
	if (value <= 0xFFFFFFFFu) {
		record_u32(record, name, (u32)value);
		return;
	}
	record_word(record, FXT_UINT64 | 2 << 4 | (u64)name << 16);
	record_word(record, value);
	record->arguments++;
}

static inline void record_koid(struct record *record, enum fxt_word name, u64 koid)
{
	record_word(record, FXT_KOID | 2 << 4 | (u64)name << 16);
	record_word(record, koid);
	record->arguments++;
}

static inline void record_text(struct record *record, enum fxt_word name, const char *text, size_t length)
{
	u64 words = 1 + (length + 7) / 8;

	record_word(record, FXT_TEXT | words << 4 | (u64)name << 16 | record_inline(length) << 32);
	record_stream(record, text, length);
	record->arguments++;
}

/* Completes the header with type, size and count of arguments, which begins at bit @count_at, and writes the record. */
static inline void record_write(struct record *record, struct outfile *file, enum fxt_record type,
				unsigned int count_at)
{
	record->words[0] |= (u64)type | (u64)record->count << 4 | (u64)record->arguments << count_at;
	outfile_bytes(file, record->words, (size_t)record->count * 8);
}

/* The data and functions that the files of an export to the Fuchsia trace format share. */

/* The process that a CPU runs, as the written records say. */
struct fxt_cpu {
	bool known;
	u32 process;			/* BCOS_PROCESS_IDLE: idle */
	struct fxt_thread *thread;	/* the thread of @process; NULL: it has to be looked up */
	/* if @process has ended while the CPU still shows it: the koids of its thread; else 0 */
	struct fxt_thread dead;
};

/* The record of a switch has no room for CPU numbers from here on. Their assignments are written as events only. */
#define FXT_CPUS CPU_SET_MAX

/**
 * struct fxt_export - an export
 * @file: the output file
 * @current: switches are written in the current layout
 * @begun: an entry that is not historical has come since the beginning, or since the last notice of an overtaken reader
 * @time: the time of the newest entry that is not historical
 * @threads: everything that records have named: processes, their threads, devices, CPUs and cores
 * @cpus: the process of each of the first @cpu_count CPUs
 * @known: the CPUs of which the log may say what they run
 * @cached: the CPUs that may have fxt_cpu.thread
 * @device_koids: how many devices have got a koid
 * @odd_koids: how many threads whose process or CPU has a large number have got a koid
 * @early: historical entries about cores and CPUs, which are written once the time at which the log begins is known
 * @record: the record that is being built
 */
struct fxt_export {
	struct outfile *file;
	bool current, begun;
	u64 time;
	struct fxt_threads threads;
	struct fxt_cpu *cpus;
	u32 cpu_count;
	struct cpu_set known, cached;
	u32 device_koids, odd_koids;
	u8 *early;
	size_t early_used, early_room;
	struct record record;
};

/* ---- export_threads.c ------------------------------------------------------------------- */

/* An item that is no thread has its kind in fxt_thread.cpu, above 32 bits. */
enum { FXT_A_PROCESS = 1, FXT_A_DEVICE, FXT_A_CPU, FXT_A_CORE, FXT_AN_IDLE_CPU };
#define FXT_ITEM(kind) ((u64)(kind) << 32)

u64 fxt_process_koid(u32 pid);
/* Returns a reference to a thread in the thread table, or 0 if the thread gets no place there. */
u8 fxt_thread_ref(struct fxt_export *fxt, struct fxt_thread *thread);
/* Appends the koids of a thread to a record, if @ref is 0. */
void fxt_thread_inline(struct record *record, const struct fxt_thread *thread, u8 ref);
/* Returns the thread of a process on a CPU, after writing its object if it is new, or NULL if there is no memory. */
struct fxt_thread *fxt_thread_of(struct fxt_export *fxt, u32 pid, u32 cpu);
/* Writes the objects of all threads that have been written with a former name of their process. */
void fxt_refresh_threads(struct fxt_export *fxt);
struct fxt_thread *fxt_idle_thread(struct fxt_export *fxt, u32 cpu);
struct fxt_thread *fxt_device_thread(struct fxt_export *fxt, u32 id);
/* Finds or adds a process. A new process gets an object if @name is not NULL. Returns NULL if there is no memory. */
struct fxt_thread *fxt_process_item(struct fxt_export *fxt, u32 pid, const char *name, size_t length);
/* Finds or adds a device. Returns NULL if there is no memory. */
struct fxt_thread *fxt_device_item(struct fxt_export *fxt, u32 id);
/* Begins the object of a process or thread; fxt_object_end() writes it. */
struct record *fxt_object(struct fxt_export *fxt, u64 type, u64 koid, const char *name, size_t length);
void fxt_object_end(struct fxt_export *fxt);
/* Appends the time and precision of a historical entry, at which its subject began. */
void fxt_put_start(struct record *record, const struct bcos_entry *entry);
void fxt_thread_object(struct fxt_export *fxt, const struct fxt_thread *thread, const char *name, size_t length);

/* ---- event_record.c ------------------------------------------------------------------ */

/*
 * Begins an event, named @name, or @text if @name is FXT_W_EMPTY. The caller appends arguments and calls
 * fxt_event_end().
 */
struct record *fxt_event(struct fxt_export *fxt, enum fxt_event type, u64 time, struct fxt_thread *thread,
			 enum fxt_word category, enum fxt_word name, const char *text, size_t length);
void fxt_event_close(struct fxt_export *fxt);
/* Ends an event about an entry, and appends the entry's precision. */
void fxt_event_end(struct fxt_export *fxt, const struct bcos_entry *entry);

/* ---- export_entry.c ------------------------------------------------------------------ */

/* Writes the records for an entry. Returns 0 or -ENOMEM. */
int fxt_put_entry(struct fxt_export *fxt, const struct bcos_entry *entry);
/* Forgets all names and threads, since nothing that was known has to be true any more. */
void fxt_forget(struct fxt_export *fxt);

/* ---- export_objects.c: functions that return an int return 0 or -ENOMEM ---------- */

int fxt_process_named(struct fxt_export *fxt, const struct bcos_entry *entry);
int fxt_process_ended(struct fxt_export *fxt, const struct bcos_entry *entry);
int fxt_device_named(struct fxt_export *fxt, const struct bcos_entry *entry);
int fxt_device_ended(struct fxt_export *fxt, const struct bcos_entry *entry);
/* Is the core or CPU of an entry known? If not, it is added. Returns 1, 0, or -ENOMEM. */
int fxt_item_known(struct fxt_export *fxt, const struct bcos_entry *entry);

/* ---- export_switch.c ------------------------------------------------------------- */

int fxt_assigned(struct fxt_export *fxt, const struct bcos_assign_cpu *entry);
/* From @time on nobody knows what the CPU @cpu runs, or what any CPU runs. */
int fxt_unknown(struct fxt_export *fxt, u64 time, u32 cpu);
int fxt_all_unknown(struct fxt_export *fxt, u64 time);

#endif
