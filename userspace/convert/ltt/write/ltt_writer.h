/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Makes the folder of an LTT trace of the entries of a log. */
#ifndef CONVERT_LTT_WRITER_H
#define CONVERT_LTT_WRITER_H

#include "bcoslog.h"
#include "blocks.h"
#include "state/table.h"

/* More CPUs than any Linux has. */
#define LTT_CPUS_MAX 8192u
/* Losses that become bookmarks. */
#define LTT_BOOKMARKS_MAX 1000u
/* Bytes that are held back until the time of the first entry is known. */
#define LTT_HELD_MAX (64u << 20)

/* A CPU and its file. */
struct ltt_cpu {
	struct node node;
	struct ltt_blocks blocks;
	bool known;		/* who has it */
	u32 process;
};

/* A device and the interrupts that were seen of it. */
struct ltt_device {
	struct node node;
	u32 ordinal;
	u64 seen;
};

/**
 * struct ltt_writer - a trace that is being written
 * @folder: of it, which exists
 * @why: after a failure: a sentence without full stop
 * @held: entries of before the first one that is neither historical nor a statement
 * @held_size: bytes of them
 * @held_room: for so many there is memory
 * @begun: the files are open
 * @wall: ns to add to a time for the wall clock
 * @first: time of the first entry that is not historical
 * @now: time of the last one
 * @order: entries so far
 * @state: of the log, but for who has which CPU
 * @cpus: those with IDs below LTT_CPUS_MAX
 * @more_cpus: the others, of struct ltt_cpu
 * @cpus_count: all of them
 * @cpu_end: one more than the largest ID
 * @home: where entries go that are of no CPU: the one that was heard of last
 * @processes: the file of that name
 * @interrupts: likewise
 * @devices: of struct ltt_device
 * @ordinals: of devices so far
 * @bookmarks: text of bookmarks.xml so far, or NULL
 * @bookmarks_size: of it
 * @bookmarks_count: in it
 * @skipped: entries of types that the specification does not define
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
	u64 skipped;
	char host[256], release[256], machine[64];
};

/* Functions return 0 or a negative errno, with a reason in @why. */
int ltt_writer_begin(struct ltt_writer *writer, const char *folder);
int ltt_writer_entry(struct ltt_writer *writer, const struct bcos_entry *entry);
/* The log goes on after damage. */
void ltt_writer_forget(struct ltt_writer *writer);
int ltt_writer_end(struct ltt_writer *writer);
void ltt_writer_free(struct ltt_writer *writer);

/* ---- events.c ---------------------------------------------------------- */

/* Writes the next entry, the files being open. Returns 0 or a negative errno. */
int ltt_put_next(struct ltt_writer *writer, const struct bcos_entry *entry);

/* ---- files.c ----------------------------------------------------------- */

int ltt_fail(struct ltt_writer *writer, int error, const char *what);
/* Makes the folders, the control files and control/facilities. */
int ltt_files_begin(struct ltt_writer *writer);
/* Ends all files, and writes info/. */
int ltt_files_end(struct ltt_writer *writer);
/* The slow path of ltt_cpu(). Returns NULL after a failure. */
struct ltt_cpu *ltt_cpu_new(struct ltt_writer *writer, u32 id);
/* Forgets who has which CPU. */
void ltt_cpus_forget(struct ltt_writer *writer);
/* Adds a bookmark. */
int ltt_bookmark_add(struct ltt_writer *writer, u64 begin, u64 end, u32 cpu, const char *text, size_t length);

static inline struct ltt_cpu *ltt_cpu(struct ltt_writer *writer, u32 id)
{
	struct ltt_cpu *cpu = likely(id < LTT_CPUS_MAX) ? writer->cpus[id] : table_find(&writer->more_cpus, id);

	return likely(cpu) ? cpu : ltt_cpu_new(writer, id);
}

/* ---- control.c ----------------------------------------------------------- */

/* A process as control/processes describes it. */
int ltt_control_process(struct ltt_writer *writer, u64 time, u32 pid, const char *name, size_t length,
			enum ltt_state state);
/* An interrupt of a device was seen. */
int ltt_control_irq(struct ltt_writer *writer, u64 time, u32 device, u32 number);
/* A device has this name now; NULL: it is gone. */
int ltt_control_device(struct ltt_writer *writer, u64 time, u32 device, const char *name, size_t length);

#endif
