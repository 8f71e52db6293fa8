// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* core/rules/resync.c: after births or deaths were lost, the task list says what changed (module/DESIGN.md, 8.2). */
#include <time.h>

#include "core/rules/rules.h"
#include "check.h"
#include "churn.h"
#include "core/write/emit.h"
#include "oracle.h"

#define EXITED(code) ((code) << 8)

static int set_up(void **state)
{
	struct feed *feed = calloc(1, sizeof(*feed));

	assert_non_null(feed);
	feed->flags = ORACLE_LOSSES;
	feed_start(feed, 2);
	feed->time = 2000;
	feed_birth(feed, 0, 1, 11, "init");
	feed_birth(feed, 0, 2, 12, "sh");
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

static void end_walk(struct feed *feed, const struct bcos_seen *seen, u32 count, u64 from, u64 until)
{
	struct bcos_seen *copy = test_host.alloc(&feed->host, count * sizeof(*copy));

	memcpy(copy, seen, count * sizeof(*copy));
	feed->log.needs_walk = true;
	bcos_log_walked(&feed->log, copy, count, from, until);
	assert_false(feed->log.needs_walk);
}

#define INIT { .id = 1, .tag = 11, .start = 10, .name = "init" }
#define SH { .id = 2, .tag = 12, .start = 20, .name = "sh" }

static void test_nothing_missed(void **state)
{
	struct feed *feed = *state;
	struct bcos_seen seen[] = { INIT, SH };
	u64 from = feed_mark(feed);

	end_walk(feed, seen, 2, 3000, 3100);
	feed_pass(feed, 4000);
	check_text(feed, from, "");
}

static void test_missed_birth(void **state)
{
	struct feed *feed = *state;
	struct bcos_seen seen[] = { INIT, SH, { .id = 3, .tag = 13, .start = 2500, .name = "lost" } };
	u64 from;

	feed->time = 2600;
	feed_switch(feed, 1, 3);
	from = feed_mark(feed);
	end_walk(feed, seen, 3, 3000, 3100);
	/*
	 * The log waits until it has everything up to the end of the walk. The birth was some time between the newest
	 * entry and that end.
	 */
	feed_pass(feed, 3099);
	check_text(feed, from, "");
	feed_pass(feed, 3100);
	check_text(feed, from, "2600+501 3 name lost\n2600+501 1 assign 3\n");
	feed_pass(feed, 5000);
	check_text(feed, from, "2600+501 3 name lost\n2600+501 1 assign 3\n");
}

static void test_missed_death(void **state)
{
	struct feed *feed = *state;
	struct bcos_seen seen[] = { INIT };
	u64 from;

	feed_switch(feed, 1, 2);
	from = feed_mark(feed);
	end_walk(feed, seen, 1, 3000, 3100);
	feed_pass(feed, 3100);
	check_text(feed, from, "2000+1101 1 assign 0\n2000+1101 2 cancel 2147483647\n");
	assert_non_null(bcos_model_process(&feed->log.model, 1));
	assert_non_null(bcos_model_process(&feed->log.model, 0));
}

/* The exit was recorded and the last switch was lost, so the status is known. */
static void test_missed_last_switch(void **state)
{
	struct feed *feed = *state;
	struct bcos_seen seen[] = { INIT };
	u64 from;

	feed_exit(feed, 1, 2, 12, EXITED(7));
	from = feed_mark(feed);
	end_walk(feed, seen, 1, 3000, 3100);
	feed_pass(feed, 3100);
	check_text(feed, from, "2000+1101 2 cancel 7\n");
}

/* Death and birth of the same ID were lost. */
static void test_missed_both(void **state)
{
	struct feed *feed = *state;
	struct bcos_seen seen[] = { INIT, { .id = 2, .tag = 99, .start = 2500, .name = "other" } };
	u64 from = feed_mark(feed);

	end_walk(feed, seen, 2, 3000, 3100);
	feed_pass(feed, 3100);
	check_text(feed, from, "2000+1101 2 cancel 2147483647\n2000+1101 2 name other\n");
	from = feed_mark(feed);
	feed->time = 3200;
	feed_dead(feed, 0, 2, 12, 0);
	check_text(feed, from, "");
	feed_dead(feed, 0, 2, 99, EXITED(1));
	check_text(feed, from, "3200 2 cancel 1\n");
}

/* The log names the process late, but its historical entries have the true start. */
static void test_missed_start(void **state)
{
	struct feed *feed = *state;
	struct bcos_seen seen[] = { INIT, SH, { .id = 3, .tag = 13, .start = 1500, .name = "lost" } };

	end_walk(feed, seen, 3, 3000, 3100);
	feed_pass(feed, 3100);
	assert_int_equal(bcos_model_process(&feed->log.model, 3)->start, 1500);
}

/* A CPU goes offline, and later comes online, and only the walks tell. */
static void test_missed_cpus(void **state)
{
	struct feed *feed = *state;
	struct bcos_seen seen[] = { INIT, SH };
	const struct bcos_cpu *cpus = feed->log.model.cpus;
	u8 *online = test_host.alloc(&feed->host, feed->log.model.cpu_limit);

	feed_switch(feed, 1, 2);
	assert_true(cpus[0].online && cpus[1].online);
	online[0] = 1;
	end_walk(feed, seen, 2, 3000, 3100);
	bcos_log_walked_cpus(&feed->log, online);
	feed_pass(feed, 3100);
	assert_true(cpus[0].online && !cpus[1].online);
	online = test_host.alloc(&feed->host, feed->log.model.cpu_limit);
	online[0] = online[1] = 1;
	end_walk(feed, seen, 2, 4000, 4100);
	bcos_log_walked_cpus(&feed->log, online);
	feed_pass(feed, 4100);
	assert_true(cpus[0].online && cpus[1].online);
}

/*
 * The list is long, and as many processes died meanwhile: no pass takes long, and all passes together do not take a
 * time that grows with the square of the length.
 */
static void test_long(void **state)
{
	const u32 count = 200000;
	struct feed *feed = *state;
	struct bcos_seen *seen = test_host.alloc(&feed->host, count * sizeof(*seen));
	struct timespec begin, end;
	u32 i, passes = 0;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
	feed->log.needs_walk = true;
	bcos_log_walk_begins(&feed->log);
	assert_false(feed->log.needs_walk);
	for (i = 0; i < count; i++) {
		seen[i] = (struct bcos_seen){ .id = 10 + i, .tag = i, .start = 2000, .name = "x" };
		bcos_log_gone(&feed->log, 10 + i, i);
	}
	bcos_log_walked(&feed->log, seen, count, 3000, 3100);
	do {
		feed_pass(feed, 3100 + passes);
	} while (++passes < count && feed->log.resyncing);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
	assert_in_range(passes, 10, count / 1000);
	assert_int_equal(feed->log.model.process_count, 1);
	/* To compare each with each would take forty thousand million steps. */
	assert_true(end.tv_sec - begin.tv_sec < 10);
}

/* A process is born while the walk runs, after the walk has passed its place in the list. */
static void test_born_under_walk(void **state)
{
	struct feed *feed = *state;
	struct bcos_seen seen[] = { INIT, SH };
	u64 from = feed_mark(feed);

	end_walk(feed, seen, 2, 3000, 3100);
	feed->time = 3000;
	feed_birth(feed, 0, 3, 13, "new");
	feed->time = 3200;
	feed_birth(feed, 0, 4, 14, "newer");
	feed_pass(feed, 3300);
	check_text(feed, from, "3000 3 name new\n3200 4 name newer\n");
}

/* A process that the walk saw dies before the walk ends. */
static void test_died_under_walk(void **state)
{
	struct feed *feed = *state;
	struct bcos_seen seen[] = { INIT, SH };
	u64 from;

	end_walk(feed, seen, 2, 3000, 3100);
	feed->time = 3050;
	feed_dead(feed, 0, 2, 12, EXITED(1));
	from = feed_mark(feed);
	feed_pass(feed, 3100);
	check_text(feed, from, "");
	assert_null(bcos_model_process(&feed->log.model, 2));
}

#define DYING_SH { .id = 2, .tag = 12, .start = 20, .name = "sh", .dying = true, .status = EXITED(7) }

/* The last thread of a process has begun to exit before the walk came, and the records of its end follow the walk. */
static void test_dying_under_walk(void **state)
{
	struct feed *feed = *state;
	struct bcos_seen seen[] = { INIT, DYING_SH };
	u64 from = feed_mark(feed);

	end_walk(feed, seen, 2, 3000, 3100);
	feed_pass(feed, 3100);
	check_text(feed, from, "");
	feed->time = 3200;
	feed_exit(feed, 0, 2, 12, EXITED(7));
	check_text(feed, from, "");
	feed->time = 3300;
	feed_dead(feed, 0, 2, 12, EXITED(7));
	check_text(feed, from, "3300 2 cancel 7\n");
}

/* The walk came between the exit and the last switch, whose record follows. */
static void test_exited_under_walk(void **state)
{
	struct feed *feed = *state;
	struct bcos_seen seen[] = { INIT, DYING_SH };
	u64 from = feed_mark(feed);

	feed_exit(feed, 0, 2, 12, EXITED(7));
	end_walk(feed, seen, 2, 3000, 3100);
	feed_pass(feed, 3100);
	check_text(feed, from, "");
	feed->time = 3300;
	feed_dead(feed, 0, 2, 12, EXITED(7));
	check_text(feed, from, "3300 2 cancel 7\n");
}

/* The same, while no switches are recorded: the exit is the end. */
static void test_dying_without_switches(void **state)
{
	struct feed *feed = *state;
	struct bcos_seen seen[] = { INIT, DYING_SH };
	struct feed_record last = record_life(BCOS_RAW_EXIT, 2, BCOS_RAW_FINAL, 12, EXITED(7), NULL);
	u64 from = feed_mark(feed);

	bcos_log_recorded(&feed->log, BCOS_CLASS_IRQ);
	end_walk(feed, seen, 2, 3000, 3100);
	feed_pass(feed, 3100);
	check_text(feed, from, "");
	feed->time = 3200;
	feed_apply(feed, 0, &last);
	check_text(feed, from, "3200 2 cancel 7\n");
}

/* The exit was recorded before switches were switched off, so the record of the last switch is never made. */
static void test_exited_without_switches(void **state)
{
	struct feed *feed = *state;
	struct bcos_seen seen[] = { INIT, DYING_SH };
	u64 from;

	feed_exit(feed, 0, 2, 12, EXITED(7));
	bcos_log_recorded(&feed->log, BCOS_CLASS_IRQ);
	from = feed_mark(feed);
	end_walk(feed, seen, 2, 3000, 3100);
	feed_pass(feed, 3100);
	check_text(feed, from, "2000+1101 2 cancel 7\n");
}

/* All records of the end were lost, and the dead process waits for its parent: the second walk ends it. */
static void test_dead_and_not_reaped(void **state)
{
	struct feed *feed = *state;
	struct bcos_seen seen[] = { INIT, DYING_SH };
	u64 from = feed_mark(feed);

	end_walk(feed, seen, 2, 3000, 3100);
	feed_pass(feed, 3100);
	check_text(feed, from, "");
	assert_true(feed->log.needs_walk);
	end_walk(feed, seen, 2, 4000, 4100);
	feed_pass(feed, 4100);
	check_text(feed, from, "2000+2101 2 cancel 7\n");
	assert_false(feed->log.needs_walk);
	end_walk(feed, seen, 2, 5000, 5100);
	feed_pass(feed, 5100);
	check_text(feed, from, "2000+2101 2 cancel 7\n");
}

/* A dying process that the walk at load saw is over, and is not in the log. */
static void test_dying_at_load(void **state)
{
	struct bcos_seen seen[] = { INIT, DYING_SH };
	struct feed feed = { 0 };

	(void)state;
	assert_int_equal(feed_init(&feed, 256 << 10, 8), 0);
	assert_int_equal(feed_prime(&feed, 2, seen, 2, 1000), 0);
	feed_pass(&feed, 1000);
	assert_non_null(bcos_model_process(&feed.log.model, 1));
	assert_null(bcos_model_process(&feed.log.model, 2));
	feed_end(&feed);
}

/*
 * The birth of a process was lost, the walk saw the process, and it died before the walk ended: it must not come to
 * life.
 */
static void test_unborn_died_under_walk(void **state)
{
	struct feed *feed = *state;
	struct bcos_seen seen[] = { INIT, SH, { .id = 3, .tag = 13, .start = 2500, .name = "brief" } };
	u64 from;

	end_walk(feed, seen, 3, 3000, 3100);
	feed->time = 3050;
	feed_exit(feed, 0, 3, 13, EXITED(1));
	feed_dead(feed, 0, 3, 13, EXITED(1));
	from = feed_mark(feed);
	feed_pass(feed, 3100);
	check_text(feed, from, "");
	assert_null(bcos_model_process(&feed->log.model, 3));
}

/* The walk saw a process. Then the process died and its ID was born again, and both were recorded. */
static void test_reborn_under_walk(void **state)
{
	struct feed *feed = *state;
	struct bcos_seen seen[] = { INIT, SH };
	u64 from;

	end_walk(feed, seen, 2, 3000, 3100);
	feed->time = 3050;
	feed_dead(feed, 0, 2, 12, EXITED(1));
	feed_birth(feed, 0, 2, 33, "again");
	from = feed_mark(feed);
	feed_pass(feed, 3100);
	check_text(feed, from, "");
	assert_int_equal(bcos_model_process(&feed->log.model, 2)->tag, 33);
}

/* Many processes die while the walk runs. */
static void test_many_died(void **state)
{
	struct feed *feed = *state;
	struct bcos_seen seen[302] = { INIT, SH };
	u64 from;
	u32 i;

	for (i = 2; i < 302; i++) {
		seen[i] = (struct bcos_seen){ .id = 100 + i, .tag = i, .start = 2000, .name = "x" };
		feed_birth(feed, 0, 100 + i, i, "x");
	}
	end_walk(feed, seen, 302, 3000, 3100);
	feed->time = 3050;
	for (i = 2; i < 302; i++)
		feed_dead(feed, 0, 100 + i, i, 0);
	from = feed_mark(feed);
	feed_pass(feed, 3100);
	check_text(feed, from, "");
	assert_int_equal(feed->log.model.process_count, 3);
}

static void test_missed_name(void **state)
{
	struct feed *feed = *state;
	struct bcos_seen seen[] = { INIT, { .id = 2, .tag = 12, .start = 20, .name = "ls" } };
	u64 from = feed_mark(feed);

	end_walk(feed, seen, 2, 3000, 3100);
	feed_pass(feed, 3100);
	check_text(feed, from, "2000+1101 2 name ls\n");
}

/* A name that was set while the walk ran is newer than what the walk saw. */
static void test_name_under_walk(void **state)
{
	struct feed *feed = *state;
	struct bcos_seen seen[] = { INIT, { .id = 2, .tag = 12, .start = 20, .name = "before" } };
	u64 from;

	end_walk(feed, seen, 2, 3000, 3100);
	feed->time = 3000;
	feed_rename(feed, 0, 2, 12, "after");
	from = feed_mark(feed);
	feed_pass(feed, 3100);
	check_text(feed, from, "");
}

/* The birth of a helper is lost, or its exec. */
static void test_helpers(void **state)
{
	struct feed *feed = *state;
	struct bcos_seen seen[] = {
		INIT, SH,
		{ .id = 3, .tag = 13, .start = 2500, .name = "modprobe" },
		{ .id = 4, .tag = 14, .start = 2500, .hidden = true, .name = "kworker" },
	};
	u64 from;

	feed_helper(feed, 0, 3, 13, "kworker");
	feed->time = 2500;
	feed_switch(feed, 1, 3);
	from = feed_mark(feed);
	end_walk(feed, seen, 4, 3000, 3100);
	feed_pass(feed, 3100);
	check_text(feed, from, "2500+601 3 name modprobe\n2500+601 1 assign 3\n");
	from = feed_mark(feed);
	feed->time = 3200;
	feed_switch(feed, 1, 4);
	feed_exec(feed, 1, 4, 14, "helper");
	check_text(feed, from, "3200 1 assign 0\n3200 4 name helper\n3200 1 assign 4\n");
	assert_int_equal(feed->log.stats.unnamed, 0);
}

/* The birth of a helper is lost, and the helper runs already: it is still shown as the kernel. */
static void test_helper_runs(void **state)
{
	struct feed *feed = *state;
	struct bcos_seen seen[] = { INIT, SH,
				    { .id = 4, .tag = 14, .start = 2500, .hidden = true, .name = "kworker" } };
	u64 from;

	feed->time = 2500;
	feed_switch(feed, 1, 4);
	from = feed_mark(feed);
	end_walk(feed, seen, 3, 3000, 3100);
	feed_pass(feed, 3100);
	check_history(feed, from, "");
	feed->time = 3200;
	feed_exec(feed, 1, 4, 14, "helper");
	check_history(feed, from, "3200 4 name helper\n3200 1 assign 4\n");
}

/* Another walk comes before the last one was used: the log forgets the last one. */
static void test_walk_again(void **state)
{
	struct feed *feed = *state;
	struct bcos_seen wrong[] = { INIT }, right[] = { INIT, SH };
	unsigned long live = feed->host.live;
	u64 from = feed_mark(feed);

	end_walk(feed, wrong, 1, 3000, 3100);
	end_walk(feed, right, 2, 3200, 3300);
	assert_int_equal(feed->host.live, live + 1);
	feed_pass(feed, 3250);
	check_text(feed, from, "");
	feed_pass(feed, 3300);
	check_text(feed, from, "");
	assert_int_equal(feed->host.live, live);
}

/* A log that ends before it has used a walk frees the list, which feed_end() checks. */
static void test_walk_unused(void **state)
{
	struct feed *feed = *state;
	struct bcos_seen seen[] = { INIT };

	end_walk(feed, seen, 1, 3000, 3100);
}

/* Loses some records of a churn's lives, after which one walk puts the model right. */
static void drop_some(void *context, u32 cpu, u64 time, struct feed_record record)
{
	struct feed *feed = context;

	feed->time = time;
	/*
	 * Every third record of a life is lost. Switches and hotplug are not, since the log finds out their losses in
	 * other ways.
	 */
	if (bcos_raw_class(record.raw.kind) == BCOS_LOSS_LIFE && record.raw.kind != BCOS_RAW_CPU_DOWN && time % 3 == 0)
		return;
	feed_apply(feed, cpu, &record);
}

static void test_random(void **state)
{
	u64 seed = test_seed(), rounds = test_env("ROUNDS", 20);
	struct bcos_seen *seen;
	struct churn churn;
	struct feed feed;
	const char *wrong;
	u32 step, n;

	churn_init(&churn, seed, 4, 40);
	memset(&feed, 0, sizeof(feed));
	feed.flags = ORACLE_LOSSES;
	feed_start(&feed, 4);
	churn.emit = drop_some;
	churn.context = &feed;
	churn.hotplug = true;
	for (; rounds; rounds--) {
		for (step = 0; step < 2000; step++)
			churn_step(&churn);
		churn_settle(&churn);
		seen = test_host.alloc(&feed.host, churn.lives * sizeof(*seen));
		n = churn_walk(&churn, seen);
		/* The log frees the list with its exact size. */
		struct bcos_seen *exact = test_host.alloc(&feed.host, n * sizeof(*exact));

		memcpy(exact, seen, n * sizeof(*exact));
		test_host.free(&feed.host, seen, churn.lives * sizeof(*seen));
		churn.time += 10;
		bcos_log_walked(&feed.log, exact, n, churn.time, churn.time + 5);
		churn.time += 10;
		feed_pass(&feed, churn.time);
		wrong = churn_compare(&churn, &feed.log.model);
		if (wrong)
			print_error("%s\n", wrong);
		assert_null(wrong);
		feed_check_oldest(&feed);
	}
	feed_check(&feed);
	feed_end(&feed);
	churn_free(&churn);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	static const struct CMUnitTest tests[] = {
		TEST(test_nothing_missed), TEST(test_missed_birth), TEST(test_missed_death),
		TEST(test_missed_last_switch), TEST(test_missed_both), TEST(test_missed_start),
		TEST(test_missed_cpus), TEST(test_long), TEST(test_born_under_walk),
		TEST(test_died_under_walk), TEST(test_reborn_under_walk), TEST(test_unborn_died_under_walk),
		TEST(test_dying_under_walk), TEST(test_exited_under_walk), TEST(test_dying_without_switches),
		TEST(test_exited_without_switches),
		TEST(test_dead_and_not_reaped), TEST(test_many_died), TEST(test_missed_name),
		TEST(test_name_under_walk), TEST(test_helpers), TEST(test_helper_runs),
		TEST(test_walk_again), TEST(test_walk_unused),
		cmocka_unit_test(test_dying_at_load), cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests_name("resync", tests, NULL, NULL);
}
