// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Ticks in the merge: each entry has its true time, within its precision, also when the kernel changes from the counter
 * to another clock.
 */
#include "check.h"
#include "staged.h"
#include "testhost.h"
#include "core/raw/timebase.h"

#define T(ticks) ((ticks) | BCOS_RAW_TICKS)

/* A machine with a counter of 4 ticks a ns that began at 500 ns. */
static u64 machine_ns;

/* The course of the kernel's clock, whose rate is in units of 2^-24 ns a tick. */
static struct bcos_course course;

#define STEP (1ull << (BCOS_RATE_SHIFT - 24))

/* The kernel updates its clock: it is at @ns now, and goes on by @rate. */
static void update_clock(u64 ticks, u64 ns, u64 rate)
{
	bcos_course_update(&course, ticks, ns, rate, STEP);
}

static u64 machine_ticks(void)
{
	return T(4 * (machine_ns - 500));
}

/* A sample of this clock, which never strays from its line. */
static bool take_sample(struct bcos_sample *sample, u64 ticks, u64 ns, u32 span)
{
	*sample = (struct bcos_sample){ ticks, ns, span, course.band };
	bcos_course_begin(&course, ticks, ns);
	return true;
}

static bool machine_sample(struct bcos_sample *sample)
{
	take_sample(sample, machine_ticks(), machine_ns, 0);
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

static struct staged *begin_staged(u32 cpus)
{
	struct staged *staged = staged_new(cpus, 1024);
	u32 i;

	for (i = 1; i <= 4; i++)
		staged_put(staged, 0, 1000 + i, record_life(BCOS_RAW_BIRTH, i, 0, i, 0, "p"));
	staged_pass(staged, 1100, 1000);
	staged->merge.sample = machine_sample;
	machine_ns = 1200;
	memset(&course, 0, sizeof(course));
	update_clock(machine_ticks(), machine_ns, 1ull << (BCOS_RATE_SHIFT - 2));
	bcos_merge_time(&staged->merge, machine_ticks());
	return staged;
}

static void test_merge_by_ticks(void **state)
{
	struct staged *staged = begin_staged(2);
	u64 from = feed_mark(&staged->feed);

	stage_at(staged, 1, 2000, true, 3);
	stage_at(staged, 0, 2001, true, 1);
	stage_at(staged, 1, 2005, true, 4);
	stage_at(staged, 0, 3000, true, 2);
	pass_at(staged, 4000);
	assert_true(staged->merge.exact);
	assert_int_equal(staged->merge.horizon, 4000);
	/* The rate is known, and times are rounded down, so the precision is the clock's and 1. */
	check_text(&staged->feed, from, "2000+2 1 assign 3\n2001+2 0 assign 1\n2005+2 1 assign 4\n3000+2 0 assign 2\n");
	staged_free(staged);
}

/* One CPU stamps with ticks already, or still, and the other with ns. */
static void test_merge_of_both(void **state)
{
	struct staged *staged = begin_staged(2);
	u64 from = feed_mark(&staged->feed);

	stage_at(staged, 0, 2000, false, 1);
	stage_at(staged, 1, 2001, true, 3);
	stage_at(staged, 0, 2002, true, 2);
	stage_at(staged, 1, 2003, false, 4);
	stage_at(staged, 0, 2004, false, 1);
	pass_at(staged, 2500);
	check_text(&staged->feed, from,
		   "2000 0 assign 1\n2001+2 1 assign 3\n2002+2 0 assign 2\n2003 1 assign 4\n2004 0 assign 1\n");
	staged_free(staged);
}

/* The merge leaves records whose times are not certain yet to a later pass, which gives them their true times. */
static void test_merge_without_room(void **state)
{
	struct staged *staged = begin_staged(1);
	u64 from = feed_mark(&staged->feed), i, last;

	/* While the CPU stages a record, the horizon stays and samples gather. */
	stage_at(staged, 0, 2000, true, 1);
	staged->stage[0]->mark = 1;
	staged_step = 4000;
	for (i = 0; i < 2 * BCOS_SEGMENTS; i++)
		pass_at(staged, 10000 + 1000 * i);
	assert_false(staged->merge.exact);
	assert_int_equal(staged->merge.horizon, 2000);
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
	assert_int_equal(staged->feed.log.time, last + 1);
	assert_int_equal(staged->feed.log.stats.clamped, 0);
	staged_free(staged);
}

/* Losses that a CPU only counts are as precise as times are now, and so are the records after the pass. */
static void test_merge_of_losses(void **state)
{
	struct staged *staged = begin_staged(1);
	u64 from = feed_mark(&staged->feed);

	staged->stage[0]->nested = 1;
	staged->feed.log.precision = 77;
	pass_at(staged, 4000);
	/* The precision is 2 as above, and the 2900 ns from 1100 to 4000. */
	check_text(&staged->feed, from,
		   "1100+2902 0 event 0x80000001 80 lost 1 events: inside the recording of another, until 0.000004000 s\n");
	staged->feed.log.precision = 77;
	pass_at(staged, 5000);
	assert_int_equal(staged->feed.log.precision, staged->merge.timebase.line.precision);
	staged_free(staged);
}

#define RECORDS 4000

/*
 * Checks that each assignment from @from on has its true time within its precision. Return: the number of assignments.
 */
static u32 judge_assignments(const struct feed *feed, u64 from, const u64 *truth)
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
		/*
		 * The precision must not be so large that it says nothing: except near a wild sample it comes from the
		 * changes of the rate between two samples, up to 40 ppm, and from small spans.
		 */
		assert_true(entry->precision < 1000000);
		last = entry->time;
		count++;
	}
	return count;
}

/*
 * This machine leaves its counter: its time stands still for STILL ns, and then goes on by another clock, which is 1000
 * ppm faster. The sample of the moment at which the time stands still comes once.
 */
#define STILL 300000
#define LEFT 3000000000ull
#define LAST_SAMPLE (LEFT + 2000)

static u64 leaving_ns;		/* ns by the counter, which has 4 ticks in a ns */
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
		take_sample(sample, T(4 * leaving_ns), leaving_ns, 40);
		leaving_ns += 100;
		return true;
	}
	*sample = (struct bcos_sample){ T(4 * LAST_SAMPLE), LEFT, 1, course.band };
	return !last_sample_taken && (last_sample_taken = true);
}

/* With @stuck, the CPU is staging a record at that moment, and the timebase is full. */
static void leave_the_counter(bool stuck)
{
	struct staged *staged = begin_staged(1);
	u64 truth[RECORDS], from = feed_mark(&staged->feed);
	u32 i, count = 0;

	bcos_timebase_reset(&staged->merge.timebase);
	staged->merge.sample = leaving_sample;
	last_sample_taken = false;
	leaving_ns = 100000;
	memset(&course, 0, sizeof(course));
	update_clock(T(4 * leaving_ns), leaving_ns, 1ull << (BCOS_RATE_SHIFT - 2));
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
	/* No time is extrapolated past the last sample. */
	assert_true(last_sample_taken);
	assert_int_equal(staged->merge.timebase.newest.ticks, T(4 * LAST_SAMPLE));
	assert_int_equal(judge_assignments(&staged->feed, from, truth), count);
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
 * The counter of this machine drifts: it has 4 ticks in a ns, up to 20 ppm more or less, which changes every few
 * seconds. The samples are wrong by up to their span. The test knows the true times.
 */
static struct {
	u64 seed, ns, ticks, rate, next_change;	/* ticks in units of 2^-16, and ticks a ns in units of 2^-32 */
} drifting;

#define FOUR (4ull << 32)

static u64 drifting_ticks(void);

static void update_drifting(void)
{
	update_clock(drifting_ticks(), drifting.ns, (u64)(((unsigned __int128)1 << (BCOS_RATE_SHIFT + 32)) / drifting.rate));
}

static void drift_to(u64 ns)
{
	u64 step;

	while (drifting.ns < ns) {
		if (drifting.ns == drifting.next_change) {
			drifting.rate = FOUR - FOUR / 50000 + next_random(&drifting.seed) % (FOUR / 25000);
			drifting.next_change += 5000000000 + next_random(&drifting.seed) % 5000000000;
			update_drifting();
		}
		step = (ns < drifting.next_change ? ns : drifting.next_change) - drifting.ns;
		drifting.ticks += (u64)((unsigned __int128)drifting.rate * step >> 16);
		drifting.ns += step;
	}
}

/* The count of ticks has units of 2^-16, so that some hours fit into 64 bits. */
static u64 drifting_ticks(void)
{
	return T(drifting.ticks >> 16);
}

static bool drifting_sample(struct bcos_sample *sample)
{
	u64 span = next_random(&drifting.seed) % (next_random(&drifting.seed) % 50 ? 100 : 100000);

	take_sample(sample, drifting_ticks(), drifting.ns - span + next_random(&drifting.seed) % (2 * span + 1),
		    (u32)span);
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
		staged = begin_staged(4);
		memset(&drifting, 0, sizeof(drifting));
		drifting.seed = next_random(&seed);
		drifting.rate = FOUR;
		drifting.next_change = 20000000000;
		drift_to(10000000000);
		memset(&course, 0, sizeof(course));
		update_drifting();
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
		assert_int_equal(judge_assignments(&staged->feed, from, truth), RECORDS);
		assert_int_equal(staged->feed.log.stats.clamped, 0);
		staged_free(staged);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_merge_by_ticks),
		cmocka_unit_test(test_merge_of_both),
		cmocka_unit_test(test_merge_without_room),
		cmocka_unit_test(test_merge_of_losses),
		cmocka_unit_test(test_kernel_leaves_the_counter),
		cmocka_unit_test(test_kernel_leaves_a_full_timebase),
		cmocka_unit_test(test_truth_is_within),
	};

	return cmocka_run_group_tests_name("timebase_merge", tests, NULL, NULL);
}
