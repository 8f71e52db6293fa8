// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * core/merge/batch.c: two logs are fed alike, and one of them has no room for
 * batches, so all its records go through the tournament: nobody can tell which
 * was which.
 *
 * test: rounds=15:600 timeout=120:900
 */
#include <stdlib.h>
#include "check.h"
#include "churn.h"
#include "staged.h"

#define CPUS 8
#define NOBODY CPUS	/* the source of what no CPU says */
#define UNITS 4096
#define ALL 1000000

/* Enough for what all CPUs have staged, so that the tape keeps up. */
#define RING (4u << 20)

struct side {
	struct staged *staged;
	struct bcos_stage nobody __attribute__((aligned(64)));
	struct bcos_unit unit[256];
};

struct pair {
	struct side batch, single;
	struct bcos_batch_room *room;	/* which the single one has not */
	struct churn churn;
	u64 seed;
	u64 busy_until;			/* one CPU alone does everything */
	u32 busy;
	u32 scale;			/* ns for one of the made-up machine's ... */
	u64 origin;			/* ... after so many */
	bool ticks, unsteady;
	u64 records, passes, batches, far;
};

static u32 dice(struct pair *p, u32 sides)
{
	return (u32)(next_random(&p->seed) >> 16) % sides;
}

/* Three ticks are a ns and a bit, which changes. */
static u64 drifted;

static bool sample_ticks(struct bcos_sample *sample)
{
	u64 ticks = staged_now & ~BCOS_RAW_TICKS;

	*sample = (struct bcos_sample){ staged_now, 1000 + ticks / 3 + drifted, 5 };
	return true;
}

static u64 raw_time(const struct pair *p, u64 time)
{
	time = p->origin + time * p->scale;
	return p->ticks ? BCOS_RAW_TICKS | 3 * time : time;
}

static void side_open(struct side *side, bool ticks)
{
	memset(side, 0, sizeof(*side));
	side->staged = staged_early(CPUS, UNITS, RING);
	side->staged->merge.sample = ticks ? sample_ticks : NULL;
	bcos_stage_init(&side->nobody, side->unit, COUNT(side->unit));
	bcos_merge_add(&side->staged->merge, NOBODY, &side->nobody);
}

static void to_both(void *context, u32 cpu, u64 time, struct feed_record record)
{
	struct pair *p = context;

	if (time < p->busy_until)
		cpu = p->busy;
	time = raw_time(p, time);
	/* A clock that is not what it should be; equal ticks; ns among ticks. */
	if (p->unsteady && !dice(p, 200))
		time -= dice(p, 400u * p->scale);
	if (p->unsteady && p->ticks && !dice(p, 500))
		time = (time & ~BCOS_RAW_TICKS) / 3 + 1000;
	staged_put(p->batch.staged, cpu, time, record);
	staged_put(p->single.staged, cpu, time, record);
	p->records++;
}

/* What the made-up machine does not do. */
static void say(struct pair *p)
{
	static const char text[] = "of some length, which may be enough for several units of the ring";
	struct bcos_raw_event event = { .event_id = 1 };
	struct bcos_raw raw = { .kind = BCOS_RAW_KMSG };
	u32 cpu = dice(p, CPUS), length = dice(p, sizeof(text));
	u64 time = p->churn.time;

	switch (dice(p, 6)) {
	case 0:
		to_both(p, cpu, time, record_event(BCOS_RAW_EVENT, BCOS_SUBJECT_PROCESS, BCOS_PROCESS_KERNEL, 0, 1, 0x40,
						   text, length));
		break;
	case 1:
		/* Whatever time it has, and always ns. */
		time = p->origin + time * p->scale + (p->ticks ? 1000 : 0) - dice(p, 3000);
		bcos_stage_append(&p->batch.nobody, time, &raw, &event, text, length);
		bcos_stage_append(&p->single.nobody, time, &raw, &event, text, length);
		break;
	case 2:
		to_both(p, cpu, time, record_plain(BCOS_RAW_IDLE, 1, 0));
		to_both(p, cpu, time + 1, record_plain(BCOS_RAW_IDLE, BCOS_RAW_AWAKE, 0));
		to_both(p, cpu, time + 1, record_plain(BCOS_RAW_IRQ, 3, 3));
		p->churn.time++;
		break;
	default:
		for (length /= 4; length; length--)
			to_both(p, cpu, time, record_plain(BCOS_RAW_API, 7, (u16)length));
	}
}

static void check_same(struct pair *p)
{
	const struct staged *a = p->batch.staged, *b = p->single.staged;
	u32 i;

	assert_int_equal(a->merge.horizon, b->merge.horizon);
	assert_int_equal(a->feed.log.precision, b->feed.log.precision);
	assert_int_equal(a->feed.length, b->feed.length);
	assert_memory_equal(a->feed.tape, b->feed.tape, b->feed.length);
	assert_memory_equal(&a->feed.log.stats, &b->feed.log.stats, sizeof(a->feed.log.stats));
	for (i = 0; i < CPUS; i++)
		assert_int_equal(a->stage[i]->tail, b->stage[i]->tail);
	assert_int_equal(p->batch.nobody.tail, p->single.nobody.tail);
}

/* A pass over both. */
static void pass_both(struct pair *p, u32 limit)
{
	u64 now = raw_time(p, ++p->churn.time);
	bool more;

	p->batch.staged->merge.batch.end = 0;
	more = staged_pass(p->batch.staged, now, limit);
	p->passes++;
	p->batches += p->batch.staged->merge.batch.end != 0;
	p->far += p->batch.staged->merge.batch.end && p->origin && !p->ticks;
	assert_int_equal(staged_pass(p->single.staged, now, limit), more);
	check_same(p);
}

/* The same; sometimes a CPU stands still inside a recording. */
static void pass(struct pair *p)
{
	/* A batch may go beyond it: either all records, or too few for one. */
	u32 stuck = dice(p, CPUS), limit = dice(p, 4) ? ALL : 1 + dice(p, 200);
	bool stands = !dice(p, 8);

	p->batch.staged->stage[stuck]->mark = p->single.staged->stage[stuck]->mark = stands;
	staged_step = stands ? 20000 : 0;
	/* Also where they were in vain of late. */
	if (dice(p, 4))
		p->batch.staged->merge.batch.skip = 0;
	pass_both(p, limit);
	staged_step = 0;
	p->batch.staged->stage[stuck]->mark = p->single.staged->stage[stuck]->mark = 0;
	drifted += dice(p, 50);
}

/* @round 0 is steady, in ns from near zero on. */
static void begin(struct pair *p, u64 *seed, u64 round)
{
	struct feed *feed;

	p->seed = next_random(seed) | 1;
	p->ticks = round & 1;
	p->unsteady = round % 3 == 2;
	p->scale = round ? 1u << dice(p, 14) : 1;
	p->origin = p->busy_until = 0;
	drifted = 0;
	side_open(&p->batch, p->ticks);
	side_open(&p->single, p->ticks);
	feed = &p->single.staged->feed;
	p->room = p->single.staged->merge.batch.room;
	assert_non_null(p->room);
	p->single.staged->merge.batch.room = NULL;
	assert_true(feed->log.model.memory > sizeof(*p->room));
	churn_init(&p->churn, next_random(seed) | 1, CPUS, 2 + dice(p, 100));
	p->churn.emit = to_both;
	p->churn.context = p;
	p->churn.interrupts = true;
	/* A CPU that is not there says nothing, but another is made to say everything. */
	p->churn.hotplug = false;
	pass(p);
	/* A line of the timebase that begins long before its records. */
	if (round & 2)
		p->origin = 1ull << 43;
}

static void end(struct pair *p)
{
	pass_both(p, ALL);
	if (!p->unsteady)
		feed_check(&p->batch.staged->feed);
	p->single.staged->merge.batch.room = p->room;
	staged_free(p->batch.staged);
	staged_free(p->single.staged);
	churn_free(&p->churn);
}

/* At any pace: much at once, or little for long. */
static void live(struct pair *p)
{
	u32 steps = dice(p, 3) ? dice(p, 12000) : dice(p, 2000), pace = dice(p, 3) ? 1 : 1u << dice(p, 16);

	for (; steps; steps--) {
		churn_step(&p->churn);
		p->churn.time += dice(p, pace);
		if (!dice(p, 100))
			say(p);
	}
}

static void test_same(void **state)
{
	u64 seed = test_seed(), rounds = test_env("ROUNDS", 15);
	struct pair *p = aligned_alloc(64, (sizeof(*p) + 63) & ~63ul);
	u32 bursts;

	assert_non_null(p);
	memset(p, 0, sizeof(*p));
	for (; rounds; rounds--) {
		begin(p, &seed, rounds);
		for (bursts = 40; bursts; bursts--) {
			live(p);
			pass(p);
			if (dice(p, 20))
				continue;
			p->busy = dice(p, CPUS);
			p->busy_until = p->churn.time + dice(p, 100000);
		}
		end(p);
	}
	print_message("# %llu records in %llu passes, %llu of them with batches, %llu of these far from zero\n",
		      (unsigned long long)p->records, (unsigned long long)p->passes, (unsigned long long)p->batches,
		      (unsigned long long)p->far);
	assert_true(p->batches > p->passes / 10);
	assert_true(p->far > p->batches / 100);
	free(p);
}

/* A window in which digits tell nothing apart: it is given up, and the next one is smaller. */
static void test_dense(void **state)
{
	struct pair *p = aligned_alloc(64, (sizeof(*p) + 63) & ~63ul);
	u64 seed = test_seed(), window = 1u << 30;
	struct bcos_batch *batch;
	u32 i;

	assert_non_null(p);
	memset(p, 0, sizeof(*p));
	begin(p, &seed, 0);
	batch = &p->batch.staged->merge.batch;
	batch->window = window;
	batch->skip = batch->misses = 0;
	for (i = 0; i < 1600; i++)
		to_both(p, i % CPUS, ++p->churn.time, record_plain(BCOS_RAW_SWITCH, i / CPUS & 1 ? BCOS_PROCESS_IDLE : 0, 0));
	p->churn.time += window;
	to_both(p, 0, p->churn.time, record_plain(BCOS_RAW_SWITCH, 0, 0));
	pass_both(p, ALL);
	assert_int_equal(batch->misses, 1);
	assert_true(batch->window <= window / 4);
	end(p);
	free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same),
		cmocka_unit_test(test_dense),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
