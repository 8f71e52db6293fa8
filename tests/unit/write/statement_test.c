// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * core/write/statement.c: which statements a log makes after each group, and what groups leave out while assignments
 * are off.
 */
#include "core/write/statement.h"
#include "core/format/statement_text.h"
#include "core/write/figures.h"
#include "core/write/event.h"
#include "core/rules/rules.h"
#include "check.h"
#include "churn.h"
#include "oracle.h"

#define SECOND 1000000000ull

static const struct bcos_statements first = {
	.clock = true, .error = 20, .offset = 1700000000 * SECOND, .boot = "11111111-2222-3333-4444-555555555555",
	.host = "box", .kernel = "6.12.0 x86_64", .version = "bcos_evlog 0.1.0 module",
};

#define BLOCK(time, clock, host) \
	time "+20 0 event 0xc0000010 40 wall clock " clock "\n" \
	time " 0 event 0xc0000011 40 boot 11111111-2222-3333-4444-555555555555\n" \
	time " 0 event 0xc0000012 40 host " host "\n" \
	time " 0 event 0xc0000013 40 kernel 6.12.0 x86_64\n" \
	time " 0 event 0xc0000014 40 bcos_evlog 0.1.0 module\n"

static int set_up(void **state)
{
	struct feed *feed = calloc(1, sizeof(*feed));

	assert_non_null(feed);
	assert_int_equal(feed_init(feed, 256 << 10, 8), 0);
	assert_int_equal(feed_prime(feed, 2, NULL, 0, 1000), 0);
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

/* Makes entries until there is another group. Return: the offset of the group on the tape. */
static u64 next_group(struct feed *feed)
{
	u64 groups = feed->log.stats.groups;

	while (feed->log.stats.groups == groups) {
		feed->time++;
		feed_birth(feed, 0, 1000, (u32)feed->time, "x");
		feed_dead(feed, 0, 1000, (u32)feed->time, 0);
	}
	feed_pass(feed, feed->time);
	return feed->log.ring.now.group.offset;
}

static void test_after_a_group(void **state)
{
	struct feed *feed = *state;
	struct bcos_status status = { 0 };
	char expected[512];
	u64 from;

	bcos_log_say(&feed->log, &first, 900);
	feed_pass(feed, 1000);
	/* The text is the latest UTC that belongs to the entry's time: the offset, 1000 ns, and the error of 20 ns. */
	check_text(feed, 0, BLOCK("1000", "1700000000.000001020", "box"));
	from = next_group(feed);
	snprintf(expected, sizeof(expected), "%llu+20 0 event 0xc0000010 40 wall clock 1700000000.%09llu\n",
		 (unsigned long long)feed->time, (unsigned long long)feed->time + 20);
	assert_memory_equal(feed_text(feed, from, false), expected, strlen(expected));
	/*
	 * Each entry has 25 bytes before its text. The texts have 30, 41, 8, 20 and 23 bytes, and each size is a
	 * multiple of 4.
	 */
	bcos_log_status(&feed->log, &status);
	assert_int_equal(status.group_bytes - bcos_model_group_bytes(&feed->log.model), 56 + 68 + 36 + 48 + 48);
}

static void test_nothing_known(void **state)
{
	struct feed *feed = *state;

	feed_pass(feed, 1000);
	check_text(feed, 0, "");
}

static void test_what_changes(void **state)
{
	struct feed *feed = *state;
	struct bcos_statements now = first;
	u64 from;

	bcos_log_say(&feed->log, &now, 900);
	feed_pass(feed, 1000);
	from = feed_mark(feed);
	bcos_log_say(&feed->log, &now, 1500);
	feed_pass(feed, 1000);
	check_text(feed, from, "");
	/*
	 * The new offset lies within the errors of the stated one, although it is less exact, and then 1 ns beyond
	 * them.
	 */
	now.offset += 20;
	now.error = 100;
	bcos_log_say(&feed->log, &now, 1600);
	feed_pass(feed, 1000);
	check_text(feed, from, "");
	now.offset += 1;
	bcos_log_say(&feed->log, &now, 2 * SECOND);
	feed_pass(feed, 1000);
	check_text(feed, from, "1000+100 0 event 0xc0000010 40 wall clock 1700000000.000001121\n");
	/* The clock is stated at most once a second, with the offset that it has then. */
	from = feed_mark(feed);
	now.offset = SECOND;
	bcos_log_say(&feed->log, &now, 3 * SECOND - 1);
	now.offset = 2 * SECOND;
	bcos_log_say(&feed->log, &now, 3 * SECOND - 1);
	feed_pass(feed, 1000);
	check_text(feed, from, "");
	bcos_log_say(&feed->log, &now, 3 * SECOND);
	feed_pass(feed, 1000);
	check_text(feed, from, "1000+100 0 event 0xc0000010 40 wall clock 2.000001100\n");
	/* A new host name is stated at once. It was set some time since the newest entry. */
	from = feed_mark(feed);
	strcpy(now.host, "b\xFFx");
	bcos_log_say(&feed->log, &now, 3 * SECOND + 5);
	feed_pass(feed, 1000);
	check_text(feed, from, "1000+2999999006 0 event 0xc0000012 40 host b\xEF\xBF\xBDx\n");
	/* A clock before 1970 is not stated. */
	from = feed_mark(feed);
	now.offset = 0 - 5 * SECOND;
	bcos_log_say(&feed->log, &now, 9 * SECOND);
	feed_pass(feed, 1000);
	check_text(feed, from, "");
	/* If it is known when the clock was set, the statement has that time, and the offset holds from then on. */
	from = feed_mark(feed);
	now.offset = 3 * SECOND;
	bcos_log_clock_set(&feed->log, &now, 11 * SECOND);
	feed_pass(feed, 11 * SECOND);
	check_text(feed, from, "11000000000+100 0 event 0xc0000010 40 wall clock 14.000000100\n");
	/* A setting that follows within a second can be stated when the second is over, and then is. */
	from = feed_mark(feed);
	assert_int_equal(bcos_log_clock_due(&feed->log, 11 * SECOND + 5), 12 * SECOND);
	assert_int_equal(bcos_log_clock_due(&feed->log, 12 * SECOND + 5), 12 * SECOND + 5);
	now.offset = 4 * SECOND;
	bcos_log_clock_set(&feed->log, &now, 12 * SECOND - 1);
	bcos_log_clock_set(&feed->log, &now, 12 * SECOND);
	feed_pass(feed, 12 * SECOND);
	check_text(feed, from, "12000000000+100 0 event 0xc0000010 40 wall clock 16.000000100\n");
}

/* The longest statements do not take more bytes than a ring reserves for them. */
static void test_longest(void **state)
{
	struct feed *feed = *state;
	struct bcos_statements now = { .clock = true, .error = 1, .offset = 1ull << 62 };

	memset(now.boot, 0xFF, sizeof(now.boot));
	memset(now.host, 0xFF, sizeof(now.host));
	memset(now.kernel, 0xFF, sizeof(now.kernel));
	memset(now.version, 0xFF, sizeof(now.version));
	bcos_log_recorded(&feed->log, ~BCOS_CLASS_DEFAULT & 0x3FF);
	bcos_log_say(&feed->log, &now, 900);
	assert_in_range(bcos_statements_bytes(&feed->log), 700, BCOS_STATEMENTS_MAX);
	feed_pass(feed, 1000);
	next_group(feed);
}

/* ---- classes that are off ------------------------------------------------------- */

static void test_mask_words(void **state)
{
	char text[BCOS_MASK_TEXT];

	assert_int_equal(bcos_mask_format(text, sizeof(text), 0x1F, 0x3E), 43);
	assert_string_equal(text, "class mask 0x1f -> 0x3e: assign off, api on");
	assert_true(bcos_mask_format(text, sizeof(text), BCOS_CLASS_ALL, 0) < BCOS_MASK_TEXT);
	assert_string_equal(text, "class mask 0xfff -> 0: assign off, irq off, user off, kmsg off, io off, api off, "
			    "kernel_time off, idle off, state off, who off, exec off, request off");
}

static u32 count_of(const struct feed *feed, u64 from, const char *what)
{
	const char *at = feed_text(feed, from, true);
	u32 count = 0;

	for (; (at = strstr(at, what)); at++)
		count++;
	return count;
}

/* Class kernel_time requires all assignments, so they are recorded although class assign is off. */
static void test_kernel_time_alone(void **state)
{
	struct feed *feed = *state;
	u64 from;

	feed_pass(feed, 1000);
	feed->time = 2000;
	feed_birth(feed, 0, 5, 7, "five");
	feed_switch(feed, 0, 5);
	bcos_log_recorded(&feed->log, BCOS_CLASS_KERNEL_TIME);
	from = feed_mark(feed);
	feed->time = 2100;
	feed_switch(feed, 0, BCOS_PROCESS_IDLE);
	feed->time = 2200;
	feed_switch(feed, 0, 5);
	assert_int_equal(count_of(feed, from, "2100 0 assign idle\n"), 1);
	assert_int_equal(count_of(feed, from, "2200 0 assign 5\n"), 1);
	from = next_group(feed);
	assert_int_equal(count_of(feed, from, "*2200 0 assign 5\n"), 1);
}

/*
 * CPU 0 ran process 5 when assignments were turned off. From then on no group says that it runs there, but each group
 * says that assignments are off.
 */
static void test_no_false_history(void **state)
{
	struct feed *feed = *state;
	u32 others = BCOS_CLASS_DEFAULT & ~BCOS_CLASS_ASSIGN, round;
	char expected[128];
	u64 from;

	feed_pass(feed, 1000);
	feed->time = 2000;
	feed_birth(feed, 0, 5, 7, "five");
	feed_switch(feed, 0, 5);
	from = next_group(feed);
	assert_int_equal(count_of(feed, from, "*2000 0 assign 5\n"), 1);
	assert_int_equal(count_of(feed, from, "0x80000003"), 0);
	bcos_log_event(&feed->log, BCOS_GENERIC_CPU, 0, feed->time, 1, BCOS_EVENT_MASK, 0x40,
		       "class mask 0x1f -> 0x1e: assign off", 35);
	bcos_log_recorded(&feed->log, others);
	/* A record that was late changes nothing. */
	feed_switch(feed, 1, 5);
	snprintf(expected, sizeof(expected), " 0 event 0x80000003 40 class mask %#x -> %#x: assign off\n",
		 BCOS_CLASS_DEFAULT,
		 others);
	for (round = 0; round < 11; round++) {
		from = next_group(feed);
		assert_int_equal(count_of(feed, from, "assign 5"), 0);
		assert_int_equal(count_of(feed, from, "assign idle"), 0);
		assert_int_equal(count_of(feed, from, expected), 1);
	}
	/*
	 * The end of process 5 takes it off no CPU, a CPU that goes offline becomes idle, and a CPU that comes online
	 * is not assigned.
	 */
	feed->time++;
	from = feed_mark(feed);
	feed_dead(feed, 1, 5, 7, 0);
	feed_cpu_down(feed, 0, 1);
	feed_exec(feed, 1, 6, 8, "six");
	snprintf(expected, sizeof(expected), "%llu", (unsigned long long)feed->time);
	assert_int_equal(count_of(feed, from, "assign"), 1);
	assert_int_equal(count_of(feed, from, " 1 assign idle\n"), 1);
	assert_int_equal(count_of(feed, from, " 5 cancel 0\n"), 1);
	assert_int_equal(count_of(feed, from, " 6 name six\n"), 1);
	/* Assignments are on again: the log has what the CPUs run, whatever it was before. */
	bcos_log_recorded(&feed->log, BCOS_CLASS_DEFAULT);
	feed_switch(feed, 0, 0);
	feed_switch(feed, 1, 6);
	assert_int_equal(count_of(feed, from, " 0 assign 0\n"), 1);
	assert_int_equal(count_of(feed, from, " 1 assign 6\n"), 1);
	from = next_group(feed);
	assert_int_equal(count_of(feed, from, "0x80000003"), 0);
	assert_int_equal(count_of(feed, from, " 1 assign 6\n"), 1);
}

/* A made-up machine does all kinds of things while classes and statements change, on a ring that compacts. */
static void to_feed(void *context, u32 cpu, u64 time, struct feed_record record)
{
	struct feed *feed = context;

	feed->time = time;
	feed_apply(feed, cpu, &record);
}

static void test_churn(void **state)
{
	u64 seed = test_seed(), rounds = test_env("ROUNDS", 10);
	struct bcos_statements now = first;
	struct churn churn;
	struct feed *feed = *state;
	struct bcos_seen *seen;
	u32 n, step;

	feed_end(feed);
	memset(feed, 0, sizeof(*feed));
	churn_init(&churn, seed, 4, 60);
	churn_populate(&churn, 60);
	seen = calloc(churn.lives, sizeof(*seen));
	assert_non_null(seen);
	n = churn_walk(&churn, seen);
	assert_int_equal(feed_init(feed, 256 << 10, 8), 0);
	assert_int_equal(feed_prime(feed, 4, seen, n, 1000), 0);
	free(seen);
	churn.emit = to_feed;
	churn.context = feed;
	churn.hotplug = churn.interrupts = true;
	bcos_log_say(&feed->log, &now, 900);
	feed_pass(feed, 1000);
	feed->flags |= ORACLE_LOSSES;
	while (feed->log.ring.now.compactions < rounds) {
		for (step = 0; step < 500; step++)
			churn_step(&churn);
		now.offset += next_random(&seed) % 3 * 1000000;
		now.host[0] = (char)('a' + next_random(&seed) % 4);
		bcos_log_say(&feed->log, &now, feed->time);
		n = next_random(&seed) % 2 ? BCOS_CLASS_DEFAULT : (u32)next_random(&seed) & BCOS_CLASS_ALL;
		if (n != feed->log.mask && feed->log.model.cpus[0].online) {
			char text[200];
			int length = bcos_mask_format(text, sizeof(text), feed->log.mask, n);

			bcos_log_event(&feed->log, BCOS_GENERIC_CPU, 0, feed->time, 1, BCOS_EVENT_MASK, 0x40, text,
				       (size_t)length);
			bcos_log_recorded(&feed->log, n);
		}
		feed_check_oldest(feed);
	}
	churn_free(&churn);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	static const struct CMUnitTest tests[] = {
		TEST(test_after_a_group), TEST(test_nothing_known), TEST(test_what_changes), TEST(test_longest),
		cmocka_unit_test(test_mask_words), TEST(test_kernel_time_alone), TEST(test_no_false_history),
		TEST(test_churn),
	};

	return cmocka_run_group_tests_name("statement", tests, NULL, NULL);
}
