// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The merge: see stage.h for why its order is right. */
#include "calls.h"
#include "merge.h"
#include "overflow.h"
#include "plain.h"

/* How long a pass waits for a CPU that is just writing, in ns, before it settles for less. */
#define PATIENCE 2000

/* After so many records in a row a CPU is expected to go on. */
#define PATTERN 4

/* A key: time since the base, rank, CPU. */
#define TIME_SHIFT 16
#define RANK_SHIFT 14
#define CPU_MASK 0x3FFFu
#define SPAN ((1ull << (64 - TIME_SHIFT)) - 1)

/* The time at which nothing comes. */
#define NEVER (~0ull)

/* How far ahead of its reading a ring is fetched, in units: two cache lines. */
#define AHEAD 8

static void merge_free(struct bcos_merge *merge)
{
	struct bcos_tournament *next = &merge->next;
	struct bcos_model *model = &merge->log->model;

	bcos_model_free(model, merge->source, merge->sources * sizeof(*merge->source));
	bcos_model_free(model, next->loser, next->leaves * sizeof(*next->loser));
	bcos_model_free(model, next->key, 2ul * next->leaves * sizeof(*next->key));
	merge->source = NULL;
	next->loser = NULL;
	next->key = NULL;
}

int bcos_merge_init(struct bcos_merge *merge, struct bcos_log *log, u32 sources)
{
	struct bcos_tournament *next = &merge->next;
	u32 i;

	if (sources > CPU_MASK + 1)
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
	if (!merge->source || !next->loser || !next->key) {
		merge_free(merge);
		return -ENOMEM;
	}
	for (i = 0; i < sources; i++)
		merge->source[i].time = NEVER;
	for (i = 0; i < next->leaves; i++)
		next->key[next->leaves + i] = ~0ull << RANK_SHIFT | i;
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

/* Where a record stands among others of the same time: names first, deaths last. */
static const u8 ranks[BCOS_RAW_KINDS] = {
	[BCOS_RAW_SWITCH] = 1,
	[BCOS_RAW_IRQ] = 1,
	[BCOS_RAW_IRQ_NAME] = 1,
	[BCOS_RAW_SIGNAL] = 1,
	[BCOS_RAW_VICTIM] = 1,
	[BCOS_RAW_EVENT] = 1,
	[BCOS_RAW_KMSG] = 1,
	[BCOS_RAW_MESSAGE] = 1,
	[BCOS_RAW_DEVICE_GONE] = 2,
	[BCOS_RAW_LINK] = 1,
	[BCOS_RAW_INPUT] = 1,
	[BCOS_RAW_OUTPUT] = 1,
	[BCOS_RAW_FAULT] = 1,
	[BCOS_RAW_API] = 1,
	[BCOS_RAW_IDLE] = 1,
	[BCOS_RAW_STATE] = 1,
	[BCOS_RAW_LIMITS] = 1,
	[BCOS_RAW_CHECK] = 1,
	[BCOS_RAW_EXIT] = 2,
	[BCOS_RAW_DEAD] = 2,
	[BCOS_RAW_CPU_DOWN] = 3,
};

static __always_inline const struct bcos_raw *record_at(const struct bcos_source *source, u64 tail)
{
	return (const struct bcos_raw *)&source->ring[tail & source->mask];
}

/* Finds what comes next on a CPU. */
static __always_inline void prepare(struct bcos_merge *merge, struct bcos_source *source)
{
	const struct bcos_raw *raw = record_at(source, source->tail);

	source->time = NEVER;
	if (likely(source->tail != source->head)) {
		source->time = bcos_timebase_time(&merge->timebase, raw->time);
		source->precision = merge->timebase.line.precision;
		source->rank = ranks[raw->kind];
	}
	if (unlikely(source->pending))
		bcos_source_pending_first(source);
}

/*
 * In the order in which records are applied: by time, from merge->base on, then
 * by rank, then by CPU.  What is SPAN or more after the base is not of this pass.
 */
static __always_inline u64 key_of(const struct bcos_merge *merge, u64 time, u8 rank, u32 cpu)
{
	u64 since = time > merge->base ? time - merge->base : 0;

	return (since < SPAN ? since : SPAN) << TIME_SHIFT | (u64)rank << RANK_SHIFT | cpu;
}

/* Looks at one CPU: what it has published, and how far that is all. */
static u64 look(struct bcos_merge *merge, u32 cpu, u64 now, u64 (*clock)(void), bool *held)
{
	struct bcos_source *source = &merge->source[cpu];
	struct bcos_timebase *timebase = &merge->timebase;
	struct bcos_stage *stage = source->stage;
	u64 horizon = now, hold = bcos_source_held_at(source);

	while (smp_load_acquire(&stage->mark)) {
		if (bcos_timebase_time(timebase, clock()) > now + PATIENCE) {
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
	prepare(merge, source);
	if (hold && hold < horizon) {
		*held = true;
		return hold;
	}
	return horizon < now ? horizon : now;
}

/*
 * A CPU may be said to be awake before it handles the interrupt that woke it:
 * nothing else comes between. ns.
 */
#define WAKING 100000

/* This and the next are rare: out of line, they do not cost the others registers. */
static noinline void find_waker(struct bcos_merge *merge, u32 cpu)
{
	const struct bcos_source *source = &merge->source[cpu];
	const struct bcos_raw *next = record_at(source, source->tail + 1);
	struct bcos_cpu *model = &merge->log->model.cpus[cpu];
	const struct bcos_line *line;

	if (source->tail + 1 == source->head || model->interrupted_by != BCOS_NO_DEVICE)
		return;
	if ((next->kind != BCOS_RAW_IRQ && next->kind != BCOS_RAW_IRQ_NAME) ||
	    bcos_timebase_time(&merge->timebase, next->time) - source->time >= WAKING)
		return;
	line = bcos_model_line(&merge->log->model, next->id & ~BCOS_RAW_SHARED, next->aux);
	if (line)
		model->interrupted_by = line->device->id;
}

/* A record that goes on at the beginning of its ring, in one piece. */
static noinline const struct bcos_raw *whole(struct bcos_merge *merge, const struct bcos_source *source, u32 units)
{
	u32 i;

	for (i = 0; i < units; i++)
		merge->whole[i] = source->ring[(source->tail + i) & source->mask];
	return (const struct bcos_raw *)merge->whole;
}

static void apply_record(struct bcos_merge *merge, u32 cpu)
{
	struct bcos_source *source = &merge->source[cpu];
	const struct bcos_raw *raw = record_at(source, source->tail);
	u32 units = raw->units;

	if (raw->kind == BCOS_RAW_API) {
		bcos_calls_apply(merge, source);
		return;
	}
	if (raw->kind == BCOS_RAW_IDLE && raw->id == BCOS_RAW_AWAKE)
		find_waker(merge, cpu);
	if (unlikely((source->tail & source->mask) + units > source->mask + 1))
		raw = whole(merge, source, units);
	merge->log->precision = source->precision;
	/* Given back to its CPU at the end of the pass. */
	source->tail += units;
	bcos_log_apply(merge->log, cpu, source->time, raw);
}

/* The first of what is pending and the next record. */
static void apply_pending(struct bcos_merge *merge, u32 cpu)
{
	struct bcos_source *source = &merge->source[cpu];
	struct bcos_raw raw = { .kind = BCOS_RAW_SWITCH, .units = 1, .id = source->assign_id };

	if (source->pending & BCOS_PENDING_LOSS && source->time == source->loss.first) {
		source->pending &= ~BCOS_PENDING_LOSS;
		merge->log->precision = source->loss_precision;
		bcos_log_lost(merge->log, cpu, &source->loss);
	} else if (source->pending & BCOS_PENDING_ASSIGN && source->time == source->assign_time) {
		source->pending &= ~BCOS_PENDING_ASSIGN;
		merge->log->precision = source->assign_precision;
		bcos_log_apply(merge->log, cpu, source->time, &raw);
	} else {
		apply_record(merge, cpu);
	}
}

static void release(struct bcos_source *source)
{
	if (source->tail == source->released)
		return;
	source->released = source->tail;
	smp_store_release(&source->stage->tail, source->tail);
}

/* A record that changes nearly nothing.  Return: false if it does, and nothing was done. */
static __always_inline bool apply_plain(struct bcos_log *log, struct bcos_cpu *model, u32 cpu, u64 time,
					u32 precision, const struct bcos_raw *raw)
{
	if (likely(raw->kind == BCOS_RAW_SWITCH))
		return bcos_log_switch(log, model, cpu, time, precision, raw->id);
	if (raw->kind == BCOS_RAW_IRQ)
		return bcos_log_interrupt(log, model, time, precision, raw->id, raw->aux);
	return false;
}

/*
 * The beginning, the next program or the end of a process; @room: units up to the end of the ring.
 * Return: the units that it has; 0: it is something else, or not a plain one, and nothing was done.
 */
static __always_inline u32 apply_life(struct bcos_log *log, u32 cpu, u64 time, u32 precision,
				      const struct bcos_raw *raw, u64 room)
{
	const u32 kinds = 1u << BCOS_RAW_BIRTH | 1u << BCOS_RAW_EXEC | 1u << BCOS_RAW_EXIT | 1u << BCOS_RAW_DEAD;

	if (!(kinds >> raw->kind & 1) || unlikely(raw->units > room))
		return 0;
	return likely(bcos_log_life(log, cpu, time, precision, raw)) ? raw->units : 0;
}

/* Plain records of one CPU before @bound, in ns, of @limit units.  Return: how many these have, of that limit. */
static __always_inline u32 run_plain(struct bcos_merge *merge, u32 cpu, u64 bound, u32 limit)
{
	struct bcos_source *source = &merge->source[cpu];
	struct bcos_timebase *timebase = &merge->timebase;
	const struct bcos_unit *ring = source->ring;
	u64 mask = source->mask, tail = source->tail, end = source->head, time;
	struct bcos_log *log = merge->log;
	struct bcos_cpu *model = &log->model.cpus[cpu];
	const struct bcos_raw *raw;
	u32 units;

	if (end - tail > limit)
		end = tail + limit;
	/* Beyond the limit, but not beyond what there is, the last one may go. */
	while (tail < end) {
		raw = (const struct bcos_raw *)&ring[tail & mask];
		host_prefetch(raw + AHEAD);
		time = bcos_timebase_time(timebase, raw->time);
		if (time >= bound)
			break;
		if (likely(apply_plain(log, model, cpu, time, timebase->line.precision, raw))) {
			tail++;
			continue;
		}
		units = apply_life(log, cpu, time, timebase->line.precision, raw, mask + 1 - (tail & mask));
		if (!units)
			break;
		tail += units;
	}
	units = (u32)(tail - source->tail);
	source->tail = tail;
	return units < limit ? units : limit;
}

/* The next record, whatever it is. */
static __always_inline void apply_any(struct bcos_merge *merge, struct bcos_source *source, u32 cpu,
				      const struct bcos_raw *raw)
{
	u32 units = apply_life(merge->log, cpu, source->time, source->precision, raw,
			       source->mask + 1 - (source->tail & source->mask));

	if (units)
		source->tail += units;
	else
		apply_record(merge, cpu);
}

/* What is not plain.  Out of line, as above. */
static noinline void apply_next(struct bcos_merge *merge, u32 cpu)
{
	struct bcos_source *source = &merge->source[cpu];

	if (unlikely(source->pending))
		apply_pending(merge, cpu);
	else
		apply_any(merge, source, cpu, record_at(source, source->tail));
}

/* Applies what comes next on one CPU. */
static __always_inline void step(struct bcos_merge *merge, u32 cpu)
{
	struct bcos_source *source = &merge->source[cpu];
	struct bcos_cpu *model = &merge->log->model.cpus[cpu];

	/* What is pending has a time of its own, and there may be no record at all. */
	if (likely(!source->pending && bcos_log_is_plain(merge->log, model)) &&
	    likely(apply_plain(merge->log, model, cpu, source->time, source->precision,
			       record_at(source, source->tail))))
		source->tail++;
	else
		apply_next(merge, cpu);
}

/*
 * How far a CPU may go on is known only by a look at all others: so that is for
 * those that do go on.  Return: records applied.
 */
static u32 gallop(struct bcos_merge *merge, u32 cpu, u64 end, u32 limit)
{
	u64 bound = merge->base + (bcos_tournament_second(&merge->next, cpu, end) >> TIME_SHIFT);
	struct bcos_source *source = &merge->source[cpu];
	const struct bcos_raw *raw;
	u32 left = limit;

	if (source->pending)
		return 0;
	while (left) {
		if (bcos_log_is_plain(merge->log, &merge->log->model.cpus[cpu]))
			left -= run_plain(merge, cpu, bound, left);
		if (!left || source->tail == source->head)
			break;
		raw = record_at(source, source->tail);
		source->time = bcos_timebase_time(&merge->timebase, raw->time);
		source->precision = merge->timebase.line.precision;
		if (source->time >= bound)
			break;
		apply_any(merge, source, cpu, raw);
		left--;
	}
	return limit - left;
}

/* Applies everything before @horizon.  Return: records left of @limit. */
static u32 apply_until(struct bcos_merge *merge, u64 horizon, u32 limit)
{
	struct bcos_tournament *next = &merge->next;
	u64 end = key_of(merge, horizon, 0, 0), first;
	u32 cpu, last = merge->sources, in_a_row = 0, count;
	struct bcos_source *source;

	while (limit) {
		first = bcos_tournament_winner(next);
		if (first >= end)
			break;
		cpu = (u32)first & CPU_MASK;
		source = &merge->source[cpu];
		in_a_row = (in_a_row + 1) & (0 - (u32)(cpu == last));
		last = cpu;
		count = unlikely(in_a_row >= PATTERN) ? gallop(merge, cpu, end, limit) : 0;
		if (!count) {
			step(merge, cpu);
			count = 1;
		}
		limit -= count;
		prepare(merge, source);
		bcos_tournament_replay(next, cpu, key_of(merge, source->time, source->rank, cpu));
	}
	return limit;
}

/* What comes next on each CPU, and which is the first.  Return: its time. */
static u64 line_up(struct bcos_merge *merge)
{
	struct bcos_source *source;
	u64 oldest = NEVER;
	u32 cpu;

	for (cpu = 0; cpu < merge->sources; cpu++) {
		source = &merge->source[cpu];
		if (source->stage && source->time < oldest)
			oldest = source->time;
	}
	merge->base = oldest;
	for (cpu = 0; cpu < merge->sources; cpu++) {
		source = &merge->source[cpu];
		if (source->stage)
			merge->next.key[merge->next.leaves + cpu] = key_of(merge, source->time, source->rank, cpu);
	}
	bcos_tournament_play(&merge->next);
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
	u32 cpu;

	host_barrier_after(raw);
	now = begin_pass(merge, raw);
	horizon = now;
	for (cpu = 0; cpu < merge->sources; cpu++) {
		if (!merge->source[cpu].stage)
			continue;
		bound = look(merge, cpu, now, clock, &held);
		if (bound < horizon)
			horizon = bound;
	}
	bound = line_up(merge);
	if (bound < horizon && horizon - bound >= SPAN) {
		horizon = bound + SPAN - 1;
		held = true;
	}
	merge->until = horizon;
	limit = apply_until(merge, horizon, limit);
	for (cpu = 0; cpu < merge->sources; cpu++)
		release(&merge->source[cpu]);
	bound = merge->source[bcos_tournament_winner(&merge->next) & CPU_MASK].time;
	if (bound < horizon)
		horizon = bound;
	if (horizon > merge->horizon)
		merge->horizon = horizon;
	bcos_timebase_forget(&merge->timebase, merge->horizon);
	merge->now = now;
	merge->batches++;
	/* Of what is written between passes. */
	merge->log->precision = merge->timebase.line.precision;
	bcos_log_passed(merge->log, horizon);
	/* What was held back is applied by now, and behind it newer losses may wait to be read. */
	return held || (!limit && bound < now);
}
