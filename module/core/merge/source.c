// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A CPU's staging ring as the log writer reads it: see source.h. */
#include "source.h"

/* A pass tries this often to read losses that the CPU is writing. */
#define TRIES 100

const u16 bcos_order_ranks[BCOS_RAW_KINDS] = {
	/* BIRTH, HELPER, EXEC, RENAME, THREAD and DEVICE give names, and have rank 0. */
	[BCOS_RAW_SWITCH] = BCOS_ORDER_RANK(1),
	[BCOS_RAW_IRQ] = BCOS_ORDER_RANK(1),
	[BCOS_RAW_IRQ_NAME] = BCOS_ORDER_RANK(1),
	[BCOS_RAW_SIGNAL] = BCOS_ORDER_RANK(1),
	[BCOS_RAW_VICTIM] = BCOS_ORDER_RANK(1),
	[BCOS_RAW_EVENT] = BCOS_ORDER_RANK(1),
	[BCOS_RAW_KMSG] = BCOS_ORDER_RANK(1),
	[BCOS_RAW_MESSAGE] = BCOS_ORDER_RANK(1),
	[BCOS_RAW_LINK] = BCOS_ORDER_RANK(1),
	[BCOS_RAW_INPUT] = BCOS_ORDER_RANK(1),
	[BCOS_RAW_OUTPUT] = BCOS_ORDER_RANK(1),
	[BCOS_RAW_FAULT] = BCOS_ORDER_RANK(1),
	[BCOS_RAW_API] = BCOS_ORDER_RANK(1),
	[BCOS_RAW_IDLE] = BCOS_ORDER_RANK(1),
	[BCOS_RAW_STATE] = BCOS_ORDER_RANK(1),
	[BCOS_RAW_LIMITS] = BCOS_ORDER_RANK(1),
	[BCOS_RAW_CHECK] = BCOS_ORDER_RANK(1),
	[BCOS_RAW_PROGRAM] = BCOS_ORDER_RANK(1),
	[BCOS_RAW_ASSIGN] = BCOS_ORDER_RANK(1),
	[BCOS_RAW_CGROUP] = BCOS_ORDER_RANK(1),
	[BCOS_RAW_DEVICE_GONE] = BCOS_ORDER_RANK(2),
	[BCOS_RAW_EXIT] = BCOS_ORDER_RANK(2),
	[BCOS_RAW_DEAD] = BCOS_ORDER_RANK(2),
	[BCOS_RAW_CPU_DOWN] = BCOS_ORDER_RANK(3),
};

/* Makes a consistent copy of a CPU's losses. Returns false while the CPU is writing them. */
static bool read_lost(const struct bcos_stage *stage, struct bcos_stage_lost *copy)
{
	const struct bcos_stage_lost *lost = &stage->lost;
	u32 class;

	/* Pairs with the second smp_wmb() of lose_record(). */
	copy->sequence = smp_load_acquire(&lost->sequence);
	copy->stretch = READ_ONCE(lost->stretch);
	copy->first = READ_ONCE(lost->first);
	copy->last = READ_ONCE(lost->last);
	copy->assign_time = READ_ONCE(lost->assign_time);
	copy->assign_id = READ_ONCE(lost->assign_id);
	for (class = 0; class < BCOS_LOSS_CLASSES; class++)
		copy->count[class] = READ_ONCE(lost->count[class]);
	/* Pairs with the first smp_wmb() of lose_record(). */
	smp_rmb();
	return !(copy->sequence & 1) && READ_ONCE(lost->sequence) == copy->sequence;
}

/*
 * Sets the beginning and end of a loss from those of the stretch, but never a beginning before the
 * last look.
 */
static void set_times(struct bcos_source *source, struct bcos_timebase *timebase,
		      const struct bcos_stage_lost *lost)
{
	struct bcos_loss *loss = &source->loss;

	/* If the stretch was seen before, its newer losses began after the last look. */
	if (lost->stretch != source->stretch) {
		loss->first = bcos_timebase_time(timebase, lost->first);
		source->loss_precision = timebase->line.precision;
	}
	loss->last = bcos_timebase_time(timebase, lost->last);
	if (source->loss_precision < timebase->line.precision)
		source->loss_precision = timebase->line.precision;
}

/*
 * Sets the counts of a loss: the cumulative counts, less those of the last look. Returns the number
 * of lost records.
 */
static u64 set_counts(struct bcos_source *source, const struct bcos_stage_lost *lost, u64 nested,
		      u64 nmi)
{
	struct bcos_loss *loss = &source->loss;
	u64 total = 0;
	u32 class;

	for (class = 0; class < BCOS_LOSS_CLASSES; class++) {
		loss->count[class] = lost->count[class] - source->counted[class];
		source->counted[class] = lost->count[class];
		total += loss->count[class];
	}
	loss->nested = nested - source->nested;
	source->nested = nested;
	loss->nmi = nmi - source->nmi;
	source->nmi = nmi;
	return total;
}

bool bcos_source_take_losses(struct bcos_source *source, struct bcos_timebase *timebase, u64 since,
			     u64 now)
{
	struct bcos_stage *stage = source->stage;
	struct bcos_loss *loss = &source->loss;
	struct bcos_stage_lost lost;
	u64 nested = READ_ONCE(stage->nested), nmi = READ_ONCE(stage->nmi), total;
	u32 tries = TRIES;

	if (source->pending)
		return true;
	while (!read_lost(stage, &lost)) {
		if (!--tries)
			return false;
		host_relax();
	}
	total = set_counts(source, &lost, nested, nmi);
	if (loss->count[BCOS_LOSS_ASSIGN]) {
		loss->count[BCOS_LOSS_ASSIGN]--;
		total--;
		source->pending |= BCOS_PENDING_ASSIGN;
		source->assign_time = bcos_timebase_time(timebase, lost.assign_time);
		source->assign_precision = timebase->line.precision;
		source->assign_id = lost.assign_id;
	}
	loss->first = since;
	loss->last = now;
	source->loss_precision = timebase->line.precision;
	/* What was refused is only counted, and may be of any time since the last look. */
	if (total && !loss->nested && !loss->nmi)
		set_times(source, timebase, &lost);
	if (total || loss->nested || loss->nmi)
		source->pending |= BCOS_PENDING_LOSS;
	if (source->stretch != lost.stretch) {
		source->stretch = lost.stretch;
		WRITE_ONCE(stage->taken, lost.stretch);
	}
	return true;
}

void bcos_source_pending_first(struct bcos_source *source)
{
	if (source->pending & BCOS_PENDING_ASSIGN && source->assign_time <= source->time) {
		source->time = source->assign_time;
		source->rank = BCOS_ORDER_RANK(1);
	}
	if (source->pending & BCOS_PENDING_LOSS && source->loss.first <= source->time) {
		source->time = source->loss.first;
		source->rank = BCOS_ORDER_RANK(1);
	}
}

u64 bcos_source_held_at(const struct bcos_source *source)
{
	if (source->pending & BCOS_PENDING_ASSIGN)
		return source->assign_time + 1;
	return source->pending ? source->loss.first + 1 : 0;
}

void bcos_source_release(struct bcos_source *source)
{
	if (source->tail == source->released)
		return;
	source->released = source->tail;
	/*
	 * Pairs with bcos_stage_full(): the writer reads records before the producer overwrites
	 * them.
	 */
	smp_store_release(&source->stage->tail, source->tail);
}
