// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The oracle itself: a good log passes, and each kind of violation planted in it is caught. */
#include <string.h>
#include "check.h"
#include "oracle.h"

struct writer {
	u8 bytes[65536];
	u64 length;
};

static struct writer *w;

/* Writes an entry: a header, and then words or a text. */
static void put_entry(u16 type, u32 source, u64 time, const void *rest, u32 size)
{
	u16 whole = (u16)(20 + ((size + 3) & ~3u));
	u32 precision = 1;

	memset(w->bytes + w->length, 0, whole);
	memcpy(w->bytes + w->length, &whole, 2);
	memcpy(w->bytes + w->length + 2, &type, 2);
	memcpy(w->bytes + w->length + 4, &source, 4);
	memcpy(w->bytes + w->length + 8, &time, 8);
	memcpy(w->bytes + w->length + 16, &precision, 4);
	if (size)
		memcpy(w->bytes + w->length + 20, rest, size);
	w->length += whole;
}

static void put_word(u16 type, u32 source, u64 time, u32 value) { put_entry(type, source, time, &value, 4); }

static void put_name(u16 type, u32 source, u64 time, const char *text)
{
	put_entry(type, source, time, text, (u32)strlen(text));
}

static void put_core(u16 type, u32 source, u64 time, u32 cpus)
{
	u32 rest[9] = { 0 };

	put_entry(type, source, time, rest, 4 + 4 * cpus);
}

static void put_device(u16 type, u32 source, u64 time, u32 driver, const char *text)
{
	char rest[64] = { 0 };

	memcpy(rest, &driver, 4);
	memcpy(rest + 4, text, strlen(text));
	put_entry(type, source, time, rest, 4 + (u32)strlen(text));
}

/* Writes a group: core 0 with CPUs 0 and 1, the kernel, sh (7) and a device (9). CPU 0 runs sh, and CPU 1 is idle. */
static void put_group(void)
{
	put_core(0xA000, 0, 10, 2);
	put_word(0xC000, 0, 10, 0);
	put_word(0xC000, 1, 10, 0);
	put_name(0x8000, 0, 0, "kernel");
	put_name(0x8000, 7, 20, "sh");
	put_device(0xE000, 9, 30, 7, "tun");
	put_word(0xC002, 0, 40, 7);
	put_word(0xC002, 1, 50, 0xFFFFFFFF);
}

static void begin_log(void) { w->length = 0; put_group(); }

static void expect_good(unsigned int flags)
{
	const char *wrong = oracle_check(w->bytes, 0, w->length, flags);

	if (wrong)
		print_error("%s\n", wrong);
	assert_null(wrong);
}

static void expect_bad(const char *part)
{
	const char *wrong = oracle_check(w->bytes, 0, w->length, 0);

	assert_non_null(wrong);
	if (!strstr(wrong, part))
		print_error("%s\n", wrong);
	assert_non_null(strstr(wrong, part));
	begin_log();
}

static void test_good(void **state)
{
	begin_log();
	expect_good(0);
	put_word(0x4002, 0, 60, 0);
	put_name(0x0000, 8, 60, "child");
	put_word(0x4002, 1, 70, 8);
	put_word(0x6011, 9, 70, 0);
	put_core(0xA000, 0, 10, 2);
	put_word(0xC000, 0, 10, 0);
	put_word(0xC000, 1, 10, 0);
	put_name(0x8000, 0, 0, "kernel");
	put_name(0x8000, 7, 20, "sh");
	put_name(0x8000, 8, 60, "child");
	put_device(0xE000, 9, 30, 7, "tun");
	put_word(0xC002, 0, 60, 0);
	put_word(0xC002, 1, 70, 8);
	put_name(0x8000, 7, 20, "sh");
	put_word(0x4002, 1, 80, 0xFFFFFFFF);
	put_word(0x6001, 9, 80, 0);
	put_word(0x0001, 7, 80, 0);
	put_entry(0x4001, 1, 90, NULL, 0);
	expect_good(0);
}

static void test_groups(void **state)
{
	u64 starts[4], second;

	begin_log();
	put_word(0x4002, 0, 60, 0);
	second = w->length;
	put_group();
	assert_int_equal(oracle_groups(w->bytes, 0, w->length, starts, 4), 2);
	assert_int_equal(starts[0], 0);
	assert_int_equal(starts[1], second);
}

static void test_form(void **state)
{
	begin_log();
	put_entry(0x0000, 5, 60, NULL, 0);
	expect_bad("name is empty");
	put_name(0x0000, 5, 60, "caf\xC3");
	expect_bad("not UTF-8");
	put_entry(0x0000, 5, 60, "sh\0\0\0\0", 6);
	expect_bad("more padding");
	put_entry(0x0000, 5, 60, "s\0h", 4);
	expect_bad("padding is not zero");
	put_entry(0x4002, 0, 60, "1234567", 8);
	expect_bad("not 24 bytes");
	put_entry(0x4001, 0, 60, "1234", 4);
	expect_bad("not 20 bytes");
	put_word(0x0010, 7, 60, 0);
	expect_bad("too short for a generic event");
	put_word(0x1234, 7, 60, 0);
	expect_bad("does not define");
	w->length -= 4;
	expect_bad("a size that cannot be");
	w->length -= 16;
	expect_bad("less than a header");
}

static void test_order(void **state)
{
	begin_log();
	put_word(0x4002, 0, 60, 0);
	put_word(0x4002, 0, 59, 7);
	expect_bad("goes back in time");
	put_word(0x4002, 0, 45, 0);
	expect_bad("older than history");
}

static void test_group(void **state)
{
	begin_log();
	w->length = 0;
	put_word(0x4002, 0, 60, 0);
	expect_bad("does not begin with a group");
	w->length = 0;
	put_name(0x8000, 0, 0, "kernel");
	expect_bad("does not begin with a group");
	w->length = 0;
	put_core(0xA000, 0, 10, 1);
	put_word(0xC000, 0, 10, 0);
	put_name(0x8000, 7, 0, "sh");
	expect_bad("does not name the kernel");
	w->length = 0;
	put_core(0xA000, 0, 10, 1);
	put_word(0xC000, 0, 10, 1);
	expect_bad("is of core 1");
	put_core(0xA000, 0, 10, 2);
	put_word(0xC000, 0, 10, 0);
	put_word(0xC000, 1, 10, 0);
	put_name(0x8000, 0, 0, "kernel");
	put_word(0xC002, 0, 40, 7);
	put_word(0xC002, 1, 50, 0xFFFFFFFF);
	put_word(0x4002, 0, 60, 0);
	expect_bad("lacks process 7");
	put_core(0xA000, 0, 10, 2);
	put_word(0xC000, 0, 10, 0);
	put_word(0xC000, 1, 10, 0);
	put_name(0x8000, 0, 0, "kernel");
	put_name(0x8000, 7, 20, "sh");
	put_device(0xE000, 9, 30, 7, "tun");
	put_word(0xC002, 1, 50, 0xFFFFFFFF);
	expect_bad("lacks the assignment of CPU 0");
	put_word(0x4002, 0, 60, 0);
	put_word(0xC002, 0, 60, 0);
	expect_bad("history outside of a group");
	put_core(0xA000, 1, 10, 2);
	expect_bad("re-states what was never stated");
	put_core(0xA000, 0, 11, 2);
	expect_bad("known is");
	w->length = 0;
	put_core(0xA000, 0, 10, 1);
	put_name(0x8000, 0, 0, "kernel");
	expect_bad("without a CPU");
}

static void test_restate(void **state)
{
	begin_log();
	put_word(0x4002, 0, 60, 0);
	put_name(0x8000, 7, 20, "bash");
	expect_bad("known is");
	put_word(0x4002, 0, 60, 0);
	put_name(0x8000, 7, 21, "sh");
	expect_bad("known is");
	put_word(0x4002, 0, 60, 0);
	put_device(0xE000, 9, 30, 0, "tun");
	expect_bad("known is");
	put_group();
	put_word(0xC002, 0, 40, 0);
	expect_bad("known is");
	put_name(0x8000, 7, 20, "sh");
	put_name(0x8000, 7, 20, "sh");
	expect_good(0);
}

static void test_use(void **state)
{
	begin_log();
	put_word(0x4002, 0, 60, 5);
	expect_bad("assigned to 5, which was not stated");
	put_word(0x4002, 5, 60, 0);
	expect_bad("not online");
	put_word(0x4002, 0, 60, 7);
	expect_good(ORACLE_LOSSES);
	expect_bad("to which it is assigned");
	put_word(0x0001, 5, 60, 0);
	expect_bad("cancels what was not stated");
	put_word(0x6001, 5, 60, 0);
	expect_bad("cancels what was not stated");
	put_word(0x0001, 7, 60, 0);
	expect_bad("while CPU 0 is assigned to it");
	put_word(0x4002, 0, 60, 0);
	put_word(0x0001, 7, 60, 0);
	expect_bad("before its device 9");
	put_word(0x6011, 5, 60, 0);
	expect_bad("about a device that was not stated");
	put_entry(0x0010, 5, 60, "1234\0\0\0\0", 8);
	expect_bad("about a process that was not stated");
	put_entry(0x2010, 5, 60, "1234\0\0\0\0", 8);
	expect_bad("about a core that was not stated");
	put_entry(0x4010, 5, 60, "1234\0\0\0\0", 8);
	expect_bad("about a CPU that was not stated");
	put_device(0x6000, 5, 60, 3, "x");
	expect_bad("has driver 3");
	put_name(0x0000, 0, 60, "x");
	expect_bad("names the kernel");
}

static void test_event_ids(void **state)
{
	static const u8 own[8] = { 1, 0, 0, 0x80 }, reserved[8] = { 0xFF, 0xFF, 0xFF, 0x7F };

	begin_log();
	put_entry(0x0010, 7, 60, reserved, 8);
	put_entry(0x2010, 0, 60, own, 8);
	put_entry(0x4010, 1, 60, own, 8);
	put_entry(0x6010, 9, 60, own, 8);
	expect_good(0);
	put_entry(0x2010, 0, 60, reserved, 8);
	expect_bad("reserved event ID");
	put_entry(0x4010, 1, 60, reserved, 8);
	expect_bad("reserved event ID");
	put_entry(0x6010, 9, 60, reserved, 8);
	expect_bad("reserved event ID");
}

static void test_ended(void **state)
{
	begin_log();
	put_word(0x6001, 9, 60, 0);
	put_device(0xE000, 9, 30, 7, "tun");
	expect_bad("history of what has ended");
	put_word(0x4002, 0, 60, 0);
	put_word(0x6001, 9, 60, 0);
	put_word(0x0001, 7, 60, 0);
	put_name(0x8000, 7, 20, "sh");
	expect_bad("history of what has ended");
	put_name(0x8000, 0xFFFFFFFF, 20, "idle");
	expect_bad("names idle");
}

static void test_time(void **state)
{
	begin_log();
	put_word(0x4002, 0, ~0ull - 1, 0);
	expect_good(0);
	put_word(0x4002, 0, ~0ull, 0);
	expect_bad("beyond 64 bits");
}

static void test_topology(void **state)
{
	begin_log();
	put_core(0x2000, 0, 60, 1);
	expect_bad("more CPUs than its performance table");
	begin_log();
	put_word(0x4000, 1, 60, 0);
	expect_bad("comes online twice");
	put_word(0x4000, 2, 60, 5);
	expect_bad("before its core");
	put_word(0x4000, 2, 60, 0);
	expect_bad("more CPUs than its performance table");
	put_entry(0x4001, 0, 60, NULL, 0);
	expect_bad("without being idle");
	put_entry(0x4001, 5, 60, NULL, 0);
	expect_bad("was never online");
	put_entry(0x2001, 0, 60, NULL, 0);
	expect_bad("has CPUs");
	put_entry(0x2001, 5, 60, NULL, 0);
	expect_bad("was never online");
	put_core(0x2000, 4, 60, 1);
	expect_bad("has no CPU");
	put_word(0x4002, 0, 60, 0xFFFFFFFF);
	put_entry(0x4001, 0, 60, NULL, 0);
	put_entry(0x4001, 1, 60, NULL, 0);
	expect_bad("has no CPU");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good), cmocka_unit_test(test_groups), cmocka_unit_test(test_form),
		cmocka_unit_test(test_order), cmocka_unit_test(test_group), cmocka_unit_test(test_restate),
		cmocka_unit_test(test_use), cmocka_unit_test(test_topology),
		cmocka_unit_test(test_event_ids), cmocka_unit_test(test_ended), cmocka_unit_test(test_time),
	};
	int failed;

	w = calloc(1, sizeof(*w));
	failed = w ? cmocka_run_group_tests_name("oracle", tests, NULL, NULL) : 1;
	free(w);
	return failed;
}
