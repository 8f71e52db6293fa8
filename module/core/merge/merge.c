// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The merge: see stage.h for the proof of its order. */
#include "run.h"

/* How long a pass waits for a CPU that is writing, in ns, before it lowers the horizon. */
#define PATIENCE 2000

/*
 * Limits the looks at a writing CPU, since time does not advance while a counter has only one
 * sample.
 */
#define LOOKS 10000

/* Length of the first batch in ns; later ones adapt. */
#define FIRST_WINDOW (1ull << 20)

static void merge_free(struct bcos_merge *merge)
{
	struct bcos_tournament *next = &merge->next;
	struct bcos_model *model = &merge->log->model;

	bcos_model_free(model, merge->source, merge->sources * sizeof(*merge->source));
	bcos_model_free(model, next->loser, next->leaves * sizeof(*next->loser));
	bcos_model_free(model, next->key, 2ul * next->leaves * sizeof(*next->key));
	bcos_model_free(model, merge->batch.room, sizeof(*merge->batch.room));
	merge->source = NULL;
	next->loser = NULL;
	next->key = NULL;
	merge->batch.room = NULL;
}

int bcos_merge_init(struct bcos_merge *merge, struct bcos_log *log, u32 sources)
{
	struct bcos_tournament *next = &merge->next;
	u32 i;

	if (sources > BCOS_CPU_MASK + 1)
		return -EINVAL;
	merge->log = log;
	merge->sources = sources;
	bcos_timebase_init(&merge->timebase, log->precision);
	next->leaves = 1;
	while (next->leaves < sources)
		next->leaves *= 2;
	merge->source = bcos_model_alloc(&log->model, sources * sizeof(*merge->source));
	next->loser = bcos_model_alloc(&log->model, next->leaves * sizeof(*next->loser));
	next->key = bcos_model_alloc(&log->model, 2ul * next->leaves * sizeof(*next->key));
	if (sources > 1)
		merge->batch.room = bcos_model_alloc(&log->model, sizeof(*merge->batch.room));
	if (!merge->source || !next->loser || !next->key || (sources > 1 && !merge->batch.room)) {
		merge_free(merge);
		return -ENOMEM;
	}
	merge->batch.window = FIRST_WINDOW;
	for (i = 0; i < sources; i++)
		merge->source[i].time = BCOS_NEVER;
	for (i = 0; i < next->leaves; i++)
		next->key[next->leaves + i] = ~0ull << BCOS_RANK_SHIFT | i;
	return 0;
}

void bcos_merge_destroy(struct bcos_merge *merge)
{
	if (merge->log)
		merge_free(merge);
	merge->sources = 0;
}

void bcos_merge_add(struct bcos_merge *merge, u32 cpu, struct bcos_stage *stage)
{
	struct bcos_source *source = &merge->source[cpu];

	source->stage = stage;
	source->ring = stage->ring;
	source->mask = stage->size - 1;
}

/* Reads what a CPU has published. Returns the time before which this is complete. */
static u64 look(struct bcos_merge *merge, u32 cpu, u64 now, u64 (*clock)(void), bool *held)
{
	struct bcos_source *source = &merge->source[cpu];
	struct bcos_timebase *timebase = &merge->timebase;
	struct bcos_stage *stage = source->stage;
	u64 horizon = now, hold = bcos_source_held_at(source);
	u32 looks = LOOKS;

	while (smp_load_acquire(&stage->mark)) {
		if (!looks-- || bcos_timebase_time(timebase, clock()) > now + PATIENCE) {
			horizon = bcos_timebase_time(timebase, smp_load_acquire(&stage->last));
			break;
		}
		host_relax();
	}
	if (READ_ONCE(stage->kicked))
		WRITE_ONCE(stage->kicked, 0);
	source->head = smp_load_acquire(&stage->head);
	/*
	 * Unread losses may have happened at any time since the last pass, so nothing newer is
	 * complete.
	 */
	if (!bcos_source_take_losses(merge, source, now) && merge->horizon < horizon)
		horizon = merge->horizon;
	bcos_source_prepare(merge, source);
	if (hold && hold < horizon) {
		*held = true;
		return hold;
	}
	return horizon < now ? horizon : now;
}

static void release(struct bcos_source *source)
{
	if (source->tail == source->released)
		return;
	source->released = source->tail;
	smp_store_release(&source->stage->tail, source->tail);
}

/* Returns the time of the next record, which becomes the origin of the keys. */
static u64 begin_keys(struct bcos_merge *merge)
{
	u64 oldest = BCOS_NEVER;
	u32 cpu;

	for (cpu = 0; cpu < merge->sources; cpu++)
		if (merge->source[cpu].time < oldest)
			oldest = merge->source[cpu].time;
	merge->base = oldest;
	return oldest;
}

/* Returns true if all times up to now are certain. */
static bool sample(struct bcos_merge *merge)
{
	struct bcos_sample now;

	return merge->sample && merge->sample(&now) && bcos_timebase_add(&merge->timebase, &now);
}

u64 bcos_merge_time(struct bcos_merge *merge, u64 raw)
{
	sample(merge);
	return bcos_timebase_time(&merge->timebase, raw);
}

/* Returns the time of a pass in ns since boot: that of @raw, or the latest time that is certain. */
static u64 begin_pass(struct bcos_merge *merge, u64 raw)
{
	merge->exact = sample(merge) || !(raw & BCOS_RAW_TICKS);
	if (!merge->exact && merge->timebase.sampled && raw > merge->timebase.newest.ticks)
		raw = merge->timebase.newest.ticks;
	return bcos_timebase_time(&merge->timebase, raw);
}

bool bcos_merge_pass(struct bcos_merge *merge, u64 (*clock)(void), u32 limit)
{
	u64 raw = clock(), now, horizon, bound;
	bool held = false;
	u32 precision, cpu;

	host_barrier_after(raw);
	now = begin_pass(merge, raw);
	precision = merge->timebase.line.precision;
	horizon = now;
	for (cpu = 0; cpu < merge->sources; cpu++) {
		if (!merge->source[cpu].stage)
			continue;
		bound = look(merge, cpu, now, clock, &held);
		if (bound < horizon)
			horizon = bound;
	}
	bound = begin_keys(merge);
	bcos_merge_line_up(merge);
	if (bound < horizon && horizon - bound >= BCOS_SPAN) {
		horizon = bound + BCOS_SPAN - 1;
		held = true;
	}
	merge->until = horizon;
	limit = bcos_merge_run(merge, horizon, limit);
	for (cpu = 0; cpu < merge->sources; cpu++)
		release(&merge->source[cpu]);
	bound = merge->source[bcos_tournament_winner(&merge->next) & BCOS_CPU_MASK].time;
	if (bound < horizon)
		horizon = bound;
	if (horizon > merge->horizon)
		merge->horizon = horizon;
	bcos_timebase_forget(&merge->timebase, merge->horizon);
	merge->now = now;
	merge->batches++;
	/* This is the precision of what is written between passes. */
	merge->log->precision = precision;
	bcos_log_passed(merge->log, horizon);
	/* Records that were held back are applied by now, and newer losses may wait after them. */
	return held || (!limit && bound < now) || merge->log->resyncing;
}
