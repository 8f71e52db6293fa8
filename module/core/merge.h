/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The merge: brings the CPUs' staged records into one order of time, up to a proven horizon. */
#ifndef BCOS_CORE_MERGE_H
#define BCOS_CORE_MERGE_H

#include "log.h"
#include "stage.h"
#include "timebase.h"
#include "tournament.h"

#define BCOS_PENDING_LOSS	1	/* loss */
#define BCOS_PENDING_ASSIGN	2	/* assign_time, assign_id */

/* Calls that an entry has at most. */
#define BCOS_CALLS_MAX 256

/* The consumer's side of one CPU's staging ring. */
struct bcos_source {
	struct bcos_stage *stage;	/* NULL: this CPU never had one */
	const struct bcos_unit *ring;	/* as in the stage, whose cache lines the producer writes */
	u64 mask;
	u64 tail;			/* next unit to read */
	u64 head;			/* end of what this pass may read */
	u64 batched;			/* as far as a batch has them */
	u64 released;			/* the tail that the producer knows */
	u64 gathered;			/* calls before here are in an entry already */
	u64 time;			/* of what comes next, ns since boot; all ones: nothing */
	u32 precision;			/* of it, ns */
	u16 rank;			/* among equal times: BCOS_RANK() */
	u8 pending;			/* BCOS_PENDING_*: read, but not applied yet */
	struct bcos_loss loss;		/* times in ns since boot */
	u64 assign_time;
	u32 assign_id;
	u32 assign_precision;		/* ns */
	u32 loss_precision;		/* of beginning and end of a loss, ns */
	u32 stretch;			/* newest seen */
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
	struct bcos_tournament next;	/* whose record comes next */
	u64 base;			/* ns since boot, from which on its keys count */
	struct bcos_batch batch;	/* whose records come next, many at once */
	struct bcos_timebase timebase;
	/* Both clocks now, if records may hold ticks; else NULL, or false. */
	bool (*sample)(struct bcos_sample *sample);
	u64 horizon;			/* ns: everything before is in the log */
	u64 until;			/* ns: as far as the pass under way goes */
	u64 now;			/* ns: when the last pass began ... */
	bool exact;			/* ... unless its time was not certain */
	u64 batches;
	u32 call[BCOS_CALLS_MAX];	/* those of an entry */
	struct bcos_unit whole[BCOS_RAW_UNITS_MAX];	/* a record that the end of a ring cuts in two */
};

/*
 * Return: 0, -ENOMEM, or -EINVAL for more than 16384.  @sources: CPU IDs are below; one more than the log has is for
 * records that are of no CPU: EVENT and KMSG alone, which the log writer itself stages, with whatever time they have.
 */
int bcos_merge_init(struct bcos_merge *merge, struct bcos_log *log, u32 sources);
void bcos_merge_destroy(struct bcos_merge *merge);

/* From the next pass on; @stage stays valid until bcos_merge_destroy(). */
void bcos_merge_add(struct bcos_merge *merge, u32 cpu, struct bcos_stage *stage);

/* The time of a moment that has passed, in ns since boot, as it would be that of a record.  @raw: of the pass' clock. */
u64 bcos_merge_time(struct bcos_merge *merge, u64 raw);

/**
 * bcos_merge_pass() - apply what is staged, in order of time
 * @merge: the merge
 * @clock: the staging's clock, ordered: raw times
 * @limit: records to apply at most, where the last ones are a batch up to BCOS_BATCH_ITEMS more; one of several units
 *         may count as so many
 *
 * Reads the clock, then the CPUs' marks, heads and losses (see stage.h), and
 * applies every record older than the horizon.  Publishes.
 *
 * Context: the log writer.
 * Return: true if there may be more right now: @limit was reached, or losses
 * had to be applied before newer ones could be read.
 */
bool bcos_merge_pass(struct bcos_merge *merge, u64 (*clock)(void), u32 limit);

#endif
