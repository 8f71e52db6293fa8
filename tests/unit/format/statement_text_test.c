// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* core/format/statement_text.c: texts by which a log states something about itself, written and read. */
#include "check.h"
#include "core/format/entry.h"
#include "core/format/statement_text.h"

static bool reads_mask(const char *text, u32 *to)
{
	return bcos_mask_parse(text, strlen(text), to);
}

static void test_mask(void **state)
{
	char text[BCOS_MASK_TEXT];
	u32 to = 7;
	int length;

	assert_true(reads_mask("class mask 0x21f -> 0x21e: assign off", &to));
	assert_int_equal(to, 0x21E);
	/* No class has no "0x". */
	assert_true(reads_mask("class mask 0x21f -> 0: assign off, irq off", &to));
	assert_int_equal(to, 0);
	assert_true(reads_mask("class mask 0 -> 0x7ff", &to));
	assert_int_equal(to, 0x7FF);
	assert_false(reads_mask("class mask 0x21f -> ", &to));
	assert_false(reads_mask("class mask 0x21f -> 0x", &to));
	assert_false(reads_mask("class mask 0x21f -> 0x21e, assign off", &to));
	assert_false(reads_mask("class mask 0x21f -> 0x1000000000: x on", &to));
	assert_false(reads_mask("a class mask 0x1 -> 0x2", &to));
	length = bcos_mask_format(text, sizeof(text), BCOS_CLASS_ALL, 0);
	assert_true(bcos_mask_parse(text, (size_t)length, &to));
	assert_int_equal(to, 0);
	length = bcos_mask_format(text, sizeof(text), 0, BCOS_CLASS_ALL);
	assert_true(bcos_mask_parse(text, (size_t)length, &to));
	assert_int_equal(to, BCOS_CLASS_ALL);
}

static bool reads_clock(const char *text, u64 *utc)
{
	return bcos_clock_parse(text, strlen(text), utc);
}

static void test_clock(void **state)
{
	char text[BCOS_CLOCK_TEXT];
	u64 utc = 0;

	assert_int_equal(bcos_clock_format(text, sizeof(text), 1700000000000000005ull), 31);
	assert_string_equal(text, "wall clock 1700000000.000000005");
	assert_true(reads_clock(text, &utc));
	assert_int_equal(utc, 1700000000000000005ull);
	assert_true(reads_clock("wall clock 0.000000000", &utc));
	assert_int_equal(utc, 0);
	/* The last second that 64 bits hold as a whole. */
	assert_true(reads_clock("wall clock 18446744072.999999999", &utc));
	assert_int_equal(utc, 18446744072999999999ull);
	assert_false(reads_clock("wall clock 18446744073.000000000", &utc));
	assert_false(reads_clock("wall clock 1.00000000", &utc));
	assert_false(reads_clock("wall clock 1.0000000000", &utc));
	assert_false(reads_clock("wall clock 1.00000000x", &utc));
	assert_false(reads_clock("wall clock .000000000", &utc));
}

static void test_facts(void **state)
{
	static const struct {
		u32 id;
		const char *fact, *text;
	} known[] = {
		{ BCOS_EVENT_BOOT, "6b7f8a1e-0000", "boot 6b7f8a1e-0000" },
		{ BCOS_EVENT_HOST, "box", "host box" },
		{ BCOS_EVENT_KERNEL, "6.12.0 x86_64", "kernel 6.12.0 x86_64" },
		{ BCOS_EVENT_VERSION, "bcos_evlog 0.1.0 bpf", "bcos_evlog 0.1.0 bpf" },
	};
	const char *fact;
	char text[160];
	size_t i, length;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		length = bcos_fact_format(text, sizeof(text), known[i].id, known[i].fact, strlen(known[i].fact));
		assert_int_equal(length, strlen(known[i].text));
		assert_memory_equal(text, known[i].text, length);
		fact = bcos_fact_parse(known[i].id, text, &length);
		assert_non_null(fact);
		assert_int_equal(length, strlen(known[i].fact));
		assert_memory_equal(fact, known[i].fact, length);
	}
	/* Another event states no fact, so there is nothing to write. */
	assert_int_equal(bcos_fact_format(text, sizeof(text), BCOS_EVENT_CLOCK, "box", 3), 0);
	length = 5;
	assert_null(bcos_fact_parse(BCOS_EVENT_HOST, "host ", &length));
	length = 8;
	assert_null(bcos_fact_parse(BCOS_EVENT_BOOT, "host box", &length));
	assert_null(bcos_fact_parse(BCOS_EVENT_CLOCK, "host box", &length));
}

static void test_kernel(void **state)
{
	struct bcos_kernel_fact kernel;

	assert_true(bcos_kernel_parse(&kernel, "kernel 6.12.0 x86_64", 20));
	assert_int_equal(kernel.release_length, 6);
	assert_memory_equal(kernel.release, "6.12.0", 6);
	assert_int_equal(kernel.machine_length, 6);
	assert_memory_equal(kernel.machine, "x86_64", 6);
	assert_true(bcos_kernel_parse(&kernel, "kernel 6.12.0", 13));
	assert_int_equal(kernel.release_length, 6);
	assert_int_equal(kernel.machine_length, 0);
	assert_false(bcos_kernel_parse(&kernel, "kernel ", 7));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mask), cmocka_unit_test(test_clock), cmocka_unit_test(test_facts),
		cmocka_unit_test(test_kernel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
