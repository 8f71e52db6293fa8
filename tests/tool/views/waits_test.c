// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Waits for a CPU, state by state. The tests follow each other, since it stays known what the log tells of states: in
 * the
 * first ones it has not yet told that a thread gets a CPU.
 */
#include "printed.h"
#include "made_log.h"
#include "views/track/waits.h"

static struct report report;
static const struct bcoslog_account_process off = { .id = 20 }, on = { .id = 20, .cpus = 1 };
static struct made made;
static struct waits waits;

static int begin_waits(void **state)
{
	memset(&waits, 0, sizeof(waits));
	return 0;
}

/* A state of a thread of process 20, which has a CPU or none. */
static void tell_state(const struct bcoslog_account_process *process, u64 time, const char *text)
{
	struct bcoslog_thread_state state;

	assert_true(waits_tells(made_event(&made, BCOS_GENERIC_PROCESS, 20, time, BCOS_EVENT_TASK_STATE, 0, text),
		&state));
	waits_state(&waits, &report, process, &state, time);
}

/* The log says for the first time what a thread does. */
static void tell_since(u64 time)
{
	struct bcoslog_thread_state state;

	assert_false(waits_tells(made_event(&made, BCOS_GENERIC_CPU, 0, time, BCOS_EVENT_MASK, 0, ""), &state));
	assert_true(waits_tells(made_event(&made, BCOS_GENERIC_PROCESS, 7, time, BCOS_EVENT_TASK_STATE, 0,
		"thread 7 woken"), &state));
}

static void assert_preempted(u64 begin, bool expected)
{
	waits.preempted = true;
	assert_int_equal(waits_off(&waits, &report, begin, begin + 5, 0), expected ? 5 : 0);
	assert_false(waits.preempted);
}

static void entries_that_tell_of_states(void **state)
{
	struct bcoslog_thread_state told;

	assert_false(waits_tells(made_event(&made, BCOS_GENERIC_PROCESS, 20, 10, BCOS_EVENT_TASK_STATE, 0,
		"nothing"), &told));
	assert_false(waits_tells(made_event(&made, BCOS_GENERIC_PROCESS, 20, 10, 1, 0, "thread 20 woken"), &told));
	assert_false(waits_tells(made_word(&made, BCOS_ASSIGN_CPU, 0, 10, 20), &told));
	/* Nobody knows yet who was preempted. */
	assert_preempted(1000, false);
	assert_true(waits_tells(made_event(&made, BCOS_GENERIC_PROCESS, 20, 50, BCOS_EVENT_TASK_STATE, 0,
		"thread 21 woken"), &told));
	assert_int_equal(told.thread, 21);
	assert_int_equal(told.state, BCOS_STATE_WOKEN);
}

/* Nothing woke it, so it does not wait when it blocks, though it has the least number. */
static void a_thread_that_was_not_woken(void **state)
{
	waits_pass(&waits);
	tell_state(&on, 60, "thread 1 blocked");
	assert_true(waits.blocked);
	assert_int_equal(waits.woken, 0);
	tell_state(&on, 61, "thread 1 woken");
	assert_int_equal(waits.early, 1);
	tell_state(&on, 62, "thread 1 blocked");
	assert_int_equal(waits.woken, 62);
}

/* One that is woken twice waits since the first time. */
static void a_process_waits_since_it_was_woken(void **state)
{
	tell_state(&off, 100, "thread 20 woken by process 30 thread 31 on CPU 1");
	tell_state(&off, 150, "thread 21 woken by an interrupt on CPU 1");
	assert_int_equal(waits_end(&waits, &report, 300), 200);
	assert_int_equal(waits.count, 1);
	assert_int_equal(waits.sum, 200);
	assert_int_equal(waits.longest, 200);
	assert_int_equal(waits.longest_at, 300);
	assert_int_equal(waits.longest_waker.process, 30);
	assert_int_equal(waits.last_waker.thread, 31);
	assert_false(waits.preempted);
	/* It has been told. */
	assert_int_equal(waits_end(&waits, &report, 400), 0);
	assert_int_equal(waits.count, 1);
	assert_int_equal(waits.last_waker.by, BCOSLOG_WOKEN_BY_UNKNOWN);
	/* One as long as the longest is not the longest; a shorter one counts. */
	tell_state(&off, 500, "thread 20 woken by process 40 thread 41 on CPU 1");
	assert_int_equal(waits_end(&waits, &report, 700), 200);
	assert_int_equal(waits.longest_at, 300);
	tell_state(&off, 800, "thread 20 woken");
	assert_int_equal(waits_end(&waits, &report, 801), 1);
	assert_int_equal(waits.count, 3);
	assert_int_equal(waits.sum, 401);
	tell_state(&off, 900, "thread 20 woken by process 40 thread 41 on CPU 1");
	assert_int_equal(waits_end(&waits, &report, 1101), 201);
	assert_int_equal(waits.longest, 201);
	assert_int_equal(waits.longest_waker.process, 40);
}

static void waits_of_no_time(void **state)
{
	tell_state(&off, 100, "thread 20 woken by process 30 thread 31 on CPU 1");
	assert_int_equal(waits_end(&waits, &report, 100), 0);
	assert_int_equal(waits.count, 1);
	assert_int_equal(waits.longest_at, 100);
	assert_int_equal(waits.longest_waker.process, 30);
	/* After a clock that went back, nothing is known. */
	tell_state(&off, 100, "thread 20 woken");
	assert_int_equal(waits_end(&waits, &report, 99), 0);
	assert_int_equal(waits.count, 1);
}

static void waits_of_the_window(void **state)
{
	const struct report window = { .sinks = { .since = 200, .until = 300 }, .account = report.account };

	tell_state(&off, 100, "thread 20 woken");
	assert_int_equal(waits_end(&waits, &window, 199), 0);
	tell_state(&off, 100, "thread 20 woken");
	assert_int_equal(waits_end(&waits, &window, 200), 100);
	tell_state(&off, 250, "thread 20 woken");
	assert_int_equal(waits_end(&waits, &window, 300), 0);
	assert_int_equal(waits.count, 1);
}

/* A wake-up may come before the log says that the thread blocks; another one counts instead. */
static void a_thread_that_is_about_to_block(void **state)
{
	tell_state(&on, 100, "thread 20 woken by process 30 thread 31 on CPU 1");
	assert_int_equal(waits.woken, 0);
	tell_state(&on, 110, "thread 20 blocked");
	assert_int_equal(waits.woken, 110);
	assert_int_equal(waits.waker.process, 30);
	tell_state(&off, 130, "thread 20 woken by process 40 thread 41 on CPU 1");
	tell_state(&off, 150, "thread 20 woken by process 50 thread 51 on CPU 1");
	assert_int_equal(waits_end(&waits, &report, 200), 70);
	assert_int_equal(waits.last_waker.process, 40);
	/* Another thread that blocks is not about it. */
	tell_state(&on, 300, "thread 20 woken");
	tell_state(&on, 310, "thread 21 blocked");
	assert_int_equal(waits.woken, 0);
	tell_state(&on, 320, "thread 20 blocked");
	assert_int_equal(waits.woken, 320);
	waits_pass(&waits);
	/* Nor after it had a CPU again. */
	tell_state(&on, 400, "thread 20 woken");
	waits_pass(&waits);
	tell_state(&on, 410, "thread 20 blocked");
	assert_int_equal(waits.woken, 0);
	assert_int_equal(waits_end(&waits, &report, 500), 0);
	/* It waits already. */
	tell_state(&off, 600, "thread 22 woken by process 30 thread 31 on CPU 1");
	tell_state(&on, 610, "thread 20 woken by process 40 thread 41 on CPU 1");
	tell_state(&on, 620, "thread 20 blocked");
	assert_int_equal(waits.woken, 600);
	assert_int_equal(waits.waker.process, 30);
	assert_int_equal(waits_end(&waits, &report, 700), 100);
}

/* One that neither was woken nor blocked had been preempted, as long as the log does not tell who gets a CPU. */
static void a_process_that_is_preempted(void **state)
{
	tell_state(&off, 98, "thread 20 woken by process 30 thread 31 on CPU 1");
	waits_end(&waits, &report, 99);
	waits_end(&waits, &report, 100);
	assert_true(waits.preempted);
	assert_int_equal(waits_off(&waits, &report, 100, 130, 0), 30);
	assert_int_equal(waits.count, 2);
	assert_int_equal(waits.longest_waker.by, BCOSLOG_WOKEN_BY_UNKNOWN);
	assert_int_equal(waits.longest, 30);
	assert_int_equal(waits.longest_at, 130);
	assert_int_equal(waits_off(&waits, &report, 140, 150, 0), 0);
	tell_state(&on, 200, "thread 20 blocked");
	waits_end(&waits, &report, 210);
	assert_false(waits.preempted);
	/* It is of that time alone. */
	waits_end(&waits, &report, 220);
	assert_true(waits.preempted);
	tell_state(&off, 300, "thread 20 woken");
	waits_end(&waits, &report, 310);
	assert_false(waits.preempted);
	waits_pass(&waits);
	assert_true(waits.preempted);
}

/* Once it tells that, only a thread that gets a CPU again had been preempted. This is the last test. */
static void a_thread_that_gets_a_cpu_again(void **state)
{
	tell_state(&off, 100, "thread 20 runs on CPU 0 at priority 120");
	waits_end(&waits, &report, 100);
	assert_true(waits.preempted);
	waits_end(&waits, &report, 200);
	assert_false(waits.preempted);
	/* Another thread takes the CPU of one that blocks, so the process keeps it. */
	tell_state(&on, 300, "thread 20 blocked");
	tell_state(&on, 300, "thread 21 runs on CPU 0 at priority 120");
	assert_false(waits.blocked);
	assert_false(waits.returns);
	tell_state(&on, 400, "thread 21 blocked");
	tell_state(&off, 410, "thread 20 runs on CPU 0 at priority 120");
	assert_true(waits.blocked);
	assert_true(waits.returns);
	waits_end(&waits, &report, 410);
	assert_false(waits.preempted);
	assert_false(waits.returns);
}

static void waker_cells(void **state)
{
	char text[64];
	struct cell cell;

	cell = waits_waker(&(struct bcoslog_waker){ .by = BCOSLOG_WOKEN_BY_THREAD, .process = 5, .thread = 6 }, text,
		sizeof(text));
	assert_ptr_equal(cell.text, text);
	assert_string_equal(text, "process 5 thread 6");
	cell = waits_waker(&(struct bcoslog_waker){ .by = BCOSLOG_WOKEN_BY_INTERRUPT }, text, sizeof(text));
	assert_int_equal(cell.length, 12);
	assert_memory_equal(cell.text, "an interrupt", 12);
	assert_true(waits_waker(&(struct bcoslog_waker){ .by = BCOSLOG_WOKEN_BY_UNKNOWN }, text, sizeof(text)).absent);
}

#define waits_test(test) cmocka_unit_test_setup(test, begin_waits)

int main(void)
{
	const struct CMUnitTest tests[] = {
		waits_test(entries_that_tell_of_states),
		waits_test(a_thread_that_was_not_woken),
		waits_test(a_process_waits_since_it_was_woken),
		waits_test(waits_of_no_time),
		waits_test(waits_of_the_window),
		waits_test(a_thread_that_is_about_to_block),
		waits_test(a_process_that_is_preempted),
		waits_test(waker_cells),
		waits_test(a_thread_that_gets_a_cpu_again),
	};

	report.account = bcoslog_account_new(NULL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
