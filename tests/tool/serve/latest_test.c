// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The newest part of a log, as bcoslog serve keeps it: where it begins once it is full, and what a page gets of it. */
#include <errno.h>

#include "printed.h"
#include "made_log.h"
#include "serve/latest.h"

#define MIB (1u << 20)
/* An entry of 1024 bytes, and one of 64 as a group of its own. */
#define LARGE 1024u
#define SMALL 64u

static u32 room[4 * MIB];

/* Puts an entry at byte @at of the room.  Return: the byte after it. */
static size_t put_entry(size_t at, u16 type, size_t size, u64 time)
{
	struct bcos_entry *entry = (struct bcos_entry *)((char *)room + at);

	memset(entry, 0, size);
	*entry = (struct bcos_entry){ .size = (u16)size, .type = type, .time = time, .precision = 1 };
	return at + size;
}

static int add_entries(struct latest *latest, size_t size)
{
	return latest_add(latest, (const struct bcos_entry *)room, (const struct bcos_entry *)((char *)room + size));
}

static size_t put_large(size_t at, size_t count)
{
	for (; count; count--)
		at = put_entry(at, BCOS_GENERIC_PROCESS, LARGE, 7);
	return at;
}

/* A group of two entries. */
static size_t put_group(size_t at)
{
	at = put_entry(at, BCOS_HIST_CORE_ONLINE, SMALL / 2, 1);
	return put_entry(at, BCOS_HIST_CPU_ONLINE, SMALL / 2, 1);
}

/* Asserts what a page that asks for @size bytes from @from on gets. */
static struct latest_part part_of(struct latest *latest, u64 from, size_t size)
{
	struct latest_part part;

	memset(&part, 0xAA, sizeof(part));
	assert_int_equal(latest_copy(latest, from, size, &part), 0);
	assert_int_equal(!part.bytes, !part.size);
	return part;
}

#define assert_part(latest, ask, most, expected_from, expected_base, expected_size) do { \
		struct latest_part part_ = part_of(latest, ask, most); \
		assert_int_equal(part_.from, expected_from); \
		assert_int_equal(part_.base, expected_base); \
		assert_int_equal(part_.size, expected_size); \
		free(part_.bytes); \
	} while (0)

static void a_part_has_whole_entries(void **state)
{
	struct latest *latest = latest_new(MIB);
	struct latest_part part;
	size_t size;

	assert_part(latest, 0, 1000, 0, 0, 0);
	size = put_group(0);
	size = put_large(size, 3);
	assert_int_equal(add_entries(latest, size), 0);
	assert_part(latest, 0, 10000, 0, 0, 64 + 3 * 1024);
	/* As many as fit, and one in any case. */
	assert_part(latest, 0, 64 + 1024, 0, 0, 64 + 1024);
	assert_part(latest, 0, 64 + 1023, 0, 0, 64);
	assert_part(latest, 64, 1, 64, 0, 1024);
	assert_part(latest, 64, 0, 64, 0, 1024);
	/* From the end on there is nothing, and beyond it is no place of this log. */
	assert_part(latest, 64 + 3 * 1024, 1000, 64 + 3 * 1024, 0, 0);
	assert_part(latest, 64 + 3 * 1024 + 1, 32, 0, 0, 32);
	/* The bytes are those that were added. */
	part = part_of(latest, 64, 5000);
	assert_int_equal(part.size, 3 * 1024);
	assert_memory_equal(part.bytes, (char *)room + 64, part.size);
	free(part.bytes);
	latest_free(latest);
	latest_free(NULL);
}

/* Only with the last bytes: before them, more follows. */
static void the_end_is_told_with_the_last_bytes(void **state)
{
	struct latest *latest = latest_new(MIB);
	struct latest_part part;
	size_t size = put_large(put_group(0), 2);

	assert_int_equal(add_entries(latest, size), 0);
	part = part_of(latest, 0, size);
	assert_false(part.ended);
	assert_false(part.full);
	free(part.bytes);
	latest_end(latest);
	part = part_of(latest, 0, size);
	assert_true(part.ended);
	free(part.bytes);
	part = part_of(latest, 0, size - 1);
	assert_false(part.ended);
	free(part.bytes);
	part = part_of(latest, size, 1);
	assert_true(part.ended);
	latest_free(latest);
}

/* Ten groups with 127 KiB each fit into 1.25 MiB. With the eleventh, a MiB at most is left. */
static void the_oldest_groups_go(void **state)
{
	struct latest *latest = latest_new(MIB);
	const size_t chunk = 64 + 127 * 1024;
	struct latest_part part;
	size_t size, i;

	for (i = 0; i < 10; i++) {
		size = put_large(put_group(0), 127);
		assert_int_equal(size, chunk);
		assert_int_equal(add_entries(latest, size), 0);
		assert_part(latest, 0, 1, 0, 0, 32);
	}
	/* 10 * 130112 = 1301120, which is less than 1310720; 11 are more. 8 are 1040896, and no more than the limit. */
	size = put_large(put_group(0), 127);
	assert_int_equal(add_entries(latest, size), 0);
	assert_part(latest, 0, 1, 2 * chunk, 2 * chunk, 32);
	assert_part(latest, 2 * chunk - 1, 1, 2 * chunk, 2 * chunk, 32);
	assert_part(latest, 2 * chunk, ~(size_t)0 >> 1, 2 * chunk, 2 * chunk, 9 * chunk);
	assert_part(latest, 10 * chunk, ~(size_t)0 >> 1, 10 * chunk, 2 * chunk, chunk);
	assert_part(latest, 11 * chunk, 1, 11 * chunk, 2 * chunk, 0);
	/* Each second one more has to give up two. */
	for (i = 11; i < 60; i++) {
		put_entry(64, BCOS_GENERIC_PROCESS, LARGE, 1000 + i);
		assert_int_equal(add_entries(latest, size), 0);
		assert_part(latest, 0, 1, (i % 2 ? i - 9 : i - 8) * chunk, (i % 2 ? i - 9 : i - 8) * chunk, 32);
	}
	/* The sixtieth is the last one, and the 51st the first; the bytes are still theirs. */
	for (i = 51; i < 60; i++) {
		part = part_of(latest, i * chunk + 64, 1);
		assert_int_equal(((const struct bcos_entry *)part.bytes)->time, 1000 + i);
		free(part.bytes);
	}
	latest_free(latest);
}

/* Exactly at the limit nothing more is given up, and exactly at a quarter more, nothing at all. */
static void at_the_limit_exactly(void **state)
{
	struct latest *latest = latest_new(4096);
	size_t size;

	/* 1088 bytes, then 4032: 5120 are a quarter more than the limit. */
	size = put_large(put_group(0), 1);
	assert_int_equal(add_entries(latest, size), 0);
	size = put_entry(put_large(put_group(0), 3), BCOS_GENERIC_PROCESS, 896, 7);
	assert_int_equal(add_entries(latest, size), 0);
	assert_part(latest, 0, 1, 0, 0, 32);
	/* With 32 more, the first 1088 go. */
	size = put_entry(0, BCOS_GENERIC_PROCESS, 32, 7);
	assert_int_equal(add_entries(latest, size), 0);
	assert_part(latest, 0, 1, 1088, 1088, 32);
	latest_free(latest);

	/* After 64 and 960 bytes, the second group leaves exactly the limit. */
	latest = latest_new(4096);
	assert_int_equal(add_entries(latest, put_group(0)), 0);
	size = put_entry(0, BCOS_GENERIC_PROCESS, 960, 7);
	assert_int_equal(add_entries(latest, size), 0);
	size = put_large(put_group(0), 3);
	assert_int_equal(add_entries(latest, size), 0);
	size = put_entry(put_group(0), BCOS_GENERIC_PROCESS, 896, 7);
	assert_int_equal(add_entries(latest, size), 0);
	assert_part(latest, 0, 1, 0, 0, 32);
	size = put_entry(0, BCOS_GENERIC_PROCESS, 32, 7);
	assert_int_equal(add_entries(latest, size), 0);
	assert_part(latest, 0, 1, 1024, 1024, 32);
	latest_free(latest);
}

/* Without another group nothing can be given up, and nothing more is taken, whatever comes then. */
static void without_another_group_it_is_full(void **state)
{
	struct latest *latest = latest_new(4096);
	struct latest_part part;
	size_t size = put_large(put_group(0), 4);

	assert_int_equal(add_entries(latest, size), 0);
	assert_int_equal(add_entries(latest, put_large(0, 1)), -ENOSPC);
	part = part_of(latest, 0, 1);
	assert_true(part.full);
	free(part.bytes);
	assert_int_equal(add_entries(latest, put_group(0)), -ENOSPC);
	assert_part(latest, 0, 100000, 0, 0, 64 + 4096);
	latest_free(latest);
}

/* Entries without any group before them cannot begin a part either; they go when a group comes. */
static void before_the_first_group(void **state)
{
	struct latest *latest = latest_new(4096);
	size_t size;

	assert_int_equal(add_entries(latest, put_large(0, 3)), 0);
	size = put_large(put_group(0), 1);
	assert_int_equal(add_entries(latest, size), 0);
	assert_int_equal(add_entries(latest, size), 0);
	assert_part(latest, 0, 1, 3072, 3072, 32);
	latest_free(latest);
	/* Without any group nothing goes. */
	latest = latest_new(4096);
	assert_int_equal(add_entries(latest, put_large(0, 5)), 0);
	assert_int_equal(add_entries(latest, put_large(0, 1)), -ENOSPC);
	latest_free(latest);
	/* Historical entries of one group may come in two parts. */
	latest = latest_new(4096);
	assert_int_equal(add_entries(latest, put_entry(0, BCOS_HIST_CORE_ONLINE, 1024, 1)), 0);
	assert_int_equal(add_entries(latest, put_entry(0, BCOS_HIST_CPU_ONLINE, 1024, 1)), 0);
	assert_int_equal(add_entries(latest, put_large(0, 3)), 0);
	assert_int_equal(add_entries(latest, put_large(0, 1)), -ENOSPC);
	latest_free(latest);
}

/* Several groups in entries that come at once are several places to begin at. */
static void groups_that_come_at_once(void **state)
{
	struct latest *latest = latest_new(4096);
	size_t size = put_large(put_group(put_large(put_group(put_large(put_group(0), 1)), 2)), 1);

	/* 64 and 1024, 64 and 2048, 64 and 1024 bytes. */
	assert_int_equal(size, 4288);
	assert_int_equal(add_entries(latest, size), 0);
	assert_int_equal(add_entries(latest, put_large(0, 1)), 0);
	assert_part(latest, 0, 1, 1088, 1088, 32);
	assert_int_equal(add_entries(latest, put_large(0, 2)), 0);
	assert_part(latest, 0, 1, 3200, 3200, 32);
	latest_free(latest);
}

/* More groups than there is room for at first, and more bytes than the first MiB. */
static void many_groups(void **state)
{
	struct latest *latest = latest_new(8 * MIB);
	size_t size, i;

	for (i = 0; i < 3000; i++) {
		size = put_large(put_group(0), 1);
		assert_int_equal(add_entries(latest, size), 0);
	}
	assert_part(latest, 2999 * 1088, 100000, 2999 * 1088, 0, 1088);
	for (i = 0; i < 7000; i++)
		assert_int_equal(add_entries(latest, size), 0);
	/* 9637 * 1088 are no more than 10 MiB. 7710 are no more than 8 MiB. */
	assert_part(latest, 0, 1, (9637 - 7710) * 1088ull, (9637 - 7710) * 1088ull, 32);
	assert_part(latest, 9999 * 1088, 100000, 9999 * 1088, (9637 - 7710) * 1088ull, 1088);
	latest_free(latest);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_part_has_whole_entries),
		cmocka_unit_test(the_end_is_told_with_the_last_bytes),
		cmocka_unit_test(the_oldest_groups_go),
		cmocka_unit_test(at_the_limit_exactly),
		cmocka_unit_test(without_another_group_it_is_full),
		cmocka_unit_test(before_the_first_group),
		cmocka_unit_test(groups_that_come_at_once),
		cmocka_unit_test(many_groups),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
