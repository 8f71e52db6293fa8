// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The merge: see stage.h for the proof of its order. */
#include "core/rules/life.h"
#include "core/rules/rules.h"
#include "core/rules/shortcut.h"
#include "core/write/group.h"
#include "merge.h"

/* How long a pass waits for a CPU that is writing, in ns, before it lowers the horizon. */
#define PATIENCE 2000

/*
 * A pass looks at a writing CPU this often at most. Without this limit it might look for ever,
 * since time does not advance while the timebase has only one sample of the counter.
 */
#define LOOKS 10000

/*
 * A CPU may record that it is awake before the interrupt that woke it. Within so many ns, the
 * interrupt that follows counts as the one that woke the CPU.
 */
#define WAKING 100000

/* ---- the clock of a pass ------------------------------------------------------------ */

/* Adds a sample of both clocks to the timebase. Returns true if all times up to now are certain. */
static bool take_sample(struct bcos_merge *merge)
{
	struct bcos_sample now;

	/*
	 * If the timebase has no room, no sample is taken, since the sample of the end of ticks is
	 * given only once.
	 */
	if (!merge->sample || bcos_timebase_is_full(&merge->timebase))
		return false;
	return merge->sample(&now) && bcos_timebase_add(&merge->timebase, &now);
}

u64 bcos_merge_time(struct bcos_merge *merge, u64 raw)
{
	take_sample(merge);
	return bcos_timebase_time(&merge->timebase, raw);
}

/* Returns the time @raw of a pass in ns since boot, or the latest time that is certain. */
static u64 begin_pass(struct bcos_merge *merge, u64 raw)
{
	merge->exact = take_sample(merge) || !(raw & BCOS_RAW_TICKS);
	if (!merge->exact && merge->timebase.sampled && raw > merge->timebase.newest.ticks)
		raw = merge->timebase.newest.ticks;
	return bcos_timebase_time(&merge->timebase, raw);
}

/* ---- the look at each CPU ------------------------------------------------------------ */

/*
 * Moves the beginning of a loss to that of the log, if the loss went on after the log began. The
 * walk at load finds what was lost before. A loss of devices is stated even if it ended before the
 * log began, since nobody announces these devices again.
 */
static void begin_with_log(const struct bcos_log *log, struct bcos_loss *loss)
{
	if (unlikely(!log->begun) && loss->first < log->begin &&
	    (loss->last >= log->begin || loss->count[BCOS_LOSS_DEVICE]))
		loss->first = log->begin;
}

/*
 * Reads what a CPU has published. Returns the time before which this is complete. Sets *@held if a
 * pending loss determines that time.
 */
static u64 look_at_source(struct bcos_merge *merge, struct bcos_source *source, u64 now,
			  u64 (*clock)(void), bool *held)
{
	struct bcos_timebase *timebase = &merge->timebase;
	struct bcos_stage *stage = source->stage;
	u64 horizon = now, hold = bcos_source_held_at(source);
	u32 looks = LOOKS;

	/* C3, pairs with P6. */
	while (smp_load_acquire(&stage->mark)) {
		if (!looks-- || bcos_timebase_time(timebase, clock()) > now + PATIENCE) {
			/* Pairs with P2 of the record with this time: head shows all before it. */
			horizon = bcos_timebase_time(timebase, smp_load_acquire(&stage->last));
			break;
		}
		host_relax();
	}
	if (READ_ONCE(stage->kicked))
		WRITE_ONCE(stage->kicked, 0);
	/* C4, pairs with P5. */
	source->head = smp_load_acquire(&stage->head);
	/*
	 * Unread losses may have happened at any time since the last pass, so nothing newer is
	 * complete.
	 */
	if (!bcos_source_take_losses(source, timebase, merge->horizon, now) &&
	    merge->horizon < horizon)
		horizon = merge->horizon;
	begin_with_log(merge->log, &source->loss);
	bcos_source_find_next(source, timebase);
	if (hold && hold < horizon) {
		*held = true;
		return hold;
	}
	return horizon < now ? horizon : now;
}

/*
 * Reads what all CPUs have published. Returns the horizon: the time before which all of it is
 * complete.
 */
static u64 look_at_all(struct bcos_merge *merge, u64 now, u64 (*clock)(void), bool *held)
{
	u64 horizon = now, bound;
	u32 cpu;

	for (cpu = 0; cpu < merge->sources; cpu++) {
		if (!merge->source[cpu].stage)
			continue;
		bound = look_at_source(merge, &merge->source[cpu], now, clock, held);
		if (bound < horizon)
			horizon = bound;
	}
	return horizon;
}

/*
 * Makes the time of the oldest record the base of the keys, plays all matches, and returns that
 * time.
 */
static u64 line_up(struct bcos_merge *merge)
{
	struct bcos_tournament *next = &merge->next;
	const struct bcos_source *source;
	u64 oldest = BCOS_ORDER_NEVER;
	u32 cpu;

	for (cpu = 0; cpu < merge->sources; cpu++)
		if (merge->source[cpu].time < oldest)
			oldest = merge->source[cpu].time;
	merge->base = oldest;
	for (cpu = 0; cpu < merge->sources; cpu++) {
		source = &merge->source[cpu];
		if (source->stage)
			next->key[next->leaves + cpu] = bcos_order_key(oldest, source->time,
								       source->rank, cpu);
	}
	bcos_tournament_play(next);
	return oldest;
}

/* ---- records in their order ---------------------------------------------------------- */

/* Finds the interrupt that woke a CPU, if that is the CPU's next record. */
static void find_waker(struct bcos_merge *merge, const struct bcos_source *source, u32 cpu)
{
	const struct bcos_raw *next = bcos_source_record(source, source->tail + 1);
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

/* Returns a record in one piece, even if it wraps at the end of its ring. */
static const struct bcos_raw *in_one_piece(struct bcos_merge *merge,
					   const struct bcos_source *source, u32 units)
{
	u32 i;

	for (i = 0; i < units; i++)
		merge->whole[i] = source->ring[(source->tail + i) & source->mask];
	return (const struct bcos_raw *)merge->whole;
}

/* May apply_life() apply records of this CPU about processes now? */
static __always_inline bool is_open_to_lives(const struct bcos_log *log, const struct bcos_cpu *cpu)
{
	return log->begun && log->interesting && cpu->online;
}

/*
 * Applies a record about a process in cases in which bcos_log_apply() would do no more than this.
 */
static __always_inline void apply_life(struct bcos_log *log, u32 cpu, u64 time, u32 precision,
				       u8 kind, const struct bcos_raw *raw)
{
	bcos_wakings_look(log, time);
	bcos_log_at(log, time, precision);
	bcos_life_apply(log, cpu, kind, raw);
	bcos_log_settle(log);
}

/*
 * Applies the record at @source->tail. This is not inlined, so that the code for frequent records
 * has the registers.
 */
static noinline void apply_rare(struct bcos_merge *merge, struct bcos_source *source, u32 cpu)
{
	const struct bcos_raw *raw = bcos_source_record(source, source->tail);

	if (raw->kind == BCOS_RAW_API) {
		bcos_wakings_look(merge->log, source->time);
		bcos_call_apply(merge->log, source, &merge->timebase, merge->until, merge->call);
		return;
	}
	if (raw->kind == BCOS_RAW_IDLE && raw->id == BCOS_RAW_AWAKE)
		find_waker(merge, source, cpu);
	if ((source->tail & source->mask) + raw->units > source->mask + 1)
		raw = in_one_piece(merge, source, raw->units);
	merge->log->precision = source->precision;
	source->tail += raw->units;
	bcos_log_apply(merge->log, cpu, source->time, raw);
}

/*
 * Applies the next record of a CPU, and the records after it whose time is before @bound, in ns
 * since boot. If @bound is 0, applies one record only. Returns the number of units, at most @limit.
 */
static __always_inline u32 apply_records(struct bcos_merge *merge, struct bcos_source *source,
					 u32 cpu, u64 bound, u32 limit)
{
	const struct bcos_raw *first_in_ring = (const struct bcos_raw *)source->ring;
	const struct bcos_raw *end_of_ring = first_in_ring + source->mask + 1;
	const struct bcos_raw *raw = bcos_source_record(source, source->tail);
	u64 first = source->tail, tail = first, end = source->head;
	struct bcos_timebase *timebase = &merge->timebase;
	u64 time = source->time;
	struct bcos_cpu *model = &merge->log->model.cpus[cpu];
	struct bcos_log *log = merge->log;
	bool open = bcos_shortcut_is_open(log, model), open_to_lives = is_open_to_lives(log, model);
	u8 kind;
	u32 units, precision = source->precision;

	if (!bound)
		end = tail + 1;
	else if (end - tail > limit)
		end = tail + limit;
	for (;;) {
		kind = raw->kind;
		host_prefetch(raw + BCOS_SOURCE_AHEAD);
		if (likely(open) && likely(bcos_shortcut(log, model, time, precision, raw))) {
			tail++;
			raw++;
		} else if (likely(open_to_lives && bcos_raw_is_life(kind) &&
				  raw + BCOS_RAW_LIFE_UNITS <= end_of_ring)) {
			apply_life(log, cpu, time, precision, kind, raw);
			units = raw->units;
			tail += units;
			raw += units;
		} else {
			source->tail = tail;
			source->time = time;
			source->precision = precision;
			apply_rare(merge, source, cpu);
			tail = source->tail;
			raw = bcos_source_record(source, tail);
			open = bcos_shortcut_is_open(log, model);
			open_to_lives = is_open_to_lives(log, model);
		}
		if (tail >= end)
			break;
		if (unlikely(raw == end_of_ring))
			raw = first_in_ring;
		time = bcos_timebase_time(timebase, raw->time);
		precision = timebase->line.precision;
		if (unlikely(time >= bound))
			break;
	}
	source->tail = tail;
	/* The last record may exceed @limit. */
	return tail - first < limit ? (u32)(tail - first) : limit;
}

/* Applies the pending loss or assignment of a CPU, or its next record, whichever comes first. */
static noinline void apply_pending(struct bcos_merge *merge, struct bcos_source *source, u32 cpu)
{
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
		apply_rare(merge, source, cpu);
	}
}

/*
 * Applies the records of all CPUs before @horizon, in their order. Returns what is left of @limit
 * units.
 *
 * If two records in a row are of one CPU, more of them mostly follow. So this CPU alone goes on up
 * to the next record of all other CPUs. Only then is it worth finding that record.
 */
static u32 apply_before(struct bcos_merge *merge, u64 horizon, u32 limit)
{
	u64 end = bcos_order_key(merge->base, horizon, 0, 0), first, bound;
	struct bcos_tournament *next = &merge->next;
	u32 cpu, last = merge->sources;
	struct bcos_source *source;

	while (limit && (first = bcos_tournament_winner(next)) < end) {
		cpu = (u32)first & BCOS_ORDER_CPU_MASK;
		source = &merge->source[cpu];
		bound = 0;
		if (cpu == last)
			bound = bcos_order_time(merge->base,
						bcos_tournament_second(next, cpu, end));
		/*
		 * A pending loss or assignment has a time of its own, and the ring may have no
		 * record at all.
		 */
		if (likely(!source->pending)) {
			limit -= apply_records(merge, source, cpu, bound, limit);
		} else {
			apply_pending(merge, source, cpu);
			limit--;
		}
		bcos_source_find_next(source, &merge->timebase);
		last = cpu;
		bcos_tournament_replay(next, cpu, bcos_order_key(merge->base, source->time,
								 source->rank, cpu));
	}
	return limit;
}

bool bcos_merge_pass(struct bcos_merge *merge, u64 (*clock)(void), u32 limit)
{
	u64 raw = clock(), now, horizon, oldest;
	bool held = false;
	u32 precision, cpu;

	host_barrier_after(raw);
	now = begin_pass(merge, raw);
	precision = merge->timebase.line.precision;
	horizon = look_at_all(merge, now, clock, &held);
	oldest = line_up(merge);
	if (oldest < horizon && horizon - oldest >= BCOS_ORDER_SPAN) {
		horizon = oldest + BCOS_ORDER_SPAN - 1;
		held = true;
	}
	if (merge->pause && merge->pause < horizon) {
		horizon = merge->pause;
		held = true;
	}
	merge->until = horizon;
	limit = apply_before(merge, horizon, limit);
	oldest = merge->source[bcos_tournament_winner(&merge->next) & BCOS_ORDER_CPU_MASK].time;
	if (oldest < horizon)
		horizon = oldest;
	if (horizon > merge->horizon)
		merge->horizon = horizon;
	bcos_timebase_forget(&merge->timebase, merge->horizon);
	merge->now = now;
	merge->passes++;
	/* Entries that are written between passes have this precision. */
	merge->log->precision = precision;
	bcos_log_passed(merge->log, horizon);
	/* What survives the kernel has each record in the log or in its ring, at each moment. */
	if (merge->passed)
		merge->passed(merge);
	for (cpu = 0; cpu < merge->sources; cpu++)
		bcos_source_release(&merge->source[cpu]);
	/*
	 * If a pending loss held records back, it is applied by now, and newer losses may wait in
	 * the ring.
	 */
	return held || (!limit && oldest < now) || merge->log->resyncing;
}
