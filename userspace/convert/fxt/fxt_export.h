/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* An export to the Fuchsia trace format, as the files whose names begin with export share it. */
#ifndef CONVERT_FXT_EXPORT_H
#define CONVERT_FXT_EXPORT_H

#include "record.h"
#include "threads.h"

/* The process that has a CPU while the log does not tell who has it. No process of a log has this ID. */
#define FXT_UNKNOWN BCOSLOG_NO_PROCESS

/* The process of a CPU, as readers were told. */
struct fxt_cpu {
	bool known;
	u32 process;			/* BCOS_PROCESS_IDLE: idle */
	struct fxt_thread *thread;	/* of it, unless that is to be looked up */
	struct fxt_thread dead;		/* koids of its thread if it has ended meanwhile, else 0 */
};

/* CPUs from here on have no room in the record of a switch, and are told by events alone. */
#define FXT_CPUS 65536u

/**
 * struct fxt_export - an export
 * @file: the output
 * @current: switches have their current layout
 * @embed: the log is part of it, byte for byte
 * @begun: an entry that is not historical was seen, and after that no reader was overtaken
 * @time: of the newest entry that is not historical
 * @threads: everything that readers know: processes, their threads, devices, CPUs and cores
 * @cpus: what runs on the first @cpu_count CPUs
 * @device_koids: given so far
 * @early: historical entries about cores and CPUs, which are told at the time at which the log begins
 * @record: the one that is being built
 * @blob: bytes of the log that are to be embedded
 */
struct fxt_export {
	struct outfile *file;
	bool current, embed, begun;
	u64 time;
	struct fxt_threads threads;
	struct fxt_cpu *cpus;
	u32 cpu_count;
	u32 device_koids;
	u8 *early;
	size_t early_used, early_room;
	struct record record;
	char blob[16384];
	size_t blob_used;
};

/* ---- export_threads.c ------------------------------------------------------------------- */

/* In the place of the CPU of a thread: what the item is. */
enum { FXT_A_PROCESS = 1, FXT_A_DEVICE, FXT_A_CPU, FXT_A_CORE, FXT_AN_IDLE_CPU };
#define FXT_ITEM(kind) ((u64)(kind) << 32)

u64 fxt_process_koid(u32 pid);
/* Makes a thread one that can be referred to, and returns the reference. */
u8 fxt_thread_ref(struct fxt_export *fxt, struct fxt_thread *thread);
/* Appends the koids of a thread that has no reference. */
void fxt_thread_inline(struct record *record, const struct fxt_thread *thread, u8 ref);
/* Returns the thread of a process on a CPU, whose object readers know by then, or NULL if there is no memory. */
struct fxt_thread *fxt_thread_of(struct fxt_export *fxt, u32 pid, u32 cpu);
struct fxt_thread *fxt_idle_thread(struct fxt_export *fxt, u32 cpu);
struct fxt_thread *fxt_device_thread(struct fxt_export *fxt, u32 id);
/* Finds or adds a process, whose object is written, if it is new, with this name. Returns NULL if there is no memory. */
struct fxt_thread *fxt_process_item(struct fxt_export *fxt, u32 pid, const char *name, size_t length);
/* Finds or adds a device. Returns NULL if there is no memory. */
struct fxt_thread *fxt_device_item(struct fxt_export *fxt, u32 id);
/* Begins the object of a process or thread, and ends it. */
struct record *fxt_object(struct fxt_export *fxt, u64 type, u64 koid, const char *name, size_t length);
void fxt_object_end(struct fxt_export *fxt);
/* When a historical item began. */
void fxt_put_start(struct record *record, const struct bcos_entry *entry);
void fxt_thread_object(struct fxt_export *fxt, const struct fxt_thread *thread, const char *name, size_t length);

/* ---- event_record.c ------------------------------------------------------------------ */

/* Begins an event. @text: its name where @name is FXT_W_EMPTY. Its arguments follow, and fxt_event_end(). */
struct record *fxt_event(struct fxt_export *fxt, enum fxt_event type, u64 time, struct fxt_thread *thread,
			 enum fxt_word category, enum fxt_word name, const char *text, size_t length);
void fxt_event_close(struct fxt_export *fxt);
/* Ends an event about an entry, of whose precision it tells. */
void fxt_event_end(struct fxt_export *fxt, const struct bcos_entry *entry);

/* ---- export_entry.c ------------------------------------------------------------------ */

/* Writes what an entry says. Returns 0 or -ENOMEM. */
int fxt_put_entry(struct fxt_export *fxt, const struct bcos_entry *entry);
/* Nothing that was known has to be true any more. */
void fxt_forget(struct fxt_export *fxt);

/* ---- export_objects.c: each that returns an int returns 0 or -ENOMEM ---------------- */

int fxt_process_named(struct fxt_export *fxt, const struct bcos_entry *entry);
int fxt_process_ended(struct fxt_export *fxt, const struct bcos_entry *entry);
int fxt_device_named(struct fxt_export *fxt, const struct bcos_entry *entry);
int fxt_device_ended(struct fxt_export *fxt, const struct bcos_entry *entry);
/* Is this historical item about a core or CPU known? If not, it is from now on. Returns a negative errno on failure. */
int fxt_item_known(struct fxt_export *fxt, const struct bcos_entry *entry);

/* ---- export_switch.c ------------------------------------------------------------- */

int fxt_assigned(struct fxt_export *fxt, const struct bcos_assign_cpu *entry);
/* The current layout has a record for a thread that is woken. */
int fxt_woken(struct fxt_export *fxt, const struct bcos_entry *entry);
/* From @time on nobody knows what a CPU runs, or any of them if @cpu is FXT_CPUS. */
int fxt_unknown(struct fxt_export *fxt, u64 time, u32 cpu);

#endif
