// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * core/rules/who.c: who sent the signal that kills a process, which process is its parent, what program it runs, and
 * in which control group it is.
 */
#include "core/rules/rules.h"
#include "check.h"
#include "core/rules/shortcut.h"
#include "core/write/group.h"

#define KILLED(signal) (signal)
#define EXITED(code) ((code) << 8)
#define KERNEL BCOS_PROCESS_NONE
#define CODE_FAULT 1
#define CODE_KERNEL 0x80
#define CODE_QUEUE -1

static int begin_feed(void **state)
{
	struct feed *feed = calloc(1, sizeof(*feed));

	feed_start(feed, 2);
	feed->time = 2000;
	feed_birth(feed, 0, 1, 1, "init");
	feed_birth(feed, 0, 50, 5, "bash");
	*state = feed;
	return 0;
}

static int finish_feed(void **state)
{
	struct feed *feed = *state;

	feed_check(feed);
	feed_end(feed);
	free(feed);
	return 0;
}

/* Process 100 is born, and then process 50 sends it this signal. */
static u64 send_signal(struct feed *feed, u16 number, int code)
{
	feed_birth(feed, 0, 100, 7, "victim");
	feed_sent(feed, 1, 100, 7, number, code, 50, 5, 1000);
	return feed_mark(feed);
}

static void test_by_process(void **state)
{
	u64 from = send_signal(*state, 9, 0);

	feed_exit(*state, 0, 100, 7, KILLED(9));
	check_text((struct feed *)*state, from, "");
	feed_dead(*state, 0, 100, 7, KILLED(9));
	check_text((struct feed *)*state, from,
		   "2000 100 event 0xc0000004 40 signal 9 code 0 from process 50 user 1000 \"bash\"\n"
		   "2000 100 cancel 0x80000009\n");
}

/* The victim's CPU is assigned to the kernel first. The event about the victim stands before its end. */
static void test_while_it_runs(void **state)
{
	u64 from = send_signal(*state, 15, CODE_QUEUE);

	feed_switch(*state, 1, 100);
	feed_dead(*state, 0, 100, 7, KILLED(15));
	check_text((struct feed *)*state, from,
		   "2000 1 assign 100\n"
		   "2000 1 assign 0\n"
		   "2000 100 event 0xc0000004 40 signal 15 code -1 from process 50 user 1000 \"bash\"\n"
		   "2000 100 cancel 0x8000000f\n");
}

static void test_by_kernel(void **state)
{
	struct feed *feed = *state;
	u64 from;

	feed_birth(feed, 0, 100, 7, "victim");
	feed_sent(feed, 0, 100, 7, 11, CODE_FAULT, KERNEL, 0, 1000);
	from = feed_mark(feed);
	feed_dead(feed, 0, 100, 7, KILLED(11) | 0x80);
	check_text(feed, from,
		   "2000 100 event 0xc0000004 80 signal 11 code 1 from kernel\n"
		   "2000 100 cancel 0xc000000b\n");
}

/* The OOM killer's choice comes after its signal. */
static void test_chosen(void **state)
{
	struct feed_record victim = record_plain(BCOS_RAW_VICTIM, 100, 0);
	u64 from = send_signal(*state, 9, 0);

	feed_apply(*state, 0, &victim);
	feed_dead(*state, 0, 100, 7, KILLED(9));
	check_text((struct feed *)*state, from,
		   "2000 100 event 0xc0000001 c0 chosen by the out-of-memory killer\n"
		   "2000 100 event 0xc0000004 80 signal 9 code 128 from kernel\n"
		   "2000 100 cancel 0xc0000009\n");
}

/* The signal that killed the process counts, and if there were several of this number the last one. */
static void test_which(void **state)
{
	struct feed *feed = *state;
	u64 from;

	feed_birth(feed, 0, 100, 7, "victim");
	feed_sent(feed, 0, 100, 7, 15, CODE_KERNEL, KERNEL, 0, 0);
	feed_sent(feed, 0, 100, 7, 15, 0, 50, 5, 1000);
	feed_sent(feed, 0, 100, 7, 10, 0, 1, 1, 0);
	from = feed_mark(feed);
	feed_dead(feed, 0, 100, 7, KILLED(15));
	check_text(feed, from,
		   "2000 100 event 0xc0000004 40 signal 15 code 0 from process 50 user 1000 \"bash\"\n"
		   "2000 100 cancel 0x8000000f\n");
	/* The log keeps only the last few of many signals. */
	feed_birth(feed, 0, 100, 8, "victim");
	for (u16 number = 34; number < 34 + BCOS_SENDERS + 1; number++)
		feed_sent(feed, 0, 100, 8, number, 0, 50, 5, number);
	from = feed_mark(feed);
	feed_dead(feed, 0, 100, 8, KILLED(35));
	check_text(feed, from,
		   "2000 100 event 0xc0000004 40 signal 35 code 0 from process 50 user 35 \"bash\"\n"
		   "2000 100 cancel 0x80000023\n");
	feed_birth(feed, 0, 100, 9, "victim");
	for (u16 number = 34; number < 34 + BCOS_SENDERS + 1; number++)
		feed_sent(feed, 0, 100, 9, number, 0, 50, 5, number);
	from = feed_mark(feed);
	feed_dead(feed, 0, 100, 9, KILLED(34));
	check_text(feed, from, "2000 100 cancel 0x80000022\n");
}

/* There is no event if the process exited, or if no record has the signal that killed it. */
static void test_nobody(void **state)
{
	struct feed *feed = *state;
	u64 from = send_signal(feed, 15, 0);

	feed_dead(feed, 0, 100, 7, EXITED(15));
	feed_birth(feed, 0, 100, 8, "victim");
	feed_dead(feed, 0, 100, 8, KILLED(15));
	check_text(feed, from,
		   "2000 100 cancel 15\n"
		   "2000 100 name victim\n"
		   "2000 100 cancel 0xc000000f\n");
}

/* The sender is gone, and another process has its ID, when the victim dies, or already when the signal is sent. */
static void test_sender_gone(void **state)
{
	struct feed *feed = *state;
	u64 from = send_signal(feed, 9, 0);

	feed_dead(feed, 1, 50, 5, EXITED(0));
	feed_birth(feed, 1, 50, 6, "other");
	feed_dead(feed, 0, 100, 7, KILLED(9));
	feed_birth(feed, 0, 100, 8, "victim");
	feed_sent(feed, 1, 100, 8, 9, 0, 50, 5, 1000);
	feed_dead(feed, 0, 100, 8, KILLED(9));
	feed_birth(feed, 0, 100, 9, "victim");
	feed_sent(feed, 1, 100, 9, 9, 0, 77, 1, 4294967295u);
	feed_dead(feed, 0, 100, 9, KILLED(9));
	check_text(feed, from,
		   "2000 50 cancel 0\n"
		   "2000 50 name other\n"
		   "2000 100 event 0xc0000004 40 signal 9 code 0 from process 50 user 1000 \"bash\"\n"
		   "2000 100 cancel 0x80000009\n"
		   "2000 100 name victim\n"
		   "2000 100 event 0xc0000004 40 signal 9 code 0 from process 50 user 1000\n"
		   "2000 100 cancel 0x80000009\n"
		   "2000 100 name victim\n"
		   "2000 100 event 0xc0000004 40 signal 9 code 0 from process 77 user 4294967295\n"
		   "2000 100 cancel 0x80000009\n");
}

/* The victim's ID was born again: a signal for the old process is not told of the new one. */
static void test_victim_again(void **state)
{
	struct feed *feed = *state;
	u64 from = send_signal(feed, 9, 0);

	feed_birth(feed, 0, 100, 8, "again");
	feed_sent(feed, 1, 100, 7, 9, 0, 50, 5, 1000);
	feed_dead(feed, 0, 100, 8, KILLED(9));
	check_text(feed, from,
		   "2000 100 cancel 2147483647\n"
		   "2000 100 name again\n"
		   "2000 100 cancel 0xc0000009\n");
}

/* While the class is off, a record of a signal has no sender, and the sender of an earlier signal is not told. */
static void test_off(void **state)
{
	u64 from = send_signal(*state, 15, 0);

	feed_signal(*state, 0, 100, 15, true);
	feed_dead(*state, 0, 100, 7, KILLED(15));
	check_text((struct feed *)*state, from, "2000 100 cancel 0x8000000f\n");
}

static void test_names(void **state)
{
	struct feed *feed = *state;
	u64 from;

	feed_birth(feed, 0, 100, 7, "victim");
	feed_rename(feed, 0, 50, 5, "a\" from\n\"b\"\xFF");
	feed_sent(feed, 1, 100, 7, 9, -2147483647 - 1, 50, 5, 0);
	from = feed_mark(feed);
	feed_dead(feed, 0, 100, 7, KILLED(9));
	check_text(feed, from,
		   "2000 100 event 0xc0000004 40 signal 9 code -2147483648 from process 50 user 0 \"a\" from\n"
		   "\"b\"\xEF\xBF\xBD\"\n"
		   "2000 100 cancel 0x80000009\n");
	/* The longest name has 15 bytes, each of which is replaced. */
	feed_birth(feed, 0, 4294967293u, 7, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF");
	feed_birth(feed, 0, 100, 7, "victim");
	feed_sent(feed, 1, 100, 7, 64, -2147483647 - 1, 4294967293u, 7, 4294967295u);
	feed_dead(feed, 0, 100, 7, KILLED(64));
	assert_non_null(strstr(feed_text(feed, from, false), "from process 4294967293 user 4294967295 \"\xEF\xBF\xBD"));
}

/* A user-mode helper before its exec is shown as the kernel, and its own death is not told. */
static void test_hidden(void **state)
{
	struct feed *feed = *state;
	u64 from;

	feed_helper(feed, 0, 60, 6, "kworker");
	feed_birth(feed, 0, 100, 7, "victim");
	feed_sent(feed, 1, 100, 7, 9, 0, 60, 6, 0);
	feed_sent(feed, 1, 60, 6, 9, 0, 50, 5, 0);
	from = feed_mark(feed);
	feed_dead(feed, 0, 100, 7, KILLED(9));
	feed_dead(feed, 0, 60, 6, KILLED(9));
	check_text(feed, from,
		   "2000 100 event 0xc0000004 80 signal 9 code 0 from kernel\n"
		   "2000 100 cancel 0x80000009\n");
}

/* Without memory for the sender the death is told, and a loss is counted. */
static void test_no_memory(void **state)
{
	struct feed *feed = *state;
	u64 lost = feed->log.stats.lost[BCOS_LOST_MEMORY], from;

	feed_birth(feed, 0, 100, 7, "victim");
	feed->host.fail_at = feed->host.asked + 1;
	feed->host.fail_for = 1;
	feed_sent(feed, 1, 100, 7, 9, 0, 50, 5, 1000);
	assert_int_equal(feed->host.failed, 1);
	assert_int_equal(feed->log.stats.lost[BCOS_LOST_MEMORY], lost + 1);
	from = feed_mark(feed);
	feed_dead(feed, 0, 100, 7, KILLED(9));
	check_text(feed, from, "2000 100 cancel 0x80000009\n");
}

static void put_birth(struct feed *feed, u8 kind, u32 id, u32 tag, const char *name, u32 parent)
{
	struct feed_record record = record_birth(kind, id, tag, name, parent);

	feed_apply(feed, 0, &record);
}

/* The parent is alive, gone, of an ID that was born again, unknown, or the kernel. */
static void test_parents(void **state)
{
	struct feed *feed = *state;
	u64 from = feed_mark(feed);

	put_birth(feed, BCOS_RAW_BIRTH, 100, 7, "bash", 50);
	feed_dead(feed, 0, 50, 5, EXITED(0));
	put_birth(feed, BCOS_RAW_BIRTH, 101, 7, "sh", 50);
	feed_birth(feed, 0, 50, 6, "a\"b\xFF");
	put_birth(feed, BCOS_RAW_BIRTH, 102, 7, "sh", 50);
	put_birth(feed, BCOS_RAW_BIRTH, 103, 7, "sh", 4294967293u);
	put_birth(feed, BCOS_RAW_BIRTH, 104, 7, "", 0);
	/* A birth that is known already writes nothing. */
	put_birth(feed, BCOS_RAW_BIRTH, 104, 7, "", 0);
	check_text(feed, from,
		   "2000 100 name bash\n"
		   "2000 100 event 0xc0000005 00 parent 50 \"bash\"\n"
		   "2000 50 cancel 0\n"
		   "2000 101 name sh\n"
		   "2000 101 event 0xc0000005 00 parent 50\n"
		   "2000 50 name a\"b\xEF\xBF\xBD\n"
		   "2000 102 name sh\n"
		   "2000 102 event 0xc0000005 00 parent 50 \"a\"b\xEF\xBF\xBD\"\n"
		   "2000 103 name sh\n"
		   "2000 103 event 0xc0000005 00 parent 4294967293\n"
		   "2000 104 name ?\n"
		   "2000 104 event 0xc0000005 00 parent 0 \"kernel\"\n");
}

/* Formats numbers of each length, and their neighbours. */
static void test_numbers(void **state)
{
	char text[BCOS_PARENT_TEXT], expected[BCOS_PARENT_TEXT];
	u64 power, number;
	size_t length;

	(void)state;
	for (power = 1; power < 10000000000u; power *= 10)
		for (number = power - 1; number <= power + 1; number++) {
			length = bcos_parent_format(text, (u32)number, NULL, 0);
			snprintf(expected, sizeof(expected), "parent %u", (u32)number);
			assert_int_equal(length, strlen(expected));
			assert_memory_equal(text, expected, length);
		}
}

/* The parent of a helper is told when the helper gets a name, and a parent that is hidden is shown as the kernel. */
static void test_hidden_parents(void **state)
{
	struct feed *feed = *state;
	u64 from = feed_mark(feed);

	put_birth(feed, BCOS_RAW_HELPER, 100, 7, "kworker", 0);
	put_birth(feed, BCOS_RAW_BIRTH, 101, 7, "x", 100);
	check_text(feed, from,
		   "2000 101 name x\n"
		   "2000 101 event 0xc0000005 00 parent 0 \"kernel\"\n");
	from = feed_mark(feed);
	feed_exec(feed, 0, 100, 7, "modprobe");
	feed_exec(feed, 0, 100, 7, "again");
	check_text(feed, from,
		   "2000 100 name modprobe\n"
		   "2000 100 event 0xc0000005 00 parent 0 \"kernel\"\n"
		   "2000 100 name again\n");
}

/* The parent has the longest name that there is. */
static void test_long_parent(void **state)
{
	struct feed *feed = *state;
	struct feed_record record = record_birth(BCOS_RAW_BIRTH, 101, 7, "plain", 4294967293u);
	u64 from;

	feed_birth(feed, 0, 4294967293u, 7, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF");
	from = feed_mark(feed);
	feed_birth(feed, 0, 102, 7, "x");
	feed_dead(feed, 0, 102, 7, EXITED(0));
	bcos_log_apply(&feed->log, 0, feed->time, &record.raw);
	feed_pass(feed, feed->time);
#define BAD5 "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"
	check_text(feed, from,
		   "2000 102 name x\n"
		   "2000 102 cancel 0\n"
		   "2000 101 name plain\n"
		   "2000 101 event 0xc0000005 00 parent 4294967293 \"" BAD5 BAD5 BAD5 "\"\n");
}

static void put_program(struct feed *feed, u32 id, u32 tag, u16 flags, const char *arguments, size_t length)
{
	struct feed_record record = record_program(id, tag, 1000, flags, "/bin/ls", "/user/1", arguments, length);

	feed_apply(feed, 0, &record);
}

#define RUNS(feed, id, tag, flags, arguments) put_program(feed, id, tag, flags, arguments, sizeof(arguments) - 1)

static void test_exec(void **state)
{
	struct feed *feed = *state;
	struct feed_record lies = record_program(50, 5, 0, 0, "p", "", "", 0);
	u64 from = feed_mark(feed);

	feed_exec(feed, 0, 50, 5, "ls");
	RUNS(feed, 50, 5, 0, "ls\0-l\0a \"b\\\n\0\0\xFF\0");
	RUNS(feed, 50, 5, BCOS_RAW_SECRET, "");
	RUNS(feed, 50, 5, BCOS_RAW_ARGUMENTS_CUT | BCOS_RAW_PATH_CUT | BCOS_RAW_CGROUP_CUT, "ls");
	/* These records are of another incarnation, and of an unknown process. */
	RUNS(feed, 50, 4, 0, "no");
	RUNS(feed, 60, 4, 0, "no");
	/* The lengths in this record are wrong. */
	lies.program.length = 65535;
	lies.program.path = 65535;
	feed_apply(feed, 0, &lies);
	check_text(feed, from,
		   "2000 50 name ls\n"
		   "2000 50 event 0xc0000006 40 user 1000 path \"/bin/ls\" cgroup \"/user/1\" arguments \"ls\" \"-l\" "
		   "\"a \\\"b\\\\\n\" \"\" \"\xEF\xBF\xBD\"\n"
		   "2000 50 event 0xc0000006 40 user 1000 path \"/bin/ls\" cgroup \"/user/1\"\n"
		   "2000 50 event 0xc0000006 40 user 1000 path \"/bin/ls\"... cgroup \"/user/1\"... arguments \"ls\"...\n"
		   "2000 50 event 0xc0000006 40 user 0 path \"p\" arguments\n");
}

/* Long arguments are complete, with special characters in any place. */
static void test_long_arguments(void **state)
{
	struct feed *feed = *state;
	u64 from = feed_mark(feed);

	feed_exec(feed, 0, 50, 5, "ls");
	RUNS(feed, 50, 5, 0, "abcdefgh\0abcdefghi\0abcdefghijklmnopqrstuvwxyz\0");
	RUNS(feed, 50, 5, 0, "abcdefg\"hijklmnop\0abcdefgh\"ijklmnopq\0abcdefghijklmno\\\0");
	check_text(feed, from,
		   "2000 50 name ls\n"
		   "2000 50 event 0xc0000006 40 user 1000 path \"/bin/ls\" cgroup \"/user/1\" arguments \"abcdefgh\" "
		   "\"abcdefghi\" \"abcdefghijklmnopqrstuvwxyz\"\n"
		   "2000 50 event 0xc0000006 40 user 1000 path \"/bin/ls\" cgroup \"/user/1\" arguments "
		   "\"abcdefg\\\"hijklmnop\" \"abcdefgh\\\"ijklmnopq\" \"abcdefghijklmno\\\\\"\n");
}

/* Paths of every length: the text is complete if there is room for it, or else it is cut and ends with a mark. */
static void test_exec_room(void **state)
{
	static char bytes[BCOS_RAW_TEXT + 16], text[BCOS_RAW_TEXT + 16], whole[2 * BCOS_RAW_TEXT];
	struct bcos_raw_program program = { .user = 7 };
	size_t length, expected;

	(void)state;
	memset(bytes, 'p', BCOS_RAW_TEXT);
	for (program.path = 1; program.path < BCOS_RAW_TEXT; program.path++) {
		memcpy(bytes + program.path, "ls\0-l\0", 6);
		program.length = (u16)(program.path + 6);
		memset(text, 0, sizeof(text));
		length = bcos_exec_format(text, &program, 0, bytes, sizeof(bytes));
		expected = (size_t)snprintf(whole, sizeof(whole), "user 7 path \"%.*s\" arguments \"ls\" \"-l\"",
					    program.path, bytes);
		memset(bytes + program.path, 'p', 6);
		assert_in_range(length, 1, BCOS_RAW_TEXT);
		assert_int_equal(strlen(text), length);
		/* A quote and three dots are the longest mark. */
		if (expected + 4 <= BCOS_RAW_TEXT) {
			assert_string_equal(text, whole);
			continue;
		}
		assert_string_equal(text + length - 3, "...");
		assert_memory_equal(text, whole, length - 4);
		assert_true(length + 16 > BCOS_RAW_TEXT);
	}
}

/* A program that ran before the log begins is in no entry, nor is a record that is too short for a program. */
static void test_exec_early(void **state)
{
	struct feed feed = { 0 };
	struct bcos_seen seen[] = { { .id = 1, .tag = 11, .start = 10, .name = "init" } };
	struct feed_record cut = record_program(1, 11, 0, 0, "p", "", "", 0);

	assert_int_equal(feed_init(&feed, 256 << 10, 8), 0);
	assert_int_equal(feed_prime(&feed, 1, seen, 1, 1000), 0);
	feed.time = 500;
	put_program(&feed, 1, 11, 0, "early", 5);
	feed_pass(&feed, 999);
	assert_int_equal(feed.length, 0);
	feed_pass(&feed, 1000);
	feed.time = 2000;
	cut.raw.units = 1;
	feed_apply(&feed, 0, &cut);
	assert_null(strstr(feed_text(&feed, 0, false), "0xc0000006"));
	put_program(&feed, 1, 11, 0, "late", 4);
	assert_non_null(strstr(feed_text(&feed, 0, false), "2000 1 event 0xc0000006"));
	feed_end(&feed);
}

static void move(struct feed *feed, u32 id, u32 tag, u16 flags, const char *path)
{
	struct feed_record record = record_event(BCOS_RAW_CGROUP, 0, id, tag, 0, 0, path, strlen(path));

	record.raw.aux = flags;
	feed_apply(feed, 0, &record);
}

static void bear(struct feed *feed, u32 id, u32 tag, u32 parent)
{
	struct feed_record record = record_birth(BCOS_RAW_BIRTH, id, tag, "sh", parent);

	feed_apply(feed, 0, &record);
}

#define BORN(id, parent) "2000 " #id " name sh\n2000 " #id " event 0xc0000005 00 parent " parent "\n"

/* Paths are hostile: quotes, bad UTF-8, any length. */
static void test_moves(void **state)
{
	static char path[BCOS_RAW_PATH_MAX + 2] = "/", text[BCOS_CGROUP_TEXT];
	struct feed *feed = *state;
	u64 from = feed_mark(feed);

	move(feed, 50, 5, 0, "/user/1");
	move(feed, 50, 5, BCOS_RAW_CGROUP_CPU, "/");
	move(feed, 50, 5, BCOS_RAW_CGROUP_CUT, "/a\"b\\\xFF");
	/* These records are of another incarnation, and of an unknown process; the third has no path. */
	move(feed, 50, 4, 0, "/no");
	move(feed, 60, 4, 0, "/no");
	move(feed, 50, 5, 0, "");
	check_text(feed, from,
		   "2000 50 event 0xc000000c 00 cgroup \"/user/1\"\n"
		   "2000 50 event 0xc000000c 00 cgroup cpu \"/\"\n"
		   "2000 50 event 0xc000000c 00 cgroup \"/a\\\"b\\\\\xEF\xBF\xBD\"...\n");
	from = feed_mark(feed);
	memset(path + 1, '\xFF', BCOS_RAW_PATH_MAX - 1);
	assert_int_equal(bcos_cgroup_format(text, path, BCOS_RAW_PATH_MAX, BCOS_RAW_CGROUP_CPU, true),
			 strlen("cgroup cpu \"/\" read") + 3 * 254);
	path[BCOS_RAW_PATH_MAX] = 'x';
	from = feed_mark(feed);
	move(feed, 50, 5, 0, path);
	check_text(feed, from, "");
}

/* A child begins in the group of its parent, and only another one is told. */
static void test_children(void **state)
{
	struct feed *feed = *state;
	u64 from;

	move(feed, 50, 5, 0, "/a");
	from = feed_mark(feed);
	bear(feed, 51, 6, 50);
	bear(feed, 52, 7, 51);
	move(feed, 52, 7, 0, "/b");
	bear(feed, 53, 8, 52);
	feed_dead(feed, 0, 50, 5, 0);
	check_text(feed, from,
		   BORN(51, "50 \"bash\"") BORN(52, "51 \"sh\"") "2000 52 event 0xc000000c 00 cgroup \"/b\"\n" BORN(53, "52 \"sh\"")
		   "2000 50 cancel 0\n");
	from = feed_mark(feed);
	bcos_log_group(&feed->log);
	feed_pass(feed, feed->time);
	check_text(feed, from,
		   "2000 53 event 0xc000000c 00 cgroup \"/b\"\n"
		   "2000 52 event 0xc000000c 00 cgroup \"/b\"\n"
		   "2000 51 event 0xc000000c 00 cgroup \"/a\"\n");
}

/* Whoever has many processes in groups with long names does not push the events out of the log. */
static void test_many_groups(void **state)
{
	struct feed *feed = *state;
	u64 from, begin, i;
	char path[201];

	for (i = 0; i < 200; i++) {
		snprintf(path, sizeof(path), "/%0199u", (unsigned int)i);
		bear(feed, 100 + (u32)i, 6, 50);
		move(feed, 100 + (u32)i, 6, 0, path);
	}
	from = feed_mark(feed);
	begin = feed->log.ring.now.head.offset;
	bcos_log_group(&feed->log);
	/* A quarter of a zone of 64 KiB, and the names of 202 processes. */
	assert_in_range(feed->log.ring.now.head.offset - begin, 16384, 16384 + 202 * 40);
	feed_pass(feed, feed->time);
	assert_non_null(strstr(feed_text(feed, from, false), "0199\"\n"));
	assert_null(strstr(feed_text(feed, from, false), "0000\"\n"));
}

/* What the host reads holds until then at the earliest, so a child that begins before is in an unknown group. */
static void test_asked(void **state)
{
	struct feed *feed = *state;
	u64 from = feed_mark(feed);

	feed->host.grouped = 50;
	feed->host.cgroup = "/c";
	feed->host.cgroup_read = 2500;
	bcos_log_group(&feed->log);
	bear(feed, 51, 6, 50);
	feed->time = 2500;
	bear(feed, 52, 7, 50);
	bear(feed, 53, 8, 51);
	feed_pass(feed, feed->time);
	check_text(feed, from,
		   "2000+500 50 event 0xc000000c 00 cgroup \"/c\" read\n" BORN(51, "50 \"bash\"")
		   "2500 52 name sh\n2500 52 event 0xc0000005 00 parent 50 \"bash\"\n"
		   "2500 53 name sh\n2500 53 event 0xc0000005 00 parent 51 \"sh\"\n");
	/* A second later the host is asked for those that are still unknown. */
	feed->host.grouped = 51;
	feed->host.cgroup = "/d";
	feed->time = 1000002500;
	from = feed_mark(feed);
	feed_switch(feed, 0, 52);
	check_text(feed, from, "1000002500 0 assign 52\n1000002500 51 event 0xc000000c 00 cgroup \"/d\"\n");
	from = feed_mark(feed);
	bcos_log_group(&feed->log);
	feed_pass(feed, feed->time);
	check_text(feed, from,
		   "1000002500 52 event 0xc000000c 00 cgroup \"/c\"\n"
		   "1000002500 51 event 0xc000000c 00 cgroup \"/d\"\n"
		   "1000002500 50 event 0xc000000c 00 cgroup \"/c\"\n");
}

/* After a loss of births and deaths, or while the class is off, a process may have moved unseen. */
static void test_forgotten(void **state)
{
	struct bcos_loss loss = { 2000, 2000, { [BCOS_LOSS_LIFE] = 1 }, 0 };
	struct feed *feed = *state;
	u64 from;

	move(feed, 50, 5, 0, "/a");
	bcos_log_lost(&feed->log, 0, &loss);
	feed_pass(feed, feed->time);
	from = feed_mark(feed);
	bcos_log_group(&feed->log);
	feed_pass(feed, feed->time);
	check_text(feed, from, "");
	feed->time = 2001;
	move(feed, 50, 5, 0, "/a");
	bcos_log_recorded(&feed->log, feed->log.mask & ~BCOS_CLASS_WHO);
	from = feed_mark(feed);
	move(feed, 50, 5, 0, "/off");
	check_text(feed, from, "");
	bcos_log_recorded(&feed->log, feed->log.mask | BCOS_CLASS_WHO);
	from = feed_mark(feed);
	bcos_log_group(&feed->log);
	feed_pass(feed, feed->time);
	check_text(feed, from, "");
}

/* While moves are lost, what a record tells holds for its moment alone: the process may have moved once more. */
static void test_moved_amid_loss(void **state)
{
	struct bcos_loss loss = { 2000, 3000, { [BCOS_LOSS_LIFE] = 1 }, 0 };
	struct feed *feed = *state;
	u64 from;

	bcos_log_lost(&feed->log, 0, &loss);
	feed_pass(feed, feed->time);
	feed->time = 3000;
	from = feed_mark(feed);
	move(feed, 50, 5, 0, "/a");
	bcos_log_group(&feed->log);
	feed_pass(feed, feed->time);
	check_text(feed, from, "3000 50 event 0xc000000c 00 cgroup \"/a\"\n");
	feed->time = 3001;
	from = feed_mark(feed);
	move(feed, 50, 5, 0, "/a");
	bcos_log_group(&feed->log);
	feed_pass(feed, feed->time);
	check_text(feed, from,
		   "3001 50 event 0xc000000c 00 cgroup \"/a\"\n"
		   "3001 50 event 0xc000000c 00 cgroup \"/a\"\n");
}

/* Without memory the event stands in the log, and the model does not know. */
static void test_group_without_memory(void **state)
{
	struct feed *feed = *state;
	u64 from = feed_mark(feed);

	move(feed, 50, 5, 0, "/a");
	feed->host.fail_at = feed->host.asked + 1;
	feed->host.fail_for = 1;
	move(feed, 50, 5, 0, "/b");
	bear(feed, 51, 6, 50);
	assert_non_null(strstr(feed_text(feed, from, false), "2000 50 event 0xc000000c 00 cgroup \"/b\"\n"));
	from = feed_mark(feed);
	bcos_log_group(&feed->log);
	feed_pass(feed, feed->time);
	assert_null(strstr(feed_text(feed, from, false), "cgroup"));
}

static void refuse(const char *text)
{
	struct bcos_in_cgroup told;
	char room[256];

	assert_false(bcos_cgroup_parse(&told, room, text, strlen(text)));
}

static void test_cgroup_texts(void **state)
{
	static const char text[] = "cgroup cpu \"/a\\\"b\"... read";
	char room[BCOS_CGROUP_TEXT], again[BCOS_CGROUP_TEXT];
	struct bcos_in_cgroup told;

	(void)state;
	assert_true(bcos_cgroup_parse(&told, room, text, sizeof(text) - 1));
	assert_string_equal(told.path, "/a\"b");
	assert_true(told.cpu && told.cut && told.read);
	assert_int_equal(bcos_cgroup_format(again, told.path, 4, BCOS_RAW_CGROUP_CUT | BCOS_RAW_CGROUP_CPU, true),
			 sizeof(text) - 1);
	assert_memory_equal(again, text, sizeof(text) - 1);
	assert_true(bcos_cgroup_parse(&told, room, "cgroup \"/\"", 10));
	assert_true(!told.cpu && !told.cut && !told.read);
	refuse("");
	refuse("cgroup ");
	refuse("cgroup /");
	refuse("cgroup \"/");
	refuse("cgroup \"/\" ");
	refuse("cgroup \"/\" reads");
	refuse("cgroup cpuset \"/\"");
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, begin_feed, finish_feed)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(by_process), TEST(while_it_runs), TEST(by_kernel), TEST(chosen), TEST(which), TEST(nobody),
		TEST(sender_gone), TEST(victim_again), TEST(off), TEST(names), TEST(hidden), TEST(no_memory),
		TEST(parents), TEST(numbers), TEST(hidden_parents), TEST(long_parent), TEST(exec),
		TEST(long_arguments), TEST(exec_room), TEST(exec_early), TEST(moves), TEST(children), TEST(many_groups),
		TEST(asked), TEST(forgotten),
		TEST(moved_amid_loss),
		TEST(group_without_memory), TEST(cgroup_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
