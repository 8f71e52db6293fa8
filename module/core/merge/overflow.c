// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What a CPU's staging lost: see overflow.h. */
#include "run.h"

/* How often a pass tries to read losses that are just being written. */
#define TRIES 100

/* A consistent copy of a CPU's losses; false while it is writing them. */
static bool read_lost(const struct bcos_stage *stage, struct bcos_stage_lost *copy)
{
	const struct bcos_stage_lost *lost = &stage->lost;
	u32 class;

	copy->sequence = smp_load_acquire(&lost->sequence);
	copy->stretch = READ_ONCE(lost->stretch);
	copy->first = READ_ONCE(lost->first);
	copy->last = READ_ONCE(lost->last);
	copy->assign_time = READ_ONCE(lost->assign_time);
	copy->assign_id = READ_ONCE(lost->assign_id);
	for (class = 0; class < BCOS_LOSS_CLASSES; class++)
		copy->count[class] = READ_ONCE(lost->count[class]);
	smp_rmb();
	return !(copy->sequence & 1) && READ_ONCE(lost->sequence) == copy->sequence;
}

/*
 * What was lost before the log began is found by the walk; what went on being lost is stated where the log begins, and
 * so are devices, which nobody tells of again.
 */
static void begin_with_log(const struct bcos_log *log, struct bcos_loss *loss)
{
	if (unlikely(!log->begun) && loss->first < log->begin &&
	    (loss->last >= log->begin || loss->count[BCOS_LOSS_DEVICE]))
		loss->first = log->begin;
}

bool bcos_source_take_losses(struct bcos_merge *merge, struct bcos_source *source, u64 now)
{
	struct bcos_timebase *timebase = &merge->timebase;
	struct bcos_stage *stage = source->stage;
	struct bcos_loss *loss = &source->loss;
	struct bcos_stage_lost lost;
	u64 nested = READ_ONCE(stage->nested), nmi = READ_ONCE(stage->nmi), total = 0;
	u32 class, tries = TRIES;

	if (source->pending)
		return true;
	while (!read_lost(stage, &lost)) {
		if (!--tries)
			return false;
		host_relax();
	}
	for (class = 0; class < BCOS_LOSS_CLASSES; class++) {
		loss->count[class] = lost.count[class] - source->counted[class];
		source->counted[class] = lost.count[class];
	}
	if (loss->count[BCOS_LOSS_ASSIGN]) {
		loss->count[BCOS_LOSS_ASSIGN]--;
		source->pending |= BCOS_PENDING_ASSIGN;
		source->assign_time = bcos_timebase_time(timebase, lost.assign_time);
		source->assign_precision = timebase->line.precision;
		source->assign_id = lost.assign_id;
	}
	for (class = 0; class < BCOS_LOSS_CLASSES; class++)
		total += loss->count[class];
	loss->nested = nested - source->nested;
	source->nested = nested;
	loss->nmi = nmi - source->nmi;
	source->nmi = nmi;
	loss->first = merge->horizon;
	loss->last = now;
	source->loss_precision = timebase->line.precision;
	if (total) {
		/* More of a stretch that was seen before: all but its beginning is newer than that. */
		if (lost.stretch != source->stretch) {
			loss->first = bcos_timebase_time(timebase, lost.first);
			source->loss_precision = timebase->line.precision;
		}
		loss->last = bcos_timebase_time(timebase, lost.last);
		if (source->loss_precision < timebase->line.precision)
			source->loss_precision = timebase->line.precision;
	}
	begin_with_log(merge->log, loss);
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
		source->rank = BCOS_RANK(1);
	}
	if (source->pending & BCOS_PENDING_LOSS && source->loss.first <= source->time) {
		source->time = source->loss.first;
		source->rank = BCOS_RANK(1);
	}
}

u64 bcos_source_held_at(const struct bcos_source *source)
{
	if (source->pending & BCOS_PENDING_ASSIGN)
		return source->assign_time + 1;
	return source->pending ? source->loss.first + 1 : 0;
}
