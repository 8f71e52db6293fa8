// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The life of a process as an object: a member for each part, those that may be missing, and want of memory. */
#include "failing_memory.h"
#include "made_life.h"

static void assert_json(const char *expected)
{
	assert_int_equal(story_json(&life), 0);
	assert_printed(expected);
}

static void the_least_object(void **state)
{
	assert_json("{\"process\":10,\"name\":\"ten\",\"start\":1000000000,\"start_precision\":1,\"born\":true,\"parent\":null,"
		    "\"exec_count\":0,\"execs\":[],\"former_names\":[],\"event_count\":0,\"events\":[],\"cpu_ns\":0,\"turns\":0,"
		    "\"cpus\":[],\"threads\":[],\"thread_times\":[],\"off_count\":0,\"off_ns\":0,\"waits\":0,"
		    "\"longest_off\":[],\"devices\":[],\"how\":\"alive\",\"killed_by\":null,\"meanwhile\":[]}\n");
}

/* Makes a life that has two of everything. */
static void make_full(void)
{
	life.process.ended = life.process.at_least = true;
	life.process.born = false;
	life.process.end = 9 * SECOND;
	life.process.status = 3;
	life.process.time = 100;
	life.process.turns = 7;
	life.parent = note_of(SECOND, "parent 1 \"init\"");
	add_note(&life.execs, 1, "user 5 path \"/a\" cgroup \"/g\" arguments \"b\" \"c\"");
	add_note(&life.execs, 2, "user 6 path \"/b\"");
	add_note(&life.execs, 3, "user 7 path \"/c\" arguments \"d\"...");
	add_note(&life.execs, 4, "user 8 path \"/e\"...");
	add_note(&life.execs, 5, "user nobody");
	add_note(&life.names, 6, "x");
	add_note(&life.names, 7, "y");
	add_note(&life.events, 8, "e");
	life.events.of[0].event = 5;
	life.events.of[0].severity = 6;
	add_note(&life.events, 9, "f");
	cpus[0] = (struct life_cpu){ .id = 1, .time = 60 };
	cpus[1] = (struct life_cpu){ .id = 2, .time = 40 };
	life.cpu_count = 2;
	life.threads[0] = 11;
	life.threads[1] = 12;
	life.thread_count = 2;
	told[0].of = (struct bcoslog_account_thread){ .id = 11, .time = 50, .turns = 4, .waits = 2, .waited = 9,
		.longest_wait = 5, .longest_wait_at = 70, .wakeups = 3, .at_least = true };
	told[0].longest.waker.by = BCOSLOG_WOKEN_BY_INTERRUPT;
	told[0].most = (struct life_waker){ .waker = { BCOSLOG_WOKEN_BY_THREAD, 20, 21 }, .name = "xy", .length = 2 };
	told[0].most_count = 2;
	told[1].of = (struct bcoslog_account_thread){ .id = 12, .time = 20, .turns = 1, .waits = 1, .waited = 4,
		.longest_wait = 4, .longest_wait_at = 80, .longest_preempted = true };
	life.told_count = 2;
	life.threads_time = 90;
	life.other_count = 4;
	life.other_time = 20;
	life.off_count = 2;
	life.off_sum = 15;
	life.waits = (struct waits){ .count = 2, .sum = 7, .longest = 5, .longest_at = 70 };
	life.offs[0] = (struct stretch){ .begin = 10, .end = 20, .left = 1, .cpu = 2 };
	life.offs[1] = (struct stretch){ .begin = 30, .end = 35, .left = 2, .cpu = 1, .known = true,
		.instead = use_of(BCOSLOG_USE_PROCESS, 20, "b") };
	life.offs[1].instead.time = 4;
	life.offs[1].instead.partial = true;
	life.devices[0] = (struct life_device){ .id = 3, .time = 5, .name = (char *)"sda", .length = 3 };
	life.devices[1] = (struct life_device){ .id = 4, .time = 6, .name = (char *)"sdb", .length = 3 };
	life.device_count = 2;
	life.killed = note_of(SECOND, "signal 9 code 0 from process 20 user 5 \"b\"");
	at_end[0] = (struct life_moment){ .cpu = 0, .use = use_of(BCOSLOG_USE_UNKNOWN, 0, ""), .since = 1 };
	at_end[1] = (struct life_moment){ .cpu = 1, .use = use_of(BCOSLOG_USE_KERNEL, 0, "kernel"), .since = 2 };
	life.at_end_count = 2;
}

#define FULL_BEGIN \
	"{\"process\":10,\"name\":\"ten\",\"start\":1000000000,\"start_precision\":1,\"born\":false," \
	"\"parent\":{\"process\":1,\"name\":\"init\"},\"exec_count\":5,\"execs\":[" \
	"{\"time\":1,\"path\":\"/a\",\"user\":5,\"cgroup\":\"/g\",\"arguments\":[\"b\",\"c\"],\"cut\":false}," \
	"{\"time\":2,\"path\":\"/b\",\"user\":6,\"cgroup\":null,\"arguments\":null,\"cut\":false}," \
	"{\"time\":3,\"path\":\"/c\",\"user\":7,\"cgroup\":null,\"arguments\":[\"d\"],\"cut\":true}," \
	"{\"time\":4,\"path\":\"/e\",\"user\":8,\"cgroup\":null,\"arguments\":null,\"cut\":true},{\"time\":5}]," \
	"\"former_names\":[{\"name\":\"x\",\"until\":6},{\"name\":\"y\",\"until\":7}],\"event_count\":2,\"events\":[" \
	"{\"time\":8,\"event\":5,\"severity\":6,\"text\":\"e\"},{\"time\":9,\"event\":0,\"severity\":0,\"text\":\"f\"}]," \
	"\"cpu_ns\":100,\"cpu_ns_at_least\":true,\"turns\":7," \
	"\"cpus\":[{\"cpu\":1,\"cpu_ns\":60},{\"cpu\":2,\"cpu_ns\":40}],\"threads\":[11,12],\"thread_times\":["
#define FULL_THREADS \
	"{\"thread\":11,\"cpu_ns\":50,\"cpu_ns_at_least\":true,\"turns\":4,\"waits\":2,\"wait_mean_ns\":4," \
	"\"wait_longest_ns\":5,\"wait_longest_at\":70,\"wait_longest_preempted\":false," \
	"\"wait_longest_woken_by\":{\"interrupt\":true},\"wakeups\":3," \
	"\"most_woken_by\":{\"process\":20,\"name\":\"xy\",\"thread\":21},\"most_woken_by_count\":2}," \
	"{\"thread\":12,\"cpu_ns\":20,\"turns\":1,\"waits\":1,\"wait_mean_ns\":4,\"wait_longest_ns\":4," \
	"\"wait_longest_at\":80,\"wait_longest_preempted\":true,\"wakeups\":0}]," \
	"\"other_threads\":4,\"other_threads_ns\":20,\"unnamed_threads_ns\":10,"
#define FULL_END \
	"\"off_count\":2,\"off_ns\":15,\"waits\":2,\"wait_mean_ns\":3,\"wait_longest_ns\":5,\"wait_longest_at\":70," \
	"\"longest_off\":[{\"begin\":10,\"end\":20,\"left_cpu\":1,\"cpu\":2}," \
	"{\"begin\":30,\"end\":35,\"left_cpu\":2,\"cpu\":1,\"instead\":\"process\",\"process\":20,\"name\":\"b\"," \
	"\"instead_ns\":4,\"instead_ns_at_least\":true}]," \
	"\"devices\":[{\"device\":3,\"name\":\"sda\",\"since\":5},{\"device\":4,\"name\":\"sdb\",\"since\":6}]," \
	"\"how\":\"exit code 3\",\"end\":9000000000,\"status\":3," \
	"\"killed_by\":{\"process\":20,\"name\":\"b\",\"user\":5,\"signal\":9,\"signal_name\":\"SIGKILL\"}," \
	"\"meanwhile\":[{\"cpu\":0,\"since\":1,\"use\":\"unknown\"}," \
	"{\"cpu\":1,\"since\":2,\"use\":\"kernel\",\"process\":0,\"name\":\"kernel\"}]}\n"

static void a_full_object(void **state)
{
	make_full();
	assert_json(FULL_BEGIN FULL_THREADS FULL_END);
}

static void parts_that_are_missing(void **state)
{
	u32 i;

	life.parent = note_of(SECOND, "parent nobody");
	life.killed = note_of(SECOND, "signal 40 code 0 from process 0 user 0 \"kernel\"");
	for (i = 0; i < LIFE_THREADS; i++)
		life.threads[i] = i + 1;
	life.thread_count = LIFE_THREADS + 1;
	assert_json("{\"process\":10,\"name\":\"ten\",\"start\":1000000000,\"start_precision\":1,\"born\":true,\"parent\":null,"
		    "\"exec_count\":0,\"execs\":[],\"former_names\":[],\"event_count\":0,\"events\":[],\"cpu_ns\":0,\"turns\":0,"
		    "\"cpus\":[],\"threads\":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32],"
		    "\"thread_times\":[],\"off_count\":0,\"off_ns\":0,\"waits\":0,"
		    "\"longest_off\":[],\"devices\":[],\"how\":\"alive\","
		    "\"killed_by\":{\"process\":0,\"name\":\"kernel\",\"signal\":40,\"signal_name\":null},\"meanwhile\":[]}\n");
	life.killed = note_of(SECOND, "signal of somebody");
	assert_int_equal(story_json(&life), 0);
	assert_non_null(strstr(printed_text(), "\"killed_by\":null,"));
}

/* Threads may have more time than their process if the log contradicts itself. */
static void threads_with_more_time(void **state)
{
	make_full();
	life.threads_time = life.process.time + 1;
	assert_int_equal(story_json(&life), 0);
	assert_non_null(strstr(printed_text(), "\"unnamed_threads_ns\":0,"));
}

/* As many as are kept, and no more. */
static void all_longest_stretches(void **state)
{
	const char *at;
	size_t i;

	for (i = 0; i < LIFE_STRETCHES; i++)
		life.offs[i] = (struct stretch){ .begin = 10 + i, .end = 20 + i, .left = 1, .cpu = 2 };
	life.off_count = 6;
	life.off_sum = 60;
	assert_int_equal(story_json(&life), 0);
	at = strstr(printed_text(), "\"longest_off\":[");
	assert_non_null(at);
	for (i = 0; (at = strstr(at, "\"left_cpu\":")); i++)
		at++;
	assert_int_equal(i, LIFE_STRETCHES);
}

/* Whichever allocation fails, there is the whole object, or none and a sentence. */
static void objects_without_memory(void **state)
{
	unsigned int which, failed = 0;
	const char *said;
	int r, kept;
	FILE *file;

	make_full();
	for (which = 1; which < 5000; which++) {
		file = begin_complaints(&kept);
		failing = which;
		r = story_json(&life);
		if (failing)
			break;
		said = end_complaints(file, kept);
		assert_string_equal(said, r ? "bcoslog: no memory for a story as JSON\n" : "");
		assert_printed(r ? "" : FULL_BEGIN FULL_THREADS FULL_END);
		assert_true(!r || r == -ENOMEM);
		failed += !!r;
	}
	failing = 0;
	end_complaints(file, kept);
	/* Each of the members takes memory. */
	assert_true(failed > 100);
	assert_true(which < 5000);
}

#define story_test(test) cmocka_unit_test_setup(test, begin_story)

int main(void)
{
	const struct CMUnitTest tests[] = {
		story_test(the_least_object),
		story_test(a_full_object),
		story_test(parts_that_are_missing),
		story_test(threads_with_more_time),
		story_test(all_longest_stretches),
		story_test(objects_without_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
