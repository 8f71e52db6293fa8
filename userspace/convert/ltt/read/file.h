/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reads one file of an LTT trace, event by event, whatever its blocks hold. */
#ifndef CONVERT_LTT_FILE_H
#define CONVERT_LTT_FILE_H

#include "event.h"
#include "trace.h"

/* A time value. */
struct ltt_stamp {
	u64 ns;			/* of the wall clock, or whatever else the tracer had */
	u64 cycles;
};

/**
 * struct ltt_file - a file that is being read
 * @trace: it is of
 * @path: of it
 * @blocks: how many whole ones it has
 * @rest: bytes after the last whole block
 * @next: the next block
 * @bytes: the block that is being read
 * @cursor: the next event in it
 * @begin: what its block_start states
 * @end: what its block_end states
 * @value: the last time value
 * @delta_ns: event times are nanoseconds, not cycles
 * @has_id: @id is known
 * @id: of the last block
 * @time: of the last event, ns since boot
 * @missing: blocks that their IDs say are missing
 * @spoiled: blocks that were given up, in whole or from some event on
 */
struct ltt_file {
	struct ltt_trace *trace;
	const char *path;
	u64 blocks, rest, next;
	u8 *bytes;
	struct ltt_cursor cursor;
	struct ltt_stamp begin, end, value;
	bool delta_ns, has_id;
	u64 id;
	u64 time;
	u64 missing, spoiled;
};

enum ltt_record_kind {
	LTT_RECORD_EVENT,
	LTT_RECORD_GAP,		/* events are missing up to its time */
};

/**
 * struct ltt_record - what ltt_file_next() found
 * @kind: LTT_RECORD_*
 * @id: of an event
 * @node: its description
 * @time: ns since boot
 * @from: of a gap: since when, ns since boot
 * @blocks: of a gap: how many blocks are missing
 * @fields: of an event, which ltt_walk() has taken
 */
struct ltt_record {
	enum ltt_record_kind kind;
	u16 id;
	u32 node;
	u64 time, from, blocks;
	struct ltt_cursor fields;
};

/* Opens a file. Returns 0 or a negative errno. */
int ltt_file_open(struct ltt_file *file, struct ltt_trace *trace, const char *path);
void ltt_file_close(struct ltt_file *file);

/* Returns 1; 0 at the end; or a negative errno. */
int ltt_file_next(struct ltt_file *file, struct ltt_record *record);

/*
 * Learns from the first block of a file which byte order the trace has, how long its block IDs are, and how fast its
 * counter counts, as far as it says so. Returns 0, -ENODATA if it has no whole block, or another negative errno.
 */
int ltt_file_learn(struct ltt_trace *trace, const char *path);

/* A time of the trace as ns since boot. The first time value that is asked for decides when boot was. */
u64 ltt_boot_time(struct ltt_trace *trace, struct ltt_stamp stamp);
/* A value of the cycle counter as ns since boot. */
u64 ltt_cycles_time(const struct ltt_trace *trace, u64 cycles);

#endif
