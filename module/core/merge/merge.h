/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The merge puts the staged records of all CPUs into one order of time, up to a horizon that is
 * proven to be complete (stage.h).
 */
#ifndef BCOS_CORE_MERGE_H
#define BCOS_CORE_MERGE_H

#include "core/write/log.h"
#include "core/raw/stage.h"
#include "core/raw/timebase.h"
#include "tournament.h"

#define BCOS_PENDING_LOSS	1	/* @loss waits to be applied */
#define BCOS_PENDING_ASSIGN	2	/* @assign_time and @assign_id wait to be applied */

/* The maximum number of calls in one entry. */
#define BCOS_CALLS_MAX 256

/* The consumer's side of one CPU's staging ring. */
struct bcos_source {
	struct bcos_stage *stage;	/* NULL: this CPU never had one */
	/* Copy from the stage, since the producer writes that cache line. */
	const struct bcos_unit *ring;
	u64 mask;
	u64 tail;			/* next unit to read */
	u64 head;			/* end of what this pass may read */
	u64 batched;			/* end of what batches hold */
	u64 released;			/* the tail that the producer knows */
	u64 gathered;			/* calls before this unit are in an entry already */
	u64 time;			/* of the next record, ns since boot; all ones: none */
	u32 precision;			/* of that time, ns */
	u16 rank;			/* order among equal times: BCOS_RANK() */
	u8 pending;			/* BCOS_PENDING_*: read, but not yet applied */
	struct bcos_loss loss;		/* its times are ns since boot */
	u64 assign_time;
	u32 assign_id;
	u32 assign_precision;		/* ns */
	u32 loss_precision;		/* of begin and end of a loss, ns */
	u32 stretch;			/* newest stretch seen */
	u64 counted[BCOS_LOSS_CLASSES];
	u64 nested;
	u64 nmi;
};

/* Records that are sorted at a time. */
#define BCOS_BATCH_ITEMS 2048

struct bcos_batch_item {
	u64 key;
	const struct bcos_raw *raw;
};

struct bcos_batch_room {
	struct bcos_batch_item item[BCOS_BATCH_ITEMS];
	struct bcos_batch_item spare[BCOS_BATCH_ITEMS];
	u32 count[2][256];		/* of each value of both digits */
};

/* See batch.h. */
struct bcos_batch {
	struct bcos_batch_room *room;	/* NULL: there is one source alone */
	u64 window;			/* how far the next one goes, in ns */
	u64 from;			/* ns since boot, from which on its keys count */
	u64 end;			/* keys from here on are not of it */
	u32 precision;			/* of its times, ns */
	bool cut;			/* by what has no place in it */
	u32 misses;			/* the last so many were in vain ... */
	u32 skip;			/* ... so this many are not to be tried */
};

struct bcos_merge {
	struct bcos_log *log;
	struct bcos_source *source;	/* one a CPU ID */
	u32 sources;
	struct bcos_tournament next;	/* finds the source whose record is next */
	u64 base;			/* origin of its keys, ns since boot */
	struct bcos_batch batch;	/* finds the next records, many at once */
	struct bcos_timebase timebase;
	/* Samples both clocks, if records may hold ticks; else it is NULL or returns false. */
	bool (*sample)(struct bcos_sample *sample);
	u64 horizon;			/* ns since boot: everything before is in the log */
	u64 until;			/* ns since boot: end of the pass under way */
	u64 now;			/* ns since boot: begin of the last pass ... */
	bool exact;			/* ... and whether that time was certain */
	u64 batches;
	u32 call[BCOS_CALLS_MAX];	/* the calls of one entry */
	/* A record that wraps at the end of its ring. */
	struct bcos_unit whole[BCOS_RAW_UNITS_MAX];
};

/**
 * bcos_merge_init() - initialise a merge without stages
 * @merge: zeroed
 * @log: where records go
 * @sources: number of CPU IDs, or one more than the log has. The extra one is for records of no
 *   CPU, EVENT and KMSG, which the log writer itself stages with any time.
 *
 * Context: may sleep.
 * Return: 0, -ENOMEM, or -EINVAL for more than 16384 sources.
 */
int bcos_merge_init(struct bcos_merge *merge, struct bcos_log *log, u32 sources);
void bcos_merge_destroy(struct bcos_merge *merge);

/*
 * Adds the stage of a CPU from the next pass on. @stage must stay valid until bcos_merge_destroy().
 */
void bcos_merge_add(struct bcos_merge *merge, u32 cpu, struct bcos_stage *stage);

/*
 * Converts a moment in the past to ns since boot, as if it were a record's time. @raw is a time by
 * the clock of the pass.
 */
u64 bcos_merge_time(struct bcos_merge *merge, u64 raw);

/**
 * bcos_merge_pass() - apply what is staged, in order of time
 * @merge: the merge
 * @clock: the ordered clock of the staging, which gives raw times
 * @limit: maximum number of records; a batch that has begun may exceed it by BCOS_BATCH_ITEMS, and
 *   a record of several units may count as several
 *
 * Reads the clock, then the CPUs' marks, heads and losses (stage.h), applies every record older
 * than the horizon, and publishes the log.
 *
 * Context: the log writer; may sleep.
 * Return: true if there may be more right now: @limit was reached, or losses had to be applied
 *   before newer ones could be read.
 */
bool bcos_merge_pass(struct bcos_merge *merge, u64 (*clock)(void), u32 limit);

#endif
