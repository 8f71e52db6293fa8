// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Memory that runs out: each allocation in turn fails, the log stays right, and the loss is stated. */
#include "core/rules/rules.h"
#include "check.h"
#include "churn.h"
#include "core/merge/merge.h"
#include "oracle.h"

static void to_feed(void *context, u32 cpu, u64 time, struct feed_record record)
{
	struct feed *feed = context;

	feed->time = time;
	feed_apply(feed, cpu, &record);
}

/* Walks the task list if the log asks for it. The walk needs memory as well, and is repeated if it gets none. */
static void walk_tasks(struct feed *feed, struct churn *churn)
{
	struct bcos_seen *seen, *all = calloc(churn->lives, sizeof(*all));
	u32 n, tries;

	assert_non_null(all);
	for (tries = 0; feed->log.needs_walk && tries < 20; tries++) {
		n = churn_walk(churn, all);
		seen = test_host.alloc(&feed->host, n * sizeof(*seen));
		if (!seen)
			continue;
		memcpy(seen, all, n * sizeof(*seen));
		bcos_log_walked(&feed->log, seen, n, churn->time + 1, churn->time + 2);
		churn->time += 3;
		feed_pass(feed, churn->time);
	}
	free(all);
	assert_false(feed->log.needs_walk);
}

/*
 * Runs a machine of 4 CPUs for 1500 steps, while @fail_for allocations from number @fail_at on fail. Return: how many
 * failed.
 */
static unsigned long run_machine(unsigned long fail_at, unsigned long fail_for, unsigned long *asked)
{
	struct bcos_seen seen[400];
	unsigned long failed;
	struct churn churn;
	struct feed feed = { .host = { .fail_at = fail_at, .fail_for = fail_for } };
	const char *wrong;
	u32 step, n;

	churn_init(&churn, 12345, 4, 150);
	churn_populate(&churn, 150);
	churn.emit = to_feed;
	churn.context = &feed;
	churn.hotplug = churn.interrupts = true;
	n = churn_walk(&churn, seen);
	/* Only CPU 0 is online at load: the others' cores are found later. */
	if (feed_init(&feed, 256 << 10, 8) || feed_prime(&feed, 1, seen, n, 1000)) {
		failed = feed.host.failed;
		assert_true(failed > 0);
		goto out;
	}
	/* Without spare memory each birth allocates. */
	feed.log.model.spare_limit = 0;
	feed_pass(&feed, 1000);
	for (step = 0; step < 1500; step++) {
		churn_step(&churn);
		walk_tasks(&feed, &churn);
	}
	churn_settle(&churn);
	failed = feed.host.failed;
	wrong = churn_compare(&churn, &feed.log.model);
	if (wrong)
		print_error("allocation %lu: %s\n", fail_at, wrong);
	assert_null(wrong);
	/* The log counts and states its losses. */
	if (feed.log.stats.lost[BCOS_LOST_MEMORY]) {
		assert_true(failed > 0);
		assert_false(feed.log.starved);
		assert_non_null(strstr(feed_text(&feed, 0, false), "no memory"));
	}
	feed_check(&feed);
out:
	*asked = feed.host.asked;
	feed_end(&feed);
	churn_free(&churn);
	return failed;
}

static void each_fails(unsigned long fail_for)
{
	unsigned long total, asked, at, step = test_env("FULL", 0) ? 1 : 3;

	assert_int_equal(run_machine(0, 0, &total), 0);
	assert_true(total > 200);
	for (at = 1; at <= total; at += at < 30 ? 1 : step)
		assert_true(run_machine(at, fail_for, &asked) >= 1);
}

static void test_each(void **state) { each_fails(1); }
static void test_runs(void **state) { each_fails(7); }

/* If an allocation fails at load there is an error, and no memory stays allocated, which feed_end() checks. */
static void test_load(void **state)
{
	struct bcos_seen seen = { .id = 1, .tag = 11, .start = 50, .name = "init" };
	unsigned long at;
	int error = -ENOMEM;

	for (at = 1; error; at++) {
		struct feed feed = { .host = { .fail_at = at, .fail_for = 1 } };

		error = feed_init(&feed, 256 << 10, 8);
		if (!error)
			error = feed_prime(&feed, 2, &seen, 1, 1000);
		if (error)
			assert_int_equal(error, -ENOMEM);
		feed_end(&feed);
	}
	/* These are at least two tables, two cores, two processes and a device. */
	assert_true(at >= 7);
}

/* Return: how many allocations a merge of @sources CPUs makes. */
static u64 merge_parts(u32 sources)
{
	struct bcos_merge merge = { 0 };
	struct feed feed = { 0 };
	u64 before, parts = 0;
	int r;

	feed_start(&feed, 1);
	before = feed.log.model.heap.bytes;
	do {
		feed.host.fail_at = feed.host.asked + ++parts;
		feed.host.fail_for = 1;
		r = bcos_merge_init(&merge, &feed.log, sources);
		bcos_merge_destroy(&merge);
		assert_int_equal(feed.log.model.heap.bytes, before);
	} while (r == -ENOMEM && parts < 10);
	assert_int_equal(r, 0);
	feed_end(&feed);
	/* The last try got all its memory. */
	return parts - 1;
}

static void test_merge(void **state)
{
	/* The merge allocates its sources and two tables of the tournament. */
	assert_int_equal(merge_parts(1), 3);
	assert_int_equal(merge_parts(2), 3);
	assert_int_equal(merge_parts(8), 3);
}

/* A record names its CPU by 14 bits. */
static void test_merge_limit(void **state)
{
	struct bcos_merge merge = { 0 };
	struct feed feed = { 0 };

	feed_start(&feed, 1);
	assert_int_equal(bcos_merge_init(&merge, &feed.log, 16385), -EINVAL);
	bcos_merge_destroy(&merge);
	assert_int_equal(bcos_merge_init(&merge, &feed.log, 16384), 0);
	bcos_merge_destroy(&merge);
	feed_end(&feed);
}

static struct feed *starve_feed(struct feed *feed)
{
	memset(feed, 0, sizeof(*feed));
	feed_start(feed, 1);
	feed->time = 2000;
	feed->host.fail_at = feed->host.asked + 1;
	feed->host.fail_for = 1;
	return feed;
}

/* A birth without memory is stated as a loss, and requires a walk of the task list. */
static void test_birth(void **state)
{
	struct feed storage, *feed = starve_feed(&storage);
	u64 from = feed_mark(feed);

	feed_birth(feed, 0, 100, 1, "x");
	assert_true(feed->log.needs_walk);
	assert_int_equal(feed->log.stats.lost[BCOS_LOST_MEMORY], 1);
	assert_non_null(strstr(feed_text(feed, from, false), "2000 0 event 0x80000001 80 lost 1 "));
	assert_non_null(strstr(feed_text(feed, from, false), "no memory"));
	assert_non_null(strstr(feed_text(feed, from, false), "until 0.000002000 s"));
	feed_end(feed);
}

/*
 * There is no memory for the core of a new CPU. The birth in the CPU's first record is lost as well, so a walk is
 * required.
 */
static void test_core(void **state)
{
	struct feed storage, *feed = starve_feed(&storage);

	feed_birth(feed, 3, 100, 1, "x");
	assert_int_equal(feed->log.stats.lost[BCOS_LOST_MEMORY], 1);
	assert_null(bcos_model_process(&feed->log.model, 100));
	assert_true(feed->log.needs_walk);
	/* The next record finds memory. */
	feed_switch(feed, 3, 0);
	assert_true(feed->log.model.cpus[3].online);
	feed_check(feed);
	feed_end(feed);
}

static void test_core_of_switch(void **state)
{
	struct feed storage, *feed = starve_feed(&storage);

	feed_switch(feed, 3, 0);
	assert_false(feed->log.model.cpus[3].online);
	feed_switch(feed, 3, 0);
	assert_true(feed->log.model.cpus[3].online);
	feed_check(feed);
	feed_end(feed);
}

static void test_device(void **state)
{
	struct feed storage, *feed = starve_feed(&storage);
	u64 from = feed_mark(feed);

	feed_irq_name(feed, 0, 5, false, 1, "x");
	assert_non_null(strstr(feed_text(feed, from, false), "no memory"));
	from = feed_mark(feed);
	feed_irq(feed, 0, 5, 1);
	check_text(feed, from, "2000 0xc0000001 device 0 irq 5\n2000 0xc0000001 irq 0\n");
	feed_check(feed);
	feed_end(feed);
}

/* The model counts as many bytes as the host has given it. */
static void test_figure(void **state)
{
	struct churn churn;
	struct feed feed = { 0 };
	u32 step;

	feed_start(&feed, 4);
	churn_init(&churn, test_seed(), 4, 400);
	churn.emit = to_feed;
	churn.context = &feed;
	churn.interrupts = churn.hotplug = true;
	for (step = 0; step < 20000; step++) {
		churn_step(&churn);
		assert_int_equal(feed.log.model.heap.bytes, feed.host.bytes);
	}
	/* There were enough processes for the table to grow. */
	assert_true(feed.log.model.process_mask >= 256);
	feed_end(&feed);
	churn_free(&churn);
}

/* Processes with 15 more threads each, so that their IDs are 16 apart, share no buckets with many others. */
static void test_chains(void **state)
{
	static struct bcos_process *buckets[1024];
	struct bcos_model model = { .processes = buckets, .process_mask = 1023 };
	u32 used[1024] = { 0 }, longest = 0, id, bucket;

	(void)state;
	for (id = 16; id <= 512 * 16; id += 16) {
		bucket = bcos_model_bucket(&model, id);
		assert_in_range(bucket, 0, 1023);
		if (++used[bucket] > longest)
			longest = used[bucket];
	}
	assert_in_range(longest, 1, 4);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_load), cmocka_unit_test(test_merge), cmocka_unit_test(test_merge_limit),
		cmocka_unit_test(test_birth),
		cmocka_unit_test(test_core), cmocka_unit_test(test_core_of_switch), cmocka_unit_test(test_device),
		cmocka_unit_test(test_figure), cmocka_unit_test(test_each), cmocka_unit_test(test_runs),
		cmocka_unit_test(test_chains),
	};

	return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
