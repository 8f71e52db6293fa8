/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A source is the staging ring of one CPU as the log writer reads it: the record that comes next,
 * and the losses of the ring that are not applied yet. Such a loss is pending. It is applied before
 * records of its own time.
 */
#ifndef BCOS_CORE_SOURCE_H
#define BCOS_CORE_SOURCE_H

#include "core/raw/stage.h"
#include "core/raw/timebase.h"
#include "core/write/log.h"
#include "order.h"

#define BCOS_PENDING_LOSS	1	/* @loss waits to be applied */
#define BCOS_PENDING_ASSIGN	2	/* @assign_time and @assign_id wait to be applied */

/* The merge prefetches this many units ahead of the record that it reads: two cache lines. */
#define BCOS_SOURCE_AHEAD 8

struct bcos_source {
	struct bcos_stage *stage;	/* NULL: this CPU never had one */
	/* Copies from the stage, since the producer writes that cache line. */
	const struct bcos_unit *ring;
	u64 mask;
	u64 tail;			/* next unit to read */
	u64 head;			/* end of what this pass may read */
	u64 released;			/* @tail when it was last given to the producer */
	u64 gathered;			/* calls before this unit are in an entry already */
	u64 time;			/* ns since boot: the next record; or BCOS_ORDER_NEVER */
	u32 precision;			/* of @time, ns */
	u16 rank;			/* order among equal times: BCOS_ORDER_RANK() */
	u8 pending;			/* BCOS_PENDING_*: read and not yet applied */
	struct bcos_loss loss;		/* its times are ns since boot */
	u64 assign_time;
	u32 assign_id;
	u32 assign_precision;		/* ns */
	u32 loss_precision;		/* of beginning and end of @loss, ns */
	u32 stretch;			/* newest stretch seen */
	u64 counted[BCOS_LOSS_CLASSES];	/* these three: counts of the stage at the last look */
	u64 nested;
	u64 nmi;
};

/* Returns the record at unit @tail. */
static __always_inline const struct bcos_raw *bcos_source_record(const struct bcos_source *source,
								 u64 tail)
{
	return (const struct bcos_raw *)&source->ring[tail & source->mask];
}

/*
 * Makes the pending loss or assignment the next to come, if it is not later than the next record.
 */
void bcos_source_pending_first(struct bcos_source *source);

/* Finds the next record, pending loss or assignment: sets @source's time, precision and rank. */
static __always_inline void bcos_source_find_next(struct bcos_source *source,
						  struct bcos_timebase *timebase)
{
	const struct bcos_raw *raw = bcos_source_record(source, source->tail);

	source->time = BCOS_ORDER_NEVER;
	if (likely(source->tail != source->head)) {
		source->time = bcos_timebase_time(timebase, raw->time);
		source->precision = timebase->line.precision;
		source->rank = bcos_order_ranks[raw->kind];
	}
	if (unlikely(source->pending))
		bcos_source_pending_first(source);
}

/**
 * bcos_source_take_losses() - read the losses since the last look, unless one is pending
 * @source: a source with a stage
 * @timebase: converts the times of @source
 * @since: time of the last look, ns since boot
 * @now: time of this look, ns since boot
 *
 * The newest lost assignment is applied later, so it does not count as lost.
 *
 * Context: the log writer.
 * Return: false if the losses cannot be read now, since the CPU is writing them.
 */
bool bcos_source_take_losses(struct bcos_source *source, struct bcos_timebase *timebase, u64 since,
			     u64 now);

/*
 * Returns the time before which records may be applied, or 0 if no loss is pending. While a loss is
 * pending, newer losses are not read. Records after it must wait, since a newer lost assignment may
 * precede them.
 */
u64 bcos_source_held_at(const struct bcos_source *source);

/* Returns the room of applied records to the producer. */
void bcos_source_release(struct bcos_source *source);

#endif
