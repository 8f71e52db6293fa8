// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* core/write/log.c: the marks that readers get with each pass. */
#include "check.h"
#include "core/write/emit.h"
#include "core/write/group.h"

static struct bcos_marks marks_of(const struct feed *feed)
{
	struct bcos_marks marks;

	bcos_ring_marks(&feed->log.ring, &marks);
	return marks;
}

/* The marks have the time of the newest entry. If a reader begins now and is overtaken, its notice gets this time. */
static void test_last_time(void **state)
{
	struct feed feed = { 0 };

	feed_start(&feed, 2);
	/* feed_start() begins the log at 1000. */
	assert_true(marks_of(&feed).last_time == 1000);
	feed.time = 2000;
	feed_birth(&feed, 0, 7, 70, "seven");
	feed_switch(&feed, 0, 7);
	assert_true(marks_of(&feed).last_time == 2000);
	feed.time = 2500;
	feed_switch(&feed, 1, 7);
	assert_true(marks_of(&feed).last_time == 2500);
	assert_true(marks_of(&feed).head.offset == feed.length);
	feed_end(&feed);
}

/* The marks count everything that was lost, for whatever reason. */
static void test_lost(void **state)
{
	struct feed feed = { 0 };
	u32 reason;

	feed_start(&feed, 1);
	assert_true(marks_of(&feed).lost == 0);
	for (reason = 0; reason < BCOS_LOST_REASONS; reason++)
		feed.log.stats.lost[reason] = 1ull << 4 * reason;
	feed_pass(&feed, 3000);
	/* A digit for each reason. */
	assert_true(marks_of(&feed).lost == (1ull << 4 * BCOS_LOST_REASONS) / 15);
	feed_end(&feed);
}

/* Nothing is published before the log begins. */
static void test_before(void **state)
{
	struct feed feed = { 0 };

	assert_int_equal(feed_init(&feed, 256 << 10, 8), 0);
	assert_int_equal(feed_prime(&feed, 1, NULL, 0, 1000), 0);
	feed_pass(&feed, 999);
	assert_true(marks_of(&feed).head.offset == 0);
	feed_pass(&feed, 1000);
	assert_true(marks_of(&feed).head.offset > 0);
	assert_true(marks_of(&feed).last_time == 1000);
	feed_end(&feed);
}

/* No entry of one word overwrites what the published marks still promise to readers, wherever in a zone it begins. */
static void test_words_make_room(void **state)
{
	struct feed feed = { 0 };
	struct bcos_ring *ring = &feed.log.ring;
	u32 shift, i;

	for (shift = 0; shift < 6; shift++) {
		memset(&feed, 0, sizeof(feed));
		feed_start(&feed, 1);
		for (i = 0; i < shift; i++)
			bcos_emit_bare(&feed.log, BCOS_CORE_OFFLINE, 0);
		for (i = 0; ring->now.head.offset < 3 * ring->size; i++) {
			bcos_emit_word(&feed.log, BCOS_ASSIGN_CPU, 0, i & 1, 1000 + i, 1);
			assert_true(ring->now.head.offset - marks_of(&feed).oldest.offset <= ring->size);
			bcos_log_settle(&feed.log);
		}
		feed_end(&feed);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_last_time), cmocka_unit_test(test_lost), cmocka_unit_test(test_before),
		cmocka_unit_test(test_words_make_room),
	};

	return cmocka_run_group_tests_name("log", tests, NULL, NULL);
}
