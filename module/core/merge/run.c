// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Records in their order: see run.h. */
#include "batch.h"
#include "call.h"
#include "core/rules/shortcut.h"
#include "run.h"

/* After so many records in a row a CPU is expected to go on. */
#define PATTERN 4

/* How far ahead of its reading a ring is fetched, in units: two cache lines. */
#define AHEAD 8

/* After so many in a tournament it is looked again whether a batch is better. */
#define PORTION 2048

const u16 bcos_ranks[BCOS_RAW_KINDS] = {
	[BCOS_RAW_SWITCH] = BCOS_RANK(1),
	[BCOS_RAW_IRQ] = BCOS_RANK(1),
	[BCOS_RAW_IRQ_NAME] = BCOS_RANK(1),
	[BCOS_RAW_SIGNAL] = BCOS_RANK(1),
	[BCOS_RAW_VICTIM] = BCOS_RANK(1),
	[BCOS_RAW_EVENT] = BCOS_RANK(1),
	[BCOS_RAW_KMSG] = BCOS_RANK(1),
	[BCOS_RAW_MESSAGE] = BCOS_RANK(1),
	[BCOS_RAW_DEVICE_GONE] = BCOS_RANK(2),
	[BCOS_RAW_LINK] = BCOS_RANK(1),
	[BCOS_RAW_INPUT] = BCOS_RANK(1),
	[BCOS_RAW_OUTPUT] = BCOS_RANK(1),
	[BCOS_RAW_FAULT] = BCOS_RANK(1),
	[BCOS_RAW_API] = BCOS_RANK(1),
	[BCOS_RAW_IDLE] = BCOS_RANK(1),
	[BCOS_RAW_STATE] = BCOS_RANK(1),
	[BCOS_RAW_LIMITS] = BCOS_RANK(1),
	[BCOS_RAW_CHECK] = BCOS_RANK(1),
	[BCOS_RAW_PROGRAM] = BCOS_RANK(1),
	[BCOS_RAW_EXIT] = BCOS_RANK(2),
	[BCOS_RAW_DEAD] = BCOS_RANK(2),
	[BCOS_RAW_CPU_DOWN] = BCOS_RANK(3),
};

/*
 * A CPU may be said to be awake before it handles the interrupt that woke it:
 * nothing else comes between. ns.
 */
#define WAKING 100000

/* This and the next are rare: out of line, they do not cost the others registers. */
static noinline void find_waker(struct bcos_merge *merge, u32 cpu)
{
	const struct bcos_source *source = &merge->source[cpu];
	const struct bcos_raw *next = bcos_record_at(source, source->tail + 1);
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
	const struct bcos_raw *raw = bcos_record_at(source, source->tail);
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
		apply_any(merge, source, cpu, bcos_record_at(source, source->tail));
}

/* Applies what comes next on one CPU. */
static __always_inline void step(struct bcos_merge *merge, u32 cpu)
{
	struct bcos_source *source = &merge->source[cpu];
	struct bcos_cpu *model = &merge->log->model.cpus[cpu];

	/* What is pending has a time of its own, and there may be no record at all. */
	if (likely(!source->pending && bcos_log_is_plain(merge->log, model)) &&
	    likely(apply_plain(merge->log, model, cpu, source->time, source->precision,
			       bcos_record_at(source, source->tail))))
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
	u64 bound = merge->base + (bcos_tournament_second(&merge->next, cpu, end) >> BCOS_TIME_SHIFT);
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
		raw = bcos_record_at(source, source->tail);
		source->time = bcos_timebase_time(&merge->timebase, raw->time);
		source->precision = merge->timebase.line.precision;
		if (source->time >= bound)
			break;
		apply_any(merge, source, cpu, raw);
		left--;
	}
	return limit - left;
}

/* Everything before key @end, the first of all CPUs' at a time.  Return: records left of @limit. */
static u32 run_tournament(struct bcos_merge *merge, u64 end, u32 limit)
{
	struct bcos_tournament *next = &merge->next;
	u32 cpu, last = merge->sources, in_a_row = 0, count;
	struct bcos_source *source;
	u64 first;

	while (limit) {
		first = bcos_tournament_winner(next);
		if (first >= end)
			break;
		cpu = (u32)first & BCOS_CPU_MASK;
		source = &merge->source[cpu];
		in_a_row = (in_a_row + 1) & (0 - (u32)(cpu == last));
		last = cpu;
		count = unlikely(in_a_row >= PATTERN) ? gallop(merge, cpu, end, limit) : 0;
		if (!count) {
			step(merge, cpu);
			count = 1;
		}
		limit -= count;
		bcos_source_prepare(merge, source);
		bcos_tournament_replay(next, cpu, bcos_merge_key(merge, source->time, source->rank, cpu));
	}
	return limit;
}

/* Which unit of a CPU's ring an item is. */
static u64 tail_of(const struct bcos_source *source, const struct bcos_batch_item *item)
{
	return source->tail + ((u64)((const struct bcos_unit *)item->raw - source->ring - source->tail) & source->mask);
}

/* Behind a batch, of which what is from @item to @end was not applied. */
static void leave_batch(struct bcos_merge *merge, const struct bcos_batch_item *item,
			const struct bcos_batch_item *end)
{
	struct bcos_source *source;
	u32 cpu;

	while (end > item) {
		end--;
		source = &merge->source[end->key & BCOS_CPU_MASK];
		source->batched = tail_of(source, end);
	}
	for (cpu = 0; cpu < merge->sources; cpu++) {
		source = &merge->source[cpu];
		if (!source->stage)
			continue;
		if (source->tail != source->head)
			source->tail = source->batched;
		bcos_source_prepare(merge, source);
	}
	bcos_merge_line_up(merge);
}

/* Many records before @horizon, in their order.  Return: how many; 0: run a tournament. */
static u32 run_batch(struct bcos_merge *merge, u64 horizon, u32 limit)
{
	u32 count = bcos_batch_sort(merge, horizon, limit), applied, cpu;
	const struct bcos_batch *batch = &merge->batch;
	const struct bcos_batch_item *item, *end;
	struct bcos_log *log = merge->log;
	struct bcos_source *source;
	struct bcos_cpu *model;
	u64 time;

	if (!count)
		return 0;
	item = batch->room->item;
	for (end = item + count; item < end && likely(item->key < batch->end); item++) {
		cpu = (u32)item->key & BCOS_CPU_MASK;
		model = &log->model.cpus[cpu];
		time = batch->from + (item->key >> BCOS_TIME_SHIFT);
		if (likely(bcos_log_is_plain(log, model)) &&
		    likely(apply_plain(log, model, cpu, time, batch->precision, item->raw)))
			continue;
		source = &merge->source[cpu];
		source->tail = tail_of(source, item);
		/* Its precision is that of what came next there when the batch began: they are on one line. */
		source->time = time;
		apply_any(merge, source, cpu, item->raw);
	}
	leave_batch(merge, item, end);
	applied = (u32)(item - batch->room->item);
	bcos_batch_applied(&merge->batch, applied, count);
	return applied;
}

void bcos_merge_line_up(struct bcos_merge *merge)
{
	struct bcos_source *source;
	u32 cpu;

	for (cpu = 0; cpu < merge->sources; cpu++) {
		source = &merge->source[cpu];
		if (source->stage)
			merge->next.key[merge->next.leaves + cpu] =
				bcos_merge_key(merge, source->time, source->rank, cpu);
	}
	bcos_tournament_play(&merge->next);
}

u32 bcos_merge_run(struct bcos_merge *merge, u64 horizon, u32 limit)
{
	u64 end = bcos_merge_key(merge, horizon, 0, 0);
	u32 count, portion;

	while (limit && bcos_tournament_winner(&merge->next) < end) {
		count = run_batch(merge, horizon, limit);
		if (!count) {
			portion = limit < PORTION ? limit : PORTION;
			count = portion - run_tournament(merge, end, portion);
		}
		limit -= count < limit ? count : limit;
	}
	return limit;
}
