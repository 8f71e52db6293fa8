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

/* The events name the waker of a thread, the newest one with its turn, and the CPU that runs it: that of the record. */
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
		   "2101 7 event 0xc000000a 00 n001A98\n"
		   "2102 7 event 0xc000000a 00 20118\n"
		   "2103 7 event 0xc000000a 00 X011X18\n"
		   "2104 7 event 0xc000000a 00 101108\n"
		   "2105 7 event 0xc000000a 00 X011B8\n"
		   "2106 7 event 0xc0000009 00 X011Z38\n"
		   "2107 7 event 0xc0000009 00 0100______3\n"
		   "2108 7 event 0xc0000008 00 OA38\n");
	assert_int_equal(TAPE->log.stats.unnamed, 0);
}

/* One event tells that a thread runs and how it was woken, unless something comes between; in digits of bcoslog(5). */
static void test_turns(void **state)
{
	struct staged *s = *state;
	u64 from;

	staged_put(s, 0, 2000, record_life(BCOS_RAW_BIRTH, 7, 0, 1, 0, "seven"));
	staged_put(s, 0, 2001, record_life(BCOS_RAW_BIRTH, 9, 0, 2, 0, "nine"));
	staged_put(s, 1, 2002, record_plain(BCOS_RAW_SWITCH, 0, 0));
	staged_pass(s, 2050, 1000);
	from = feed_mark(TAPE);
	/* By thread 10 of process 9 on CPU 0, 50 ns before. */
	staged_put(s, 0, 2100, WOKEN(7, 8, BCOS_WAKER_THREAD, 9, 10));
	staged_put(s, 1, 2150, RUNS(7, 8, 120));
	/* Other threads do not come between. */
	staged_put(s, 0, 2200, WOKEN(7, 8, BCOS_WAKER_TIMER, 0, 0));
	staged_put(s, 0, 2201, WOKEN(7, 264, BCOS_WAKER_NET, 0, 0));
	staged_put(s, 0, 2202, WOKEN(9, 9, BCOS_WAKER_BLOCK, 0, 0));
	staged_put(s, 0, 2203, RUNS(7, 264, 120));
	staged_put(s, 0, 2204, RUNS(7, 8, 120));
	staged_put(s, 0, 2205, RUNS(9, 9, 120));
	/* It is woken just before it blocks, and then it is woken twice. */
	staged_put(s, 0, 2210, WOKEN(7, 8, BCOS_WAKER_TIMER, 0, 0));
	staged_put(s, 0, 2220, STATE(7, BCOS_TASK_BLOCKED, 8));
	staged_put(s, 0, 2230, WOKEN(7, 8, BCOS_WAKER_TIMER, 0, 0));
	staged_put(s, 0, 2240, WOKEN(7, 8, BCOS_WAKER_NET, 0, 0));
	staged_put(s, 0, 2241, RUNS(7, 8, 120));
	/* The waker ends before the thread runs. */
	staged_put(s, 1, 2250, WOKEN(7, 8, BCOS_WAKER_THREAD, 9, 9));
	staged_put(s, 1, 2260, record_life(BCOS_RAW_DEAD, 9, 0, 2, 0, ""));
	staged_put(s, 1, 2270, RUNS(7, 8, 120));
	staged_pass(s, 3000, 1000);
	check_text(TAPE, from,
		   "2150 7 event 0xc0000009 00 n21o1A908\n"
		   "2203 7 event 0xc0000009 00 7002e8\n"
		   "2204 7 event 0xc0000009 00 40048\n"
		   "2205 9 event 0xc0000009 00 6003\n"
		   "2220 7 event 0xc000000a 00 400A8\n"
		   "2220 7 event 0xc0000008 00 0008\n"
		   "2240 7 event 0xc000000a 00 400A8\n"
		   "2241 7 event 0xc0000009 00 70018\n"
		   "2260 7 event 0xc000000a 00 101A98\n"
		   "2260 9 cancel 0\n"
		   "2270 7 event 0xc0000009 00 0018\n");
}

#define SPAN 10000000u

/* What readers see is complete after each pass, and an event tells of no waking that is older than 10 ms. */
static void test_late_turns(void **state)
{
	struct staged *s = *state;
	u64 from;

	staged_put(s, 0, 2000, record_life(BCOS_RAW_BIRTH, 7, 0, 1, 0, "seven"));
	staged_put(s, 1, 2002, record_plain(BCOS_RAW_SWITCH, 0, 0));
	staged_pass(s, 2050, 1000);
	from = feed_mark(TAPE);
	staged_put(s, 0, 3000, WOKEN(7, 7, BCOS_WAKER_TIMER, 0, 0));
	staged_pass(s, 4000, 1000);
	check_text(TAPE, from, "3000 7 event 0xc000000a 00 4000\n");
	from = feed_mark(TAPE);
	staged_put(s, 0, 5000, RUNS(7, 7, 120));
	staged_put(s, 0, 6000, WOKEN(7, 7, BCOS_WAKER_TIMER, 0, 0));
	staged_put(s, 0, 6000 + SPAN - 1, RUNS(7, 7, 120));
	staged_put(s, 0, 20000000, WOKEN(7, 7, BCOS_WAKER_TIMER, 0, 0));
	staged_put(s, 1, 20000032, record_plain(BCOS_RAW_SWITCH, 7, 0));
	staged_put(s, 1, 20000000 + SPAN, record_plain(BCOS_RAW_SWITCH, 0, 0));
	staged_put(s, 0, 20000001 + SPAN, RUNS(7, 7, 120));
	staged_pass(s, 40000000, 1000);
	/* 9999999 is 31 + 19 * 2^5 + 5 * 2^10 + 17 * 2^15 + 9 * 2^20, and 32 is 0 + 1 * 2^5. */
	check_text(TAPE, from,
		   "5000 7 event 0xc0000009 00 000\n"
		   "10005999 7 event 0xc0000009 00 400_pbn9\n"
		   "20000032 1 assign 7\n"
		   "20000032 7 event 0xc000000a 00 400W1\n"
		   "30000000 1 assign 0\n"
		   "30000001 7 event 0xc0000009 00 000\n");
}

/* Returns how often the log says so after @from. */
static u32 count_text(struct staged *s, u64 from, const char *text)
{
	const char *at = feed_text(TAPE, from, false);
	u32 count = 0;

	for (; (at = strstr(at, text)); at++)
		count++;
	return count;
}

/* Nor does it tell of an older one if the log states a loss before, of records that say nothing about threads. */
static void test_turns_after_loss(void **state)
{
	struct staged *s = *state;
	u64 from, time;

	staged_put(s, 0, 2000, record_life(BCOS_RAW_BIRTH, 7, 0, 1, 0, "seven"));
	staged_put(s, 1, 2001, record_irq(11, false, 1, "eth0"));
	staged_pass(s, 2050, 1000);
	for (time = 2100; time < 2100 + 64 - bcos_raw_reserve(BCOS_LOSS_IRQ, 64); time++)
		assert_true(staged_put(s, 1, time, record_plain(BCOS_RAW_IRQ, 11, 1)) < BCOS_STAGE_LOST);
	from = feed_mark(TAPE);
	staged_put(s, 0, 3000, WOKEN(7, 7, BCOS_WAKER_TIMER, 0, 0));
	assert_true(staged_put(s, 1, 3000 + 2 * SPAN, record_plain(BCOS_RAW_IRQ, 11, 1)) >= BCOS_STAGE_LOST);
	staged_put(s, 0, 3001 + 2 * SPAN, RUNS(7, 7, 120));
	staged_pass(s, 40000000, 1000);
	assert_int_equal(count_text(s, from, "3000 7 event 0xc000000a 00 4000\n"), 1);
	assert_int_equal(count_text(s, from, "20003001 7 event 0xc0000009 00 000\n"), 1);
}

/* Where records are lost, a turn may be another one than that which a waking led to. */
static void test_lost_turns(void **state)
{
	struct bcos_loss loss = { .first = 2200, .last = 2300 };
	struct staged *s = *state;
	u64 from;

	staged_put(s, 0, 2000, record_life(BCOS_RAW_BIRTH, 7, 0, 1, 0, "seven"));
	staged_pass(s, 2250, 1000);
	loss.count[BCOS_LOSS_STATE] = 1;
	bcos_log_lost(&TAPE->log, 0, &loss);
	staged_pass(s, 2290, 1000);
	from = feed_mark(TAPE);
	staged_put(s, 0, 2300, WOKEN(7, 7, BCOS_WAKER_TIMER, 0, 0));
	staged_put(s, 0, 2310, RUNS(7, 7, 120));
	staged_put(s, 0, 2320, WOKEN(7, 7, BCOS_WAKER_TIMER, 0, 0));
	staged_put(s, 0, 2325, RUNS(7, 7, 120));
	staged_pass(s, 3000, 1000);
	check_text(TAPE, from,
		   "2300 7 event 0xc000000a 00 4000\n"
		   "2310 7 event 0xc0000009 00 000\n"
		   "2325 7 event 0xc0000009 00 4005\n");
}

#define NAMED(id, tag, thread, name) record_life(BCOS_RAW_THREAD, (id), 0, (tag), (thread), (name))

/* Stages states of the kernel from *@time on, until the log has another group. Returns a place just before that. */
static u64 write_group(struct staged *s, u64 *time)
{
	u64 groups = TAPE->log.stats.groups, from = 0;

	for (; TAPE->log.stats.groups == groups; *time += 10) {
		from = feed_mark(TAPE);
		staged_put(s, 0, *time, STATE(0, BCOS_TASK_BLOCKED, 9999));
		staged_pass(s, *time + 5, 1000);
	}
	return from;
}

/* A thread that is no leader has its name in the log when it begins, when the name changes, and after each group. */
static void test_names(void **state)
{
	struct staged *s = *state;
	u64 from, time = 4000;

	staged_put(s, 0, 2000, record_life(BCOS_RAW_BIRTH, 7, 0, 1, 0, "seven"));
	staged_pass(s, 2050, 1000);
	from = feed_mark(TAPE);
	staged_put(s, 0, 2100, NAMED(7, 1, 8, "seven"));
	staged_put(s, 0, 2101, NAMED(7, 1, 9, "seven"));
	staged_put(s, 0, 2102, NAMED(7, 1, 9, "worker \xff"));
	staged_put(s, 0, 2103, NAMED(7, 1, 9, "worker \xff"));
	/* The leader has the name of the process, and the process with another tag is another one. */
	staged_put(s, 0, 2104, NAMED(7, 1, 7, "leader"));
	staged_put(s, 0, 2105, NAMED(7, 2, 9, "other"));
	staged_put(s, 0, 2106, STATE(7, BCOS_TASK_DEAD, 8));
	staged_pass(s, 3000, 1000);
	check_text(TAPE, from,
		   "2100 7 event 0xc000000b 00 8seven\n"
		   "2101 7 event 0xc000000b 00 9seven\n"
		   "2102 7 event 0xc000000b 00 9worker \xEF\xBF\xBD\n"
		   "2106 7 event 0xc0000008 00 5008\n");
	from = write_group(s, &time);
	assert_int_equal(count_text(s, from, "event 0xc000000b"), 1);
	assert_int_equal(count_text(s, from, " 7 event 0xc000000b 00 9worker \xEF\xBF\xBD\n"), 1);
	/* Threads end with their process, and with the class. */
	staged_put(s, 0, time, record_life(BCOS_RAW_DEAD, 7, 0, 1, 0, ""));
	staged_put(s, 0, time + 1, record_life(BCOS_RAW_BIRTH, 7, 0, 3, 0, "again"));
	staged_put(s, 0, time + 2, NAMED(7, 3, 10, "late"));
	staged_pass(s, time + 10, 1000);
	time += 20;
	from = write_group(s, &time);
	assert_int_equal(count_text(s, from, "event 0xc000000b"), 1);
	assert_int_equal(count_text(s, from, " 7 event 0xc000000b 00 Alate\n"), 1);
	bcos_log_recorded(&TAPE->log, BCOS_CLASS_ALL);
	bcos_log_recorded(&TAPE->log, BCOS_CLASS_DEFAULT);
	from = write_group(s, &time);
	assert_int_equal(count_text(s, from, "event 0xc000000b"), 0);
}

/* Names for which a group has no room are in the log before the next event that tells of the thread, and once. */
static void test_many_names(void **state)
{
	struct staged *s = *state;
	u64 from, time = 2100;
	char text[32];
	u32 i, found = 0;

	staged_put(s, 0, 2000, record_life(BCOS_RAW_BIRTH, 7, 0, 1, 0, "seven"));
	staged_put(s, 0, 2001, record_life(BCOS_RAW_BIRTH, 5, 0, 2, 0, "five"));
	for (i = 0; i < 400; i++, time += 10) {
		snprintf(text, sizeof(text), "name-%u", i);
		staged_put(s, 0, time, NAMED(7, 1, 1000 + i, text));
		staged_pass(s, time + 5, 1000);
	}
	from = write_group(s, &time);
	for (i = 0; i < 400; i++) {
		snprintf(text, sizeof(text), "name-%u\n", i);
		found += count_text(s, from, text);
	}
	/* An eighth of a zone of 64 KiB: up to 8 KiB of entries of 36 or 40 bytes. */
	assert_in_range(found, 190, 230);
	assert_int_equal(count_text(s, from, "name-0\n"), 0);
	assert_int_equal(count_text(s, from, "name-399\n"), 1);
	from = feed_mark(TAPE);
	staged_put(s, 0, time, WOKEN(5, 6, BCOS_WAKER_THREAD, 7, 1000));
	staged_put(s, 0, time + 1, STATE(7, BCOS_TASK_BLOCKED, 1001));
	staged_put(s, 0, time + 2, STATE(7, BCOS_TASK_BLOCKED, 1001));
	staged_put(s, 0, time + 3, STATE(7, BCOS_TASK_BLOCKED, 1399));
	staged_pass(s, time + 10, 1000);
	assert_int_equal(count_text(s, from, "event 0xc000000b"), 2);
	assert_int_equal(count_text(s, from, "name-0\n"), 1);
	assert_int_equal(count_text(s, from, "name-1\n"), 1);
	assert_true(strstr(feed_text(TAPE, from, false), "name-0\n") < strstr(feed_text(TAPE, from, false), "0xc000000a"));
}

/* A walk finds the names of threads that are there already, and which threads have ended. */
static void test_walked_names(void **state)
{
	struct staged *s = *state;
	struct bcos_log *log = &TAPE->log;
	struct bcos_seen *seen = test_host.alloc(&TAPE->host, 4 * sizeof(*seen));
	u64 from, time = 4000;

	bcos_log_recorded(log, BCOS_CLASS_DEFAULT | BCOS_CLASS_STATE);
	staged_put(s, 0, 2000, record_life(BCOS_RAW_BIRTH, 7, 0, 1, 0, "seven"));
	staged_put(s, 0, 2001, NAMED(7, 1, 8, "lost"));
	staged_put(s, 0, 2002, NAMED(7, 1, 9, "before"));
	staged_pass(s, 2050, 1000);
	bcos_log_walk_begins(log);
	seen[0] = (struct bcos_seen){ .id = 7, .tag = 1, .start = 2000, .name = "seven" };
	seen[1] = (struct bcos_seen){ .id = 7, .tag = 1, .thread = 9, .name = "after" };
	seen[2] = (struct bcos_seen){ .id = 7, .tag = 1, .thread = 10, .name = "found" };
	seen[3] = (struct bcos_seen){ .id = 7, .tag = 1, .thread = 11, .name = "died" };
	/* Amid the walk one thread begins, which it does not see, and another one ends, which it saw. */
	staged_put(s, 0, 2110, NAMED(7, 1, 12, "young"));
	staged_put(s, 0, 2111, STATE(7, BCOS_TASK_DEAD, 11));
	staged_pass(s, 2150, 1000);
	from = feed_mark(TAPE);
	bcos_log_walked(log, seen, 4, 2100, 2200);
	staged_pass(s, 3000, 1000);
	staged_pass(s, 3001, 1000);
	assert_int_equal(count_text(s, from, "event 0xc000000b"), 2);
	assert_int_equal(count_text(s, from, "7 event 0xc000000b 00 9after\n"), 1);
	assert_int_equal(count_text(s, from, "7 event 0xc000000b 00 Afound\n"), 1);
	from = write_group(s, &time);
	assert_int_equal(count_text(s, from, "event 0xc000000b"), 3);
	assert_int_equal(count_text(s, from, " 00 Cyoung\n"), 1);
}

/* The last threads of a process end after it, and the log keeps nothing of them. */
static void test_late_ends(void **state)
{
	struct staged *s = *state;

	staged_put(s, 0, 2000, record_life(BCOS_RAW_BIRTH, 7, 0, 1, 0, "seven"));
	staged_put(s, 0, 2001, NAMED(7, 1, 8, "first"));
	staged_put(s, 0, 2002, NAMED(7, 1, 9, "second"));
	staged_pass(s, 2050, 1000);
	assert_int_equal(TAPE->log.model.threads.index.count, 2);
	staged_put(s, 0, 2100, STATE(7, BCOS_TASK_DEAD, 8));
	staged_put(s, 0, 2101, record_life(BCOS_RAW_DEAD, 7, 0, 1, 0, ""));
	staged_put(s, 0, 2102, STATE(7, BCOS_TASK_DEAD, 9));
	staged_pass(s, 2150, 1000);
	assert_int_equal(TAPE->log.model.threads.index.count, 0);
}

/* Whoever makes threads without end while their ends are lost does not fill the memory: a walk is asked for. */
static void test_lost_ends(void **state)
{
	struct staged *s = *state;
	struct bcos_log *log = &TAPE->log;
	struct bcos_seen *seen = test_host.alloc(&TAPE->host, 2 * sizeof(*seen));
	u64 time = 2100;
	u32 i;

	bcos_log_recorded(log, BCOS_CLASS_DEFAULT | BCOS_CLASS_STATE);
	staged_put(s, 0, 2000, record_life(BCOS_RAW_BIRTH, 7, 0, 1, 0, "seven"));
	for (i = 0; i <= 4096; i++, time += 10) {
		assert_false(log->needs_walk);
		staged_put(s, 0, time, NAMED(7, 1, 1000 + i, "short"));
		staged_pass(s, time + 5, 1000);
	}
	assert_true(log->needs_walk);
	bcos_log_walk_begins(log);
	seen[0] = (struct bcos_seen){ .id = 7, .tag = 1, .start = 2000, .name = "seven" };
	seen[1] = (struct bcos_seen){ .id = 7, .tag = 1, .thread = 1001, .name = "short" };
	bcos_log_walked(log, seen, 2, time, time + 10);
	staged_pass(s, time + 1000, 1000);
	staged_pass(s, time + 1001, 1000);
	assert_int_equal(log->model.threads.index.count, 1);
	assert_false(log->needs_walk);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, staged_tear_down)
	static const struct CMUnitTest tests[] = {
		TEST(test_idle), TEST(test_unseen), TEST(test_tasks), TEST(test_wakers),
		TEST(test_turns), TEST(test_late_turns), TEST(test_turns_after_loss), TEST(test_lost_turns),
		TEST(test_names), TEST(test_many_names), TEST(test_walked_names),
		TEST(test_late_ends), TEST(test_lost_ends),
	};

	return cmocka_run_group_tests_name("states", tests, NULL, NULL);
}
