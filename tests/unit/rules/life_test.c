// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Lives and deaths of processes: the tables of module/DESIGN.md, 2.1 and 2.2. */
#include "check.h"

static int set_up(void **state)
{
	struct feed *feed = calloc(1, sizeof(*feed));

	assert_non_null(feed);
	feed_start(feed, 2);
	feed->time = 2000;
	*state = feed;
	return 0;
}

static int tear_down(void **state)
{
	struct feed *feed = *state;

	feed_check(feed);
	feed_end(feed);
	free(feed);
	return 0;
}

/* These are status words of wait(2). */
#define EXITED(code) ((code) << 8)
#define KILLED(signal) (signal)
#define DUMPED(signal) ((signal) | 0x80)

static void test_ordinary(void **state)
{
	struct feed *feed = *state;
	u64 from = feed_mark(feed);

	feed_birth(feed, 0, 100, 7, "sh");
	feed->time = 2100;
	feed_switch(feed, 1, 100);
	feed->time = 2150;
	feed_exec(feed, 1, 100, 7, "true");
	feed->time = 2200;
	feed_exit(feed, 1, 100, 7, EXITED(0));
	feed->time = 2300;
	feed_switch(feed, 1, BCOS_PROCESS_IDLE);
	feed_dead(feed, 1, 100, 7, EXITED(0));
	check_text(feed, from,
		   "2000 100 name sh\n"
		   "2100 1 assign 100\n"
		   "2150 100 name true\n"
		   "2300 1 assign idle\n"
		   "2300 100 cancel 0\n");
}

/* Reading 9: if a process ends while a CPU is assigned to it, the CPU is assigned to the kernel first. */
static void test_dead_on_cpu(void **state)
{
	struct feed *feed = *state;
	u64 from = feed_mark(feed);

	feed_birth(feed, 0, 100, 7, "sh");
	feed_switch(feed, 0, 100);
	feed_switch(feed, 1, 100);
	feed->time = 2200;
	feed_exit(feed, 1, 100, 7, EXITED(3));
	feed->time = 2300;
	feed_dead(feed, 1, 100, 7, EXITED(3));
	check_text(feed, from,
		   "2000 100 name sh\n"
		   "2000 0 assign 100\n"
		   "2000 1 assign 100\n"
		   "2300 1 assign 0\n"
		   "2300 0 assign 0\n"
		   "2300 100 cancel 3\n");
}

/* The last switches of several threads may find that no thread is left. The first of them cancels the name. */
static void test_dead_twice(void **state)
{
	struct feed *feed = *state;
	u64 from = feed_mark(feed);

	feed_birth(feed, 0, 100, 7, "sh");
	feed_dead(feed, 1, 100, 7, EXITED(1));
	feed_dead(feed, 0, 100, 7, EXITED(1));
	feed_exit(feed, 0, 100, 7, EXITED(1));
	check_text(feed, from, "2000 100 name sh\n2000 100 cancel 1\n");
}

/* A thread's last switch may come before the last thread's exit. */
static void test_dead_before_exit(void **state)
{
	struct feed *feed = *state;
	u64 from = feed_mark(feed);

	feed_birth(feed, 0, 100, 7, "sh");
	feed_dead(feed, 1, 100, 7, EXITED(5));
	feed->time = 2010;
	feed_exit(feed, 0, 100, 7, EXITED(5));
	check_text(feed, from, "2000 100 name sh\n2000 100 cancel 5\n");
}

/* The ID was born again before the last switch of the old process was recorded. */
static void test_dead_other_tag(void **state)
{
	struct feed *feed = *state;
	u64 from = feed_mark(feed);

	feed_birth(feed, 0, 100, 7, "new");
	feed_dead(feed, 1, 100, 6, EXITED(9));
	feed_exit(feed, 1, 100, 6, EXITED(9));
	feed_rename(feed, 1, 100, 6, "old");
	check_text(feed, from, "2000 100 name new\n");
	assert_int_equal(feed->log.model.named_processes, 2);
}

/*
 * A birth on the ID of a living process first takes the old process off its CPUs, then cancels its name with the status
 * of its exit, and then names the new process.
 */
static void test_birth_on_live(void **state)
{
	struct feed *feed = *state;
	u64 from;

	feed_birth(feed, 0, 100, 7, "old");
	feed_switch(feed, 1, 100);
	feed_exit(feed, 1, 100, 7, EXITED(42));
	from = feed_mark(feed);
	feed->time = 2500;
	feed_birth(feed, 0, 100, 8, "new");
	feed_dead(feed, 1, 100, 7, EXITED(42));
	check_text(feed, from,
		   "2500 1 assign 0\n"
		   "2500 100 cancel 42\n"
		   "2500 100 name new\n");
}

/* A birth changes nothing if a walk of the task list has seen the process first. */
static void test_birth_known(void **state)
{
	struct feed *feed = *state;
	u64 from;

	feed_birth(feed, 0, 100, 7, "one");
	from = feed_mark(feed);
	feed_birth(feed, 0, 100, 7, "one");
	check_text(feed, from, "");
}

/* Where switches are not recorded, the exit of the last thread ends the process. */
static void test_final(void **state)
{
	struct feed *feed = *state;
	struct feed_record exit = record_life(BCOS_RAW_EXIT, 100, BCOS_RAW_FINAL, 7, EXITED(2), NULL);
	u64 from = feed_mark(feed);

	feed_birth(feed, 0, 100, 7, "sh");
	feed_apply(feed, 0, &exit);
	check_text(feed, from, "2000 100 name sh\n2000 100 cancel 2\n");
}

static void status_is(struct feed *feed, u32 status, u16 number, bool user, const char *expected)
{
	u64 from = feed_mark(feed);

	feed_birth(feed, 0, 200, 1, "x");
	if (number)
		feed_signal(feed, 0, 200, number, user);
	feed_exit(feed, 0, 200, 1, status);
	feed_dead(feed, 0, 200, 1, status);
	check_text(feed, from, expected);
}

#define ENDS(text) "2000 200 name x\n2000 200 cancel " text "\n"

/* module/DESIGN.md, 2.1: n; 0x80000000 + signal if user space sent it; else 0xC0000000 + signal. */
static void test_status(void **state)
{
	struct feed *feed = *state;

	status_is(feed, EXITED(0), 0, false, ENDS("0"));
	status_is(feed, EXITED(1), 0, false, ENDS("1"));
	status_is(feed, EXITED(255), 0, false, ENDS("255"));
	status_is(feed, KILLED(15), 15, true, ENDS("0x8000000f"));
	status_is(feed, KILLED(9), 9, true, ENDS("0x80000009"));
	status_is(feed, KILLED(9), 0, false, ENDS("0xc0000009"));
	status_is(feed, KILLED(9), 9, false, ENDS("0xc0000009"));
	status_is(feed, DUMPED(11), 11, false, ENDS("0xc000000b"));
	status_is(feed, DUMPED(6), 6, true, ENDS("0x80000006"));
	status_is(feed, KILLED(1), 1, true, ENDS("0x80000001"));
	status_is(feed, KILLED(64), 64, true, ENDS("0x80000040"));
	status_is(feed, KILLED(34), 2, true, ENDS("0xc0000022"));
}

/* The last delivered signal of the number that killed a process decides who sent it. */
static void test_status_last_signal(void **state)
{
	struct feed *feed = *state;
	u64 from;

	feed_birth(feed, 0, 100, 7, "sh");
	feed_signal(feed, 0, 100, 11, true);
	feed_signal(feed, 0, 100, 11, false);
	from = feed_mark(feed);
	feed_dead(feed, 0, 100, 7, DUMPED(11));
	check_text(feed, from, "2000 100 cancel 0xc000000b\n");
	feed_birth(feed, 0, 100, 8, "sh");
	feed_signal(feed, 0, 100, 15, false);
	feed_signal(feed, 0, 100, 15, true);
	from = feed_mark(feed);
	feed_dead(feed, 0, 100, 8, KILLED(15));
	check_text(feed, from, "2000 100 cancel 0x8000000f\n");
	/* A signal before the birth was for another process. */
	feed_signal(feed, 0, 100, 15, true);
	feed_birth(feed, 0, 100, 9, "sh");
	from = feed_mark(feed);
	feed_dead(feed, 0, 100, 9, KILLED(15));
	check_text(feed, from, "2000 100 cancel 0xc000000f\n");
}

/* The SIGKILL of the OOM killer is the kernel's, although another process has sent one before. */
static void test_oom(void **state)
{
	struct feed *feed = *state;
	struct feed_record victim = record_plain(BCOS_RAW_VICTIM, 100, 0);
	u64 from;

	feed_birth(feed, 0, 100, 7, "hog");
	feed_signal(feed, 0, 100, 9, true);
	from = feed_mark(feed);
	feed_apply(feed, 0, &victim);
	feed_dead(feed, 0, 100, 7, KILLED(9));
	check_text(feed, from,
		   "2000 100 event 0xc0000001 c0 chosen by the out-of-memory killer\n"
		   "2000 100 cancel 0xc0000009\n");
	victim.raw.id = 101;
	from = feed_mark(feed);
	feed_apply(feed, 0, &victim);
	check_text(feed, from, "");
}

static void test_names(void **state)
{
	struct feed *feed = *state;
	u64 from = feed_mark(feed);

	feed_birth(feed, 0, 100, 7, "");
	feed_rename(feed, 0, 100, 7, "fifteen bytes.");
	feed_rename(feed, 0, 100, 7, "fifteen bytes..");
	feed_rename(feed, 0, 100, 7, "fifteen bytes..");
	feed_rename(feed, 0, 100, 7, "caf\xC3\xA9");
	feed_rename(feed, 0, 100, 7, "caf\xC3");
	feed_rename(feed, 0, 100, 7, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF");
	/* An exec always writes an entry, even if the name stays. */
	feed_exec(feed, 0, 100, 7, "same");
	feed_exec(feed, 0, 100, 7, "same");
#define BAD "\xEF\xBF\xBD"
	check_text(feed, from,
		   "2000 100 name ?\n"
		   "2000 100 name fifteen bytes.\n"
		   "2000 100 name fifteen bytes..\n"
		   "2000 100 name caf\xC3\xA9\n"
		   "2000 100 name caf" BAD "\n"
		   "2000 100 name " BAD BAD BAD BAD BAD BAD BAD BAD BAD BAD BAD BAD BAD BAD BAD "\n"
		   "2000 100 name same\n"
		   "2000 100 name same\n");
}

static void rename_to_sixteen(struct feed *feed, const char *name)
{
	struct feed_record record = record_life(BCOS_RAW_RENAME, 100, 0, 7, 0, "");

	memcpy(record.name, name, sizeof(record.name));
	feed_apply(feed, 0, &record);
}

/* The last of the 16 bytes of comm is no part of the name, in ASCII or not. */
static void test_name_last_byte(void **state)
{
	struct feed *feed = *state;
	u64 from = feed_mark(feed);

	feed_birth(feed, 0, 100, 7, "sh");
	rename_to_sixteen(feed, "fifteen bytes..1");
	rename_to_sixteen(feed, "fifteen bytes..2");
	rename_to_sixteen(feed, "fourteen bytes\xC3\xA9");
	check_text(feed, from,
		   "2000 100 name sh\n"
		   "2000 100 name fifteen bytes..\n"
		   "2000 100 name fourteen bytes" BAD "\n");
}

/*
 * A user-mode helper is shown as the kernel until it execs. The exec writes its birth and an Assign CPU, since no
 * switch occurs.
 */
static void test_helper(void **state)
{
	struct feed *feed = *state;
	u64 from = feed_mark(feed);

	feed_helper(feed, 0, 100, 7, "kworker/u4:1");
	feed_rename(feed, 0, 100, 7, "kmodprobe");
	feed->time = 2010;
	feed_switch(feed, 1, 100);
	feed->time = 2020;
	feed_switch(feed, 1, BCOS_PROCESS_IDLE);
	feed->time = 2030;
	feed_switch(feed, 1, 100);
	feed->time = 2040;
	feed_exec(feed, 1, 100, 7, "modprobe");
	feed->time = 2050;
	feed_dead(feed, 1, 100, 7, EXITED(0));
	check_text(feed, from,
		   "2010 1 assign 0\n"
		   "2020 1 assign idle\n"
		   "2030 1 assign 0\n"
		   "2040 100 name modprobe\n"
		   "2040 1 assign 100\n"
		   "2050 1 assign 0\n"
		   "2050 100 cancel 0\n");
	assert_int_equal(feed->log.stats.unnamed, 0);
}

static void test_helper_dies_unseen(void **state)
{
	struct feed *feed = *state;
	u64 from = feed_mark(feed);

	feed_helper(feed, 0, 100, 7, "kworker/u4:1");
	feed_switch(feed, 1, 100);
	feed_dead(feed, 1, 100, 7, EXITED(1));
	check_text(feed, from, "2000 1 assign 0\n");
	assert_int_equal(feed->log.model.process_count, 1);
	/* Another process, which is shown, has the ID now. */
	from = feed_mark(feed);
	feed_birth(feed, 0, 100, 8, "sh");
	check_text(feed, from, "2000 100 name sh\n");
}

/* Switches between threads of one process, and from the kernel to the kernel, write nothing. */
static void test_no_change(void **state)
{
	struct feed *feed = *state;
	u64 from;

	feed_birth(feed, 0, 100, 7, "sh");
	feed_switch(feed, 0, 100);
	feed_switch(feed, 1, 0);
	from = feed_mark(feed);
	feed_switch(feed, 0, 100);
	feed_switch(feed, 1, 0);
	check_text(feed, from, "");
}

/* An ID that the model lacks is written as the kernel, and counted. */
static void test_unnamed(void **state)
{
	struct feed *feed = *state;
	u64 from = feed_mark(feed);

	feed_switch(feed, 0, 999);
	check_text(feed, from, "2000 0 assign 0\n");
	assert_int_equal(feed->log.stats.unnamed, 1);
	assert_int_equal(feed->log.stats.lost[BCOS_LOST_UNNAMED], 1);
}

/* The exec of a process whose birth nobody saw is its birth. */
static void test_exec_unborn(void **state)
{
	struct feed *feed = *state;
	u64 from = feed_mark(feed);

	feed_switch(feed, 1, 100);
	feed_exec(feed, 1, 100, 7, "late");
	check_text(feed, from,
		   "2000 1 assign 0\n"
		   "2000 100 name late\n"
		   "2000 1 assign 100\n");
}

/* A time that is less than that of the previous record is raised to it, and counted. */
static void test_clamp(void **state)
{
	struct feed *feed = *state;
	u64 from = feed_mark(feed);

	feed_birth(feed, 0, 100, 7, "a");
	feed->time = 1990;
	feed_birth(feed, 0, 101, 7, "b");
	feed->time = 2001;
	feed_birth(feed, 0, 102, 7, "c");
	check_text(feed, from,
		   "2000 100 name a\n"
		   "2000 101 name b\n"
		   "2001 102 name c\n");
	assert_int_equal(feed->log.stats.clamped, 1);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	static const struct CMUnitTest tests[] = {
		TEST(test_ordinary), TEST(test_dead_on_cpu), TEST(test_dead_twice), TEST(test_dead_before_exit),
		TEST(test_dead_other_tag), TEST(test_birth_on_live), TEST(test_birth_known), TEST(test_final),
		TEST(test_status), TEST(test_status_last_signal), TEST(test_oom), TEST(test_names),
		TEST(test_name_last_byte),
		TEST(test_helper), TEST(test_helper_dies_unseen), TEST(test_no_change), TEST(test_unnamed),
		TEST(test_exec_unborn), TEST(test_clamp),
	};

	return cmocka_run_group_tests_name("life", tests, NULL, NULL);
}
