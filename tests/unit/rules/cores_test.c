// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Events of cores: limits of their frequency, and machine checks. */
#include "check.h"
#include "staged.h"

#define TAPE (&s->feed)

static int set_up(void **state)
{
	*state = staged_new(4, 64);
	return 0;
}

/*
 * Limits are in the log in the order of time, whichever CPU recorded them. Limits that have not changed are no news to
 * readers either.
 */
static void test_limits(void **state)
{
	struct staged *s = *state;
	u64 from = feed_mark(TAPE);

	staged_put(s, 1, 2000, record_limits(0, 1000, 3000));
	staged_put(s, 1, 2010, record_limits(1, 1000, 3000));
	staged_put(s, 0, 2100, record_limits(0, 1000, 2000));
	staged_put(s, 0, 2200, record_limits(0, 1000, 2000));
	staged_put(s, 1, 2300, record_limits(0, 1000, 3000));
	/* The machine has no such CPU. */
	staged_put(s, 1, 2400, record_limits(77777, 1, 2));
	staged_pass(s, 2500, 1000);
	assert_true(TAPE->log.interesting);
	TAPE->log.interesting = false;
	staged_put(s, 1, 2600, record_limits(0, 1000, 3000));
	staged_pass(s, 2700, 1000);
	assert_false(TAPE->log.interesting);
	check_text(TAPE, from,
		   "2000 0 event 0x0 40 frequency limits 1000 to 3000 kHz\n"
		   "2010 1 event 0x0 40 frequency limits 1000 to 3000 kHz\n"
		   "2100 0 event 0x0 40 frequency limits 1000 to 2000 kHz\n"
		   "2300 0 event 0x0 40 frequency limits 1000 to 3000 kHz\n");
}

/*
 * The kernel sets the limits of a CPU that comes online before the CPU's first record. Limits from before it went
 * offline count no more.
 */
static void test_hotplug(void **state)
{
	struct staged *s = *state;
	u64 from;

	staged_put(s, 0, 1700, record_limits(2, 1000, 1500));
	staged_put(s, 0, 1800, record_limits(3, 1000, 1500));
	staged_pass(s, 1850, 1000);
	from = feed_mark(TAPE);
	staged_put(s, 0, 1890, record_plain(BCOS_RAW_CPU_DOWN, 3, 0));
	staged_put(s, 0, 1900, record_plain(BCOS_RAW_CPU_DOWN, 2, 0));
	staged_put(s, 0, 2000, record_limits(2, 1000, 3000));
	staged_put(s, 2, 2100, record_plain(BCOS_RAW_SWITCH, 0, 0));
	staged_put(s, 3, 2200, record_plain(BCOS_RAW_SWITCH, 0, 0));
	staged_pass(s, 2500, 1000);
	check_text(TAPE, from,
		   "1890 3 assign idle\n"
		   "1890 3 offline\n"
		   "1890 3 core offline\n"
		   "1900 2 assign idle\n"
		   "1900 2 offline\n"
		   "1900 2 core offline\n"
		   "2100 2 core online 1\n"
		   "2100 2 online 2\n"
		   "2100 2 assign idle\n"
		   "2100 2 event 0x0 40 frequency limits 1000 to 3000 kHz\n"
		   "2100 2 assign 0\n"
		   "2200 3 core online 1\n"
		   "2200 3 online 3\n"
		   "2200 3 assign idle\n"
		   "2200 3 assign 0\n");
}

/* The kernel sets the CPUs of a core one after the other, and only the first CPU with new limits makes an event. */
static void test_core(void **state)
{
	struct staged *s = *state;
	u64 from;

	s->feed.host.cpus_per_core = 2;
	staged_put(s, 0, 1800, record_plain(BCOS_RAW_CPU_DOWN, 3, 0));
	staged_put(s, 0, 1800, record_plain(BCOS_RAW_CPU_DOWN, 2, 0));
	staged_put(s, 2, 1900, record_plain(BCOS_RAW_SWITCH, 0, 0));
	staged_put(s, 3, 1900, record_plain(BCOS_RAW_SWITCH, 0, 0));
	staged_pass(s, 1950, 1000);
	from = feed_mark(TAPE);
	staged_put(s, 0, 2000, record_limits(2, 1000, 2000));
	staged_put(s, 0, 2100, record_limits(3, 1000, 2000));
	staged_put(s, 0, 2200, record_limits(3, 1000, 3000));
	staged_pass(s, 2500, 1000);
	check_text(TAPE, from,
		   "2000 1 event 0x0 40 frequency limits 1000 to 2000 kHz\n"
		   "2200 1 event 0x0 40 frequency limits 1000 to 3000 kHz\n");
	/* Each CPU keeps its own limits, so setting them again is nothing new. */
	from = feed_mark(TAPE);
	staged_put(s, 0, 2600, record_limits(2, 1000, 2000));
	staged_put(s, 0, 2700, record_limits(3, 1000, 3000));
	staged_pass(s, 2900, 1000);
	check_text(TAPE, from, "");
}

static void test_checks(void **state)
{
	struct staged *s = *state;
	u64 from = feed_mark(TAPE);

	staged_put(s, 0, 2000, record_check(1, 0x9400000000000001, 0xABC, 7, 5));
	staged_put(s, 0, 2100, record_check(1, 0xBC00000000000002, 0xABC, 7, 6));
	staged_put(s, 0, 2200, record_check(~0u, 0x8000000000000003, 0xABC, 7, 255));
	staged_pass(s, 2500, 1000);
	check_text(TAPE, from,
		   "2000 1 event 0x0 80 machine check on CPU 1, corrected: bank 5, status 0x9400000000000001, "
		   "address 0xabc\n"
		   "2100 1 event 0x0 c0 machine check on CPU 1, not corrected: bank 6, status 0xbc00000000000002, "
		   "address 0xabc, misc 0x7\n"
		   "2200 0 event 0x0 80 machine check on CPU -1, corrected: bank 255, status 0x8000000000000003\n");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, staged_tear_down)
	static const struct CMUnitTest tests[] = {
		TEST(test_limits), TEST(test_hotplug), TEST(test_core), TEST(test_checks),
	};

	return cmocka_run_group_tests_name("cores", tests, NULL, NULL);
}
