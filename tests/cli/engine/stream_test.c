// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Records that arrive nearly in order of time are given out in order.
 *
 * The oracle is a sort of all records by time, and among equal times by their arrival.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <time.h>

#include "engine/rings/stream.h"

#define RECORDS 3000

static u64 seed;

static u32 random_below(u32 below)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (u32)(seed >> 33) % below;
}

/* Puts a record whose number is its ID, and the content of all its further units. */
static int put_record(struct stream *stream, u64 time, u32 number, u32 units)
{
	struct bcos_unit unit[BCOS_RAW_UNITS_MAX];
	struct bcos_raw raw = { .time = time, .kind = BCOS_RAW_EVENT, .units = (u8)units, .id = number };
	u32 i;

	for (i = 1; i < units; i++)
		unit[i].word[0] = unit[i].word[1] = number;
	memcpy(unit, &raw, sizeof(raw));
	return stream_add(stream, unit, units);
}

static void check_record(const struct bcos_raw *raw, u64 time, u32 number)
{
	const struct bcos_unit *unit = (const struct bcos_unit *)raw;
	u32 i;

	assert_non_null(raw);
	assert_int_equal(raw->time, time);
	assert_int_equal(raw->id, number);
	for (i = 1; i < raw->units; i++) {
		assert_int_equal(unit[i].word[0], number);
		assert_int_equal(unit[i].word[1], number);
	}
}

static void test_order(void **state)
{
	struct stream stream = { 0 };
	size_t taken = 0;

	(void)state;
	put_record(&stream, 100, 1, 1);
	put_record(&stream, 300, 2, 3);
	put_record(&stream, 200, 3, 66);
	put_record(&stream, 200, 4, 1);
	check_record(stream_next(&stream, &taken, 201), 100, 1);
	check_record(stream_next(&stream, &taken, 201), 200, 3);
	check_record(stream_next(&stream, &taken, 201), 200, 4);
	assert_null(stream_next(&stream, &taken, 201));
	assert_null(stream_next(&stream, &taken, 300));
	stream_forget(&stream, taken);
	/* A record that is older than the remaining ones still comes first. */
	put_record(&stream, 250, 5, 2);
	taken = 0;
	check_record(stream_next(&stream, &taken, ~0ull), 250, 5);
	check_record(stream_next(&stream, &taken, ~0ull), 300, 2);
	assert_null(stream_next(&stream, &taken, ~0ull));
	stream_forget(&stream, taken);
	assert_int_equal(stream.units, 0);
	stream_free(&stream);
}

struct expected {
	u64 time;
	u32 number;
};

static int by_time(const void *left, const void *right)
{
	const struct expected *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->number < b->number ? -1 : 1;
}

/* Gives records out in parts, each up to a horizon. With @far, some records are far from their place. */
static void check_random(bool far)
{
	static struct expected all[RECORDS];
	struct stream stream = { 0 };
	u32 added = 0, given = 0, i;
	u64 time = 1000, horizon = 0, back;
	size_t taken;

	for (i = 0; i < RECORDS; i++) {
		time += random_below(20);
		back = random_below(4) * random_below(12);
		if (far && !random_below(50))
			back += random_below((u32)(time - horizon) + 1);
		all[i].time = back < time ? time - back : 0;
		/* No record comes that is older than those that were given out already. */
		if (all[i].time < horizon)
			all[i].time = horizon;
		all[i].number = i;
		assert_int_equal(put_record(&stream, all[i].time, i, 1 + random_below(5)), 0);
		added++;
		if (random_below(100) && i + 1 < RECORDS)
			continue;
		horizon = i + 1 < RECORDS ? time - random_below(2000) % (u32)(time - horizon + 1) : ~0ull;
		qsort(all + given, added - given, sizeof(*all), by_time);
		for (taken = 0; given < added && all[given].time < horizon; given++)
			check_record(stream_next(&stream, &taken, horizon), all[given].time, all[given].number);
		assert_null(stream_next(&stream, &taken, horizon));
		stream_forget(&stream, taken);
	}
	assert_int_equal(given, RECORDS);
	stream_free(&stream);
}

static void test_random(void **state)
{
	int round;

	(void)state;
	for (round = 0; round < 50; round++)
		check_random(round & 1);
}

static void test_malformed(void **state)
{
	struct bcos_unit unit[BCOS_RAW_UNITS_MAX + 1] = { 0 };
	struct bcos_raw *raw = (struct bcos_raw *)unit;
	struct stream stream = { 0 };
	size_t taken = 0;

	(void)state;
	assert_int_equal(stream_add(&stream, unit, 1), -EBADMSG);
	raw->kind = BCOS_RAW_SWITCH;
	raw->units = 2;
	assert_int_equal(stream_add(&stream, unit, 1), -EBADMSG);
	assert_int_equal(stream_add(&stream, unit, 0), -EBADMSG);
	raw->units = BCOS_RAW_UNITS_MAX + 1;
	assert_int_equal(stream_add(&stream, unit, BCOS_RAW_UNITS_MAX + 1), -EBADMSG);
	raw->units = 1;
	raw->kind = BCOS_RAW_KINDS;
	assert_int_equal(stream_add(&stream, unit, 1), -EBADMSG);
	raw->kind = BCOS_RAW_SWITCH;
	raw->time = BCOS_RAW_TICKS;
	assert_int_equal(stream_add(&stream, unit, 1), -EBADMSG);
	assert_null(stream_next(&stream, &taken, ~0ull));
	stream_free(&stream);
}

int main(void)
{
	const char *given = getenv("SEED");
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order), cmocka_unit_test(test_random), cmocka_unit_test(test_malformed),
	};

	seed = given ? strtoull(given, NULL, 0) : (u64)time(NULL);
	printf("# SEED=%llu\n", (unsigned long long)seed);
	return cmocka_run_group_tests_name("stream", tests, NULL, NULL);
}
