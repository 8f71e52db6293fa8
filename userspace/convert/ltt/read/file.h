/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reads one file of an LTT trace event by event, and survives damaged blocks. */
#ifndef CONVERT_LTT_FILE_H
#define CONVERT_LTT_FILE_H

#include "event.h"
#include "trace.h"

/* A time value. */
struct ltt_stamp {
	u64 ns;			/* of the wall clock, or of another clock of the tracer */
	u64 cycles;
};

/**
 * struct ltt_file - a file that is open for reading
 * @trace: the trace that it belongs to
 * @path: its path
 * @blocks: how many whole blocks it has
 * @rest: how many bytes follow the last whole block
 * @next: number of the next block
 * @bytes: the current block
 * @cursor: the next event in the block
 * @begin: the time value of the block's block_start
 * @end: the time value of the block's block_end
 * @value: the last time value
 * @delta_ns: times of events count nanoseconds, not cycles
 * @has_id: @id is known
 * @id: ID of the last block
 * @time: time of the last event, in ns since boot
 * @lost: how many blocks before the next one, or before the end of the file, could not be decoded
 * @lost_from: when the first of these began, or the time of the last event before it
 * @missing: how many blocks are missing, by the IDs of the others
 * @spoiled: how many blocks could not be read, or not to their end
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
	u64 lost, lost_from;
	u64 missing, spoiled;
};

enum ltt_record_kind {
	LTT_RECORD_EVENT,
	LTT_RECORD_GAP,		/* events are missing, from record.from to record.time */
};

/**
 * struct ltt_record - an event or a gap, which ltt_file_next() found
 * @kind: LTT_RECORD_*
 * @id: for an event: its ID
 * @node: for an event: the node of its description
 * @time: time of the event, or end of the gap, in ns since boot
 * @from: for a gap: its beginning, in ns since boot
 * @blocks: for a gap: how many blocks are missing
 * @fields: for an event: its fields, which ltt_walk() has accepted
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

/* Gets the next event or gap. Returns 1; 0 at the end of the file; or a negative errno. */
int ltt_file_next(struct ltt_file *file, struct ltt_record *record);

/*
 * Learns from the first block of a file, as far as that tells them, the byte order of the trace, the length of its
 * block IDs, and the rate of its cycle counter. Returns 0, -ENODATA if the file has no whole block, or another negative
 * errno.
 */
int ltt_file_learn(struct ltt_trace *trace, const char *path);

/* Converts a time value to ns since boot. The first call decides when the machine booted. */
u64 ltt_boot_time(struct ltt_trace *trace, struct ltt_stamp stamp);
/* Converts a value of the cycle counter to ns since boot. */
u64 ltt_cycles_time(const struct ltt_trace *trace, u64 cycles);

#endif
