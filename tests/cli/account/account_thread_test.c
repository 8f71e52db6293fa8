// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tests the account: threads, by the events of the class state. Logs and sums are made by hand. */
#include <sys/mman.h>
#include <unistd.h>

#include "account_made.h"
#include "account/report.h"

/* The threads that ended, in the order of their ends. */
static struct bcoslog_account_thread gone[8];
static unsigned int gone_count, turns;
static uint64_t turn_time, gone_time;
static struct bcoslog_thread_turn last_turn;

static void thread_ended(void *context, const struct bcoslog_account_thread *thread)
{
	if (gone_count < 8)
		gone[gone_count] = *thread;
	gone_count++;
	gone_time += thread->time;
}

static void thread_turn(void *context, const struct bcoslog_thread_turn *turn)
{
	turns++;
	turn_time += turn->end - turn->begin;
	last_turn = *turn;
}

/* Begins a log. Process 10 has CPU 0 since 100, and the log is known from 1000 on. */
static void begin_threads(uint64_t since, uint64_t until)
{
	static const struct bcoslog_thread_sinks sinks = { .ended = thread_ended, .turn = thread_turn };

	begin_in(since, until);
	bcoslog_account_threads(account, &sinks);
	gone_count = turns = 0;
	turn_time = gone_time = 0;
	apply_group();
	apply_moment(1000);
}

static void state_of(uint32_t process, uint64_t time, const char *text)
{
	apply_entry(made_event(&made, BCOS_GENERIC_PROCESS, process, time, BCOS_EVENT_TASK_STATE, 0, text));
}

static const struct bcoslog_account_thread *find_thread(uint32_t process, uint32_t id)
{
	const struct bcoslog_account_thread *each = NULL;

	while ((each = bcoslog_account_next_thread(bcoslog_account_process(account, process), each)))
		if (each->id == id)
			return each;
	return NULL;
}

/* Ends the log, and asserts that each ns of a thread was told with one of its turns. */
static void end_threads(void)
{
	const struct bcoslog_account_process *process = NULL;
	const struct bcoslog_account_thread *each;
	uint64_t time = gone_time;

	end_log();
	while ((process = bcoslog_account_next_process(account, process)))
		for (each = NULL; (each = bcoslog_account_next_thread(process, each));)
			time += each->time;
	assert_int_equal(turn_time, time);
}

/* A thread has the CPU from where its process gets it, or from where the thread before stops. */
static void times_add_up(void **state)
{
	begin_threads(0, 0);
	state_of(20, 1100, "thread 21 runs on CPU 0 at priority 120");
	assign_cpu(0, 1101, 20);
	state_of(20, 1200, "thread 21 blocked");
	state_of(20, 1201, "thread 22 runs on CPU 0 at priority 120");
	state_of(10, 1300, "thread 10 runs on CPU 0 at priority 120");
	assign_cpu(0, 1302, 10);
	apply_moment(1402);
	end_threads();
	assert_int_equal(find_thread(20, 21)->time, 100);
	assert_int_equal(find_thread(20, 22)->time, 101);
	assert_int_equal(time_of(20), 201);
	/* Before 1101 nobody knows which thread of 10 ran. */
	assert_int_equal(find_thread(10, 10)->time, 100);
	assert_int_equal(time_of(10), 201);
	assert_int_equal(find_thread(20, 21)->turns, 1);
	assert_int_equal(turns, 3);
	assert_false(find_thread(20, 21)->at_least);
}

static void waits_are_of_threads(void **state)
{
	const struct bcoslog_account_thread *of;

	begin_threads(0, 0);
	state_of(20, 1100, "thread 21 woken by process 10 thread 11 on CPU 0");
	state_of(20, 1150, "thread 21 woken by an interrupt on CPU 1");
	state_of(20, 1200, "thread 21 runs on CPU 1 at priority 120");
	assign_cpu(1, 1200, 20);
	/* A thread of the same process preempts the thread, which then does not wait: nobody told that it was woken. */
	state_of(20, 1300, "thread 22 runs on CPU 1 at priority 120");
	assert_int_equal(last_turn.left, BCOS_STATE_RUNS);
	assert_int_equal(last_turn.waited, 100);
	assert_int_equal(last_turn.waker.thread, 11);
	state_of(20, 1340, "thread 22 blocked");
	state_of(20, 1350, "thread 21 runs on CPU 1 at priority 120");
	assert_int_equal(last_turn.left, BCOS_STATE_BLOCKED);
	apply_moment(1400);
	end_threads();
	of = find_thread(20, 21);
	assert_int_equal(of->waits, 2);
	assert_int_equal(of->waited, 150);
	assert_int_equal(of->longest_wait, 100);
	assert_int_equal(of->longest_wait_at, 1200);
	assert_false(of->longest_preempted);
	assert_int_equal(of->longest_waker.by, BCOSLOG_WOKEN_BY_THREAD);
	assert_int_equal(of->longest_waker.process, 10);
	assert_int_equal(of->longest_waker.thread, 11);
	assert_int_equal(of->wakeups, 2);
	assert_int_equal(of->wakers, 2);
	assert_int_equal(find_thread(20, 22)->waits, 0);
	assert_int_equal(find_thread(20, 22)->time, 50);
}

/* A wake-up just before "blocked" counts for this wait, unless another wake-up follows. */
static void a_thread_may_be_woken_before_it_blocks(void **state)
{
	begin_threads(0, 0);
	state_of(10, 1000, "thread 10 runs on CPU 0 at priority 120");
	state_of(10, 1100, "thread 10 woken by an interrupt on CPU 1");
	state_of(10, 1110, "thread 10 blocked");
	assign_cpu(0, 1110, IDLE);
	state_of(10, 1140, "thread 10 runs on CPU 0 at priority 120");
	assign_cpu(0, 1140, 10);
	state_of(10, 1200, "thread 10 woken by an interrupt on CPU 1");
	state_of(10, 1210, "thread 10 blocked");
	assign_cpu(0, 1210, IDLE);
	state_of(10, 1900, "thread 10 woken by process 20 thread 20 on CPU 1");
	state_of(10, 1905, "thread 10 runs on CPU 0 at priority 120");
	assign_cpu(0, 1905, 10);
	apply_moment(2000);
	end_threads();
	assert_int_equal(find_thread(10, 10)->waits, 2);
	assert_int_equal(find_thread(10, 10)->waited, 35);
	assert_int_equal(find_thread(10, 10)->longest_wait, 30);
	assert_int_equal(find_thread(10, 10)->longest_waker.by, BCOSLOG_WOKEN_BY_INTERRUPT);
}

static void an_id_of_a_thread_may_come_again(void **state)
{
	begin_threads(0, 0);
	state_of(10, 1000, "thread 11 runs on CPU 0 at priority 120");
	state_of(10, 1100, "thread 11 dead");
	state_of(20, 1102, "thread 20 runs on CPU 0 at priority 120");
	assign_cpu(0, 1103, 20);
	/* Until the dead thread has left its CPU, the time is its own. */
	assert_int_equal(gone_count, 1);
	assert_int_equal(gone[0].time, 103);
	assert_true(gone[0].ended);
	assert_int_equal(gone[0].end, 1100);
	/* An event that names no existing thread begins nothing. */
	state_of(10, 1104, "thread 11 dead");
	assert_null(find_thread(10, 11));
	state_of(20, 1200, "thread 11 runs on CPU 0 at priority 120");
	/* A process ends, and its threads with it. */
	assign_cpu(0, 1300, 0);
	apply_word(BCOS_CANCEL_PROCESS_NAME, 20, 1300, 0);
	assert_int_equal(gone_count, 3);
	assert_int_equal(gone[1].id, 20);
	assert_int_equal(gone[1].time, 97);
	assert_int_equal(gone[2].id, 11);
	assert_int_equal(gone[2].time, 100);
	/* A log may say of one process what belongs to another one: the thread belongs to the newer process. */
	state_of(10, 1400, "thread 12 woken");
	apply_moment(1500);
	apply_name(BCOS_SET_PROCESS_NAME, 30, 1500, "thirty");
	state_of(30, 1600, "thread 12 woken");
	assert_int_equal(gone_count, 4);
	assert_null(find_thread(10, 12));
	assert_non_null(find_thread(30, 12));
	end_threads();
}

/* Another thread takes the ID of the leader by an exec. */
static void an_exec_moves_the_id(void **state)
{
	begin_threads(0, 0);
	state_of(10, 1000, "thread 12 runs on CPU 0 at priority 120");
	state_of(10, 1100, "thread 12 dead");
	state_of(10, 1100, "thread 10 runs on CPU 0 at priority 120");
	apply_moment(1150);
	end_threads();
	assert_int_equal(gone_count, 1);
	assert_int_equal(gone[0].time, 100);
	assert_int_equal(find_thread(10, 10)->time, 50);
}

/* In a system call the CPU is the kernel's (class kernel_time): the thread goes on, and does not wait. */
static void calls_are_no_waits(void **state)
{
	begin_threads(0, 0);
	state_of(10, 1000, "thread 10 runs on CPU 0 at priority 120");
	assign_cpu(0, 1100, 0);
	assign_cpu(0, 1130, 10);
	apply_moment(1200);
	end_threads();
	assert_int_equal(find_thread(10, 10)->time, 170);
	assert_int_equal(find_thread(10, 10)->turns, 1);
	assert_int_equal(find_thread(10, 10)->waits, 0);
}

static void what_is_lost_is_nobodys(void **state)
{
	begin_threads(0, 0);
	state_of(10, 1000, "thread 10 runs on CPU 0 at priority 120");
	/* The precision of made entries is 0. */
	cpu_event(0, 1100, BCOS_EVENT_LOSS, "lost 3 task states: staging full, until 0.000001100 s");
	state_of(10, 1300, "thread 11 runs on CPU 0 at priority 120");
	apply_moment(1350);
	end_threads();
	assert_int_equal(find_thread(10, 10)->time, 100);
	assert_true(find_thread(10, 10)->at_least);
	assert_int_equal(find_thread(10, 11)->time, 50);
	assert_false(find_thread(10, 11)->at_least);
	assert_int_equal(time_of(10), 350);
	/* Time is unknown, too, while the class is off. */
	begin_threads(0, 0);
	state_of(10, 1000, "thread 10 runs on CPU 0 at priority 120");
	cpu_event(0, 1100, BCOS_EVENT_MASK, "class mask 0x31f -> 0x21f: state off");
	apply_moment(1200);
	end_threads();
	assert_int_equal(find_thread(10, 10)->time, 100);
	assert_true(find_thread(10, 10)->at_least);
	/* A loss of something else makes no time of threads unknown. */
	begin_threads(0, 0);
	state_of(10, 1000, "thread 10 runs on CPU 0 at priority 120");
	cpu_event(0, 1100, BCOS_EVENT_LOSS, "lost 3 user events: staging full, until 0.000001100 s");
	apply_moment(1200);
	end_threads();
	assert_int_equal(find_thread(10, 10)->time, 200);
	assert_false(find_thread(10, 10)->at_least);
}

/* The wait before a turn is told once, also if a call interrupts the turn. */
static void a_wait_is_told_once(void **state)
{
	begin_threads(0, 0);
	state_of(20, 1050, "thread 21 woken by an interrupt on CPU 1");
	state_of(20, 1100, "thread 21 runs on CPU 0 at priority 120");
	assign_cpu(0, 1100, 20);
	assign_cpu(0, 1300, 0);
	assert_int_equal(last_turn.begin, 1100);
	assert_int_equal(last_turn.waited, 50);
	assign_cpu(0, 1350, 20);
	assign_cpu(0, 1400, IDLE);
	assert_int_equal(last_turn.begin, 1350);
	assert_int_equal(last_turn.waited, 0);
	apply_moment(1450);
	end_threads();
}

/* The log names a thread on another CPU, and does not say when it left the one that executed it. */
static void a_thread_has_one_cpu(void **state)
{
	begin_threads(0, 0);
	state_of(10, 1000, "thread 10 runs on CPU 0 at priority 120");
	state_of(10, 1100, "thread 10 runs on CPU 1 at priority 120");
	assert_int_equal(turns, 1);
	assert_int_equal(last_turn.begin, 1000);
	assert_int_equal(last_turn.end, 1100);
	assign_cpu(1, 1110, 10);
	apply_moment(1150);
	end_threads();
	assert_int_equal(find_thread(10, 10)->time, 140);
	assert_int_equal(find_thread(10, 10)->waits, 0);
	assert_int_equal(last_turn.cpu, 1);
	assert_int_equal(last_turn.off, 0);
	/* The ID of a thread passes to another thread while a CPU still executes the first one. */
	begin_threads(0, 0);
	state_of(10, 1000, "thread 11 runs on CPU 0 at priority 120");
	state_of(10, 1100, "thread 11 dead");
	state_of(20, 1120, "thread 11 woken");
	assert_int_equal(gone_count, 1);
	assert_int_equal(gone[0].time, 120);
	assert_int_equal(turns, 1);
	apply_moment(1150);
	end_threads();
}

static void only_the_window_counts(void **state)
{
	begin_threads(1150, 1250);
	state_of(10, 1000, "thread 10 runs on CPU 0 at priority 120");
	state_of(10, 1200, "thread 11 runs on CPU 0 at priority 120");
	state_of(10, 1300, "thread 10 runs on CPU 0 at priority 120");
	apply_moment(1400);
	end_threads();
	assert_int_equal(find_thread(10, 10)->time, 50);
	assert_int_equal(find_thread(10, 11)->time, 50);
	assert_int_equal(find_thread(10, 10)->turns, 0);
	assert_int_equal(find_thread(10, 11)->turns, 1);
	assert_int_equal(find_thread(10, 10)->waits, 0);
}

/*
 * The account knows the most frequent waker, and how wrong its count may be, also if there is no room for all wakers.
 */
static void the_most_frequent_waker_stays(void **state)
{
	const struct bcoslog_account_thread *of;
	uint64_t most = 0, least = 0;
	char text[80];
	uint32_t i;

	begin_threads(0, 0);
	for (i = 0; i < 60; i++) {
		snprintf(text, sizeof(text), "thread 21 woken by process 10 thread %u on CPU 0", i % 2 ? 100 + i : 11);
		state_of(20, 1100 + i, text);
	}
	apply_moment(1400);
	end_threads();
	of = find_thread(20, 21);
	assert_int_equal(of->wakeups, 60);
	assert_int_equal(of->wakers, BCOSLOG_WAKERS);
	for (i = 0; i < of->wakers; i++)
		if (of->wakes[i].waker.thread == 11) {
			most = of->wakes[i].count;
			least = of->wakes[i].count - of->wakes[i].error;
		}
	assert_int_equal(most, 30);
	assert_int_equal(least, 30);
}

/* Any text is harmless: with CPUs that are not there, with threads without a state, or with nothing. */
static void strange_texts_do_no_harm(void **state)
{
	static const char *const texts[] = {
		"", "thread", "thread 4294967296 runs on CPU 0", "thread 7 runs",
		"thread 7 runs on CPU 77 at priority 1",
		"thread 0 runs on CPU 1 at priority 120", "thread 0 woken by process 0 thread 0 on CPU 0",
		"thread 0 dead",
	};
	size_t i;

	begin_threads(0, 0);
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		state_of(10, 1100 + i, texts[i]);
	state_of(0, 1200, "thread 33 runs on CPU 0 at priority 120");
	state_of(99, 1201, "thread 99 runs on CPU 0 at priority 120");
	apply_moment(1300);
	end_threads();
	assert_null(find_thread(10, 0));
	assert_null(find_thread(0, 33));
	assert_int_equal(time_of(10), 300);
}

/* A generic event may end with its ID. The page after it has no memory, so nothing after it can be read. */
static void an_event_may_lack_its_text(void **state)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *at = pages + page - 24;

	assert_true(pages != MAP_FAILED);
	assert_int_equal(mprotect(pages + page, page, PROT_NONE), 0);
	begin_threads(0, 0);
	memcpy(at, made_word(&made, BCOS_GENERIC_PROCESS, 10, 1150, BCOS_EVENT_TASK_STATE), 24);
	apply_entry((const struct bcos_entry *)at);
	apply_moment(1300);
	end_threads();
	assert_int_equal(bcoslog_account_process(account, 10)->events, 1);
	munmap(pages, 2 * page);
}

/* The class kernel_time is on: a thread whose CPU is the kernel's may have called it, so how it left is not known. */
static void who_calls_was_not_preempted(void **state)
{
	begin_threads(0, 0);
	cpu_event(0, 1000, BCOS_EVENT_MASK, "class mask 0x31f -> 0x35f: kernel_time on");
	state_of(10, 1000, "thread 10 runs on CPU 0 at priority 120");
	assign_cpu(0, 1100, 0);
	assert_int_equal(turns, 1);
	assert_int_equal(last_turn.left, BCOS_STATES);
	assign_cpu(0, 1130, 10);
	/* The kernel had the CPU at no time in between, so the thread was preempted. */
	state_of(20, 1150, "thread 20 runs on CPU 0 at priority 120");
	assign_cpu(0, 1150, 20);
	assert_int_equal(turns, 2);
	assert_int_equal(last_turn.left, BCOS_STATE_RUNS);
	cpu_event(0, 1160, BCOS_EVENT_MASK, "class mask 0x35f -> 0x31f: kernel_time off");
	assign_cpu(0, 1170, 0);
	assert_int_equal(turns, 3);
	assert_int_equal(last_turn.left, BCOS_STATE_RUNS);
	end_threads();
}

/*
 * The log says neither that the class is on nor that it is off: before the first return from a call, too, nothing is
 * known.
 */
static void a_call_is_known_by_its_return(void **state)
{
	begin_threads(0, 0);
	state_of(10, 1000, "thread 10 runs on CPU 0 at priority 120");
	assign_cpu(0, 1100, 0);
	assert_int_equal(last_turn.left, BCOS_STATES);
	assign_cpu(0, 1130, 10);
	assign_cpu(0, 1200, 0);
	assert_int_equal(turns, 2);
	assert_int_equal(last_turn.left, BCOS_STATES);
	end_threads();
}

/* A thread that blocks is in a system call. If it has its CPU until then, the class kernel_time is off. */
static void calls_are_excluded_by_who_blocks(void **state)
{
	begin_threads(0, 0);
	state_of(10, 1000, "thread 10 runs on CPU 0 at priority 120");
	assign_cpu(0, 1100, 0);
	assert_int_equal(last_turn.left, BCOS_STATES);
	/* First the thread has no CPU, and then it may have faulted, so neither "blocked" says anything. */
	state_of(10, 1110, "thread 10 blocked");
	state_of(10, 1120, "thread 10 runs on CPU 0 at priority 120");
	assign_cpu(0, 1120, 10);
	state_of(10, 1130, "thread 10 blocked, not to be interrupted");
	state_of(10, 1140, "thread 10 runs on CPU 0 at priority 120");
	assign_cpu(0, 1150, 0);
	assert_int_equal(last_turn.left, BCOS_STATES);
	state_of(10, 1160, "thread 10 runs on CPU 0 at priority 120");
	assign_cpu(0, 1160, 10);
	state_of(10, 1170, "thread 10 blocked");
	state_of(10, 1180, "thread 10 runs on CPU 0 at priority 120");
	assign_cpu(0, 1190, 0);
	assert_int_equal(last_turn.left, BCOS_STATE_RUNS);
	end_threads();
}

/* A thread that is preempted in a system call waits since then, and not since the call. */
static void a_call_may_be_preempted(void **state)
{
	begin_threads(0, 0);
	cpu_event(0, 1000, BCOS_EVENT_MASK, "class mask 0x31f -> 0x35f: kernel_time on");
	state_of(10, 1000, "thread 10 runs on CPU 0 at priority 120");
	assign_cpu(0, 1100, 0);
	state_of(20, 1140, "thread 20 runs on CPU 0 at priority 120");
	assign_cpu(0, 1140, 20);
	state_of(10, 1200, "thread 10 runs on CPU 0 at priority 120");
	assign_cpu(0, 1200, 10);
	end_threads();
	assert_int_equal(find_thread(10, 10)->waits, 1);
	assert_int_equal(find_thread(10, 10)->waited, 60);
	assert_true(find_thread(10, 10)->longest_preempted);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(times_add_up), TEST(waits_are_of_threads), TEST(a_thread_may_be_woken_before_it_blocks),
		TEST(an_id_of_a_thread_may_come_again), TEST(an_exec_moves_the_id), TEST(calls_are_no_waits),
		TEST(what_is_lost_is_nobodys), TEST(a_thread_has_one_cpu), TEST(a_wait_is_told_once),
		TEST(only_the_window_counts), TEST(the_most_frequent_waker_stays), TEST(strange_texts_do_no_harm),
		TEST(an_event_may_lack_its_text), TEST(who_calls_was_not_preempted),
		TEST(a_call_is_known_by_its_return),
		TEST(calls_are_excluded_by_who_blocks), TEST(a_call_may_be_preempted),
	};

	return cmocka_run_group_tests_name("account_thread", tests, NULL, NULL);
}
