// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Power and performance of cores (5.5.1, 5.5.2). */
#include "core/write/figures.h"
#include "core/rules/rules.h"
#include "check.h"
#include "core/write/emit.h"
#include "core/capture/performance.h"

/* Each rule of 5.5.1, and the example of it as module/DESIGN.md, 3.12 corrects it. */
static void test_fields(void **state)
{
	static const struct {
		u32 idle_mw, busy_mw;
		u16 idle, difference;
	} rows[] = {
		{ 0, 0, 0, 0 },				/* unknown */
		{ 1, 1, 1, 0 },				/* less than 2 mW counts as 2 mW */
		{ 2, 2, 1, 0 },
		{ 3, 4, 1, 1 },				/* 2 mW are stored, and busy is 2 mW more */
		{ 4, 6, 2, 1 },
		{ 131068, 131068, 0xFFFE, 0 },
		{ 131071, 131071, 0xFFFF, 0 },		/* 65535 units, which also stand for more */
		{ 131072, 131072, 0xFFFF, 1 },		/* 131070 mW are stored */
		{ 131072, 262141, 0xFFFF, 0xFFFF },
		{ 131072, 262139, 0xFFFF, 0xFFFE },
		{ 200000, 300000, 0xFFFF, 0xFFFF },	/* 131070 mW are stored: 168930 more */
		{ 1000, 132072, 500, 0xFFFF },
		{ 1000, 132068, 500, 0xFFFE },
		{ 1000, 4000000000u, 500, 0xFFFF },
		{ 5000, 4000, 2500, 0 },		/* a busy core takes no less */
		{ 0, 4000, 0, 2000 },
	};
	struct bcos_estimate estimate = { 0 };
	u16 idle, difference;
	size_t i;

	for (i = 0; i < COUNT(rows); i++) {
		estimate.idle_mw = rows[i].idle_mw;
		estimate.busy_mw = rows[i].busy_mw;
		bcos_power_fields(&estimate, &idle, &difference);
		assert_int_equal(idle, rows[i].idle);
		assert_int_equal(difference, rows[i].difference);
	}
}

/* Returns the newest entry of this type, Core Online or its historical form, of a core. */
static const struct bcos_core_online *find_newest(const struct feed *feed, u32 core, u16 type)
{
	const struct bcos_core_online *found = NULL;
	const struct bcos_entry *entry;
	u64 at;

	for (at = 0; at < feed->length; at += entry->size) {
		entry = (const void *)(feed->tape + at);
		if (entry->type == type && entry->source == core)
			found = (const void *)entry;
	}
	return found;
}

static void test_entries(void **state)
{
	struct feed feed = { 0 };
	const struct bcos_core_online *core;
	u64 from;

	test_estimate = (struct bcos_estimate){ .idle_mw = 1000, .busy_mw = 5000, .performance = 300000 };
	assert_int_equal(feed_init(&feed, 256 << 10, 8), 0);
	feed.host.cpus_per_core = 2;
	assert_int_equal(feed_prime(&feed, 4, NULL, 0, 1000), 0);
	feed_pass(&feed, 2000);
	core = find_newest(&feed, 1, BCOS_HIST_CORE_ONLINE);
	assert_non_null(core);
	assert_int_equal(core->idle_power, 500);
	assert_int_equal(core->power_difference, 2000);
	/* The table has one value for each CPU of the core. */
	assert_int_equal(core->header.size, sizeof(*core) + 2 * sizeof(u32));
	assert_int_equal(core->performance[0], 300000);
	assert_int_equal(core->performance[1], 300000);
	/* Estimates that have not changed write nothing. */
	from = feed_mark(&feed);
	bcos_log_estimate(&feed.log, 2000);
	feed_pass(&feed, 3000);
	check_text(&feed, from, "");
	/* A new value is stated once for each core, as of some time between the newest record and now. */
	test_estimate.performance = 200000;
	bcos_log_estimate(&feed.log, 3500);
	bcos_log_estimate(&feed.log, 3500);
	feed_pass(&feed, 4000);
	check_text(&feed, from, "1000+2501 0 core online 2\n1000+2501 1 core online 2\n");
	core = find_newest(&feed, 0, BCOS_CORE_ONLINE);
	assert_non_null(core);
	assert_int_equal(core->performance[1], 200000);
	/* A new value is also stated if it is found when a CPU comes back to a core that is online. */
	feed.time = 5000;
	feed_switch(&feed, 0, BCOS_PROCESS_IDLE);
	feed_cpu_down(&feed, 0, 1);
	test_estimate.performance = 100000;
	from = feed_mark(&feed);
	feed_switch(&feed, 1, BCOS_PROCESS_IDLE);
	check_text(&feed, from, "5000 0 core online 2\n5000 1 online 0\n5000 1 assign idle\n");
	test_estimate = (struct bcos_estimate){ 0 };
	feed_check(&feed);
	feed_end(&feed);
}

/* Performance by counted instructions, computed by hand: 1 GHz and an instruction a clock are 125000 in 125 us. */
static void test_counted(void **state)
{
	static const struct {
		struct bcos_work work[3];
		u32 cpus, which, expected;	/* 0: nothing is learnt */
	} rows[] = {
		/*
		 * One CPU is busy; half busy at twice the pace; busy for too short a time; just long enough; without
		 * instructions; idle.
		 */
		{ { { 1000000000, 1000000000 } }, 1, 0, 125000 },
		{ { { 1000000000, 500000000 } }, 1, 0, 250000 },
		{ { { 1000000, 62499999 } }, 1, 0, 0 },
		{ { { 62500000, 62500000 } }, 1, 0, 125000 },
		{ { { 0, 1000000000 } }, 1, 0, 0 },
		{ { { 0, 0 } }, 1, 0, 0 },
		/* One of several CPUs is busy, or all are. Nothing is learnt while a CPU is neither busy nor idle. */
		{ { { 2000000000, 1000000000 }, { 1000, 1000000 } }, 2, 0, 250000 },
		{ { { 1000, 1000000 }, { 2000000000, 1000000000 } }, 2, 0, 250000 },
		{ { { 1000000000, 1000000000 }, { 1400000000, 1000000000 } }, 2, 1, 150000 },
		{ { { 1000000000, 1000000000 }, { 500000000, 500000000 } }, 2, 0, 0 },
		{ { { 1000000000, 874999999 }, { 0, 0 } }, 2, 0, 0 },
		{ { { 1000000000, 875000000 }, { 0, 0 } }, 2, 0, 142857 },
		{ { { 500000000, 1000000000 }, { 500000000, 1000000000 }, { 500000000, 1000000000 } }, 3, 2, 62500 },
		/* More than 32 bits can hold. */
		{ { { ~0ull, 62500000 } }, 1, 0, 0xFFFFFFFF },
	};
	u32 counted[BCOS_SIBLINGS], i, n;

	for (i = 0; i < COUNT(rows); i++) {
		memset(counted, 0, sizeof(counted));
		assert_int_equal(bcos_performance_learn(counted, rows[i].work, rows[i].cpus, 1000000000),
				 rows[i].expected != 0);
		for (n = 0; n < BCOS_SIBLINGS; n++)
			assert_int_equal(counted[n], n == rows[i].which ? rows[i].expected : 0);
	}
	assert_false(bcos_performance_learn(counted, rows[0].work, 0, 1000000000));
	assert_false(bcos_performance_learn(counted, rows[0].work, BCOS_SIBLINGS + 1, 1000000000));
}

/* A change by an eighth or less is nothing new. Counts of hours do not overflow. */
static void test_counted_again(void **state)
{
	struct bcos_work work = { 1000000000, 1000000000 };
	u32 counted[BCOS_SIBLINGS] = { 0 };

	assert_true(bcos_performance_learn(counted, &work, 1, 1000000000));
	assert_false(bcos_performance_learn(counted, &work, 1, 1000000000));
	work.instructions = 1125000000;
	assert_false(bcos_performance_learn(counted, &work, 1, 1000000000));
	work.instructions = 1126000000;
	assert_true(bcos_performance_learn(counted, &work, 1, 1000000000));
	assert_int_equal(counted[0], 140750);
	work = (struct bcos_work){ 4ull * 86400 * 1000000000 * 1000, 86400ull * 1000000000 * 1000 };
	assert_true(bcos_performance_learn(counted, &work, 1, 86400ull * 1000000000 * 1000));
	assert_in_range(counted[0], 499999, 500001);
}

/*
 * Entry n of the table is what was counted with n busy CPUs, or else the estimate. The status says if the log has
 * estimates.
 */
static void test_counted_entries(void **state)
{
	struct bcos_status status = { 0 };
	const struct bcos_core_online *core;
	struct feed feed = { 0 };

	test_estimate = (struct bcos_estimate){ .performance = 300000, .guessed = 1, .counted = { 0, 170000 } };
	assert_int_equal(feed_init(&feed, 256 << 10, 8), 0);
	feed.host.cpus_per_core = 2;
	assert_int_equal(feed_prime(&feed, 2, NULL, 0, 1000), 0);
	feed_pass(&feed, 2000);
	core = find_newest(&feed, 0, BCOS_HIST_CORE_ONLINE);
	assert_int_equal(core->performance[0], 300000);
	assert_int_equal(core->performance[1], 170000);
	bcos_log_status(&feed.log, &status);
	assert_int_equal(status.flags & BCOS_STATUS_ESTIMATED, BCOS_STATUS_ESTIMATED);
	test_estimate.counted[0] = 250000;
	bcos_log_estimate(&feed.log, 3500);
	feed_pass(&feed, 4000);
	core = find_newest(&feed, 0, BCOS_CORE_ONLINE);
	assert_non_null(core);
	assert_int_equal(core->performance[0], 250000);
	bcos_log_status(&feed.log, &status);
	assert_int_equal(status.flags & BCOS_STATUS_ESTIMATED, 0);
	/* A value that the machine's owner states is no estimate. */
	test_estimate = (struct bcos_estimate){ .performance = 300000 };
	bcos_log_estimate(&feed.log, 4500);
	bcos_log_status(&feed.log, &status);
	assert_int_equal(status.flags & BCOS_STATUS_ESTIMATED, 0);
	test_estimate = (struct bcos_estimate){ 0 };
	feed_end(&feed);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_entries),
		cmocka_unit_test(test_counted),
		cmocka_unit_test(test_counted_again),
		cmocka_unit_test(test_counted_entries),
	};

	return cmocka_run_group_tests_name("power", tests, NULL, NULL);
}
