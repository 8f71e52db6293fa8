// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* core/format/phrase.c: what is written is what is read back, and nothing else is read. */
#include "check.h"
#include "core/format/phrase.h"

static void test_lost(void **state)
{
	static const char after[] = ": staging full, until 12.000000034 s";
	char text[200] = "lost";
	int at = 4;

	assert_int_equal(bcos_phrase_lost(text, at, sizeof(text), 0, "nothing"), at);
	at = bcos_phrase_lost(text, at, sizeof(text), 3, "assignments");
	assert_int_equal(bcos_phrase_lost_count(text, (size_t)at), 3);
	at = bcos_phrase_lost(text, at, sizeof(text), 18446744073709551000ull, "interrupts");
	assert_string_equal(text, "lost 3 assignments, 18446744073709551000 interrupts");
	strcpy(text + at, after);
	assert_true(bcos_phrase_lost_count(text, strlen(text)) == 18446744073709551003ull);
	/* Numbers of times are no counts, whatever stands before them. */
	assert_int_equal(bcos_phrase_lost_count("lost 5 lines, until 12.34 s", 27), 5);
	assert_int_equal(bcos_phrase_lost_count("lost 7 births, devices: since 9 s", 33), 7);
	assert_int_equal(bcos_phrase_lost_count("found 5", 7), 0);
	assert_int_equal(bcos_phrase_lost_count("lost", 4), 0);
}

static void test_missed(void **state)
{
	char text[80];
	u64 entries = 0;
	int length = bcos_phrase_missed(text, sizeof(text), 5, 120);

	assert_string_equal(text, "missed 5 entries, 120 bytes");
	assert_true(bcos_phrase_missed_parse(text, (size_t)length, &entries));
	assert_int_equal(entries, 5);
	assert_false(bcos_phrase_missed_parse(text, 10, &entries));
	assert_false(bcos_phrase_missed_parse("missed x entries", 16, &entries));
}

static void test_idle(void **state)
{
	char text[160];
	u32 by = 0;
	u64 ns = 0;
	int length = bcos_phrase_idle(text, sizeof(text), 2, 5000, 0xC0000001, "a (0x00000000)", 14);

	assert_string_equal(text, "idle state 2 for 5000 ns, ended by a (0x00000000) (0xc0000001)");
	assert_true(bcos_phrase_idle_parse(text, (size_t)length, &ns, &by));
	assert_int_equal(ns, 5000);
	assert_int_equal(by, 0xC0000001);
	length = bcos_phrase_idle(text, sizeof(text), 1, 7, BCOS_MESSAGE_UNKNOWN, NULL, 0);
	assert_string_equal(text, "idle state 1 for 7 ns");
	assert_true(bcos_phrase_idle_parse(text, (size_t)length, &ns, &by));
	assert_int_equal(ns, 7);
	assert_int_equal(by, BCOS_MESSAGE_UNKNOWN);
	assert_false(bcos_phrase_idle_parse("idle", 4, &ns, &by));
}

static void test_thread(void **state)
{
	u32 thread, found, i;
	char text[80];
	int length;

	for (i = BCOS_STATE_BLOCKED; i < BCOS_STATES; i++) {
		length = bcos_phrase_thread(text, sizeof(text), 4000000000u - i, i);
		assert_true(bcos_phrase_thread_parse(text, (size_t)length, &thread, &found));
		assert_int_equal(thread, 4000000000u - i);
		assert_int_equal(found, i);
	}
	length = bcos_phrase_thread(text, sizeof(text), 8, BCOS_STATES);
	assert_string_equal(text, "thread 8 ?");
	assert_false(bcos_phrase_thread_parse(text, (size_t)length, &thread, &found));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lost), cmocka_unit_test(test_missed), cmocka_unit_test(test_idle),
		cmocka_unit_test(test_thread),
	};

	return cmocka_run_group_tests_name("phrase", tests, NULL, NULL);
}
