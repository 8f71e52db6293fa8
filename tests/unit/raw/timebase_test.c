// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * core/raw/timebase.c converts ticks to ns: exactly at the samples, never backwards, and between samples within the
 * precision that it states. course_test.c has clocks whose rate changes.
 */
#include "check.h"
#include "testhost.h"
#include "core/raw/timebase.h"

#define T(ticks) ((ticks) | BCOS_RAW_TICKS)

static struct bcos_timebase *make_timebase(void)
{
	static struct bcos_timebase timebase;

	memset(&timebase, 0, sizeof(timebase));
	bcos_timebase_init(&timebase, 1);
	return &timebase;
}

/* Adds a sample to which the clock came in a straight line. */
static bool add_sample(struct bcos_timebase *timebase, u64 ticks, u64 time, u32 span)
{
	const struct bcos_sample *newest = &timebase->newest;
	struct bcos_sample sample = { T(ticks), time, span };

	if (timebase->sampled && sample.ticks > newest->ticks && time > newest->time)
		sample.band = (struct bcos_band){ newest->ticks, newest->time,
						  bcos_rate_of(time - newest->time, sample.ticks - newest->ticks) };
	return bcos_timebase_add(timebase, &sample);
}

static void test_ns_stay(void **state)
{
	struct bcos_timebase *timebase = make_timebase();

	assert_int_equal(bcos_timebase_time(timebase, 0), 0);
	assert_int_equal(bcos_timebase_time(timebase, 123456789012345ull), 123456789012345ull);
	assert_int_equal(bcos_timebase_time(timebase, BCOS_RAW_TICKS - 1), BCOS_RAW_TICKS - 1);
	assert_int_equal(timebase->line.precision, 1);
	/* Times in ns stay between times in ticks, too. */
	add_sample(timebase, 1000, 5000, 0);
	add_sample(timebase, 3000, 6000, 0);
	assert_int_equal(bcos_timebase_time(timebase, T(2000)), 5500);
	assert_int_equal(bcos_timebase_time(timebase, 77), 77);
	assert_int_equal(bcos_timebase_time(timebase, T(1000)), 5000);
}

/* There are 2 ticks in a ns, then 4, then 1. The times are computed by hand. */
static void test_between_samples(void **state)
{
	struct bcos_timebase *timebase = make_timebase();

	assert_true(add_sample(timebase, 1000, 100000, 0));
	assert_true(add_sample(timebase, 3000, 101000, 0));
	assert_true(add_sample(timebase, 7000, 102000, 0));
	assert_true(add_sample(timebase, 8000, 103000, 0));
	assert_int_equal(bcos_timebase_time(timebase, T(1000)), 100000);
	assert_int_equal(bcos_timebase_time(timebase, T(1001)), 100000);
	assert_int_equal(bcos_timebase_time(timebase, T(1002)), 100001);
	assert_int_equal(bcos_timebase_time(timebase, T(2999)), 100999);
	assert_int_equal(bcos_timebase_time(timebase, T(3000)), 101000);
	assert_int_equal(bcos_timebase_time(timebase, T(5000)), 101500);
	assert_int_equal(bcos_timebase_time(timebase, T(7000)), 102000);
	assert_int_equal(bcos_timebase_time(timebase, T(7500)), 102500);
	/* After the newest sample the last rate holds. */
	assert_int_equal(bcos_timebase_time(timebase, T(8000)), 103000);
	assert_int_equal(bcos_timebase_time(timebase, T(9000)), 104000);
	/* A time before the oldest sample becomes the time of the oldest sample. */
	assert_int_equal(bcos_timebase_time(timebase, T(5)), 100000);
	assert_int_equal(timebase->line.precision, 0xFFFFFFFFu);
}

static void test_one_sample(void **state)
{
	struct bcos_timebase *timebase = make_timebase();

	assert_true(add_sample(timebase, 1000, 100000, 0));
	assert_int_equal(bcos_timebase_time(timebase, T(1000)), 100000);
	assert_int_equal(bcos_timebase_time(timebase, T(5000)), 100000);
	assert_int_equal(bcos_timebase_time(timebase, T(1)), 100000);
	/* One sample tells no rate, however far away a time is. */
	assert_int_equal(bcos_timebase_time(timebase, T(1000 + (1ull << 60))), 100000);
	assert_int_equal(timebase->line.precision, 0xFFFFFFFFu);
}

/* The period of the slowest counter that the log uses, in units of 10 ps. */
#define SLOWEST (100000000 / BCOS_LEAST_KHZ)

/* With any rate of the counter and any distance of samples, times are right at the samples, and never go backwards. */
static void test_never_backwards(void **state)
{
	u64 seed = test_seed(), ticks, time, raw, last, now, rounds = test_env("ROUNDS", 2000), i, length, rate;
	struct bcos_timebase *timebase;

	while (rounds--) {
		timebase = make_timebase();
		ticks = next_random(&seed) >> 3;
		time = next_random(&seed) >> 4;
		add_sample(timebase, ticks, time, 0);
		raw = ticks;
		last = 0;
		while (!bcos_timebase_is_full(timebase)) {
			length = 1 + (next_random(&seed) >> (21 + next_random(&seed) % 42));
			rate = 1 + next_random(&seed) % SLOWEST;
			if (length * rate / 100 == 0)
				continue;
			ticks += length;
			time += (u64)((unsigned __int128)length * rate / 100);
			assert_true(add_sample(timebase, ticks, time, 0));
			for (i = 0; i < 20; i++) {
				raw += (ticks - raw) / (20 - i);
				now = bcos_timebase_time(timebase, T(raw));
				assert_true(now >= last && now <= time);
				last = now;
			}
			assert_int_equal(raw, ticks);
			/* The rate is rounded down. */
			assert_in_range(bcos_timebase_time(timebase, T(ticks)), time - 1, time);
		}
	}
}

/*
 * The counter is the slowest one that the log uses, and the kernel slews its clock by the most that it ever does: 500
 * ppm.
 */
static void test_slowest_counter(void **state)
{
	const u64 ticks = BCOS_LEAST_KHZ * 1000ull, second = 1000000000 + 500000;
	struct bcos_timebase *timebase = make_timebase();
	u64 i;

	for (i = 0; i < 5; i++)
		assert_true(add_sample(timebase, i * ticks, i * second, 0));
	assert_in_range(bcos_timebase_time(timebase, T(7 * ticks / 2)), 7 * second / 2 - 3, 7 * second / 2);
	/* A tick before the newest sample, and a second after it. */
	assert_in_range(bcos_timebase_time(timebase, T(4 * ticks - 1)), 4 * second - 17, 4 * second - 14);
	assert_in_range(bcos_timebase_time(timebase, T(5 * ticks)), 5 * second - 4, 5 * second);
}

/*
 * A full timebase takes no sample until old segments are forgotten, and the times of the other segments do not change.
 */
static void test_full(void **state)
{
	struct bcos_timebase *timebase = make_timebase();
	u64 before, i;

	for (i = 0; i < BCOS_SEGMENTS; i++)
		assert_true(add_sample(timebase, 1000 * i, 500 * i + i * i, 0));
	assert_false(add_sample(timebase, 1000 * i, 500 * i + i * i, 0));
	assert_int_equal(timebase->newest.ticks, T(1000 * (i - 1)));
	before = bcos_timebase_time(timebase, T(10500));
	/* The segment that ends at a time may have that time, too. */
	bcos_timebase_forget(timebase, 500 * 10 + 100);
	assert_int_equal(timebase->count, BCOS_SEGMENTS - 1 - 9);
	bcos_timebase_forget(timebase, 500 * 10 + 100 + 1);
	assert_int_equal(timebase->count, BCOS_SEGMENTS - 1 - 10);
	assert_int_equal(bcos_timebase_time(timebase, T(10500)), before);
	assert_true(add_sample(timebase, 1000 * i, 500 * i + i * i, 0));
	/* The last segment is never forgotten. */
	bcos_timebase_forget(timebase, ~0ull);
	assert_int_equal(timebase->count, 1);
}

static void test_bad_samples(void **state)
{
	struct bcos_timebase *timebase = make_timebase();

	add_sample(timebase, 1000, 5000, 0);
	add_sample(timebase, 2000, 6000, 0);
	assert_false(add_sample(timebase, 2000, 7000, 0));
	assert_false(add_sample(timebase, 3000, 6000, 0));
	assert_false(add_sample(timebase, 1500, 7000, 0));
	assert_false(add_sample(timebase, 3000, 5500, 0));
	assert_int_equal(timebase->count, 1);
	assert_int_equal(bcos_timebase_time(timebase, T(3000)), 7000);
	bcos_timebase_reset(timebase);
	assert_true(add_sample(timebase, 10, 20000, 0));
	assert_true(add_sample(timebase, 20, 20010, 0));
	assert_int_equal(bcos_timebase_time(timebase, T(15)), 20005);
}

/* The line past the newest sample, whose precision is unknown, ends when the next sample comes, and with a reset. */
static void test_a_line_ends(void **state)
{
	struct bcos_timebase *timebase = make_timebase();

	add_sample(timebase, 1000, 100000, 0);
	assert_int_equal(bcos_timebase_time(timebase, T(1000)), 100000);
	assert_int_equal(timebase->line.precision, 0xFFFFFFFFu);
	add_sample(timebase, 3000, 101000, 0);
	assert_int_equal(bcos_timebase_time(timebase, T(1000)), 100000);
	assert_in_range(timebase->line.precision, 1, 2);
	/* The counter begins anew, and comes to the same ticks at another time. */
	bcos_timebase_reset(timebase);
	assert_int_equal(timebase->line.length, 0);
	add_sample(timebase, 1000, 500000, 0);
	assert_int_equal(bcos_timebase_time(timebase, T(1000)), 500000);
}

#define SAMPLES 12

/* Each sample is wrong by its whole span, early and late by turns, and one sample has a thousand times the span. */
static void test_wrong_samples(void **state)
{
	const u64 second = 1000000000;
	struct bcos_timebase *timebase = make_timebase();
	u64 told, raw, sample, last = 0;
	u32 span;

	for (sample = 0; sample < SAMPLES; sample++) {
		span = sample == 7 ? 40000 : 40;
		assert_true(add_sample(timebase, sample * second,
				       second + sample * second + (sample & 1 ? span : 0 - (u64)span),
				       span));
	}
	for (raw = 0; raw < (SAMPLES - 1) * second; raw += second / 97) {
		told = bcos_timebase_time(timebase, T(raw));
		assert_true(told >= last);
		assert_true(told <= second + raw);
		assert_true(second + raw <= told + timebase->line.precision);
		last = told;
	}
}

/* A sample may be wrong by more than its distance from the previous sample: still no time goes back. */
static void test_wild_sample(void **state)
{
	const u64 second = 1000000000;
	struct bcos_timebase *timebase = make_timebase();
	u64 raw, told, last = 0;

	for (raw = 0; raw <= 3 * second; raw += second)
		assert_true(add_sample(timebase, raw, second + raw, 40));
	assert_true(add_sample(timebase, 3 * second + 1000, 4 * second + 1000, 40000));
	assert_true(add_sample(timebase, 3 * second + 2000, 4 * second + 2000, 40));
	for (raw = 3 * second - 3000; raw < 3 * second + 3000; raw++) {
		told = bcos_timebase_time(timebase, T(raw));
		assert_true(told >= last);
		assert_true(told <= second + raw);
		assert_true(second + raw <= told + timebase->line.precision);
		last = told;
	}
	/* The wild sample has no effect on the next segment but one. */
	assert_true(add_sample(timebase, 3 * second + 10000, 4 * second + 10000, 40));
	told = bcos_timebase_time(timebase, T(3 * second + 9000));
	assert_in_range(told, 4 * second + 9000 - 2 * 40 - 1, 4 * second + 9000);
	assert_in_range(timebase->line.precision, 1, 4 * 40 + 3);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ns_stay),
		cmocka_unit_test(test_between_samples),
		cmocka_unit_test(test_one_sample),
		cmocka_unit_test(test_never_backwards),
		cmocka_unit_test(test_slowest_counter),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_bad_samples),
		cmocka_unit_test(test_a_line_ends),
		cmocka_unit_test(test_wrong_samples),
		cmocka_unit_test(test_wild_sample),
	};

	return cmocka_run_group_tests_name("timebase", tests, NULL, NULL);
}
