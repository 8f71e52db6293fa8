// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Records that user space is told about devices get a place among those of programs, and a precision, worked out by
 * hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/rings/told.h"

#define CPUS 2
#define EVER 1000000

struct record {
	struct bcos_raw raw;
	struct bcos_raw_event event;
	struct bcos_raw_device device;
};

static struct told told;
static struct stream stream[CPUS], to;

/* Adds a record of @time, or of any time up to @until. */
static void add_record(struct stream *where, u64 time, u64 until, u8 kind, u64 key)
{
	struct record record = { .raw = { .time = time, .kind = kind, .units = 3 } };

	record.event.precision = (u32)(until - time);
	record.event.length = sizeof(record.device);
	record.device.key = key;
	if (kind != BCOS_RAW_DEVICE) {
		record.raw.units = 2;
		memcpy(&record.event, &record.device, sizeof(record.device));
		((struct bcos_raw_device *)&record.event)->amount = until - time;
	}
	assert_int_equal(stream_add(where, (const struct bcos_unit *)&record, record.raw.units), 0);
}

#define TEXT "changed"

/* Adds an event about a device, as hardware_put_event() does. */
static void add_event(u64 time, u64 until, u64 key)
{
	struct {
		struct bcos_raw raw;
		struct bcos_raw_event event;
		char text[16];
	} record = {
		.raw = { .time = time, .kind = BCOS_RAW_EVENT, .units = 3, .id = (u32)key },
		.event = { .tag = (u32)(key >> 32), .length = sizeof(TEXT) - 1, .precision = (u32)(until - time) },
		.text = TEXT,
	};

	assert_int_equal(stream_add(&told.stream, (const struct bcos_unit *)&record, record.raw.units), 0);
}

static void expect_event(u64 time, u64 until, u64 key)
{
	size_t taken = 0;
	const struct bcos_raw *raw = stream_next(&to, &taken, EVER);
	const struct bcos_raw_event *event = (const struct bcos_raw_event *)(raw + 1);

	assert_non_null(raw);
	assert_int_equal(raw->kind, BCOS_RAW_EVENT);
	assert_int_equal(raw->time, time);
	assert_int_equal(event->precision, until - time);
	assert_int_equal((u64)event->tag << 32 | raw->id, key);
	assert_int_equal(event->event_id, 0);
	assert_int_equal(event->length, sizeof(TEXT) - 1);
	assert_memory_equal(event + 1, TEXT, sizeof(TEXT));
	stream_forget(&to, taken);
}

static void place_records(void)
{
	assert_int_equal(told_place(&told, stream, sizeof(stream[0]), CPUS, &to), 0);
	assert_int_equal(told.stream.records, 0);
}

/* Asserts that this record is the next one in order of time. */
static void expect_record(u64 time, u64 until, u8 kind, u64 key)
{
	size_t taken = 0;
	const struct bcos_raw *raw = stream_next(&to, &taken, EVER);
	const struct bcos_raw_event *event = (const struct bcos_raw_event *)(raw + 1);
	const struct bcos_raw_device *device;

	assert_non_null(raw);
	device = (const struct bcos_raw_device *)(raw + (kind == BCOS_RAW_DEVICE ? 2 : 1));
	assert_int_equal(raw->kind, kind);
	assert_int_equal(raw->time, time);
	assert_int_equal(kind == BCOS_RAW_DEVICE ? event->precision : device->amount, until - time);
	assert_int_equal(device->key, key);
	stream_forget(&to, taken);
}

static int free_streams(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < CPUS; i++)
		stream_free(&stream[i]);
	stream_free(&to);
	told_free(&told);
	return 0;
}

static void test_as_old_as_may_be(void **state)
{
	(void)state;
	add_record(&stream[0], 150, 150, BCOS_RAW_SWITCH, 7);
	add_record(&stream[1], 160, 160, BCOS_RAW_OUTPUT, 8);
	add_record(&told.stream, 100, 200, BCOS_RAW_DEVICE, 7);
	add_record(&told.stream, 100, 201, BCOS_RAW_LINK, 7);
	place_records();
	expect_record(100, 200, BCOS_RAW_DEVICE, 7);
	expect_record(100, 201, BCOS_RAW_LINK, 7);
}

static void test_after_its_name(void **state)
{
	(void)state;
	add_record(&stream[0], 120, 120, BCOS_RAW_DEVICE, 7);
	add_record(&stream[1], 130, 130, BCOS_RAW_DEVICE, 7);
	add_record(&stream[1], 170, 170, BCOS_RAW_OUTPUT, 7);
	add_record(&told.stream, 100, 200, BCOS_RAW_LINK, 7);
	add_record(&told.stream, 100, 200, BCOS_RAW_LINK, 9);
	place_records();
	expect_record(100, 200, BCOS_RAW_LINK, 9);
	expect_record(131, 200, BCOS_RAW_LINK, 7);
}

/* Records of one device stay in the order in which they were told. */
static void test_in_the_order_of_a_device(void **state)
{
	(void)state;
	add_record(&told.stream, 150, 200, BCOS_RAW_DEVICE, 7);
	add_record(&told.stream, 100, 210, BCOS_RAW_LINK, 7);
	add_record(&told.stream, 120, 220, BCOS_RAW_LINK, 8);
	place_records();
	expect_record(120, 220, BCOS_RAW_LINK, 8);
	expect_record(150, 200, BCOS_RAW_DEVICE, 7);
	expect_record(150, 210, BCOS_RAW_LINK, 7);
}

/* An event has the key of its device in two halves. */
static void test_events_after_the_name(void **state)
{
	const u64 disk = BCOS_RAW_DISK(8, 16), other = BCOS_RAW_DISK(8, 32);

	(void)state;
	add_record(&stream[0], 120, 120, BCOS_RAW_DEVICE, disk);
	add_record(&stream[1], 140, 140, BCOS_RAW_DEVICE, other);
	add_event(100, 200, disk);
	add_record(&told.stream, 110, 300, BCOS_RAW_LINK, disk);
	add_event(130, 400, disk);
	place_records();
	expect_event(121, 200, disk);
	expect_record(121, 300, BCOS_RAW_LINK, disk);
	expect_event(130, 400, disk);
}

static void test_gone_after_all(void **state)
{
	(void)state;
	add_record(&stream[0], 170, 170, BCOS_RAW_OUTPUT, 7);
	add_record(&stream[1], 140, 140, BCOS_RAW_INPUT, 7);
	add_record(&stream[1], 190, 190, BCOS_RAW_OUTPUT, 9);
	add_record(&told.stream, 100, 200, BCOS_RAW_DEVICE_GONE, 7);
	/* A device that comes again with the key of one that has ended comes after that end. */
	add_record(&told.stream, 100, 210, BCOS_RAW_DEVICE, 7);
	add_record(&told.stream, 100, 220, BCOS_RAW_DEVICE, 8);
	place_records();
	expect_record(100, 220, BCOS_RAW_DEVICE, 8);
	expect_record(171, 200, BCOS_RAW_DEVICE_GONE, 7);
	expect_record(171, 210, BCOS_RAW_DEVICE, 7);
}

/* A record before the end of a device cannot follow the end, so the end has a later time. */
static void test_never_imprecise_by_less_than_nothing(void **state)
{
	(void)state;
	add_record(&stream[0], 250, 250, BCOS_RAW_OUTPUT, 7);
	add_record(&told.stream, 100, 200, BCOS_RAW_DEVICE_GONE, 7);
	place_records();
	expect_record(251, 251, BCOS_RAW_DEVICE_GONE, 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_as_old_as_may_be, free_streams),
		cmocka_unit_test_teardown(test_after_its_name, free_streams),
		cmocka_unit_test_teardown(test_in_the_order_of_a_device, free_streams),
		cmocka_unit_test_teardown(test_events_after_the_name, free_streams),
		cmocka_unit_test_teardown(test_gone_after_all, free_streams),
		cmocka_unit_test_teardown(test_never_imprecise_by_less_than_nothing, free_streams),
	};

	return cmocka_run_group_tests_name("told", tests, NULL, NULL);
}
