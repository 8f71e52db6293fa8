// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The merge: see stage.h for why its order is right. */
#include "run.h"

/* How long a pass waits for a CPU that is just writing, in ns, before it settles for less. */
#define PATIENCE 2000

/* Nor after so many looks: as long as there is but one sample of a counter, no time goes by. */
#define LOOKS 10000

/* How far the first batch goes, in ns; the others learn from it. */
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

/* Looks at one CPU: what it has published, and how far that is all. */
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
	/* Unread losses may be of any time since the last pass, which then is as far as everything is known. */
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

/* The time of what comes next, from which on keys count. */
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

/* Return: everything up to now is certain. */
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

/* The time of a pass in ns: that of @raw, or as far as times are certain. */
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
	/* Of what is written between passes. */
	merge->log->precision = precision;
	bcos_log_passed(merge->log, horizon);
	/* What was held back is applied by now, and behind it newer losses may wait to be read. */
	return held || (!limit && bound < now) || merge->log->resyncing;
}
