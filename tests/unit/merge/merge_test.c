// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* core/merge/merge.c: one order of time over all CPUs, and a horizon that is proven. */
#include "check.h"
#include "staged.h"

#define ALL 1000000
#define SWITCH(id) record_plain(BCOS_RAW_SWITCH, (id), 0)
#define BIRTH(id, name) record_life(BCOS_RAW_BIRTH, (id), 0, 1, 0, (name))
#define DEAD(id) record_life(BCOS_RAW_DEAD, (id), 0, 1, 0, NULL)
#define TAPE (&s->feed)

static int set_up(void **state)
{
	*state = staged_new(4, 64);
	return 0;
}

static void test_order(void **state)
{
	struct staged *s = *state;
	u64 from = feed_mark(TAPE);

	staged_put(s, 1, 2010, SWITCH(0));
	staged_put(s, 0, 2020, SWITCH(0));
	staged_put(s, 1, 2030, SWITCH(BCOS_PROCESS_IDLE));
	staged_put(s, 3, 2015, SWITCH(0));
	staged_put(s, 0, 2040, SWITCH(BCOS_PROCESS_IDLE));
	staged_put(s, 3, 2035, SWITCH(BCOS_PROCESS_IDLE));
	assert_false(staged_pass(s, 3000, ALL));
	check_text(TAPE, from,
		   "2010 1 assign 0\n"
		   "2015 3 assign 0\n"
		   "2020 0 assign 0\n"
		   "2030 1 assign idle\n"
		   "2035 3 assign idle\n"
		   "2040 0 assign idle\n");
	/* Room was given back, and nothing comes twice. */
	assert_int_equal(s->stage[0]->tail, s->stage[0]->head);
	from = feed_mark(TAPE);
	staged_pass(s, 4000, ALL);
	check_text(TAPE, from, "");
}

/*
 * At equal times names come first, deaths after other records, and a CPU that goes offline last. Records of equal rank
 * come in the order of CPUs.
 */
static void test_equal_times(void **state)
{
	struct staged *s = *state;
	u64 from = feed_mark(TAPE);

	staged_put(s, 0, 2000, record_plain(BCOS_RAW_CPU_DOWN, 3, 0));
	staged_put(s, 1, 2000, DEAD(100));
	staged_put(s, 2, 2000, SWITCH(100));
	staged_put(s, 3, 2000, BIRTH(100, "x"));
	staged_pass(s, 3000, ALL);
	check_text(TAPE, from,
		   "2000 100 name x\n"
		   "2000 2 assign 100\n"
		   "2000 2 assign 0\n"
		   "2000 100 cancel 0\n"
		   "2000 3 assign idle\n"
		   "2000 3 offline\n"
		   "2000 3 core offline\n");
	from = feed_mark(TAPE);
	staged_put(s, 2, 4000, SWITCH(BCOS_PROCESS_IDLE));
	staged_put(s, 1, 4000, SWITCH(0));
	staged_put(s, 0, 4000, SWITCH(0));
	staged_pass(s, 5000, ALL);
	check_text(TAPE, from, "4000 0 assign 0\n4000 1 assign 0\n4000 2 assign idle\n");
}

/* A CPU's own order holds at equal times, whatever the kinds. */
static void test_own_order(void **state)
{
	struct staged *s = *state;
	u64 from;

	staged_put(s, 0, 2000, BIRTH(100, "a"));
	staged_pass(s, 2001, ALL);
	from = feed_mark(TAPE);
	staged_put(s, 0, 3000, DEAD(100));
	staged_put(s, 0, 3000, record_life(BCOS_RAW_BIRTH, 100, 0, 2, 0, "b"));
	staged_put(s, 0, 3000, SWITCH(100));
	staged_pass(s, 4000, ALL);
	check_text(TAPE, from, "3000 100 cancel 0\n3000 100 name b\n3000 0 assign 100\n");
}

/* A record that is not older than the watermark waits, since other records of that time may not be published yet. */
static void test_horizon(void **state)
{
	struct staged *s = *state;
	u64 from = feed_mark(TAPE);

	staged_put(s, 0, 1999, SWITCH(0));
	staged_put(s, 1, 2000, SWITCH(0));
	staged_pass(s, 2000, ALL);
	check_text(TAPE, from, "1999 0 assign 0\n");
	assert_int_equal(s->merge.horizon, 2000);
	staged_pass(s, 2001, ALL);
	check_text(TAPE, from, "1999 0 assign 0\n2000 1 assign 0\n");
}

/* A pass ends where something has to be written, and what happened there and later comes after that. */
static void test_pause(void **state)
{
	struct staged *s = *state;
	u64 from = feed_mark(TAPE);

	staged_put(s, 0, 1999, SWITCH(0));
	staged_put(s, 1, 2000, SWITCH(0));
	s->merge.pause = 2000;
	assert_true(staged_pass(s, 3000, ALL));
	check_text(TAPE, from, "1999 0 assign 0\n");
	assert_int_equal(s->merge.horizon, 2000);
	s->merge.pause = 0;
	assert_false(staged_pass(s, 3001, ALL));
	check_text(TAPE, from, "1999 0 assign 0\n2000 1 assign 0\n");
	/* One that has not come yet ends no pass. */
	s->merge.pause = 5000;
	assert_false(staged_pass(s, 4000, ALL));
	assert_int_equal(s->merge.horizon, 4000);
}

/*
 * A CPU whose mark stays set holds the horizon at the time of its last record, and the pass does not wait for it for
 * long.
 */
static void test_marked(void **state)
{
	struct staged *s = *state;
	u64 from = feed_mark(TAPE);

	staged_put(s, 1, 2000, SWITCH(0));
	staged_put(s, 0, 1999, SWITCH(0));
	staged_put(s, 2, 2005, SWITCH(0));
	s->stage[1]->mark = 1;
	staged_step = 500;
	assert_false(staged_pass(s, 3000, ALL));
	/* The pass waits for 2 microseconds, and looks once more. */
	assert_true(staged_now <= 3000 + 2000 + 3 * 500);
	staged_step = 0;
	check_text(TAPE, from, "1999 0 assign 0\n");
	assert_int_equal(s->merge.horizon, 2000);
	s->stage[1]->mark = 0;
	staged_put(s, 1, 2003, SWITCH(BCOS_PROCESS_IDLE));
	staged_pass(s, 4000, ALL);
	check_text(TAPE, from,
		   "1999 0 assign 0\n"
		   "2000 1 assign 0\n"
		   "2003 1 assign idle\n"
		   "2005 2 assign 0\n");
}

/*
 * The pass does not wait for long either where times do not go on: by a counter of which there is one sample, or by a
 * clock that stands still.
 */
static void test_marked_timeless(void **state)
{
	struct staged *s = *state;
	u64 from = feed_mark(TAPE);

	staged_put(s, 1, 2000, SWITCH(0));
	staged_put(s, 0, 1999, SWITCH(0));
	s->stage[1]->mark = 1;
	assert_false(staged_pass(s, 3000, ALL));
	check_text(TAPE, from, "1999 0 assign 0\n");
	assert_int_equal(s->merge.horizon, 2000);
}

/* A marked CPU that has never published a record holds back everything. */
static void test_marked_first(void **state)
{
	struct staged *s = *state;
	u64 from = feed_mark(TAPE);

	staged_put(s, 0, 2000, SWITCH(0));
	s->stage[3]->mark = 1;
	staged_step = 1000;
	staged_pass(s, 3000, ALL);
	staged_step = 0;
	check_text(TAPE, from, "");
	s->stage[3]->mark = 0;
	staged_pass(s, 3000, ALL);
	check_text(TAPE, from, "2000 0 assign 0\n");
}

static void test_step_back(void **state)
{
	struct staged *s = *state;
	u64 from = feed_mark(TAPE);

	staged_put(s, 0, 2000, SWITCH(0));
	staged_put(s, 0, 1990, SWITCH(BCOS_PROCESS_IDLE));
	staged_put(s, 1, 1995, SWITCH(0));
	staged_pass(s, 3000, ALL);
	/* CPU 0 staged 2000 before 1990, so 1990 is clamped. */
	check_text(TAPE, from, "1995 1 assign 0\n2000 0 assign 0\n2000 0 assign idle\n");
	assert_int_equal(s->feed.log.stats.clamped, 1);
}

/* A pass applies no more records than its limit, and the next pass goes on in order. */
static void test_limit(void **state)
{
	struct staged *s = *state;
	u64 from = feed_mark(TAPE), passes = 1;
	u32 i;

	for (i = 0; i < 20; i++) {
		staged_put(s, 0, 2000 + 2 * i, SWITCH(i & 1 ? BCOS_PROCESS_IDLE : 0));
		staged_put(s, 1, 2001 + 2 * i, SWITCH(i & 1 ? BCOS_PROCESS_IDLE : 0));
	}
	while (staged_pass(s, 3000, 7))
		passes++;
	assert_int_equal(passes, 6);
	for (i = 0; i < 40; i++) {
		char line[64];

		snprintf(line, sizeof(line), "%u %u assign %s\n", 2000 + i, i & 1, i / 2 & 1 ? "idle" : "0");
		assert_non_null(strstr(feed_text(TAPE, from, false), line));
	}
}

/* The units of a record cross the end of the staging ring. */
static void test_wrap(void **state)
{
	struct staged *s = *state;
	u64 from;
	u32 i;

	for (i = 0; i < 100; i++) {
		from = feed_mark(TAPE);
		staged_put(s, 2, 2000 + 10 * i, BIRTH(100, "abcdefghijklmno"));
		staged_put(s, 2, 2001 + 10 * i, DEAD(100));
		staged_pass(s, 2005 + 10 * i, ALL);
		assert_non_null(strstr(feed_text(TAPE, from, false), " 100 name abcdefghijklmno\n"));
		assert_non_null(strstr(feed_text(TAPE, from, false), " 100 cancel 0\n"));
	}
}

/* CPUs without staging, before and after CPUs that have it, hold nothing up, whatever the last record was. */
static void test_without_staging(void **state)
{
	struct staged *s = *state;
	struct bcos_merge merge = { 0 };
	u64 from = feed_mark(TAPE);

	assert_int_equal(bcos_merge_init(&merge, &TAPE->log, 5), 0);
	bcos_merge_add(&merge, 2, s->stage[2]);
	staged_put(s, 2, 2000, SWITCH(0));
	staged_put(s, 2, 2010, record_plain(BCOS_RAW_CPU_DOWN, 3, 0));
	staged_now = 3000;
	assert_false(bcos_merge_pass(&merge, staged_clock, ALL));
	assert_int_equal(merge.horizon, 3000);
	staged_now = 4000;
	assert_false(bcos_merge_pass(&merge, staged_clock, ALL));
	assert_int_equal(merge.horizon, 4000);
	feed_pull(TAPE);
	assert_non_null(strstr(feed_text(TAPE, from, false), "2000 2 assign 0\n"));
	bcos_merge_destroy(&merge);
	/* The fixture's own merge has not seen these records. */
	s->merge.source[2].tail = s->merge.source[2].released = s->stage[2]->tail;
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, staged_tear_down)
	static const struct CMUnitTest tests[] = {
		TEST(test_order), TEST(test_equal_times), TEST(test_own_order), TEST(test_horizon), TEST(test_pause),
		TEST(test_marked), TEST(test_marked_timeless), TEST(test_marked_first), TEST(test_step_back),
		TEST(test_limit), TEST(test_wrap), TEST(test_without_staging),
	};

	return cmocka_run_group_tests_name("merge", tests, NULL, NULL);
}
