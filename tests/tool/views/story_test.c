// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The life of a process as a page: each line with and without the parts that may be missing in it. */
#include "made_life.h"

#define MARGIN "             "

static const char *print_page(void)
{
	story_page(&life);
	return printed_text();
}

/* Asserts that the page has this text once. */
static void assert_has(const char *expected)
{
	const char *text = print_page(), *at = strstr(text, expected);

	if (!at)
		print_error("%s", text);
	assert_non_null(at);
	assert_null(strstr(at + 1, expected));
}

static void assert_lacks(const char *text)
{
	assert_null(strstr(print_page(), text));
}

static void the_least_page(void **state)
{
	assert_string_equal(print_page(),
			    "Process 10 \"ten\"\n"
			    "  began      1.000000000\n"
			    "  on CPUs    0 ns in 0 turns\n"
			    "  threads    their times require the class state\n"
			    "  ended      not in the log: it is alive\n");
}

static void how_it_began(void **state)
{
	life.process.born = false;
	assert_has("  began      1.000000000, before the log\n");
	life.process.precision = 0xFFFFFFFF;
	assert_has("  began      before the log\n");
	life.process.born = true;
	assert_has("  began      before the log\n");
	life.process.precision = 0xFFFFFFFE;
	life.parent = note_of(SECOND, "parent 1 \"init\"");
	assert_has("  began      1.000000000 +4295ms, born of process 1 \"init\"\n");
	life.parent = note_of(SECOND, "parent nobody");
	assert_has("  began      1.000000000 +4295ms\n");
}

static void long_names(void **state)
{
	static char name[1100], expected[1200];

	memset(name, 'a', 1030);
	name[1023] = 'b';
	life.process.name = name;
	life.process.name_length = 1030;
	snprintf(expected, sizeof(expected), "Process 10 \"%.1024s\"\n", name);
	assert_has(expected);
	life.process.name_length = 1000;
	snprintf(expected, sizeof(expected), "Process 10 \"%.1000s\"\n", name);
	assert_has(expected);
}

static void programs_it_ran(void **state)
{
	static const char *const usual = "user 5 path \"/a\" arguments \"b\" \"c d\"";
	int i;

	add_note(&life.execs, SECOND, usual);
	assert_has("  runs       1.000000000 /a \"b\" \"c d\", as user 5\n");
	add_note(&life.execs, 2 * SECOND, "user 0 path \"/x\"... cgroup \"/g\"... arguments \"y\"...");
	assert_has("  runs       1.000000000 /a \"b\" \"c d\", as user 5\n" MARGIN "2.000000000 /x... \"y\"..., as user 0 in /g...\n");
	assert_lacks("more");
	add_note(&life.execs, 3 * SECOND, "user nobody");
	assert_has("/g...\n" MARGIN "3.000000000 \"user nobody\"\n");
	/* The newest 16 are kept. */
	for (i = 4; i <= 16; i++)
		add_note(&life.execs, (u64)i * SECOND, usual);
	assert_has("  runs       1.000000000 /a");
	assert_lacks("before these");
	for (; i <= 18; i++)
		add_note(&life.execs, (u64)i * SECOND, usual);
	assert_has("  runs       3.000000000 \"user nobody\"\n");
	assert_has(MARGIN "18.000000000 /a \"b\" \"c d\", as user 5\n" MARGIN "and before these 2 more\n");
}

static void former_names(void **state)
{
	add_note(&life.names, 2 * SECOND, "a");
	add_note(&life.names, 3 * SECOND, "b");
	assert_has("  was named  \"a\" until 2.000000000\n" MARGIN "\"b\" until 3.000000000\n  on CPUs");
}

static void cpus_of_it(void **state)
{
	static const char sixteen[] =
		"CPU 0 1 ns, CPU 1 1 ns, CPU 2 1 ns, CPU 3 1 ns,\n" MARGIN
		"CPU 4 1 ns, CPU 5 1 ns, CPU 6 1 ns, CPU 7 1 ns, CPU 8 1 ns, CPU 9 1\n" MARGIN
		"ns, CPU 10 1 ns, CPU 11 1 ns, CPU 12 1 ns, CPU 13 1 ns, CPU 14 1\n" MARGIN
		"ns, CPU 15 1 ns";
	char expected[600];
	u32 i;

	life.process.time = 16;
	life.process.turns = 1;
	life.process.at_least = true;
	assert_has("  on CPUs    >=16 ns in 1 turn\n");
	life.process.at_least = false;
	life.process.turns = 2;
	for (i = 0; i < 20; i++)
		cpus[i] = (struct life_cpu){ .id = i, .time = 1 };
	life.cpu_count = 2;
	assert_has("  on CPUs    16 ns in 2 turns: CPU 0 1 ns, CPU 1 1 ns\n");
	life.cpu_count = 16;
	snprintf(expected, sizeof(expected), "  on CPUs    16 ns in 2 turns: %s\n", sixteen);
	assert_has(expected);
	life.cpu_count = 17;
	snprintf(expected, sizeof(expected), "  on CPUs    16 ns in 2 turns: %s, and 1 others\n", sixteen);
	assert_has(expected);
}

static void stretches_without_cpu(void **state)
{
	life.off_count = 5;
	life.off_sum = 150;
	life.offs[0] = (struct stretch){ .begin = SECOND, .end = SECOND + 90, .left = 3, .cpu = 3 };
	assert_has("  off CPUs   90 ns from 1.000000000 to 1.000000090, CPU 3\n  ended");
	life.offs[1] = (struct stretch){ .begin = 2 * SECOND, .end = 2 * SECOND + 9, .left = 3, .cpu = 4, .known = true,
		.instead = use_of(BCOSLOG_USE_IDLE, 0, "") };
	life.offs[1].instead.time = 7;
	assert_has(", CPU 3\n" MARGIN "9 ns from 2.000000000 to 2.000000009, CPU 3 to 4; CPU 3 meanwhile:\n"
		   MARGIN "idle 7 ns\n  ended");
	life.offs[1].instead = use_of(BCOSLOG_USE_UNKNOWN, 0, "");
	life.offs[1].instead.partial = true;
	life.offs[1].instead.time = 7;
	assert_has("CPU 3 meanwhile:\n" MARGIN "unknown >=7 ns\n");
	life.offs[1].instead = use_of(BCOSLOG_USE_PROCESS, 20, "twenty");
	assert_has("CPU 3 meanwhile:\n" MARGIN "process 20 \"twenty\" 0 ns\n");
	life.offs[4] = life.offs[3] = life.offs[2] = life.offs[1];
	assert_lacks("in all");
	life.off_count = 6;
	assert_has(MARGIN "process 20 \"twenty\" 0 ns\n" MARGIN "in all 6 times, 150 ns\n  ended");
}

static void waits_for_cpus(void **state)
{
	life.waits = (struct waits){ .count = 1, .sum = 50, .longest = 50, .longest_at = SECOND };
	assert_has("  waited     1 time for a CPU, woken or preempted: 50 ns on average, at most 50\n" MARGIN
		   "ns until 1.000000000\n");
	life.waits.count = 2;
	life.waits.sum = 60;
	assert_has("  waited     2 times for a CPU, woken or preempted: 30 ns on average, at most 50\n" MARGIN
		   "ns until 1.000000000\n");
}

static void driven_devices(void **state)
{
	life.device_count = 2;
	life.devices[0] = (struct life_device){ .id = 3, .time = SECOND, .name = (char *)"sda", .length = 3 };
	life.devices[1] = (struct life_device){ .id = 0x40000001, .time = 2 * SECOND, .name = (char *)"eth", .length = 3 };
	assert_has("  drives     device 0x00000003 \"sda\" since 1.000000000\n" MARGIN
		   "device 0x40000001 \"eth\" since 2.000000000\n  ended");
}

static void said_events(void **state)
{
	int i;

	add_note(&life.events, SECOND, "one");
	life.events.of[0].severity = 0x80;
	add_note(&life.events, 2 * SECOND, "");
	life.events.of[1].event = 0x22;
	assert_has("  said       1.000000000 error \"one\"\n" MARGIN "2.000000000 debug event 0x00000022\n  ended");
	for (i = 3; i <= 16; i++)
		add_note(&life.events, SECOND, "one");
	assert_lacks("before these");
	add_note(&life.events, SECOND, "one");
	assert_has("\n" MARGIN "and before these 1 more: bcoslog text --process 10\n  ended");
}

static void how_it_ended(void **state)
{
	life.process.ended = true;
	life.process.end = 12 * SECOND + 34;
	life.process.status = 3;
	assert_has("  ended      12.000000034, exit code 3\n  see also   bcoslog around 12.000000034\n");
	life.killed = note_of(SECOND, "signal 9 code 0 from process 20 user 5 \"twenty\"");
	assert_has(", exit code 3\n  killed by  process 20 \"twenty\" of user 5, by SIGKILL\n  see also");
	life.killed = note_of(SECOND, "signal 40 code 0 from process 0 user 0 \"kernel\"");
	assert_has(", exit code 3\n  killed by  the kernel, by signal 40\n  see also");
	life.killed = note_of(SECOND, "signal of somebody");
	assert_lacks("killed by");
	life.process.vanished = true;
	assert_has("  ended      unseen: the reader of the log was overtaken\n  see also");
	life.process.at_least = true;
	assert_has("\n  unknown    the log states losses while it lived: what has >= before it is at\n" MARGIN
		   "least so much, and more may have happened\n");
}

static void uses_meanwhile(void **state)
{
	u32 i;

	life.process.ended = true;
	life.process.end = SECOND;
	at_end[0] = (struct life_moment){ .cpu = 0, .use = use_of(BCOSLOG_USE_IDLE, 0, ""), .since = 1 };
	life.at_end_count = 1;
	assert_has("\n  meanwhile  1 idle\n  see also");
	at_end[1] = (struct life_moment){ .cpu = 1, .use = use_of(BCOSLOG_USE_PROCESS, 20, "b"), .since = SECOND - 5 };
	at_end[2] = (struct life_moment){ .cpu = 2, .use = use_of(BCOSLOG_USE_UNKNOWN, 0, ""), .since = 1 };
	at_end[3] = (struct life_moment){ .cpu = 3, .use = use_of(BCOSLOG_USE_PROCESS, 20, "b"), .since = SECOND + 1 };
	life.at_end_count = 4;
	assert_has("\n  meanwhile  CPU 1 process 20 \"b\" for 5 ns, CPU 2 unknown, CPU 3 process 20 \"b\",\n" MARGIN
		   "1 idle\n  see also");
	at_end[3].since = SECOND;
	assert_has("CPU 3 process 20 \"b\"\n" MARGIN "for 0 ns, 1 idle\n");
	/* 16 are shown, and idle ones after them are counted. */
	for (i = 0; i < 17; i++)
		at_end[i] = (struct life_moment){ .cpu = i, .use = use_of(BCOSLOG_USE_UNKNOWN, 0, "") };
	at_end[17] = (struct life_moment){ .cpu = 17, .use = use_of(BCOSLOG_USE_IDLE, 0, "") };
	life.at_end_count = 18;
	assert_has("CPU 14 unknown, CPU 15 unknown, 1 idle\n");
	life.at_end_count = 17;
	assert_has("CPU 14 unknown, CPU 15 unknown\n  see also");
}

/* ---- threads ------------------------------------------------------------------------- */

static void ids_of_threads(void **state)
{
	u32 i;

	for (i = 0; i < LIFE_THREADS; i++)
		life.threads[i] = i + 1;
	life.thread_count = 2;
	assert_has("  threads    1, 2; their times require the class state\n");
	life.thread_count = LIFE_THREADS;
	assert_has("28, 29, 30, 31, 32;");
	life.thread_count = LIFE_THREADS + 1;
	assert_has("31, 32, and more; their\n" MARGIN "times require the class state\n");
}

static void threads_with_times(void **state)
{
	struct bcoslog_account_thread *of = &told[0].of;

	life.told_count = 1;
	life.threads_time = life.process.time = 30;
	*of = (struct bcoslog_account_thread){ .id = 11, .time = 30, .turns = 1 };
	assert_has("  threads    11: 30 ns in 1 turn\n  ended");
	of->at_least = true;
	of->turns = 2;
	assert_has("  threads    11: >=30 ns in 2 turns\n  ended");
	of->at_least = false;
	of->waits = 1;
	of->longest_wait = 5;
	of->longest_wait_at = SECOND;
	assert_has("11: 30 ns in 2 turns; waited 1 time for a CPU, at most 5 ns until\n" MARGIN "1.000000000\n");
	of->longest_preempted = true;
	of->waits = 2;
	assert_has("waited 2 times for a CPU, at most 5 ns until\n" MARGIN "1.000000000, preempted\n");
	of->longest_preempted = false;
	told[0].longest.waker.by = BCOSLOG_WOKEN_BY_INTERRUPT;
	assert_has("\n" MARGIN "1.000000000, woken by an interrupt\n");
	of->waits = 0;
	of->wakeups = 1;
	assert_has("11: 30 ns in 2 turns; woken 1 time\n");
	told[0].most_count = 1;
	told[0].most.waker = (struct bcoslog_waker){ .by = BCOSLOG_WOKEN_BY_THREAD };
	assert_has("; woken 1 time, by an idle CPU\n");
	of->wakeups = 3;
	told[0].most.waker.thread = 5;
	assert_has("; woken 3 times, most by process 0 (thread 5),\n" MARGIN "1 time\n");
	told[0].most_count = 2;
	told[0].most.waker = (struct bcoslog_waker){ .by = BCOSLOG_WOKEN_BY_THREAD, .process = 20 };
	memcpy(told[0].most.name, "xy", 2);
	told[0].most.length = 2;
	assert_has("; woken 3 times, most by process 20 \"xy\"\n" MARGIN "(thread 0), 2 times\n  ended");
}

static void other_threads(void **state)
{
	life.told_count = 2;
	told[0].of = (struct bcoslog_account_thread){ .id = 11, .time = 30, .turns = 2 };
	told[1].of = (struct bcoslog_account_thread){ .id = 12, .time = 20, .turns = 2 };
	life.threads_time = life.process.time = 51;
	life.other_count = 1;
	life.other_time = 1;
	life.other_turns = 1;
	assert_has("  threads    11: 30 ns in 2 turns\n" MARGIN "12: 20 ns in 2 turns\n" MARGIN
		   "and 1 more: 1 ns in 1 turn\n  ended");
	life.process.time = 53;
	assert_has("\n" MARGIN "and 1 more: 1 ns in 1 turn\n" MARGIN "2 ns of a thread that the log does not name\n  ended");
	life.process.time = 50;
	assert_lacks("does not name");
	life.told_count = 0;
	life.process.time = 53;
	assert_lacks("does not name");
}

#define story_test(test) cmocka_unit_test_setup(test, begin_story)

int main(void)
{
	const struct CMUnitTest tests[] = {
		story_test(the_least_page),
		story_test(how_it_began),
		story_test(long_names),
		story_test(programs_it_ran),
		story_test(former_names),
		story_test(cpus_of_it),
		story_test(stretches_without_cpu),
		story_test(waits_for_cpus),
		story_test(driven_devices),
		story_test(said_events),
		story_test(how_it_ended),
		story_test(uses_meanwhile),
		story_test(ids_of_threads),
		story_test(threads_with_times),
		story_test(other_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
