/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Writes LTT traces: the blocks of a file, and a trace from the entries of a log. */
#ifndef CONVERT_LTT_WRITE_WRITE_H
#define CONVERT_LTT_WRITE_WRITE_H

#include "bcoslog.h"
#include "state/chain.h"
#include "state/table.h"

#include "../ltt.h"

/* Writes one file of an LTT trace, block by block. */

/*
 * A block is large enough for the largest entry of a log, so no event has to be split.  The blocks of a trace whose files
 * have one block each are as small as the fullest of them allows, in steps of LTT_BLOCK_STEP.
 */
#define LTT_BLOCK (128u << 10)
#define LTT_BLOCK_STEP 4096u

/* Bytes at the end of a block: the event block_end, and the four bytes with its offset. */
#define LTT_BLOCK_TAIL (LTT_HEADER + LTT_BLOCK_TIME + 4)

/* The largest size of an event's fields. */
#define LTT_EVENT_MAX (LTT_BLOCK - LTT_BLOCK_TAIL - LTT_HEADER - LTT_BLOCK_TIME - LTT_HEADER)

/**
 * struct ltt_blocks - a file that is open for writing
 * @path: its path
 * @wall: ns between the time since boot and the wall clock
 * @value: the last time value in the file, in ns
 * @last: time of the last event
 * @block: the block that is being filled
 * @used: bytes in the block
 * @room: bytes of the block that have memory; this grows, since most CPUs of a large machine are idle
 * @id: ID of this block
 * @size: bytes of a block in the file
 * @error: negative errno of the first failure, after which nothing is written
 */
struct ltt_blocks {
	char *path;
	u64 wall;
	u64 value, last;
	u8 *block;
	size_t used, room;
	u32 id, size;
	int error;
};

/* Begins a file, which is created when its first block is full. Returns 0 or -ENOMEM. */
int ltt_blocks_begin(struct ltt_blocks *blocks, const char *path, u64 wall, u64 time);
/* Prepares for ltt_blocks_end(). Returns 0 or the negative errno of the first failure. */
int ltt_blocks_approach(struct ltt_blocks *blocks, u64 time);
/*
 * Returns the size of a block that the file needs after ltt_blocks_approach(). If all files of a trace need less than
 * LTT_BLOCK, the largest of these sizes may become the @size of all.
 */
u32 ltt_blocks_need(const struct ltt_blocks *blocks);
/* Writes the last block, so that the file ends at @time. Returns 0 or the negative errno of the first failure. */
int ltt_blocks_end(struct ltt_blocks *blocks, u64 time);
void ltt_blocks_free(struct ltt_blocks *blocks);

/* The slow path of ltt_event(). */
int ltt_blocks_make_room(struct ltt_blocks *blocks, u64 time, size_t size);

static inline u8 *ltt_put16(u8 *at, u16 value)
{
	memcpy(at, &value, sizeof(value));
	return at + sizeof(value);
}

static inline u8 *ltt_put32(u8 *at, u32 value)
{
	memcpy(at, &value, sizeof(value));
	return at + sizeof(value);
}

static inline u8 *ltt_put64(u8 *at, u64 value)
{
	memcpy(at, &value, sizeof(value));
	return at + sizeof(value);
}

/* Puts a string and a terminating zero. For readers, a zero in the text ends the string. */
static inline u8 *ltt_put_text(u8 *at, const char *text, size_t length)
{
	memcpy(at, text, length);
	at[length] = 0;
	return at + length + 1;
}

/**
 * ltt_event() - begin an event
 * @blocks: the file
 * @id: ID of the event
 * @time: ns since boot; a time before the file's last event is raised to that event's time
 * @size: bytes of the fields, at most LTT_EVENT_MAX
 *
 * Return: the place of the fields, all of which the caller writes, or NULL after a failure.
 */
static inline u8 *ltt_event(struct ltt_blocks *blocks, u16 id, u64 time, size_t size)
{
	u8 *at;

	if (unlikely(time < blocks->last))
		time = blocks->last;
	if (unlikely(time - blocks->value > UINT32_MAX ||
		     blocks->used + LTT_HEADER + size + LTT_BLOCK_TAIL > blocks->room) &&
	    ltt_blocks_make_room(blocks, time, size))
		return NULL;
	at = blocks->block + blocks->used;
	at = ltt_put16(at, id);
	at = ltt_put32(at, (u32)(time - blocks->value));
	blocks->used += LTT_HEADER + size;
	blocks->last = time;
	return at;
}

/* Makes an LTT trace, which is a folder, from the entries of a log. */

/* The limit for the number of CPUs, which exceeds that of Linux. */
#define LTT_CPUS_MAX 8192u
/* At most this many losses become bookmarks. */
#define LTT_BOOKMARKS_MAX 1000u
/* Bytes of entries that are held until the time of the first entry is known. */
#define LTT_HELD_MAX (64u << 20)

/* A CPU and its file. */
struct ltt_cpu {
	struct node node;
	struct link known_link, stated_link;
	struct ltt_blocks blocks;
	bool known;		/* @process is known */
	bool gone;		/* else: the CPU was idle when it went offline */
	bool stated;		/* a group states @stated_process from the next entry on that is not historical */
	u32 process, stated_process;
};

/* A device, its running number, and a bit for each number of its interrupts that was seen. */
struct ltt_device {
	struct node node;
	u32 ordinal;
	u64 seen;
};

/**
 * struct ltt_writer - a trace that is being written
 * @folder: its path; the folder exists
 * @why: after a failure: a sentence without full stop that names the cause
 * @held: entries before the first one that is neither historical nor a statement
 * @held_size: bytes of these entries
 * @held_room: bytes that have memory
 * @begun: the files are open
 * @wall: ns between the time since boot and the wall clock
 * @first: time of the first entry that is not historical
 * @now: time of the last entry that is not historical
 * @order: how many entries were written
 * @state: the state of the log, without assignments of CPUs
 * @cpus: the CPUs with IDs below LTT_CPUS_MAX
 * @more_cpus: the other CPUs, a table of struct ltt_cpu
 * @cpus_count: how many CPUs there are in both
 * @cpu_end: the largest CPU ID plus one
 * @home: the CPU that the last entry about a CPU named; its file takes entries that name no CPU
 * @processes: the file control/processes
 * @interrupts: the file control/interrupts
 * @devices: a table of struct ltt_device
 * @ordinals: how many devices were numbered
 * @bookmarks: the bookmarks for bookmarks.xml so far, or NULL
 * @bookmarks_size: bytes of them
 * @bookmarks_count: how many there are
 * @block: bytes of a block, which is known at the end
 * @known: the CPUs that may have ltt_cpu.known
 * @stated: the CPUs that may have ltt_cpu.stated
 * @skipped: how many entries have a type that the specification does not define
 */
struct ltt_writer {
	char *folder;
	char why[512];
	u8 *held;
	size_t held_size, held_room;
	bool begun;
	u64 wall, first, now;
	u32 order;
	struct bcoslog_state *state;
	struct ltt_cpu *cpus[LTT_CPUS_MAX];
	struct table more_cpus;
	u32 cpus_count;
	u64 cpu_end;
	struct ltt_cpu *home;
	struct ltt_blocks processes, interrupts;
	struct table devices;
	u32 ordinals;
	char *bookmarks;
	size_t bookmarks_size;
	u32 bookmarks_count;
	u32 block;
	struct chain known, stated;
	u64 skipped;
	char host[256], release[256], machine[64];
};

/* These functions return 0 or, after setting @why, a negative errno. */
int ltt_writer_begin(struct ltt_writer *writer, const char *folder);
int ltt_writer_entry(struct ltt_writer *writer, const struct bcos_entry *entry);
/* The log goes on after damage, so nothing that was known has to be true any more. */
int ltt_writer_forget(struct ltt_writer *writer);
int ltt_writer_end(struct ltt_writer *writer);
void ltt_writer_free(struct ltt_writer *writer);

/* ---- events.c ---------------------------------------------------------- */

/* Writes the next entry to the open files. Returns 0 or a negative errno. */
int ltt_put_next(struct ltt_writer *writer, const struct bcos_entry *entry);
/* From now on nobody knows what any CPU runs. Returns 0 or a negative errno. */
int ltt_lose_cpus(struct ltt_writer *writer);

/* ---- files.c ----------------------------------------------------------- */

int ltt_fail(struct ltt_writer *writer, int error, const char *what);
/* Makes the folders, the descriptions and the control files. */
int ltt_files_begin(struct ltt_writer *writer);
/* Ends all files, and writes info/. */
int ltt_files_end(struct ltt_writer *writer);
/* Adds a CPU and opens its file, for ltt_cpu(). Returns NULL after a failure. */
struct ltt_cpu *ltt_cpu_new(struct ltt_writer *writer, u32 id);
/* Calls @use for each CPU in any order, until it returns a negative errno. Returns that or 0. */
int ltt_each_cpu(struct ltt_writer *writer, int (*use)(struct ltt_writer *writer, struct ltt_cpu *cpu));
/* Adds a bookmark. */
int ltt_bookmark_add(struct ltt_writer *writer, u64 begin, u64 end, u32 cpu, const char *text, size_t length);

static inline struct ltt_cpu *ltt_cpu(struct ltt_writer *writer, u32 id)
{
	struct ltt_cpu *cpu = likely(id < LTT_CPUS_MAX) ? writer->cpus[id] : table_find(&writer->more_cpus, id);

	return likely(cpu) ? cpu : ltt_cpu_new(writer, id);
}

/* ---- control.c ----------------------------------------------------------- */

/* Writes a process to control/processes. */
int ltt_control_process(struct ltt_writer *writer, u64 time, u32 pid, const char *name, size_t length,
			enum ltt_state state);
/* Writes an interrupt of a device to control/interrupts, if it is the first one of its number. */
int ltt_control_irq(struct ltt_writer *writer, u64 time, u32 device, u32 number);
/* The device @device has the name @name from now on; NULL: the device is gone. */
int ltt_control_device(struct ltt_writer *writer, u64 time, u32 device, const char *name, size_t length);

#endif
