// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* core/format/phrase.c: each text that is written is read back, and no other text is read. */
#include "check.h"
#include "core/format/phrase.h"

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
	u32 by = 0, idle = 0;
	u64 ns = 0;
	int length = bcos_phrase_idle(text, sizeof(text), 2, 5000, 0xC0000001, "a (0x00000000)", 14);

	assert_string_equal(text, "idle state 2 for 5000 ns, ended by a (0x00000000) (0xc0000001)");
	assert_true(bcos_phrase_idle_parse(text, (size_t)length, &idle, &ns, &by));
	assert_int_equal(idle, 2);
	assert_int_equal(ns, 5000);
	assert_int_equal(by, 0xC0000001);
	length = bcos_phrase_idle(text, sizeof(text), 1, 7, BCOS_MESSAGE_UNKNOWN, NULL, 0);
	assert_string_equal(text, "idle state 1 for 7 ns");
	assert_true(bcos_phrase_idle_parse(text, (size_t)length, &idle, &ns, &by));
	assert_int_equal(ns, 7);
	assert_int_equal(by, BCOS_MESSAGE_UNKNOWN);
	assert_false(bcos_phrase_idle_parse("idle", 4, &idle, &ns, &by));
}

static void test_thread(void **state)
{
	struct bcos_thread_phrase phrase = { 0 }, found;
	char text[120];
	int length;
	u32 i;

	for (i = 0; i < BCOS_STATES; i++) {
		phrase.thread = 4000000000u - i;
		phrase.state = i;
		length = bcos_phrase_thread(text, sizeof(text), &phrase);
		assert_true(bcos_phrase_thread_parse(text, (size_t)length, &found));
		assert_int_equal(found.thread, 4000000000u - i);
		assert_int_equal(found.state, i);
		assert_int_equal(found.by, BCOS_WOKEN_BY_UNKNOWN);
		assert_false(found.has_cpu || found.has_priority);
	}
	phrase.thread = 8;
	phrase.state = BCOS_STATES;
	length = bcos_phrase_thread(text, sizeof(text), &phrase);
	assert_string_equal(text, "thread 8 ?");
	assert_false(bcos_phrase_thread_parse(text, (size_t)length, &found));
}

/* Writes the longest texts, with all their parts, and reads them back. */
static void test_waker(void **state)
{
	struct bcos_thread_phrase phrase = {
		.thread = 0xFFFFFFFF, .state = BCOS_STATE_WOKEN, .by = BCOS_WOKEN_BY_THREAD, .waker = 0xFFFFFFFF,
		.waker_thread = 0xFFFFFFFE, .has_cpu = true, .cpu = 0xFFFFFFFF,
	}, found;
	char text[120];
	int length = bcos_phrase_thread(text, sizeof(text), &phrase);

	assert_string_equal(text, "thread 4294967295 woken by process 4294967295 thread 4294967294 on CPU 4294967295");
	assert_true(bcos_phrase_thread_parse(text, (size_t)length, &found));
	assert_memory_equal(&found, &phrase, sizeof(phrase));
	phrase = (struct bcos_thread_phrase){ .thread = 8, .state = BCOS_STATE_WOKEN, .by = BCOS_WOKEN_BY_INTERRUPT,
					      .has_cpu = true, .cpu = 3 };
	length = bcos_phrase_thread(text, sizeof(text), &phrase);
	assert_string_equal(text, "thread 8 woken by an interrupt on CPU 3");
	assert_true(bcos_phrase_thread_parse(text, (size_t)length, &found));
	assert_int_equal(found.by, BCOS_WOKEN_BY_INTERRUPT);
	assert_int_equal(found.cpu, 3);
	phrase = (struct bcos_thread_phrase){ .thread = 8, .state = BCOS_STATE_WOKEN, .by = BCOS_WOKEN_BY_EITHER,
					      .waker = 7, .waker_thread = 9, .has_cpu = true, .cpu = 3 };
	length = bcos_phrase_thread(text, sizeof(text), &phrase);
	assert_string_equal(text, "thread 8 woken by an interrupt or process 7 thread 9 on CPU 3");
	assert_true(bcos_phrase_thread_parse(text, (size_t)length, &found));
	assert_memory_equal(&found, &phrase, sizeof(phrase));
	phrase = (struct bcos_thread_phrase){ .thread = 8, .state = BCOS_STATE_RUNS, .has_cpu = true, .cpu = 1,
					      .has_priority = true, .priority = -1 };
	length = bcos_phrase_thread(text, sizeof(text), &phrase);
	assert_string_equal(text, "thread 8 runs on CPU 1 at priority -1");
	assert_true(bcos_phrase_thread_parse(text, (size_t)length, &found));
	assert_true(found.has_priority);
	assert_int_equal(found.priority, -1);
}

/* If the rest of a text is not as it should be, only the state is read. A number with more than 32 bits is not read. */
static void test_thread_texts(void **state)
{
	static const struct {
		const char *text;
		bool is;
		enum bcos_woken_by by;
		bool has_cpu, has_priority;
	} texts[] = {
		{ "thread 8 woken", true, BCOS_WOKEN_BY_UNKNOWN, false, false },
		{ "thread 8 woken by", true, BCOS_WOKEN_BY_UNKNOWN, false, false },
		{ "thread 8 woken by process 7", true, BCOS_WOKEN_BY_UNKNOWN, false, false },
		{ "thread 8 woken by process 7 thread", true, BCOS_WOKEN_BY_UNKNOWN, false, false },
		{ "thread 8 woken by process 7 thread 4294967296 on CPU 1", true, BCOS_WOKEN_BY_UNKNOWN, false, false },
		{ "thread 8 woken by process 7 thread 0", true, BCOS_WOKEN_BY_THREAD, false, false },
		{ "thread 8 woken by process 7 thread 9 on CPU 1, and more", true, BCOS_WOKEN_BY_THREAD, true, false },
		{ "thread 8 woken by an interrupt or process 7 thread 9", true, BCOS_WOKEN_BY_EITHER, false, false },
		{ "thread 8 woken by an interrupt or process 7 thread 9 on CPU 1", true, BCOS_WOKEN_BY_EITHER, true, false },
		{ "thread 8 woken by an interrupt or process 7", true, BCOS_WOKEN_BY_UNKNOWN, false, false },
		{ "thread 8 woken by an interrupt or", true, BCOS_WOKEN_BY_UNKNOWN, false, false },
		{ "thread 8 woken by an interrupt of eth0", true, BCOS_WOKEN_BY_INTERRUPT, false, false },
		{ "thread 8 woken by somebody on CPU 1", true, BCOS_WOKEN_BY_UNKNOWN, false, false },
		{ "thread 8 woken on CPU 1", true, BCOS_WOKEN_BY_UNKNOWN, true, false },
		{ "thread 8 blocked by an interrupt on CPU 1", true, BCOS_WOKEN_BY_UNKNOWN, false, false },
		{ "thread 8 runs on CPU 4294967296", true, BCOS_WOKEN_BY_UNKNOWN, false, false },
		{ "thread 8 runs on CPU 1 at priority 2147483648", true, BCOS_WOKEN_BY_UNKNOWN, true, false },
		{ "thread 8 runs on CPU 1 at priority", true, BCOS_WOKEN_BY_UNKNOWN, true, false },
		{ "thread 0 woken", true, BCOS_WOKEN_BY_UNKNOWN, false, false },
		{ "thread 4294967296 woken", false, BCOS_WOKEN_BY_UNKNOWN, false, false },
		{ "thread 99999999999999999999999 woken", false, BCOS_WOKEN_BY_UNKNOWN, false, false },
		{ "thread 8 wokenly", false, BCOS_WOKEN_BY_UNKNOWN, false, false },
		{ "thread 8 ", false, BCOS_WOKEN_BY_UNKNOWN, false, false },
		{ "thread 8", false, BCOS_WOKEN_BY_UNKNOWN, false, false },
		{ "thread woken", false, BCOS_WOKEN_BY_UNKNOWN, false, false },
		{ "", false, BCOS_WOKEN_BY_UNKNOWN, false, false },
	};
	struct bcos_thread_phrase found;
	size_t i;

	/* Zeros may pad a text, and nothing else may follow the name of a state. */
	assert_true(bcos_phrase_thread_parse("thread 8 woken\0\0", 16, &found));
	assert_true(bcos_phrase_thread_parse("thread 8 runs on CPU 4\0", 23, &found));
	assert_int_equal(found.cpu, 4);
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (bcos_phrase_thread_parse(texts[i].text, strlen(texts[i].text), &found) != texts[i].is)
			fail_msg("\"%s\" is%s one", texts[i].text, texts[i].is ? " not" : "");
		if (texts[i].is && (found.by != texts[i].by || found.has_cpu != texts[i].has_cpu ||
				    found.has_priority != texts[i].has_priority))
			fail_msg("\"%s\" says something else", texts[i].text);
	}
}

/* ---- texts that do not fit ----------------------------------------------------- */

static int put_missed(char *text, size_t size)
{
	return bcos_phrase_missed(text, size, 5, 120);
}

static int put_idle(char *text, size_t size)
{
	return bcos_phrase_idle(text, size, 2, 5000, 0xC0000001, "a name", 6);
}

static int put_waker(char *text, size_t size)
{
	struct bcos_thread_phrase phrase = { .thread = 8, .state = BCOS_STATE_WOKEN, .by = BCOS_WOKEN_BY_THREAD,
					     .waker = 7,
					     .waker_thread = 9, .has_cpu = true, .cpu = 1, .has_priority = true,
					     .priority = -1 };

	return bcos_phrase_thread(text, size, &phrase);
}

static int put_interrupt(char *text, size_t size)
{
	struct bcos_thread_phrase phrase = { .thread = 8, .state = BCOS_STATE_WOKEN, .by = BCOS_WOKEN_BY_INTERRUPT };

	return bcos_phrase_thread(text, size, &phrase);
}

/*
 * A text is cut to any size, and nothing is written beyond: each text has memory of exactly that size, which ASan
 * watches.
 */
static void test_cut(void **state)
{
	static int (*const puts[])(char *text, size_t size) = { put_missed, put_idle, put_waker, put_interrupt };
	char whole[200], *text;
	size_t size, i;
	int length, cut;

	for (i = 0; i < COUNT(puts); i++) {
		length = puts[i](whole, sizeof(whole));
		assert_int_equal(length, strlen(whole));
		for (size = 1; size < (size_t)length + 2; size++) {
			text = malloc(size);
			assert_non_null(text);
			cut = puts[i](text, size);
			assert_true(cut < (int)size);
			assert_int_equal(cut, strlen(text));
			assert_memory_equal(text, whole, (size_t)cut);
			assert_true(size <= (size_t)length || cut == length);
			free(text);
		}
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_missed), cmocka_unit_test(test_idle),
		cmocka_unit_test(test_thread), cmocka_unit_test(test_waker), cmocka_unit_test(test_thread_texts),
		cmocka_unit_test(test_cut),
	};

	return cmocka_run_group_tests_name("phrase", tests, NULL, NULL);
}
