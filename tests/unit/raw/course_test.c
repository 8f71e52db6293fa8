// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * core/raw/course.c follows a clock whose rate changes, and core/raw/timebase.c converts ticks to its times: whatever
 * the clock does between two samples, its true time is never before the time that the timebase tells, nor further after
 * it than the precision says. The clock is simulated here as the kernel's is: a line that turns at each update, and
 * tells of itself by a moment before the update.
 *
 * test: rounds=300:20000
 */
#include "check.h"
#include "testhost.h"
#include "core/raw/course.h"
#include "core/raw/timebase.h"

#define T(ticks) ((ticks) | BCOS_RAW_TICKS)

#define SECOND 1000000000ull
#define TURNS 4096

/* The rate is in ns a tick, in units of 2^-24: that is how the kernel has it. */
#define SHIFT 24

/* The line of the clock from a tick on, with its time in units of 2^-24 ns. */
static struct turn {
	u64 ticks, mult;
	unsigned __int128 time;
} turn[TURNS];

static u32 turns;
static struct bcos_course course;
static struct bcos_timebase timebase;

/* Returns the clock, as others read it. */
static u64 true_time(u64 ticks)
{
	u32 i = turns;

	while (turn[--i].ticks > ticks)
		;
	return (u64)((turn[i].time + (unsigned __int128)(ticks - turn[i].ticks) * turn[i].mult) >> SHIFT);
}

/* From @ticks on, a tick takes @mult. The clock tells so by the moment @before ticks earlier, on its new line. */
static void turn_clock(u64 ticks, u64 mult, u64 before)
{
	const struct turn *last = &turn[turns - 1];
	struct turn next = { .ticks = ticks, .mult = mult };

	assert_true(turns < TURNS);
	next.time = last->time + (unsigned __int128)(ticks - last->ticks) * last->mult;
	turn[turns++] = next;
	bcos_course_update(&course, T(ticks - before), (u64)((next.time - (unsigned __int128)before * mult) >> SHIFT),
			   mult << (BCOS_RATE_SHIFT - SHIFT), 1ull << (BCOS_RATE_SHIFT - SHIFT));
}

static void take_sample(u64 ticks, u32 span)
{
	struct bcos_sample sample = { T(ticks), true_time(ticks), span, course.band };

	assert_true(bcos_timebase_add(&timebase, &sample));
	bcos_course_begin(&course, sample.ticks, sample.time);
}

static void begin_clock(u64 mult)
{
	memset(&timebase, 0, sizeof(timebase));
	bcos_timebase_init(&timebase, 1);
	memset(&course, 0, sizeof(course));
	turns = 1;
	turn[0] = (struct turn){ .ticks = 0, .mult = mult, .time = (unsigned __int128)SECOND << SHIFT };
	turn_clock(0, mult, 0);
	take_sample(0, 1);
}

/* Fails unless the truth lies within what the timebase tells of @ticks. Returns the precision. */
static u32 judge_time(u64 ticks, u64 *last)
{
	u64 told = bcos_timebase_time(&timebase, T(ticks)), truth = true_time(ticks);

	assert_true(told <= truth);
	/* This precision means "or more". */
	assert_true(truth - told <= timebase.line.precision || timebase.line.precision == 0xFFFFFFFFu);
	assert_true(told >= *last);
	*last = told;
	return timebase.line.precision;
}

/* Judges 997 times between two moments. Returns the greatest precision. */
static u32 judge_between(u64 from, u64 to)
{
	u32 worst = 0, precision;
	u64 last = 0, i;

	for (i = 0; i <= 996; i++) {
		precision = judge_time(from + (u64)((unsigned __int128)(to - from) * i / 997), &last);
		if (precision > worst)
			worst = precision;
	}
	return worst;
}

/* One tick is a ns. @ppm parts in a million more. */
static u64 runs_faster(int ppm)
{
	return (u64)((1 << SHIFT) + (s64)(1 << SHIFT) * ppm / 1000000);
}

/*
 * In 60 s without a sample the clock is fast by 200 ppm, then slow, then right, then fast and slow once more, and as far
 * at the end as it would have come without. It strays by 2.4 ms, and comes back.
 */
static void test_to_and_fro(void **state)
{
	static const int ppm[] = { 200, -200, 0, 200, -200 };
	u32 worst, i;

	begin_clock(runs_faster(0));
	for (i = 0; i < sizeof(ppm) / sizeof(*ppm); i++)
		turn_clock(SECOND + 12 * SECOND * i, runs_faster(ppm[i]), 0);
	turn_clock(61 * SECOND, runs_faster(0), 0);
	take_sample(61 * SECOND, 1);
	worst = judge_between(0, 61 * SECOND);
	/* 200 ppm of 12 s; the kernel's own rate is a little less. */
	assert_in_range(worst, 2390000, 2400000 + 10);
}

/* Each update is told of by a moment that lies up to ten milliseconds before it. */
static void test_told_late(void **state)
{
	u64 i;

	begin_clock(runs_faster(0));
	for (i = 1; i < 1000; i++)
		turn_clock(i * SECOND / 50, runs_faster(i % 3 ? 500 : -500), i % 7 * SECOND / 700);
	take_sample(20 * SECOND, 1);
	judge_between(0, 20 * SECOND);
}

/*
 * The kernel has no rate between two neighbours, and goes to and fro between them. Over an hour that is no reason for a
 * wide precision: some ns at each turn, and the rate on average, which is known to some ns in a second.
 */
static void test_to_and_fro_in_an_hour(void **state)
{
	u64 i;

	begin_clock(runs_faster(0));
	for (i = 1; i <= 40; i++)
		turn_clock(i * SECOND / 10, runs_faster(0) + (i % 3 == 0), 0);
	take_sample(4 * SECOND + 1, 1);
	for (i = 5; i <= 3600; i++)
		turn_clock(i * SECOND, runs_faster(0) + (i % 3 == 0), 0);
	take_sample(3600 * SECOND + 1, 1);
	/*
	 * A step of the rate is 60 ns in a second, so the turns are up to 80 ns off. The mean was measured over 2 s
	 * with turns of a tenth of that, so that it may be wrong by 10 ns in a second, and not by 20 or 40.
	 */
	assert_in_range(judge_between(4 * SECOND + 1, 3600 * SECOND), 1, 36000 + 100);
}

/* While the rate does not change at all, a day is nearly as precise as the minute in which it was measured. */
static void test_a_steady_day(void **state)
{
	u64 i;

	begin_clock(runs_faster(37));
	for (i = 1; i <= 150; i++)
		turn_clock(i * SECOND, runs_faster(37), 1000);
	take_sample(150 * SECOND + 1, 1);
	turn_clock(86400 * SECOND, runs_faster(37), 1000);
	take_sample(86400 * SECOND + 5000, 1);
	/* The mean was measured over 64 s, at each of whose ends the time is rounded to ns. */
	assert_in_range(judge_between(150 * SECOND + 1, 86400 * SECOND), 1, 86400 / 64 + 10);
}

/* If nobody followed the clock, each rate that the kernel may give it is possible. */
static void test_nobody_followed(void **state)
{
	static const int ppm[] = { 110000, -110000 };
	int first;

	for (first = 0; first < 2; first++) {
		begin_clock(runs_faster(0));
		turn_clock(SECOND, runs_faster(ppm[first]), 0);
		turn_clock(11 * SECOND, runs_faster(ppm[!first]), 0);
		course.band.rate = 0;
		take_sample(21 * SECOND, 1);
		judge_between(0, 21 * SECOND);
	}
	/* Likewise if the band began at another sample. */
	begin_clock(runs_faster(0));
	turn_clock(SECOND, runs_faster(ppm[0]), 0);
	turn_clock(11 * SECOND, runs_faster(ppm[1]), 0);
	bcos_course_begin(&course, T(SECOND), true_time(SECOND));
	take_sample(21 * SECOND, 1);
	judge_between(0, 21 * SECOND);
}

/* Returns the next rate of a clock with a rate of about @base: mostly a neighbour, sometimes up to 500 ppm or 10 % off. */
static u64 next_mult(u64 *seed, u64 base)
{
	u64 off = base / (next_random(seed) % 8 ? 2000 : 10);

	if (next_random(seed) % 4)
		return base + next_random(seed) % 2;
	return base - off + next_random(seed) % (2 * off + 1);
}

/* Clocks of any rate, with any number of changes in each of some segments, that are told of late. */
static void test_random_clocks(void **state)
{
	u64 rounds = test_env("ROUNDS", 300), seed = test_seed(), base, ticks, tick, last, i, begin;
	u32 changes;

	while (rounds--) {
		/* From 16 GHz to 75 MHz, with 100 to 1000 updates in a second. */
		base = (1 << (SHIFT - 4)) + next_random(&seed) % ((u64)13 << SHIFT);
		begin_clock(base);
		tick = (SECOND << SHIFT) / base / (100 + next_random(&seed) % 900);
		ticks = 0;
		last = 0;
		while (!bcos_timebase_is_full(&timebase)) {
			begin = ticks;
			for (changes = next_random(&seed) % 12; changes; changes--) {
				ticks += tick * (1 + (next_random(&seed) >> (44 + next_random(&seed) % 20)) % 2000);
				turn_clock(ticks, next_mult(&seed, base), next_random(&seed) % tick);
				ticks += next_random(&seed) % tick;
			}
			ticks += 1000 + next_random(&seed) % tick;
			take_sample(ticks, 1);
			for (i = 0; i < 50; i++)
				judge_time(begin + (u64)((unsigned __int128)(ticks - begin) * i / 50), &last);
			judge_time(ticks - 1, &last);
		}
	}
}

/* At 2 GHz a tick is half a nanosecond. A counter behind the one that has updated the clock shows the time of the update. */
static void test_counter_behind(void **state)
{
	(void)state;
	assert_int_equal(bcos_clock_on_line(10100, 10000, 7000, 1u << 23, SHIFT), 7050);
	assert_int_equal(bcos_clock_on_line(10000, 10000, 7000, 1u << 23, SHIFT), 7000);
	assert_int_equal(bcos_clock_on_line(9999, 10000, 7000, 1u << 23, SHIFT), 7000);
	assert_int_equal(bcos_clock_on_line(0, 1ull << 62, 7000, 1u << 23, SHIFT), 7000);
	assert_int_equal(bcos_clock_on_line(1ull << 41, 0, 7000, 1u << 23, SHIFT), 7000 + (1ull << 40));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_to_and_fro),
		cmocka_unit_test(test_told_late),
		cmocka_unit_test(test_to_and_fro_in_an_hour),
		cmocka_unit_test(test_a_steady_day),
		cmocka_unit_test(test_nobody_followed),
		cmocka_unit_test(test_random_clocks),
		cmocka_unit_test(test_counter_behind),
	};

	return cmocka_run_group_tests_name("course", tests, NULL, NULL);
}
