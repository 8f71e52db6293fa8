// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Kernel calls (5.4): the calls of a process on a CPU until the next switch share an entry. */
#include "check.h"
#include "staged.h"

#define CALL(id, number) record_plain(BCOS_RAW_API, id, number)
#define SWITCH(id) record_plain(BCOS_RAW_SWITCH, (id), 0)
#define TAPE (&s->feed)
#define ALL 1000000

static int set_up(void **state)
{
	struct staged *s = staged_new(2, 4096);

	staged_put(s, 0, 1100, record_life(BCOS_RAW_BIRTH, 7, 0, 1, 0, "seven"));
	staged_put(s, 0, 1101, record_life(BCOS_RAW_BIRTH, 8, 0, 1, 0, "eight"));
	staged_put(s, 0, 1102, SWITCH(7));
	staged_put(s, 1, 1103, SWITCH(8));
	staged_pass(s, 1500, ALL);
	*state = s;
	return 0;
}

/*
 * An entry has the calls in their order, with repeats. It has the time of the first call, and its precision covers the
 * stretch.
 */
static void test_stretch(void **state)
{
	struct staged *s = *state;
	u64 from = feed_mark(TAPE);

	staged_put(s, 0, 2000, CALL(7, 1));
	staged_put(s, 1, 2005, CALL(8, 9));
	staged_put(s, 0, 2010, CALL(7, 3));
	staged_put(s, 0, 2015, record_irq(11, false, 1, "eth0"));
	staged_put(s, 0, 2020, CALL(7, 1));
	staged_put(s, 0, 2030, SWITCH(8));
	staged_put(s, 0, 2040, CALL(8, 2));
	staged_put(s, 0, 2050, SWITCH(7));
	staged_put(s, 0, 2060, CALL(7, 5));
	staged_pass(s, 3000, ALL);
	check_text(TAPE, from,
		   "2000+21 7 calls 1 3 1\n"
		   "2005 8 calls 9\n"
		   "2015 0xc0000001 device 0 eth0\n"
		   "2015 0xc0000001 irq 0\n"
		   "2030 0 assign 8\n"
		   "2040 8 calls 2\n"
		   "2050 0 assign 7\n"
		   "2060 7 calls 5\n");
}

/* A CPU that belongs to the kernel during a call, and then to the process again, does not end the stretch. */
static void test_kernel(void **state)
{
	struct staged *s = *state;
	u64 from = feed_mark(TAPE);

	staged_put(s, 0, 2000, CALL(7, 1));
	staged_put(s, 0, 2001, SWITCH(0));
	staged_put(s, 0, 2010, SWITCH(7));
	staged_put(s, 0, 2020, CALL(7, 2));
	staged_put(s, 0, 2021, SWITCH(0));
	staged_put(s, 0, 2030, SWITCH(BCOS_PROCESS_IDLE));
	staged_put(s, 0, 2040, SWITCH(7));
	staged_put(s, 0, 2050, CALL(7, 3));
	staged_pass(s, 3000, ALL);
	check_text(TAPE, from,
		   "2000+21 7 calls 1 2\n"
		   "2001 0 assign 0\n"
		   "2010 0 assign 7\n"
		   "2021 0 assign 0\n"
		   "2030 0 assign idle\n"
		   "2040 0 assign 7\n"
		   "2050 7 calls 3\n");
}

/* An entry has the calls up to the horizon of the pass. Later calls are in an entry of their own. */
static void test_passes(void **state)
{
	struct staged *s = *state;
	u64 from = feed_mark(TAPE);

	staged_put(s, 0, 2000, CALL(7, 1));
	staged_put(s, 0, 2010, CALL(7, 2));
	staged_pass(s, 2005, ALL);
	staged_put(s, 0, 2020, CALL(7, 3));
	staged_pass(s, 3000, 1);
	staged_pass(s, 3000, ALL);
	check_text(TAPE, from,
		   "2000 7 calls 1\n"
		   "2010+11 7 calls 2 3\n");
}

static void test_numbers(void **state)
{
	struct staged *s = *state;
	u64 from = feed_mark(TAPE);

	staged_put(s, 0, 2000, CALL(7, BCOS_RAW_NO_NUMBER));
	staged_put(s, 0, 2001, CALL(7, BCOS_RAW_COMPAT | 5));
	staged_put(s, 0, 2002, CALL(7, BCOS_RAW_COMPAT | BCOS_RAW_NO_NUMBER));
	staged_pass(s, 3000, ALL);
	s->feed.log.hide_calls = true;
	staged_put(s, 0, 4000, CALL(7, 1));
	staged_put(s, 0, 4001, CALL(7, 2));
	staged_pass(s, 5000, ALL);
	check_text(TAPE, from,
		   "2000+3 7 calls 7fffffff 80000005 ffffffff\n"
		   "4000+2 7 calls\n");
}

/*
 * Calls of another process follow without a switch, since no switches are recorded, and calls of a process that the log
 * does not know.
 */
static void test_others(void **state)
{
	struct staged *s = *state;
	u64 from = feed_mark(TAPE);

	staged_put(s, 0, 2000, CALL(7, 1));
	staged_put(s, 0, 2010, CALL(8, 2));
	staged_put(s, 0, 2020, CALL(9, 3));
	staged_put(s, 0, 2030, CALL(7, 4));
	staged_pass(s, 3000, ALL);
	check_text(TAPE, from,
		   "2000 7 calls 1\n"
		   "2010 8 calls 2\n"
		   "2020 0 calls 3\n"
		   "2030 7 calls 4\n");
	assert_int_equal(s->feed.log.stats.unnamed, 1);
}

/* There are more calls than an entry holds, and the stretch is longer than a precision can say. */
static void test_limits(void **state)
{
	struct staged *s = *state;
	u64 from = feed_mark(TAPE);
	const u8 *entry;
	u32 i, calls = 0;

	for (i = 0; i < 2 * BCOS_CALLS_MAX + 10; i++)
		staged_put(s, 0, 2000 + i, CALL(7, i & 0x7F));
	staged_put(s, 0, 6000000000ull, CALL(7, 1));
	staged_pass(s, 7000000000ull, ALL);
	for (entry = TAPE->tape + from; entry < TAPE->tape + TAPE->length; entry += entry[0] | entry[1] << 8) {
		assert_int_equal(entry[2] | entry[3] << 8, BCOS_KERNEL_API);
		for (i = 20; i < (u32)(entry[0] | entry[1] << 8); i += 4, calls++)
			assert_int_equal(entry[i], calls == 2 * BCOS_CALLS_MAX + 10 ? 1 : calls & 0x7F);
	}
	assert_int_equal(calls, 2 * BCOS_CALLS_MAX + 11);
	assert_non_null(strstr(feed_text(TAPE, from, false), "\n6000000000 7 calls 1\n"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, staged_tear_down)
	static const struct CMUnitTest tests[] = {
		TEST(test_stretch), TEST(test_kernel), TEST(test_passes), TEST(test_numbers), TEST(test_others),
		TEST(test_limits),
	};

	return cmocka_run_group_tests_name("calls", tests, NULL, NULL);
}
