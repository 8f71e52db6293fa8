// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* JSON objects on lines of their own: their values, wherever in the buffer they begin, and however long they are. */
#include "failing_memory.h"
#include "output/output.h"
#include "printed.h"
#include "output/object.h"
#include "output/times.h"

static char printed[4 * OUTPUT_SIZE];
static size_t printed_size;

static void keep_printed(const char *bytes, size_t size, void (*put)(const void *bytes, size_t size))
{
	assert_true(printed_size + size < sizeof(printed));
	if (size)
		memcpy(printed + printed_size, bytes, size);
	printed_size += size;
	printed[printed_size] = '\0';
}

static void values_of_each_kind(void **state)
{
	struct object object = { .json = json_object() };

	object_number(&object, "least", 0);
	object_number(&object, "most", INT64_MAX);
	/* This is beyond the integers of the library, and 2^63 as a real. */
	object_number(&object, "more", (u64)INT64_MAX + 1);
	object_text(&object, "text", "a\0b\"c", 4);
	object_word(&object, "word", "w");
	object_word(&object, "none", NULL);
	object_time(&object, "time", 1500000000);
	assert_int_equal(object_print(&object, "it"), 0);
	assert_printed("{\"least\":0,\"most\":9223372036854775807,\"more\":9.2233720368547758e18,"
		       "\"text\":\"a\\u0000b\\\"\",\"word\":\"w\",\"none\":null,\"time\":1500000000}\n");
}

static void times_of_the_wall_clock(void **state)
{
	struct object object = { .json = json_object() };

	wall_forget();
	assert_int_equal(wall_add(&(struct bcoslog_wall){ .boot = 2000000000, .utc = 1000000000000000 }), 0);
	time_mode = TIME_WALL;
	object_time(&object, "begin", 2000000001);
	time_mode = TIME_BOOT;
	assert_int_equal(object_print(&object, "it"), 0);
	assert_printed("{\"begin\":2000000001,\"begin_wall\":\"1970-01-12T13:46:40.000000001Z\"}\n");
}

/* Prints an object with a text of so many bytes, after @used bytes. */
static void print_text(size_t used, size_t length)
{
	static char text[2 * OUTPUT_SIZE];
	struct object object = { .json = json_object() };

	memset(text, 't', sizeof(text));
	memset(output.buffer, 'f', used);
	output.used = used;
	printed_size = 0;
	object_text(&object, "a", text, length);
	assert_int_equal(object_print(&object, "it"), 0);
	output_flush();
	/* {"a":" and "}, and the end of the line. */
	assert_int_equal(printed_size, used + 6 + length + 3);
	assert_memory_equal(printed + used, "{\"a\":\"t", 7);
	assert_string_equal(printed + printed_size - 4, "t\"}\n");
	assert_int_equal(strspn(printed + used + 6, "t"), length);
}

static void objects_anywhere_in_the_buffer(void **state)
{
	size_t used, length;

	output.encode = keep_printed;
	for (used = OUTPUT_SIZE - OUTPUT_ROOM - 20; used <= OUTPUT_SIZE; used += 9)
		print_text(used, 50);
	/* They have less room than they need, as much, and more. */
	for (length = OUTPUT_ROOM - 20; length < OUTPUT_ROOM + 4; length++)
		print_text(OUTPUT_SIZE - OUTPUT_ROOM, length);
	for (length = OUTPUT_SIZE - 12; length < OUTPUT_SIZE + 2; length++)
		print_text(0, length);
	print_text(100, 2 * OUTPUT_SIZE);
	output.encode = NULL;
}

static int print_failed(bool made, bool failed)
{
	struct object object = { .json = made ? json_object() : NULL, .failed = failed };

	return object_print(&object, "a thing");
}

static void objects_that_lack_something(void **state)
{
	assert_complains("bcoslog: no memory for a thing as JSON\n", print_failed(true, true) == -ENOMEM);
	assert_complains("bcoslog: no memory for a thing as JSON\n", print_failed(false, false) == -ENOMEM);
	assert_printed("");
	assert_complains("", print_failed(true, false) == 0);
	assert_printed("{}\n");
}

static void values_without_memory(void **state)
{
	struct object object = { .json = json_object() };

	failing = 1;
	object_text(&object, "a", "b", 1);
	assert_true(object.failed);
	/* It is not forgotten when the next value has memory. */
	object_number(&object, "c", 1);
	assert_true(object.failed);
	json_decref(object.json);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_of_each_kind),
		cmocka_unit_test(times_of_the_wall_clock),
		cmocka_unit_test(objects_anywhere_in_the_buffer),
		cmocka_unit_test(objects_that_lack_something),
		cmocka_unit_test(values_without_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
