// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Idle states of CPUs and states of threads. */
#include "core/write/event.h"
#include "core/rules/rules.h"
#include "check.h"
#include "staged.h"

#define IDLE(state) record_plain(BCOS_RAW_IDLE, (state), 0)
#define AWAKE record_plain(BCOS_RAW_IDLE, BCOS_RAW_AWAKE, 0)
#define STATE(id, state, thread) record_pair(BCOS_RAW_STATE, (id), (state), (thread), 0)
#define WOKEN(id, thread, by, process, waker) \
	record_pair(BCOS_RAW_STATE, (id), BCOS_TASK_WOKEN | BCOS_RAW_WAKER(by), (thread), (process) | (u64)(waker) << 32)
#define RUNS(id, thread, priority) \
	record_pair(BCOS_RAW_STATE, (id), BCOS_TASK_RUNS, (thread) | (u64)(u32)(priority) << 32, 0)
#define TAPE (&s->feed)

static int set_up(void **state)
{
	*state = staged_new(2, 64);
	return 0;
}

/*
 * The event of an idle stretch says how long it was, in which state the CPU was, and which device's interrupt ended it.
 */
static void test_idle(void **state)
{
	struct staged *s = *state;
	u64 from;

	staged_put(s, 0, 1900, record_irq(11, false, 1, "eth0"));
	staged_pass(s, 1950, 1000);
	from = feed_mark(TAPE);
	staged_put(s, 0, 2000, IDLE(1));
	staged_put(s, 0, 2100, AWAKE);
	staged_put(s, 0, 2200, IDLE(2));
	staged_put(s, 0, 2500, record_plain(BCOS_RAW_IRQ, 11, 1));
	staged_put(s, 0, 2501, AWAKE);
	staged_put(s, 1, 2600, AWAKE);
	staged_put(s, 0, 2700, IDLE(1));
	staged_put(s, 0, 2800, AWAKE);
	/* Some CPUs are awake before they record the interrupt that woke them. */
	staged_put(s, 0, 300000, IDLE(1));
	staged_put(s, 0, 300010, AWAKE);
	staged_put(s, 0, 300011, record_plain(BCOS_RAW_IRQ, 11, 1));
	staged_put(s, 0, 400000, IDLE(1));
	staged_put(s, 0, 400010, AWAKE);
	staged_put(s, 0, 500010, record_plain(BCOS_RAW_IRQ, 11, 1));
	staged_put(s, 0, 600000, IDLE(1));
	staged_put(s, 0, 600010, AWAKE);
	staged_put(s, 0, 600011, record_plain(BCOS_RAW_SWITCH, 0, 0));
	staged_put(s, 0, 600012, record_plain(BCOS_RAW_IRQ, 11, 1));
	staged_pass(s, 700000, 1000);
	check_text(TAPE, from,
		   "2100 0 event 0x80000006 00 idle state 1 for 100 ns\n"
		   "2500 0xc0000001 irq 0\n"
		   "2501 0 event 0x80000006 00 idle state 2 for 301 ns, ended by eth0 (0xc0000001)\n"
		   "2800 0 event 0x80000006 00 idle state 1 for 100 ns\n"
		   "300010 0 event 0x80000006 00 idle state 1 for 10 ns, ended by eth0 (0xc0000001)\n"
		   "300011 0xc0000001 irq 0\n"
		   "400010 0 event 0x80000006 00 idle state 1 for 10 ns\n"
		   "500010 0xc0000001 irq 0\n"
		   "600010 0 event 0x80000006 00 idle state 1 for 10 ns\n"
		   "600011 0 assign 0\n"
		   "600012 0xc0000001 irq 0\n");
}

/* An idle stretch of which a part was not recorded makes no event. */
static void test_unseen(void **state)
{
	struct bcos_loss loss = { .first = 2600, .last = 2650 };
	struct staged *s = *state;
	u64 from;

	staged_put(s, 0, 2000, IDLE(1));
	staged_put(s, 1, 2010, IDLE(1));
	staged_pass(s, 2400, 1000);
	bcos_log_recorded(&TAPE->log, BCOS_CLASS_ALL);
	staged_put(s, 0, 2450, AWAKE);
	staged_put(s, 1, 2460, AWAKE);
	staged_put(s, 1, 2500, IDLE(1));
	staged_pass(s, 2600, 1000);
	loss.count[BCOS_LOSS_IDLE] = 2;
	bcos_log_lost(&TAPE->log, 1, &loss);
	from = feed_mark(TAPE);
	staged_put(s, 1, 2700, AWAKE);
	staged_pass(s, 3000, 1000);
	assert_null(strstr(feed_text(TAPE, from, false), "0x80000006"));
	assert_null(strstr(feed_text(TAPE, 0, false), "0x80000006"));
}

static void test_tasks(void **state)
{
	struct staged *s = *state;
	u64 from;

	staged_put(s, 0, 2000, record_life(BCOS_RAW_BIRTH, 7, 0, 1, 0, "seven"));
	staged_pass(s, 2050, 1000);
	from = feed_mark(TAPE);
	staged_put(s, 0, 2100, STATE(7, BCOS_TASK_BLOCKED, 8));
	staged_put(s, 0, 2101, STATE(7, BCOS_TASK_WOKEN, 8));
	staged_put(s, 0, 2102, STATE(7, BCOS_TASK_BLOCKED_HARD, 7));
	staged_put(s, 0, 2103, STATE(7, BCOS_TASK_STOPPED, 7));
	staged_put(s, 0, 2104, STATE(7, BCOS_TASK_DEAD, 7));
	/* This process is gone. */
	staged_put(s, 0, 2105, STATE(9, BCOS_TASK_DEAD, 9));
	staged_pass(s, 3000, 1000);
	check_text(TAPE, from,
		   "2100 7 event 0xc0000008 00 0008\n"
		   "2101 7 event 0xc000000a 00 0008\n"
		   "2102 7 event 0xc0000008 00 100\n"
		   "2103 7 event 0xc0000008 00 200\n"
		   "2104 7 event 0xc0000008 00 500\n"
		   "2105 0 event 0xc0000008 00 5009\n");
	assert_int_equal(TAPE->log.stats.unnamed, 0);
}

/* The entries name the waker of a thread, and the CPU that runs it, which is the CPU of the record. */
static void test_wakers(void **state)
{
	struct staged *s = *state;
	u64 from;

	staged_put(s, 0, 2000, record_life(BCOS_RAW_BIRTH, 7, 0, 1, 0, "seven"));
	staged_put(s, 0, 2001, record_life(BCOS_RAW_BIRTH, 9, 0, 2, 0, "nine"));
	staged_put(s, 0, 2002, record_life(BCOS_RAW_HELPER, 11, 0, 3, 0, "helper"));
	staged_put(s, 1, 2003, record_plain(BCOS_RAW_SWITCH, 0, 0));
	staged_pass(s, 2050, 1000);
	from = feed_mark(TAPE);
	staged_put(s, 0, 2100, WOKEN(7, 8, BCOS_WAKER_THREAD, 9, 10));
	staged_put(s, 1, 2101, WOKEN(7, 8, BCOS_WAKER_INTERRUPT, 9, 10));
	staged_put(s, 1, 2102, WOKEN(7, 8, BCOS_WAKER_THREAD, 0, 33));
	staged_put(s, 1, 2103, WOKEN(7, 8, BCOS_WAKER_THREAD, 0, 0));
	/* A hidden process, and one that is gone, are the kernel. */
	staged_put(s, 1, 2104, WOKEN(7, 8, BCOS_WAKER_THREAD, 11, 11));
	staged_put(s, 1, 2105, WOKEN(7, 8, BCOS_WAKER_THREAD, 99, 99));
	staged_put(s, 1, 2106, RUNS(7, 8, 120));
	staged_put(s, 0, 2107, RUNS(7, 4294967295u, -1));
	/* It waits for I/O in the system call 202. */
	staged_put(s, 0, 2108, record_pair(BCOS_RAW_STATE, 7, BCOS_TASK_BLOCKED | BCOS_RAW_FOR_IO | BCOS_RAW_PLACE(BCOS_PLACE_CALL),
					   8 | 202ull << 32, 0));
	staged_pass(s, 3000, 1000);
	check_text(TAPE, from,
		   "2100 7 event 0xc000000a 00 n000A98\n"
		   "2101 7 event 0xc000000a 00 20108\n"
		   "2102 7 event 0xc000000a 00 X010X18\n"
		   "2103 7 event 0xc000000a 00 101008\n"
		   "2104 7 event 0xc000000a 00 X010B8\n"
		   "2105 7 event 0xc000000a 00 X010Z38\n"
		   "2106 7 event 0xc0000009 00 0018\n"
		   "2107 7 event 0xc0000009 00 0100______3\n"
		   "2108 7 event 0xc0000008 00 OA38\n");
	assert_int_equal(TAPE->log.stats.unnamed, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, staged_tear_down)
	static const struct CMUnitTest tests[] = {
		TEST(test_idle), TEST(test_unseen), TEST(test_tasks), TEST(test_wakers),
	};

	return cmocka_run_group_tests_name("states", tests, NULL, NULL);
}
