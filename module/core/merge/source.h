/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A source is one CPU's staging ring as the log writer reads it: the record that comes next, and
 * what the ring lost, until that is applied. A loss since the last look is pending: it is applied
 * before records of its own time.
 */
#ifndef BCOS_CORE_SOURCE_H
#define BCOS_CORE_SOURCE_H

#include "core/raw/stage.h"
#include "core/raw/timebase.h"
#include "core/write/log.h"
#include "order.h"

#define BCOS_PENDING_LOSS	1	/* @loss waits to be applied */
#define BCOS_PENDING_ASSIGN	2	/* @assign_time and @assign_id wait to be applied */

/* How many units ahead of its reading a ring is fetched: two cache lines. */
#define BCOS_SOURCE_AHEAD 8

struct bcos_source {
	struct bcos_stage *stage;	/* NULL: this CPU never had one */
	/* Copy from the stage, since the producer writes that cache line. */
	const struct bcos_unit *ring;
	u64 mask;
	u64 tail;			/* next unit to read */
	u64 head;			/* end of what this pass may read */
	u64 released;			/* the tail that the producer knows */
	u64 gathered;			/* calls before this unit are in an entry already */
	u64 time;			/* of the next record, ns since boot, or BCOS_ORDER_NEVER */
	u32 precision;			/* of that time, ns */
	u16 rank;			/* order among equal times: BCOS_ORDER_RANK() */
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

/* Returns the record at unit @tail. */
static __always_inline const struct bcos_raw *bcos_source_record(const struct bcos_source *source,
								 u64 tail)
{
	return (const struct bcos_raw *)&source->ring[tail & source->mask];
}

/* Lets what is pending come next if it precedes the next record or has the same time. */
void bcos_source_pending_first(struct bcos_source *source);

/* Finds what comes next: sets time, precision and rank. */
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
 * bcos_source_take_losses() - read what was lost since the last look, unless something is pending
 * @source: a source with a stage
 * @timebase: converts its times
 * @since: ns since boot, when the last look was
 * @now: ns since boot
 *
 * The newest lost assignment is applied, so it does not count as lost.
 *
 * Context: the log writer.
 * Return: false if the losses cannot be read now, since the CPU is writing them.
 */
bool bcos_source_take_losses(struct bcos_source *source, struct bcos_timebase *timebase, u64 since,
			     u64 now);

/*
 * Until what is pending is applied, no newer loss is read, so nothing after it may be applied: an
 * assignment that was lost there would come after what followed it. Returns the time before which
 * records may be applied; 0: all may.
 */
u64 bcos_source_held_at(const struct bcos_source *source);

/* Returns the room of applied records to the producer. */
void bcos_source_release(struct bcos_source *source);

#endif
