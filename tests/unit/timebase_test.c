// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* From ticks to ns: exact at the samples, never backwards, and honest about what lies between. */
#include "check.h"
#include "staged.h"
#include "testhost.h"
#include "core/raw/timebase.h"

#define T(ticks) ((ticks) | BCOS_RAW_TICKS)

static struct bcos_timebase *fresh(void)
{
	static struct bcos_timebase timebase;

	memset(&timebase, 0, sizeof(timebase));
	bcos_timebase_init(&timebase, 1);
	return &timebase;
}

static bool add(struct bcos_timebase *timebase, u64 ticks, u64 time, u32 span)
{
	struct bcos_sample sample = { T(ticks), time, span };

	return bcos_timebase_add(timebase, &sample);
}

static void test_ns_stay(void **state)
{
	struct bcos_timebase *timebase = fresh();

	assert_int_equal(bcos_timebase_time(timebase, 0), 0);
	assert_int_equal(bcos_timebase_time(timebase, 123456789012345ull), 123456789012345ull);
	assert_int_equal(bcos_timebase_time(timebase, BCOS_RAW_TICKS - 1), BCOS_RAW_TICKS - 1);
	assert_int_equal(timebase->line.precision, 1);
	/* Between two that are ticks, too. */
	add(timebase, 1000, 5000, 0);
	add(timebase, 3000, 6000, 0);
	assert_int_equal(bcos_timebase_time(timebase, T(2000)), 5500);
	assert_int_equal(bcos_timebase_time(timebase, 77), 77);
	assert_int_equal(bcos_timebase_time(timebase, T(1000)), 5000);
}

/* By hand: 2 ticks a ns, then 4, then 1. */
static void test_between_samples(void **state)
{
	struct bcos_timebase *timebase = fresh();

	assert_true(add(timebase, 1000, 100000, 0));
	assert_true(add(timebase, 3000, 101000, 0));
	assert_true(add(timebase, 7000, 102000, 0));
	assert_true(add(timebase, 8000, 103000, 0));
	assert_int_equal(bcos_timebase_time(timebase, T(1000)), 100000);
	assert_int_equal(bcos_timebase_time(timebase, T(1001)), 100000);
	assert_int_equal(bcos_timebase_time(timebase, T(1002)), 100001);
	assert_int_equal(bcos_timebase_time(timebase, T(2999)), 100999);
	assert_int_equal(bcos_timebase_time(timebase, T(3000)), 101000);
	assert_int_equal(bcos_timebase_time(timebase, T(5000)), 101500);
	assert_int_equal(bcos_timebase_time(timebase, T(7000)), 102000);
	assert_int_equal(bcos_timebase_time(timebase, T(7500)), 102500);
	/* Beyond the newest: at the last rate. */
	assert_int_equal(bcos_timebase_time(timebase, T(8000)), 103000);
	assert_int_equal(bcos_timebase_time(timebase, T(9000)), 104000);
	/* Before the oldest: not older than that. */
	assert_int_equal(bcos_timebase_time(timebase, T(5)), 100000);
	assert_int_equal(timebase->line.precision, 0xFFFFFFFFu);
}

static void test_one_sample(void **state)
{
	struct bcos_timebase *timebase = fresh();

	assert_true(add(timebase, 1000, 100000, 0));
	assert_int_equal(bcos_timebase_time(timebase, T(1000)), 100000);
	assert_int_equal(bcos_timebase_time(timebase, T(5000)), 100000);
	assert_int_equal(bcos_timebase_time(timebase, T(1)), 100000);
	/* One sample tells no rate, however far away a time is. */
	assert_int_equal(bcos_timebase_time(timebase, T(1000 + (1ull << 60))), 100000);
	assert_int_equal(timebase->line.precision, 0xFFFFFFFFu);
}

/* Any rate from 62.5 MHz up and any distance: at the samples exactly, in between never backwards. */
static void test_never_backwards(void **state)
{
	u64 seed = test_seed(), ticks, time, raw, last, now, rounds = test_env("ROUNDS", 2000), i, length, rate;
	struct bcos_timebase *timebase;

	while (rounds--) {
		timebase = fresh();
		ticks = next_random(&seed) >> 3;
		time = next_random(&seed) >> 4;
		add(timebase, ticks, time, 0);
		raw = ticks;
		last = 0;
		while (timebase->count < BCOS_SEGMENTS) {
			length = 1 + (next_random(&seed) >> (21 + next_random(&seed) % 42));
			rate = 1 + next_random(&seed) % 1000;
			if (length * rate / 100 == 0 || rate > 1500)
				continue;
			ticks += length;
			time += (u64)((unsigned __int128)length * rate / 100);
			assert_true(add(timebase, ticks, time, 0));
			for (i = 0; i < 20; i++) {
				raw += (ticks - raw) / (20 - i);
				now = bcos_timebase_time(timebase, T(raw));
				assert_true(now >= last && now <= time);
				last = now;
			}
			assert_int_equal(raw, ticks);
			assert_int_equal(bcos_timebase_time(timebase, T(ticks)), time);
		}
	}
}

/* A segment that is full takes no more until what is over is forgotten, and what stays does not change. */
static void test_full(void **state)
{
	struct bcos_timebase *timebase = fresh();
	u64 before, i;

	for (i = 0; i <= BCOS_SEGMENTS; i++)
		assert_true(add(timebase, 1000 * i, 500 * i + i * i, 0));
	assert_false(add(timebase, 1000 * i, 500 * i + i * i, 0));
	assert_int_equal(timebase->newest.ticks, T(1000 * (i - 1)));
	before = bcos_timebase_time(timebase, T(10500));
	bcos_timebase_forget(timebase, 500 * 10 + 100 - 1);
	assert_int_equal(timebase->count, BCOS_SEGMENTS - 9);
	bcos_timebase_forget(timebase, 500 * 10 + 100);
	assert_int_equal(timebase->count, BCOS_SEGMENTS - 10);
	assert_int_equal(bcos_timebase_time(timebase, T(10500)), before);
	assert_true(add(timebase, 1000 * i, 500 * i + i * i, 0));
	/* The last one is never forgotten. */
	bcos_timebase_forget(timebase, ~0ull);
	assert_int_equal(timebase->count, 1);
}

static void test_bad_samples(void **state)
{
	struct bcos_timebase *timebase = fresh();

	add(timebase, 1000, 5000, 0);
	add(timebase, 2000, 6000, 0);
	assert_false(add(timebase, 2000, 7000, 0));
	assert_false(add(timebase, 3000, 6000, 0));
	assert_false(add(timebase, 1500, 7000, 0));
	assert_false(add(timebase, 3000, 5500, 0));
	assert_int_equal(timebase->count, 1);
	assert_int_equal(bcos_timebase_time(timebase, T(3000)), 7000);
	bcos_timebase_reset(timebase);
	assert_true(add(timebase, 10, 20000, 0));
	assert_true(add(timebase, 20, 20010, 0));
	assert_int_equal(bcos_timebase_time(timebase, T(15)), 20005);
}

/*
 * The clock's rate changes somewhere inside a segment: the truth is never before
 * the time that is told, nor further before it than the precision says.
 */
static void test_precision_holds(void **state)
{
	const u64 second = 1000000000;
	struct bcos_timebase *timebase = fresh();
	u64 truth, told, raw, change = 13 * second / 2, worst = 0;

	/* One tick a ns, so that the rate in the long run is known. */
	for (raw = 0; raw <= 6 * second; raw += second)
		assert_true(add(timebase, raw, second + raw, 30));
	/* From there on 1 tick more in 100,000. */
	truth = second + change + (7 * second - change) + (7 * second - change) / 100000;
	assert_true(add(timebase, 7 * second, truth, 30));
	for (raw = 6 * second + 1; raw < 7 * second; raw += second / 97) {
		truth = second + raw + (raw > change ? (raw - change) / 100000 : 0);
		told = bcos_timebase_time(timebase, T(raw));
		assert_true(told <= truth);
		if (truth - told > worst)
			worst = truth - told;
		assert_true(worst <= timebase->line.precision);
	}
	/* The rate changed by 5000 ns in half of the way, of which the middle has half: the case is one. */
	assert_true(worst > 2000);
	assert_true(timebase->line.precision < 2 * 6000);
	/*
	 * And in a quiet second it is the spans of the samples: of the one that is newest, of both since they tell
	 * whether the rate has changed, and of both that the rate is from.
	 */
	bcos_timebase_time(timebase, T(7 * second / 2));
	assert_in_range(timebase->line.precision, 2 * 5 * 30, 2 * 5 * 30 + 3);
}

/* Each sample is wrong by as much as it may be, one early, one late; and one of them by a thousand times as much. */
static void test_wrong_samples(void **state)
{
	const u64 second = 1000000000;
	struct bcos_timebase *timebase = fresh();
	u64 told, raw, sample, last = 0;
	u32 span;

	for (sample = 0; sample < BCOS_SEGMENTS; sample++) {
		span = sample == 7 ? 40000 : 40;
		assert_true(add(timebase, sample * second, second + sample * second + (sample & 1 ? span : 0 - (u64)span),
				span));
	}
	for (raw = 0; raw < (BCOS_SEGMENTS - 1) * second; raw += second / 97) {
		told = bcos_timebase_time(timebase, T(raw));
		assert_true(told >= last);
		assert_true(told <= second + raw);
		assert_true(second + raw <= told + timebase->line.precision);
		last = told;
	}
}

/* One that may be further off than it is from the one before it: still nothing goes back. */
static void test_wild_sample(void **state)
{
	const u64 second = 1000000000;
	struct bcos_timebase *timebase = fresh();
	u64 raw, told, last = 0;

	for (raw = 0; raw <= 3 * second; raw += second)
		assert_true(add(timebase, raw, second + raw, 40));
	assert_true(add(timebase, 3 * second + 1000, 4 * second + 1000, 40000));
	assert_true(add(timebase, 3 * second + 2000, 4 * second + 2000, 40));
	for (raw = 3 * second - 3000; raw < 3 * second + 3000; raw++) {
		told = bcos_timebase_time(timebase, T(raw));
		assert_true(told >= last);
		assert_true(told <= second + raw);
		assert_true(second + raw <= told + timebase->line.precision);
		last = told;
	}
	/* It is soon forgotten. */
	assert_true(3 * second + raw - 2 * second - told < 50);
}

/* ---- in the merge ---------------------------------------------------------- */

/* A machine with a counter of 4 ticks a ns that began at 500 ns. */
static u64 machine_ns;

static u64 machine_ticks(void)
{
	return T(4 * (machine_ns - 500));
}

static bool machine_sample(struct bcos_sample *sample)
{
	*sample = (struct bcos_sample){ machine_ticks(), machine_ns, 0 };
	machine_ns += 10;
	return true;
}

static void stage_at(struct staged *staged, u32 cpu, u64 ns, bool ticks, u32 id)
{
	staged_put(staged, cpu, ticks ? T(4 * (ns - 500)) : ns, record_plain(BCOS_RAW_SWITCH, id, 0));
}

static void pass_at(struct staged *staged, u64 ns)
{
	machine_ns = ns;
	staged_pass(staged, machine_ticks(), 1000);
}

static struct staged *begin(u32 cpus)
{
	struct staged *staged = staged_new(cpus, 1024);
	u32 i;

	for (i = 1; i <= 4; i++)
		staged_put(staged, 0, 1000 + i, record_life(BCOS_RAW_BIRTH, i, 0, i, 0, "p"));
	staged_pass(staged, 1100, 1000);
	staged->merge.sample = machine_sample;
	machine_ns = 1200;
	bcos_merge_time(&staged->merge, machine_ticks());
	return staged;
}

static void test_merge_by_ticks(void **state)
{
	struct staged *staged = begin(2);
	u64 from = feed_mark(&staged->feed);

	stage_at(staged, 1, 2000, true, 3);
	stage_at(staged, 0, 2001, true, 1);
	stage_at(staged, 1, 2005, true, 4);
	stage_at(staged, 0, 3000, true, 2);
	pass_at(staged, 4000);
	assert_true(staged->merge.exact);
	assert_int_equal(staged->merge.horizon, 4000);
	/*
	 * 500 ppm of the 2800 ns between the samples, either way, since the counter's rate in the long run is not known:
	 * a ns less at the end, and a part of that before.
	 */
	check_text(&staged->feed, from, "1999+3 1 assign 3\n2000+3 0 assign 1\n2004+3 1 assign 4\n2999+3 0 assign 2\n");
	staged_free(staged);
}

/* One CPU stamps with ticks already, or still, and the other with ns. */
static void test_merge_of_both(void **state)
{
	struct staged *staged = begin(2);
	u64 from = feed_mark(&staged->feed);

	stage_at(staged, 0, 2000, false, 1);
	stage_at(staged, 1, 2001, true, 3);
	stage_at(staged, 0, 2002, true, 2);
	stage_at(staged, 1, 2003, false, 4);
	stage_at(staged, 0, 2004, false, 1);
	pass_at(staged, 2500);
	check_text(&staged->feed, from, "2000 0 assign 1\n2001 1 assign 3\n2002 0 assign 2\n2003 1 assign 4\n2004 0 assign 1\n");
	staged_free(staged);
}

/* The merge leaves records of which it is not certain yet for later, and then has them at their true time. */
static void test_merge_without_room(void **state)
{
	struct staged *staged = begin(1);
	u64 from = feed_mark(&staged->feed), i, last;

	/* The CPU is inside of a record: the horizon stays, and samples gather. */
	stage_at(staged, 0, 2000, true, 1);
	staged->stage[0]->mark = 1;
	staged_step = 4000;
	for (i = 0; i < 2 * BCOS_SEGMENTS; i++)
		pass_at(staged, 10000 + 1000 * i);
	assert_false(staged->merge.exact);
	/* 500 ppm of 8800 ns are 4, and of that a part. */
	assert_int_equal(staged->merge.horizon, 1999);
	check_text(&staged->feed, from, "");
	last = staged->merge.timebase.newest.time;
	staged->stage[0]->mark = 0;
	staged_step = 0;
	stage_at(staged, 0, last - 1, true, 2);
	stage_at(staged, 0, last + 1, true, 3);
	pass_at(staged, 60000);
	assert_int_equal(staged->merge.horizon, last);
	pass_at(staged, 61000);
	assert_true(staged->merge.exact);
	assert_int_equal(staged->merge.horizon, 61000);
	/* At last + 1, less a part of the 500 ppm. */
	assert_int_equal(staged->feed.log.time, last);
	assert_int_equal(staged->feed.log.stats.clamped, 0);
	staged_free(staged);
}

/* Records that were refused at some time since the last pass are as precise as times are now, and so are those after the pass. */
static void test_merge_of_losses(void **state)
{
	struct staged *staged = begin(1);
	u64 from = feed_mark(&staged->feed);

	staged->stage[0]->nested = 1;
	staged->feed.log.precision = 77;
	pass_at(staged, 4000);
	/* 3 as above, and from 1100 to 4000. */
	check_text(&staged->feed, from, "1100+2903 0 event 0x80000001 80 lost 1 events: inside the recording of another, until 0.000004000 s\n");
	staged->feed.log.precision = 77;
	pass_at(staged, 5000);
	assert_int_equal(staged->feed.log.precision, staged->merge.timebase.line.precision);
	staged_free(staged);
}

#define RECORDS 4000

/* Return: how many assignments there are from @from on, each of which was when it says. */
static u32 judge(const struct feed *feed, u64 from, const u64 *truth)
{
	const struct bcos_entry *entry;
	u64 last = 0;
	u32 count = 0;

	for (; from < feed->length; from += entry->size) {
		entry = (const struct bcos_entry *)(feed->tape + from);
		if (entry->type != BCOS_ASSIGN_CPU)
			continue;
		assert_true(entry->time >= last);
		assert_true(entry->time <= truth[count]);
		assert_true(truth[count] <= entry->time + entry->precision);
		/* It says something: but for a wild sample 20 ppm of what is between two, and twice a hundred spans. */
		assert_true(entry->precision < 1000000);
		last = entry->time;
		count++;
	}
	return count;
}

/*
 * A machine that leaves its counter: its time stands still for STILL ns, and goes on by another clock, which is 1000 ppm
 * faster. The sample of the moment at which the time stood still comes once.
 */
#define STILL 300000
#define LEFT 3000000000ull
#define LAST_SAMPLE (LEFT + 2000)

static u64 leaving_ns;		/* by the counter, whose 4 ticks are one */
static bool last_sample_taken;

static u64 leaving_truth(void)
{
	if (leaving_ns < LEFT)
		return leaving_ns;
	return leaving_ns < LEFT + STILL ? LEFT : LEFT + (leaving_ns - LEFT - STILL) * 1001 / 1000;
}

static u64 leaving_clock(void)
{
	return leaving_ns < LEFT ? T(4 * leaving_ns) : leaving_truth();
}

static bool leaving_sample(struct bcos_sample *sample)
{
	if (leaving_ns < LEFT) {
		*sample = (struct bcos_sample){ T(4 * leaving_ns), leaving_ns, 40 };
		leaving_ns += 100;
		return true;
	}
	*sample = (struct bcos_sample){ T(4 * LAST_SAMPLE), LEFT, 1 };
	return !last_sample_taken && (last_sample_taken = true);
}

/* With @stuck, the CPU is inside a record just then, and the timebase is full. */
static void leave_the_counter(bool stuck)
{
	struct staged *staged = begin(1);
	u64 truth[RECORDS], from = feed_mark(&staged->feed);
	u32 i, count = 0;

	bcos_timebase_reset(&staged->merge.timebase);
	staged->merge.sample = leaving_sample;
	last_sample_taken = false;
	leaving_ns = 100000;
	bcos_merge_time(&staged->merge, leaving_clock());
	for (leaving_ns = 200000; leaving_ns < LEFT + 1000000000; leaving_ns += 1000003) {
		if (leaving_ns < LEFT || leaving_ns >= LEFT + STILL) {
			truth[count] = leaving_truth();
			staged_put(staged, 0, leaving_clock(), record_plain(BCOS_RAW_SWITCH, 1 + count % 4, 0));
			count++;
		}
		if (stuck && leaving_ns > LEFT - 100000000 && leaving_ns < LEFT + 100000000) {
			staged->stage[0]->mark = 1;
			for (i = 0; i <= BCOS_SEGMENTS; i++)
				staged_pass(staged, leaving_clock(), 1000);
			staged->stage[0]->mark = 0;
		} else if (count % 50 == 49) {
			staged_pass(staged, leaving_clock(), 1000);
		}
	}
	staged_pass(staged, leaving_clock(), 1000);
	staged_pass(staged, leaving_clock(), 1000);
	/* No time is extrapolated past it. */
	assert_true(last_sample_taken);
	assert_int_equal(staged->merge.timebase.newest.ticks, T(4 * LAST_SAMPLE));
	assert_int_equal(judge(&staged->feed, from, truth), count);
	assert_int_equal(staged->feed.log.stats.clamped, 0);
	staged_free(staged);
}

static void test_kernel_leaves_the_counter(void **state)
{
	leave_the_counter(false);
}

static void test_kernel_leaves_a_full_timebase(void **state)
{
	leave_the_counter(true);
}

/*
 * A machine whose counter is not what it should be: 4 ticks a ns, and up to 20 ppm more or less, which changes every few
 * seconds. Its samples are up to their span off. The true times are known.
 */
static struct {
	u64 seed, ns, ticks, rate, next_change;	/* ticks, and these a ns, in units of 2^-32 */
} drifting;

#define FOUR (4ull << 32)

static void drift_to(u64 ns)
{
	u64 step;

	while (drifting.ns < ns) {
		if (drifting.ns == drifting.next_change) {
			drifting.rate = FOUR - FOUR / 50000 + next_random(&drifting.seed) % (FOUR / 25000);
			drifting.next_change += 5000000000 + next_random(&drifting.seed) % 5000000000;
		}
		step = (ns < drifting.next_change ? ns : drifting.next_change) - drifting.ns;
		drifting.ticks += (u64)((unsigned __int128)drifting.rate * step >> 16);
		drifting.ns += step;
	}
}

/* In units of 2^-16, so that some hours fit. */
static u64 drifting_ticks(void)
{
	return T(drifting.ticks >> 16);
}

static bool drifting_sample(struct bcos_sample *sample)
{
	u64 span = next_random(&drifting.seed) % (next_random(&drifting.seed) % 50 ? 100 : 100000);

	*sample = (struct bcos_sample){ drifting_ticks(), drifting.ns - span + next_random(&drifting.seed) % (2 * span + 1),
					(u32)span };
	drift_to(drifting.ns + 100);
	return true;
}

static void test_truth_is_within(void **state)
{
	u64 rounds = test_env("ROUNDS", 20), seed = test_seed(), from, pass;
	struct staged *staged;
	u64 truth[RECORDS];
	u32 runs[4], i, cpu;

	while (rounds--) {
		staged = begin(4);
		memset(&drifting, 0, sizeof(drifting));
		drifting.seed = next_random(&seed);
		drifting.rate = FOUR;
		drifting.next_change = 20000000000;
		drift_to(10000000000);
		bcos_timebase_reset(&staged->merge.timebase);
		staged->merge.sample = drifting_sample;
		bcos_merge_time(&staged->merge, drifting_ticks());
		memset(runs, 0, sizeof(runs));
		from = feed_mark(&staged->feed);
		pass = drifting.ns;
		for (i = 0; i < RECORDS; i++) {
			drift_to(drifting.ns + 1 + next_random(&seed) % 50000000);
			truth[i] = drifting.ns;
			cpu = next_random(&seed) % 4;
			runs[cpu] = runs[cpu] % 4 + 1;
			staged_put(staged, cpu, drifting_ticks(), record_plain(BCOS_RAW_SWITCH, runs[cpu], 0));
			if (drifting.ns - pass < 300000000 && i < RECORDS - 1)
				continue;
			drift_to(drifting.ns + 1000);
			staged_pass(staged, drifting_ticks(), 100000);
			pass = drifting.ns;
		}
		assert_int_equal(judge(&staged->feed, from, truth), RECORDS);
		assert_int_equal(staged->feed.log.stats.clamped, 0);
		staged_free(staged);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ns_stay),
		cmocka_unit_test(test_between_samples),
		cmocka_unit_test(test_one_sample),
		cmocka_unit_test(test_never_backwards),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_bad_samples),
		cmocka_unit_test(test_precision_holds),
		cmocka_unit_test(test_wrong_samples),
		cmocka_unit_test(test_wild_sample),
		cmocka_unit_test(test_merge_by_ticks),
		cmocka_unit_test(test_merge_of_both),
		cmocka_unit_test(test_merge_without_room),
		cmocka_unit_test(test_merge_of_losses),
		cmocka_unit_test(test_kernel_leaves_the_counter),
		cmocka_unit_test(test_kernel_leaves_a_full_timebase),
		cmocka_unit_test(test_truth_is_within),
	};

	return cmocka_run_group_tests_name("timebase", tests, NULL, NULL);
}
