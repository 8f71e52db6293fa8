// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The merge: see stage.h for why its order is right. */
#include "merge.h"

/* How often a pass tries to read losses that are just being written. */
#define TRIES 100

/* How long a pass waits for a CPU that is just writing, in ns, before it settles for less. */
#define PATIENCE 2000

/* Records after which a run gives its staging room back. */
#define RUN_MAX 256

/* Times at which nothing comes. */
#define NEVER (~0ull)

int bcos_merge_init(struct bcos_merge *merge, struct bcos_log *log, u32 sources)
{
	merge->log = log;
	merge->sources = sources;
	merge->source = bcos_model_alloc(&log->model, sources * sizeof(*merge->source));
	return merge->source ? 0 : -ENOMEM;
}

void bcos_merge_destroy(struct bcos_merge *merge)
{
	if (merge->log)
		bcos_model_free(&merge->log->model, merge->source,
				merge->sources * sizeof(*merge->source));
	merge->source = NULL;
	merge->sources = 0;
}

void bcos_merge_add(struct bcos_merge *merge, u32 cpu, struct bcos_stage *stage)
{
	merge->source[cpu].stage = stage;
}

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
 * What was lost since the last look; the newest lost assignment is none, since it is applied.
 * Return: false if it cannot be read now, since the CPU is writing it.
 */
static bool take_losses(struct bcos_source *source, u64 since, u64 now)
{
	struct bcos_stage *stage = source->stage;
	struct bcos_loss *loss = &source->loss;
	struct bcos_stage_lost lost;
	u64 nested = READ_ONCE(stage->nested), total = 0;
	u32 class, tries = TRIES;

	if (source->loss_pending || source->assign_pending)
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
		source->assign_pending = true;
		source->assign_time = lost.assign_time;
		source->assign_id = lost.assign_id;
	}
	for (class = 0; class < BCOS_LOSS_CLASSES; class++)
		total += loss->count[class];
	loss->nested = nested - source->nested;
	source->nested = nested;
	loss->first = since;
	loss->last = now;
	if (total) {
		/* More of a stretch that was seen before: all but its beginning is newer than that. */
		if (lost.stretch != source->stretch)
			loss->first = lost.first;
		loss->last = lost.last;
	}
	source->loss_pending = total || loss->nested;
	if (source->stretch != lost.stretch) {
		source->stretch = lost.stretch;
		WRITE_ONCE(stage->taken, lost.stretch);
	}
	return true;
}

/* Where a record stands among others of the same time: names first, deaths last. */
static u8 rank_of(u8 kind)
{
	switch (kind) {
	case BCOS_RAW_BIRTH:
	case BCOS_RAW_HELPER:
	case BCOS_RAW_EXEC:
	case BCOS_RAW_RENAME:
		return 0;
	case BCOS_RAW_EXIT:
	case BCOS_RAW_DEAD:
		return 2;
	case BCOS_RAW_CPU_DOWN:
		return 3;
	default:
		return 1;
	}
}

static const struct bcos_raw *front(const struct bcos_source *source)
{
	const struct bcos_stage *stage = source->stage;

	return (const struct bcos_raw *)&stage->ring[source->tail & (stage->size - 1)];
}

/* Finds what comes next on this CPU. */
static void prepare(struct bcos_source *source)
{
	const struct bcos_raw *raw;

	source->key = NEVER;
	source->rank = 1;
	if (source->tail != source->head) {
		raw = front(source);
		source->key = raw->time;
		source->rank = rank_of(raw->kind);
	}
	if (source->assign_pending && source->assign_time <= source->key) {
		source->key = source->assign_time;
		source->rank = 1;
	}
	if (source->loss_pending && source->loss.first <= source->key) {
		source->key = source->loss.first;
		source->rank = 1;
	}
}

/*
 * Until what is pending is applied no newer loss is taken, so nothing behind it may be applied: an assignment that
 * was lost there would come after what followed it.  0: nothing is pending.
 */
static u64 held_at(const struct bcos_source *source)
{
	if (source->assign_pending)
		return source->assign_time + 1;
	return source->loss_pending ? source->loss.first + 1 : 0;
}

/* Looks at one CPU: what it has published, and how far that is all. */
static u64 look(struct bcos_source *source, u64 since, u64 now, u64 (*clock)(void), bool *held)
{
	struct bcos_stage *stage = source->stage;
	u64 horizon = now, hold = held_at(source);

	while (smp_load_acquire(&stage->mark)) {
		if (clock() - now > PATIENCE) {
			horizon = smp_load_acquire(&stage->last);
			break;
		}
		host_relax();
	}
	if (READ_ONCE(stage->kicked))
		WRITE_ONCE(stage->kicked, 0);
	source->head = smp_load_acquire(&stage->head);
	/* Unread losses may be of any time since the last pass, which then is as far as everything is known. */
	if (!take_losses(source, since, now) && since < horizon)
		horizon = since;
	prepare(source);
	if (hold && hold < horizon) {
		*held = true;
		return hold;
	}
	return horizon < now ? horizon : now;
}

static void apply_record(struct bcos_merge *merge, u32 cpu)
{
	struct bcos_source *source = &merge->source[cpu];
	const struct bcos_stage *stage = source->stage;
	const struct bcos_raw *raw = front(source);
	u64 at = source->tail & (stage->size - 1);
	struct bcos_unit whole[BCOS_RAW_UNITS_MAX];
	u32 units = raw->units, i;

	if (unlikely(at + units > stage->size)) {
		for (i = 0; i < units; i++)
			whole[i] = stage->ring[(source->tail + i) & (stage->size - 1)];
		raw = (const struct bcos_raw *)whole;
	}
	bcos_log_apply(merge->log, cpu, raw);
	source->tail += units;
}

static void apply_next(struct bcos_merge *merge, u32 cpu)
{
	struct bcos_source *source = &merge->source[cpu];
	struct bcos_raw raw;

	if (source->loss_pending && source->key == source->loss.first) {
		source->loss_pending = false;
		bcos_log_lost(merge->log, cpu, &source->loss);
	} else if (source->assign_pending && source->key == source->assign_time) {
		source->assign_pending = false;
		raw = (struct bcos_raw){
			.time = source->assign_time,
			.kind = BCOS_RAW_SWITCH,
			.units = 1,
			.id = source->assign_id,
		};
		bcos_log_apply(merge->log, cpu, &raw);
	} else {
		apply_record(merge, cpu);
	}
	prepare(source);
}

static bool before(const struct bcos_merge *merge, u32 a, u32 b)
{
	const struct bcos_source *x = &merge->source[a], *y = &merge->source[b];

	if (x->key != y->key)
		return x->key < y->key;
	return x->rank != y->rank ? x->rank < y->rank : a < b;
}

/* The CPU whose next record is the oldest, and the one after it. */
static void find_first(const struct bcos_merge *merge, u32 *first, u32 *second)
{
	u32 cpu;

	*first = *second = merge->sources;
	for (cpu = 0; cpu < merge->sources; cpu++) {
		if (!merge->source[cpu].stage || merge->source[cpu].key == NEVER)
			continue;
		if (*first == merge->sources || before(merge, cpu, *first)) {
			*second = *first;
			*first = cpu;
		} else if (*second == merge->sources || before(merge, cpu, *second)) {
			*second = cpu;
		}
	}
}

/* Switches that are older than @bound: nothing else can be due.  Return: how many, at most @limit. */
static u32 run_switches(struct bcos_merge *merge, u32 cpu, u64 bound, u32 limit)
{
	struct bcos_source *source = &merge->source[cpu];
	struct bcos_run run = {
		.ring = source->stage->ring,
		.mask = source->stage->size - 1,
		.tail = source->tail,
		.end = source->head,
	};
	u32 count;

	if (source->loss_pending || source->assign_pending)
		return 0;
	if (run.end - run.tail > limit)
		run.end = run.tail + limit;
	count = bcos_log_apply_switches(merge->log, cpu, &run, bound);
	source->tail = run.tail;
	return count;
}

/* Applies what one CPU has before any other is due.  Return: records left of @limit. */
static u32 run(struct bcos_merge *merge, u32 first, u32 second, u64 horizon, u32 limit)
{
	struct bcos_source *source = &merge->source[first];
	u32 end = limit > RUN_MAX ? limit - RUN_MAX : 0, count;
	u64 bound = horizon;

	if (second != merge->sources && merge->source[second].key < bound)
		bound = merge->source[second].key;
	do {
		count = run_switches(merge, first, bound, limit - end);
		limit -= count;
		if (count) {
			prepare(source);
		} else {
			apply_next(merge, first);
			limit--;
		}
	} while (limit > end && source->key < horizon &&
		 (second == merge->sources || before(merge, first, second)));
	smp_store_release(&source->stage->tail, source->tail);
	return limit;
}

bool bcos_merge_pass(struct bcos_merge *merge, u64 (*clock)(void), u32 limit)
{
	u64 now = clock(), horizon = now, bound;
	u32 cpu, first, second;
	bool held = false;

	host_barrier_after(now);
	for (cpu = 0; cpu < merge->sources; cpu++) {
		if (!merge->source[cpu].stage)
			continue;
		bound = look(&merge->source[cpu], merge->horizon, now, clock, &held);
		if (bound < horizon)
			horizon = bound;
	}
	find_first(merge, &first, &second);
	while (limit && first < merge->sources && merge->source[first].key < horizon) {
		limit = run(merge, first, second, horizon, limit);
		find_first(merge, &first, &second);
	}
	if (first < merge->sources && merge->source[first].key < horizon)
		horizon = merge->source[first].key;
	if (horizon > merge->horizon)
		merge->horizon = horizon;
	merge->batches++;
	bcos_log_passed(merge->log, horizon);
	return (!limit || held) && first < merge->sources && merge->source[first].key < now;
}
