// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The life of a process as it is collected: what is kept of it, in which order, and how much. */
#include "failing_memory.h"
#include "printed.h"
#include "made_log.h"
#include "views/story/life.h"

static struct bcoslog_account *account;
static struct life *life;
static struct made made;

static void take_entry(const struct bcos_entry *entry)
{
	assert_int_equal(bcoslog_account_entry(account, entry), 0);
}

static int begin_life(void **state)
{
	const u32 performance[] = { 1000, 1000 };

	life = calloc(1, sizeof(*life));
	account = bcoslog_account_new(NULL);
	if (!life || !account)
		return -1;
	take_entry(made_core(&made, BCOS_HIST_CORE_ONLINE, 0, 1, 100, 300, performance, 2));
	take_entry(made_word(&made, BCOS_HIST_CPU_ONLINE, 0, 1, 0));
	take_entry(made_word(&made, BCOS_HIST_CPU_ONLINE, 1, 1, 0));
	take_entry(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 0, 0, "kernel"));
	take_entry(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 10, 1, "ten"));
	take_entry(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 20, 1, "twenty"));
	return 0;
}

static int end_life(void **state)
{
	life_free(life);
	life_free(NULL);
	recent_free();
	bcoslog_account_free(account);
	return 0;
}

static int enter_event(u32 event, u64 time, const char *text)
{
	return life_entry(life, made_event(&made, BCOS_GENERIC_PROCESS, 10, time, event, 0x81, text), true);
}

static void assert_text(const struct life_note *note, u64 time, const char *expected)
{
	assert_int_equal(note->time, time);
	assert_int_equal(note->length, strlen(expected));
	assert_memory_equal(note->text, expected, strlen(expected));
}

/* ---- texts ----------------------------------------------------------------------------------- */

/* The newest 16 events are kept. */
static void newest_events(void **state)
{
	char text[16];
	u64 i;

	assert_int_equal(life_entry(life, made_event(&made, BCOS_GENERIC_PROCESS, 10, 5, 7, 0, "no"), false), 0);
	assert_int_equal(life->events.count, 0);
	assert_int_equal(life_note_count(&life->events), 0);
	for (i = 1; i <= 18; i++) {
		snprintf(text, sizeof(text), "event %u", (unsigned int)i);
		assert_int_equal(enter_event((u32)(100 + i), i, text), 0);
		assert_int_equal(life->events.count, i);
		assert_int_equal(life_note_count(&life->events), i < 16 ? i : 16);
		assert_int_equal(life_note(&life->events, 0)->time, i < 16 ? 1 : i - 15);
	}
	assert_text(life_note(&life->events, 0), 3, "event 3");
	assert_text(life_note(&life->events, 15), 18, "event 18");
	assert_int_equal(life_note(&life->events, 15)->event, 118);
	assert_int_equal(life_note(&life->events, 15)->severity, 0x81);
	assert_int_equal(life->execs.count, 0);
}

/* These are kept whether events count or not. A later one takes the place of an earlier one, but for programs. */
static void texts_of_their_own(void **state)
{
	assert_int_equal(enter_event(BCOS_EVENT_PARENT, 5, "parent 1"), 0);
	assert_int_equal(life_entry(life, made_event(&made, BCOS_GENERIC_PROCESS, 10, 6, BCOS_EVENT_PARENT, 0, "parent 2"),
				    false), 0);
	assert_text(&life->parent, 6, "parent 2");
	assert_int_equal(enter_event(BCOS_EVENT_KILLED, 7, "signal 9"), 0);
	assert_text(&life->killed, 7, "signal 9");
	assert_int_equal(enter_event(BCOS_EVENT_EXEC, 8, "user 1"), 0);
	assert_int_equal(enter_event(BCOS_EVENT_EXEC, 9, "user 2"), 0);
	assert_int_equal(life->execs.count, 2);
	assert_text(life_note(&life->execs, 0), 8, "user 1");
	assert_text(life_note(&life->execs, 1), 9, "user 2");
	assert_int_equal(life->events.count, 0);
	assert_int_equal(life->thread_count, 0);
}

/* A text is cut to 4096 bytes, in whole characters. */
static void long_texts(void **state)
{
	static char text[4200];
	struct bcoslog_account_process process = { .id = 10, .name = text, .name_length = 4097 };

	memset(text, 'a', sizeof(text));
	assert_int_equal(life_ends(life, account, &process), 0);
	assert_int_equal(life->process.name_length, 4096);
	memcpy(text + 4095, "\u00e4", 2);
	assert_int_equal(life_ends(life, account, &process), 0);
	assert_int_equal(life->process.name_length, 4095);
	assert_ptr_equal(life->process.name, life->name.text);
	assert_int_equal(life->process.id, 10);
	assert_null(life->at_end);
}

static void assert_thread(const char *text, size_t count, u32 last)
{
	assert_int_equal(enter_event(BCOS_EVENT_TASK_STATE, 5, text), 0);
	assert_int_equal(life->thread_count, count);
	if (count)
		assert_int_equal(life->threads[count - 1], last);
}

static void ids_of_threads(void **state)
{
	char text[32];
	u32 i;

	assert_thread("thread", 0, 0);
	assert_thread("thread ", 0, 0);
	assert_thread("threads 8", 0, 0);
	assert_thread("thread 4294967296 woken", 0, 0);
	assert_thread("thread 90 woken", 1, 90);
	assert_thread("thread 8", 2, 8);
	assert_thread("thread 90 blocked", 2, 8);
	assert_thread("thread 8:3", 2, 8);
	assert_thread("thread 8/3", 2, 8);
	assert_thread("thread 4294967295 woken", 3, 4294967295);
	assert_int_equal(life->events.count, 0);
	for (i = 4; i <= 32; i++) {
		snprintf(text, sizeof(text), "thread %u runs", 1000 + i);
		assert_thread(text, i, 1000 + i);
	}
	assert_int_equal(enter_event(BCOS_EVENT_TASK_STATE, 5, "thread 90 blocked"), 0);
	assert_int_equal(life->thread_count, 32);
	/* There are more than 32, but nobody counts how many. */
	for (i = 0; i < 3; i++) {
		assert_int_equal(enter_event(BCOS_EVENT_TASK_STATE, 5, "thread 2000 runs"), 0);
		assert_int_equal(life->thread_count, 33);
	}
	assert_int_equal(life->threads[31], 1032);
}

static void former_names_of_it(void **state)
{
	struct bcoslog_account_process process = { .id = 10, .name = "now", .name_length = 3, .former = "ten",
		.former_length = 3 };

	assert_int_equal(life_named(life, &process, 5, 1), 0);
	assert_int_equal(life->names.count, 0);
	assert_false(life_has_name(life, &process, "ten"));
	process.renames = 1;
	assert_int_equal(life_named(life, &process, 6, 1), 0);
	assert_int_equal(life_named(life, &process, 7, 1), 0);
	assert_int_equal(life->names.count, 1);
	assert_text(life_note(&life->names, 0), 6, "ten");
	process.renames = 2;
	process.former = "eleven";
	process.former_length = 6;
	assert_int_equal(life_named(life, &process, 8, 1), 0);
	assert_int_equal(life->names.count, 2);
	assert_true(life_has_name(life, &process, "ten"));
	assert_true(life_has_name(life, &process, "eleven"));
	assert_true(life_has_name(life, &process, "now"));
	assert_true(life_has_name(NULL, &process, "now"));
	assert_false(life_has_name(NULL, &process, "ten"));
	assert_false(life_has_name(life, &process, "tem"));
	assert_false(life_has_name(life, &process, "te"));
	assert_false(life_has_name(life, &process, "nor"));
	assert_false(life_has_name(life, &process, "no"));
}

static void driven_devices(void **state)
{
	u32 i;

	for (i = 1; i <= 17; i++) {
		assert_int_equal(life_device(life, made_device(&made, BCOS_SET_DEVICE_NAME, i, 100 + i, 10, "dev")), 0);
		/* It is known already. */
		assert_int_equal(life_device(life, made_device(&made, BCOS_SET_DEVICE_NAME, i, 200 + i, 10, "new")), 0);
		assert_int_equal(life->device_count, i < 16 ? i : 16);
	}
	assert_int_equal(life->devices[15].id, 16);
	assert_int_equal(life->devices[15].time, 116);
	assert_int_equal(life->devices[15].length, 3);
	assert_memory_equal(life->devices[15].name, "dev", 3);
}

/* ---- times ------------------------------------------------------------------------------------- */

static void have_cpu(u32 cpu, u64 begin, u64 end)
{
	const struct bcoslog_interval interval = { .cpu = cpu, .begin = begin, .end = end };

	assert_int_equal(life_interval(life, &interval), 0);
	assert_int_equal(life->left, cpu);
}

static void times_of_cpus(void **state)
{
	have_cpu(7, 100, 150);
	have_cpu(3, 200, 201);
	have_cpu(7, 300, 310);
	assert_int_equal(life->cpu_count, 2);
	assert_int_equal(life->cpus[0].id, 7);
	assert_int_equal(life->cpus[0].time, 60);
	assert_int_equal(life->cpus[1].id, 3);
	assert_int_equal(life->cpus[1].time, 1);
}

static void assert_offs(const u64 *begins)
{
	size_t i;

	for (i = 0; i < LIFE_STRETCHES; i++)
		assert_int_equal(life->offs[i].begin, begins[i]);
}

/* The longest five, and of those that are equally long the first ones. */
static void longest_stretches(void **state)
{
	have_cpu(7, 50, 100);
	life_off(life, account, &(struct bcoslog_stretch){ .begin = 100, .end = 130, .cpu = 3 });
	assert_int_equal(life->offs[0].end, 130);
	assert_int_equal(life->offs[0].left, 7);
	assert_int_equal(life->offs[0].cpu, 3);
	assert_false(life->offs[0].known);
	assert_int_equal(life->offs[1].end, 0);
	life_off(life, account, &(struct bcoslog_stretch){ .begin = 200, .end = 210, .cpu = 3 });
	life_off(life, account, &(struct bcoslog_stretch){ .begin = 300, .end = 330, .cpu = 3 });
	life_off(life, account, &(struct bcoslog_stretch){ .begin = 400, .end = 440, .cpu = 3 });
	life_off(life, account, &(struct bcoslog_stretch){ .begin = 500, .end = 510, .cpu = 3 });
	assert_offs((const u64[]){ 400, 100, 300, 200, 500 });
	life_off(life, account, &(struct bcoslog_stretch){ .begin = 600, .end = 610, .cpu = 3 });
	assert_offs((const u64[]){ 400, 100, 300, 200, 500 });
	life_off(life, account, &(struct bcoslog_stretch){ .begin = 700, .end = 711, .cpu = 3 });
	assert_offs((const u64[]){ 400, 100, 300, 700, 200 });
	life_off(life, account, &(struct bcoslog_stretch){ .begin = 800, .end = 850, .cpu = 3 });
	assert_offs((const u64[]){ 800, 400, 100, 300, 700 });
	assert_int_equal(life->off_count, 8);
	assert_int_equal(life->off_sum, 30 + 10 + 30 + 40 + 10 + 10 + 11 + 50);
}

/* CPU 2 goes offline before the end. */
static void the_end(void **state)
{
	struct bcoslog_account_process process = { .id = 10, .name = "ten", .name_length = 3, .former = "x", .ended = true };

	take_entry(made_word(&made, BCOS_CPU_ONLINE, 2, 50, 0));
	take_entry(made_word(&made, BCOS_ASSIGN_CPU, 0, 100, 20));
	take_entry(made_word(&made, BCOS_ASSIGN_CPU, 1, 110, BCOS_PROCESS_IDLE));
	take_entry(made_word(&made, BCOS_ASSIGN_CPU, 2, 120, BCOS_PROCESS_IDLE));
	take_entry(made_entry(&made, BCOS_CPU_OFFLINE, 2, 130, NULL, 0));
	assert_int_equal(life_ends(life, account, &process), 0);
	assert_int_equal(life->at_end_count, 2);
	assert_int_equal(life->at_end[0].cpu, 0);
	assert_int_equal(life->at_end[0].since, 100);
	assert_int_equal(life->at_end[0].use.use, BCOSLOG_USE_PROCESS);
	assert_int_equal(life->at_end[0].use.process, 20);
	assert_int_equal(life->at_end[1].cpu, 1);
	assert_int_equal(life->at_end[1].since, 110);
	assert_int_equal(life->at_end[1].use.use, BCOSLOG_USE_IDLE);
	assert_text(&life->name, 0, "ten");
}

/* ---- threads with their times -------------------------------------------------------------------- */

static void end_thread(u32 id, u64 time, u64 turns)
{
	const struct bcoslog_account_thread thread = { .id = id, .time = time, .turns = turns };

	assert_int_equal(life_thread(life, account, &thread), 0);
}

/* The 32 with the most time, this first; of equal ones the first ones. The sums of the others are kept. */
static void threads_with_times(void **state)
{
	u32 i;

	end_thread(99, 0, 0);
	assert_int_equal(life->told_count, 0);
	end_thread(1, 0, 5);
	end_thread(2, 10, 1);
	end_thread(3, 10, 1);
	end_thread(4, 20, 0);
	assert_int_equal(life->told_count, 4);
	assert_int_equal(life->told[0].of.id, 4);
	assert_int_equal(life->told[1].of.id, 2);
	assert_int_equal(life->told[2].of.id, 3);
	assert_int_equal(life->told[3].of.id, 1);
	for (i = 5; i <= 32; i++)
		end_thread(i, 30, 2);
	assert_int_equal(life->told_count, 32);
	assert_int_equal(life->other_count, 0);
	end_thread(33, 40, 3);
	assert_int_equal(life->told_count, 32);
	assert_int_equal(life->told[0].of.id, 33);
	assert_int_equal(life->told[1].of.id, 5);
	assert_int_equal(life->told[31].of.id, 3);
	assert_int_equal(life->other_count, 1);
	assert_int_equal(life->other_time, 0);
	assert_int_equal(life->other_turns, 5);
	/* It has no more than the last one. */
	end_thread(34, 10, 7);
	assert_int_equal(life->told[31].of.id, 3);
	assert_int_equal(life->other_count, 2);
	assert_int_equal(life->other_time, 10);
	assert_int_equal(life->other_turns, 12);
	assert_int_equal(life->threads_time, 0 + 10 + 10 + 20 + 28 * 30 + 40 + 10);
}

/* A waker woke it @count times at most, and @error fewer at least, which decides who did most often. */
static void wakers_of_threads(void **state)
{
	struct bcoslog_account_thread thread = {
		.id = 1, .turns = 1, .wakers = 3, .wakes = {
			{ { BCOSLOG_WOKEN_BY_THREAD, 20, 21 }, 9, 5 },
			{ { BCOSLOG_WOKEN_BY_THREAD, 10, 11 }, 7, 2 },
			{ { BCOSLOG_WOKEN_BY_INTERRUPT, 0, 0 }, 5, 0 },
		}, .longest_waker = { BCOSLOG_WOKEN_BY_THREAD, 20, 22 },
	};

	assert_int_equal(life_thread(life, account, &thread), 0);
	assert_int_equal(life->told[0].most_count, 5);
	assert_int_equal(life->told[0].most.waker.thread, 11);
	assert_int_equal(life->told[0].most.length, 3);
	assert_memory_equal(life->told[0].most.name, "ten", 3);
	assert_int_equal(life->told[0].longest.waker.thread, 22);
	assert_int_equal(life->told[0].longest.length, 6);
	assert_memory_equal(life->told[0].longest.name, "twenty", 6);
	/* Neither an interrupt nor a process that has ended has a name. */
	thread.wakers = 0;
	thread.longest_waker = (struct bcoslog_waker){ BCOSLOG_WOKEN_BY_INTERRUPT, 20, 0 };
	assert_int_equal(life_thread(life, account, &thread), 0);
	assert_int_equal(life->told[1].most_count, 0);
	assert_int_equal(life->told[1].longest.length, 0);
	thread.longest_waker = (struct bcoslog_waker){ BCOSLOG_WOKEN_BY_THREAD, 77, 78 };
	assert_int_equal(life_thread(life, account, &thread), 0);
	assert_int_equal(life->told[2].longest.length, 0);
	assert_int_equal(life->told[2].longest.waker.thread, 78);
}

/* ---- want of memory ---------------------------------------------------------------------------------- */

static void without_memory(void **state)
{
	struct bcoslog_account_process process = { .id = 10, .name = "ten", .name_length = 3, .ended = true, .renames = 1,
		.former = "x", .former_length = 1 };
	const struct bcoslog_account_thread thread = { .id = 1, .turns = 1 };
	const struct bcoslog_interval interval = { .cpu = 1, .begin = 5, .end = 6 };

	failing = 1;
	assert_int_equal(enter_event(BCOS_EVENT_PARENT, 5, "parent 1"), -ENOMEM);
	failing = 1;
	assert_int_equal(enter_event(BCOS_EVENT_EXEC, 5, "user 1"), -ENOMEM);
	assert_int_equal(life->execs.count, 0);
	failing = 1;
	assert_int_equal(enter_event(5, 5, "text"), -ENOMEM);
	assert_int_equal(life->events.count, 0);
	failing = 1;
	assert_int_equal(life_named(life, &process, 5, 1), -ENOMEM);
	assert_int_equal(life->names.count, 0);
	failing = 1;
	assert_int_equal(life_device(life, made_device(&made, BCOS_SET_DEVICE_NAME, 1, 5, 10, "dev")), -ENOMEM);
	assert_int_equal(life->device_count, 0);
	failing = 1;
	assert_int_equal(life_interval(life, &interval), -ENOMEM);
	assert_int_equal(life->cpu_count, 0);
	failing = 1;
	assert_int_equal(life_thread(life, account, &thread), -ENOMEM);
	assert_int_equal(life->told_count, 0);
	failing = 1;
	assert_int_equal(life_ends(life, account, &process), -ENOMEM);
	failing = 2;
	assert_int_equal(life_ends(life, account, &process), -ENOMEM);
	failing = 0;
	assert_int_equal(life_ends(life, account, &process), 0);
}

#define life_test(test) cmocka_unit_test_setup_teardown(test, begin_life, end_life)

int main(void)
{
	const struct CMUnitTest tests[] = {
		life_test(newest_events),
		life_test(texts_of_their_own),
		life_test(long_texts),
		life_test(ids_of_threads),
		life_test(former_names_of_it),
		life_test(driven_devices),
		life_test(times_of_cpus),
		life_test(longest_stretches),
		life_test(the_end),
		life_test(threads_with_times),
		life_test(wakers_of_threads),
		life_test(without_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
