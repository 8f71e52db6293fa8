/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Makes an LTT trace, which is a folder, from the entries of a log. */
#ifndef CONVERT_LTT_WRITER_H
#define CONVERT_LTT_WRITER_H

#include "bcoslog.h"
#include "blocks.h"
#include "state/chain.h"
#include "state/table.h"

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
