// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* core/format/thread_text.c: the digits of bcoslog(5) are written and read back, and nothing else is read. */
#include "check.h"
#include "core/format/thread_text.h"

#define SOURCE 7

struct room {
	struct bcos_generic event;
	char text[BCOS_THREAD_TEXT + 8];
};

/* Makes an entry of process SOURCE. */
static const struct bcos_entry *entry_of(struct room *room, u32 id, const char *text, size_t length)
{
	memset(room, 0, sizeof(*room));
	room->event.header.type = BCOS_GENERIC_PROCESS;
	room->event.header.source = SOURCE;
	room->event.header.size = (u16)bcos_entry_size(BCOS_GENERIC_TEXT, length);
	room->event.event_id = id;
	memcpy((char *)room + BCOS_GENERIC_TEXT, text, length);
	return &room->event.header;
}

/* The digits, as the table of bcoslog(5) gives them. */
static void test_digits(void **state)
{
	static const struct {
		struct bcos_thread_phrase phrase;
		u32 id;
		const char *text;
	} cases[] = {
		{ { .thread = 7, .state = BCOS_STATE_BLOCKED }, BCOS_EVENT_THREAD_LEFT, "000" },
		{ { .thread = 8, .state = BCOS_STATE_BLOCKED_HARD, .io = true, .place = BCOS_PLACE_CALL, .call = 202 },
		  BCOS_EVENT_THREAD_LEFT, "PA38" },
		{ { .thread = 8, .state = BCOS_STATE_BLOCKED_HARD, .place = BCOS_PLACE_OUTSIDE }, BCOS_EVENT_THREAD_LEFT, "X008" },
		{ { .thread = 7, .state = BCOS_STATE_BLOCKED, .place = BCOS_PLACE_EXIT }, BCOS_EVENT_THREAD_LEFT, "m00" },
		{ { .thread = 7, .state = BCOS_STATE_BLOCKED, .place = BCOS_PLACE_CALL, .call = 4 | BCOS_FUNCTION_COMPAT },
		  BCOS_EVENT_THREAD_LEFT, "G4W" },
		{ { .thread = 7, .state = BCOS_STATE_STOPPED }, BCOS_EVENT_THREAD_LEFT, "200" },
		{ { .thread = 7, .state = BCOS_STATE_STOPPED, .stop = BCOS_STOP_TRACER }, BCOS_EVENT_THREAD_LEFT, "300" },
		{ { .thread = 7, .state = BCOS_STATE_STOPPED, .stop = BCOS_STOP_FREEZER }, BCOS_EVENT_THREAD_LEFT, "400" },
		{ { .thread = 0xFFFFFFFF, .state = BCOS_STATE_DEAD }, BCOS_EVENT_THREAD_LEFT, "500______3" },
		{ { .thread = 7, .state = BCOS_STATE_HELD_BACK }, BCOS_EVENT_THREAD_LEFT, "600" },
		{ { .thread = 7, .state = BCOS_STATE_RUNS, .has_cpu = true, .cpu = 3, .has_priority = true, .priority = 120 },
		  BCOS_EVENT_THREAD_RUNS, "003" },
		{ { .thread = 8, .state = BCOS_STATE_RUNS, .has_cpu = true, .cpu = 33, .has_priority = true, .priority = -1 },
		  BCOS_EVENT_THREAD_RUNS, "01X108" },
		{ { .thread = 7, .state = BCOS_STATE_RUNS, .has_cpu = true, .cpu = 1, .has_priority = true, .priority = 120,
		    .by = BCOS_WOKEN_LOST }, BCOS_EVENT_THREAD_RUNS, "801" },
		/* 2003 ns are 19, 30 and 1, the lowest first. The waker 9 is the first thread of its process. */
		{ { .thread = 7, .state = BCOS_STATE_RUNS, .has_cpu = true, .cpu = 1, .has_priority = true, .priority = 120,
		    .by = BCOS_WOKEN_BY_THREAD, .waker = 9, .waker_thread = 9, .delay = 2003, .has_waker_cpu = true,
		    .waker_cpu = 1 }, BCOS_EVENT_THREAD_RUNS, "101p-19" },
		{ { .thread = 8, .state = BCOS_STATE_RUNS, .has_cpu = true, .cpu = 1, .has_priority = true, .priority = 121,
		    .by = BCOS_WOKEN_BY_THREAD, .waker = 9, .waker_thread = 10, .delay = 5, .has_waker_cpu = true },
		  BCOS_EVENT_THREAD_RUNS, "n315A90w38" },
		{ { .thread = 8, .state = BCOS_STATE_RUNS, .has_cpu = true, .cpu = 1, .has_priority = true, .priority = 120,
		    .by = BCOS_WOKEN_BY_LINE, .device = 0xC0000001, .delay = 5, .has_waker_cpu = true, .waker_cpu = 1 },
		  BCOS_EVENT_THREAD_RUNS, "501578" },
		{ { .thread = 8, .state = BCOS_STATE_WOKEN, .has_cpu = true, .cpu = 1, .by = BCOS_WOKEN_BY_TIMER, .delay = 32,
		    .has_waker_cpu = true, .waker_cpu = 1 }, BCOS_EVENT_THREAD_WOKEN, "401W18" },
		{ { .thread = 8, .state = BCOS_STATE_WOKEN, .has_cpu = true, .cpu = 1, .by = BCOS_WOKEN_BY_EITHER, .waker = SOURCE,
		    .waker_thread = 9, .has_waker_cpu = true, .waker_cpu = 1 }, BCOS_EVENT_THREAD_WOKEN, "J01098" },
		{ { .thread = 8, .state = BCOS_STATE_WOKEN, .has_cpu = true, .cpu = 1, .by = BCOS_WOKEN_BY_THREAD,
		    .waker = BCOS_PROCESS_KERNEL, .waker_thread = 33, .has_waker_cpu = true, .waker_cpu = 1 },
		  BCOS_EVENT_THREAD_WOKEN, "X010X18" },
	};
	struct bcos_thread_phrase found;
	char text[BCOS_THREAD_TEXT];
	struct room room;
	size_t i, length;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		length = bcos_thread_format(text, &cases[i].phrase, SOURCE);
		if (length != strlen(cases[i].text) || memcmp(text, cases[i].text, length))
			fail_msg("case %zu: \"%.*s\" and not \"%s\"", i, (int)length, text, cases[i].text);
		assert_int_equal(bcos_thread_event(&cases[i].phrase), cases[i].id);
		assert_true(bcos_thread_read(&found, entry_of(&room, cases[i].id, text, length)));
		assert_memory_equal(&found, &cases[i].phrase, sizeof(found));
		assert_int_equal(bcos_thread_told(&found, &room.event.header), found.state != BCOS_STATE_HELD_BACK);
	}
}

/* A text that ends in the middle of what it has to have, or has other characters, is none. */
static void test_bad_texts(void **state)
{
	static const struct {
		u32 id;
		const char *text;
	} bad[] = {
		{ BCOS_EVENT_THREAD_LEFT, "" }, { BCOS_EVENT_THREAD_LEFT, "0" }, { BCOS_EVENT_THREAD_LEFT, "00" },
		{ BCOS_EVENT_THREAD_LEFT, "700" }, { BCOS_EVENT_THREAD_LEFT, "00 " }, { BCOS_EVENT_THREAD_LEFT, "000W" },
		{ BCOS_EVENT_THREAD_LEFT, "000______4" }, { BCOS_EVENT_THREAD_LEFT, "thread 8 blocked" },
		{ BCOS_EVENT_THREAD_RUNS, "00" }, { BCOS_EVENT_THREAD_RUNS, "101" }, { BCOS_EVENT_THREAD_RUNS, "1010" },
		{ BCOS_EVENT_THREAD_RUNS, "901" }, { BCOS_EVENT_THREAD_RUNS, "010" }, { BCOS_EVENT_THREAD_RUNS, "010______3" },
		{ BCOS_EVENT_THREAD_RUNS, "00______4" }, { BCOS_EVENT_THREAD_RUNS, "401_____________" },
		{ BCOS_EVENT_THREAD_WOKEN, "n000A" }, { BCOS_EVENT_TASK_STATE, "000" },
	};
	struct bcos_thread_phrase found;
	struct room room;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (bcos_thread_read(&found, entry_of(&room, bad[i].id, bad[i].text, strlen(bad[i].text))))
			fail_msg("\"%s\" is none", bad[i].text);
	/* The words of older logs are read as ever. */
	assert_true(bcos_thread_read(&found, entry_of(&room, BCOS_EVENT_TASK_STATE, "thread 8 blocked", 16)));
	assert_int_equal(found.thread, 8);
	/* What follows the thread is for later versions. */
	assert_true(bcos_thread_read(&found, entry_of(&room, BCOS_EVENT_THREAD_LEFT, "0008 more", 9)));
	assert_int_equal(found.thread, 8);
	/* Only events of processes tell of threads. */
	entry_of(&room, BCOS_EVENT_THREAD_LEFT, "000", 3);
	room.event.header.type = BCOS_GENERIC_DEVICE;
	assert_false(bcos_thread_read(&found, &room.event.header));
}

/* A name follows the digits of the thread up to the end of the text, whatever its bytes are. */
static void test_names(void **state)
{
	static const struct {
		u32 thread;
		const char *name, *text;
	} good[] = {
		{ 8, "worker-1", "8worker-1" }, { 40, "1", "e11" }, { 0xFFFFFFFF, "-_ \"", "______3-_ \"" },
	};
	static const char *const bad[] = { "", "8", "W", "______4x", " x",
					   "8123456789.123456789.123456789.123456789.123456789" };
	struct bcos_thread_name name;
	char text[BCOS_THREAD_NAME_TEXT];
	struct room room;
	size_t i, length;

	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		name = (struct bcos_thread_name){ good[i].thread, (u32)strlen(good[i].name), good[i].name };
		length = bcos_thread_name_format(text, &name);
		assert_int_equal(length, strlen(good[i].text));
		assert_memory_equal(text, good[i].text, length);
		assert_true(bcos_thread_name_read(&name, entry_of(&room, BCOS_EVENT_THREAD_NAME, text, length)));
		assert_int_equal(name.thread, good[i].thread);
		assert_int_equal(name.length, strlen(good[i].name));
		assert_memory_equal(name.name, good[i].name, name.length);
	}
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(bcos_thread_name_read(&name, entry_of(&room, BCOS_EVENT_THREAD_NAME, bad[i], strlen(bad[i]))));
	/* It is no state, and a state is no name. */
	assert_false(bcos_thread_name_read(&name, entry_of(&room, BCOS_EVENT_THREAD_LEFT, "8x", 2)));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_digits),
		cmocka_unit_test(test_bad_texts),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests_name("thread_text", tests, NULL, NULL);
}
