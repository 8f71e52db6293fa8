// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* core/rules/walk.c: the log notes who ends during a walk, keeps what the walk found, and gives all of it back. */
#include "check.h"
#include "core/rules/rules.h"

static int set_up(void **state)
{
	struct feed *feed = calloc(1, sizeof(*feed));

	assert_non_null(feed);
	feed_start(feed, 2);
	feed->time = 2000;
	feed_birth(feed, 0, 1, 11, "init");
	*state = feed;
	return 0;
}

/* feed_end() checks that all memory was freed. */
static int tear_down(void **state)
{
	struct feed *feed = *state;

	feed_end(feed);
	free(feed);
	return 0;
}

static struct bcos_seen *a_list(struct feed *feed)
{
	struct bcos_seen *seen = test_host.alloc(&feed->host, sizeof(*seen));

	*seen = (struct bcos_seen){ .id = 1, .tag = 11, .start = 10, .name = "init" };
	return seen;
}

static u8 *list_online(struct feed *feed)
{
	u8 *cpus = test_host.alloc(&feed->host, feed->log.model.cpu_limit);

	cpus[0] = cpus[1] = 1;
	return cpus;
}

static struct bcos_seen_devices list_devices(struct feed *feed)
{
	struct bcos_seen_devices seen = { .room = 16 };

	seen.unit = test_host.alloc(&feed->host, seen.room * sizeof(*seen.unit));
	return seen;
}

/* Checks that the log keeps nothing of a walk, and has as many allocations as before. */
static void expect_nothing(const struct feed *feed, unsigned long live)
{
	assert_null(feed->log.seen);
	assert_null(feed->log.seen_online);
	assert_null(feed->log.seen_devices.unit);
	assert_null(feed->log.gone);
	assert_int_equal(feed->log.gone_count, 0);
	assert_int_equal(feed->log.gone_limit, 0);
	assert_false(feed->log.remembers);
	assert_false(feed->log.resyncing);
	assert_int_equal(feed->host.live, live);
}

static void expect_flags(const struct feed *feed, bool needs_walk, bool walking, bool remembers)
{
	assert_int_equal(feed->log.needs_walk, needs_walk);
	assert_int_equal(feed->log.walking, walking);
	assert_int_equal(feed->log.remembers, remembers);
}

/* A walk that begins answers the request for it, and the log forgets what an earlier walk left. */
static void test_begins(void **state)
{
	struct feed *feed = *state;
	unsigned long live = feed->host.live;
	struct bcos_seen_devices seen = list_devices(feed);

	feed->log.needs_walk = true;
	bcos_log_walked(&feed->log, a_list(feed), 1, 3000, 3100);
	bcos_log_walked_cpus(&feed->log, list_online(feed));
	bcos_log_walked_devices(&feed->log, &seen);
	bcos_log_gone(&feed->log, 5, 50);
	assert_true(bcos_log_is_gone(&feed->log, 5, 50));
	feed->log.resyncing = true;
	feed->log.needs_walk = true;
	bcos_log_walk_begins(&feed->log);
	expect_flags(feed, false, true, true);
	assert_false(bcos_log_is_gone(&feed->log, 5, 50));
	feed->log.remembers = false;
	expect_nothing(feed, live);
}

/* Until a walk begins the log notes no process that ends. From then on it notes each of them except ID 0. */
static void test_notes(void **state)
{
	struct feed *feed = *state;
	unsigned long live = feed->host.live;

	bcos_log_gone(&feed->log, 5, 50);
	assert_false(bcos_log_is_gone(&feed->log, 5, 50));
	bcos_log_walk_begins(&feed->log);
	bcos_log_gone(&feed->log, 0, 50);
	expect_flags(feed, false, true, true);
	assert_null(feed->log.gone);
	bcos_log_gone(&feed->log, 5, 50);
	bcos_log_gone(&feed->log, 5, 50);
	assert_int_equal(feed->log.gone_count, 1);
	assert_true(bcos_log_is_gone(&feed->log, 5, 50));
	assert_false(bcos_log_is_gone(&feed->log, 5, 51));
	assert_false(bcos_log_is_gone(&feed->log, 6, 50));
	/* The key of a device is not taken for a process. */
	bcos_log_gone_device(&feed->log, 0xFFFF888000000007ull);
	assert_true(bcos_log_is_gone_device(&feed->log, 0xFFFF888000000007ull));
	assert_false(bcos_log_is_gone_device(&feed->log, 0xFFFF888000000008ull));
	assert_false(bcos_log_is_gone_device(&feed->log, 0xFFFF888100000007ull));
	assert_false(bcos_log_is_gone_device(&feed->log, 5ull << 32 | 50));
	assert_int_equal(feed->log.gone_count, 2);
	/* The list of a walk that was announced leaves the notes. */
	bcos_log_walked(&feed->log, a_list(feed), 1, 3000, 3100);
	expect_flags(feed, false, false, true);
	assert_true(bcos_log_is_gone(&feed->log, 5, 50));
	/* A host that makes no passes during a walk does not announce it, so the notes are older than this list. */
	bcos_log_walked(&feed->log, a_list(feed), 1, 3000, 3100);
	assert_false(bcos_log_is_gone(&feed->log, 5, 50));
	assert_true(feed->log.remembers);
	assert_non_null(feed->log.seen);
	bcos_log_forget_walk(&feed->log);
	expect_nothing(feed, live);
}

/* The log asks for another walk if one fails, and notes no process until that walk begins. */
static void test_fails(void **state)
{
	struct feed *feed = *state;
	unsigned long live = feed->host.live;

	bcos_log_walk_begins(&feed->log);
	bcos_log_gone(&feed->log, 5, 50);
	bcos_log_walk_failed(&feed->log);
	expect_flags(feed, true, false, false);
	expect_nothing(feed, live);
	bcos_log_gone(&feed->log, 5, 50);
	expect_nothing(feed, live);
}

/*
 * A process that ended and could not be noted would come to life again, so the log drops the walk and asks for another.
 */
static void test_no_memory(void **state)
{
	struct feed *feed = *state;
	unsigned long live = feed->host.live;
	struct bcos_seen_devices seen;

	bcos_log_walk_begins(&feed->log);
	feed->host.fail_at = feed->host.asked + 1;
	feed->host.fail_for = 1;
	bcos_log_gone(&feed->log, 5, 50);
	expect_flags(feed, true, true, false);
	expect_nothing(feed, live);
	bcos_log_walked(&feed->log, a_list(feed), 1, 3000, 3100);
	expect_flags(feed, true, false, false);
	expect_nothing(feed, live);
	/* The log keeps nothing else of that walk either. */
	bcos_log_walked_cpus(&feed->log, list_online(feed));
	seen = list_devices(feed);
	bcos_log_walked_devices(&feed->log, &seen);
	expect_nothing(feed, live);
}

/* Memory may also run out while a list waits for the log to reach its end. */
static void test_no_memory_later(void **state)
{
	struct feed *feed = *state;
	unsigned long live = feed->host.live;

	feed->log.needs_walk = true;
	bcos_log_walked(&feed->log, a_list(feed), 1, 3000, 3100);
	bcos_log_walked_cpus(&feed->log, list_online(feed));
	expect_flags(feed, false, false, true);
	feed->host.fail_at = feed->host.asked + 1;
	feed->host.fail_for = 1;
	bcos_log_gone(&feed->log, 5, 50);
	expect_flags(feed, true, false, false);
	expect_nothing(feed, live);
}

/*
 * However many processes end during a walk, the log knows each of them and no other, and its memory grows in
 * proportion.
 */
static void test_many(void **state)
{
	struct feed *feed = *state;
	u64 before = feed->host.bytes, each = sizeof(*feed->log.gone);
	u32 id;

	bcos_log_walk_begins(&feed->log);
	for (id = 1; id <= 20000; id++) {
		bcos_log_gone(&feed->log, id, id / 2);
		assert_int_equal(feed->log.gone_count, id);
		/* Half of the table is free, so that a search ends soon. */
		assert_true(feed->log.gone_limit >= 2 * id);
		assert_true(feed->host.bytes - before <= (id < 128 ? 256 : 4 * id) * each);
	}
	for (id = 1; id <= 20000; id++) {
		assert_true(bcos_log_is_gone(&feed->log, id, id / 2));
		assert_false(bcos_log_is_gone(&feed->log, id, id / 2 + 1));
	}
	bcos_log_forget_walk(&feed->log);
	assert_true(feed->host.bytes == before);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_begins), TEST(test_notes), TEST(test_fails), TEST(test_no_memory), TEST(test_no_memory_later),
		TEST(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
