// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The part of a log that options ask for: times that depend on its end, by a clock of the test, and which entries are
 * in it.
 */
#include <time.h>

#include "log/log_end.h"
#include "log/recorder.h"
#include "log/run.h"
#include "made_system.h"
#include "made_log.h"
#include "options/filter.h"
#include "options/window.h"
#include "output/times.h"

#define SECOND 1000000000ull
#define MS 1000000ull
/* 2023-11-14 22:13:20 UTC. */
#define EVENING (1700000000 * SECOND)
#define MIDNIGHT (EVENING - (22 * 3600 + 13 * 60 + 20) * SECOND)
#define HOUR (3600 * SECOND)
#define DAY (24 * HOUR)

/* The clocks of the test: since boot, and of the wall. */
int clock_gettime(clockid_t clock, struct timespec *time)
{
	u64 now = clock == CLOCK_REALTIME ? EVENING : 500 * SECOND;

	*time = (struct timespec){ .tv_sec = (time_t)(now / SECOND), .tv_nsec = (long)(now % SECOND) };
	return 0;
}

static struct run run;

static int begin_window(void **state)
{
	setenv("TZ", "UTC", 1);
	tzset();
	memset(&window_asked, 0, sizeof(window_asked));
	memset(&run, 0, sizeof(run));
	recorder_asked = recorder_joined = wall_needed = false;
	return made_begin(state);
}

static int end_window(void **state)
{
	bcoslog_close(run.log);
	return made_end(state);
}

/* ---- a log of a file, from 10 s to 20 s ------------------------------------------------------------- */

static u8 bytes[4096];
static size_t used;

static void add_entry(const struct bcos_entry *entry)
{
	memcpy(bytes + used, entry, entry->size);
	used += entry->size;
}

static void open_log(void)
{
	struct bcoslog_error error;
	static char path[1024];

	made_bytes("/log", bytes, used);
	snprintf(path, sizeof(path), "%s", made_path("/log"));
	run.path = path;
	assert_int_equal(bcoslog_open(&run.log, path, 0, &error), 0);
}

/* At 12 s it says that the wall clock is @utc; 0: it says nothing. */
static void made_file(u64 utc)
{
	char text[64];
	struct made made;

	used = 0;
	add_entry(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 0, 30 * SECOND, "kernel"));
	add_entry(made_event(&made, BCOS_GENERIC_PROCESS, 0, 10 * SECOND, 0, 0x40, "begin"));
	if (utc) {
		snprintf(text, sizeof(text), "wall clock %llu.%09llu", (unsigned long long)(utc / SECOND),
			(unsigned long long)(utc % SECOND));
		add_entry(made_event(&made, BCOS_GENERIC_PROCESS, 0, 12 * SECOND, 0xC0000010, 0x40, text));
	}
	add_entry(made_event(&made, BCOS_GENERIC_PROCESS, 0, 20 * SECOND, 0, 0x40, "end"));
	add_entry(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 5, 40 * SECOND, "late"));
	open_log();
}

#define ASK(which, how, time) (window_asked.which = (struct moment){ .kind = how, .ns = time })
#define ASSERT_ASKED(which, how, time) do { \
		assert_int_equal(window_asked.which.kind, how); \
		assert_int_equal(window_asked.which.ns, time); \
	} while (0)

static void before_the_end_of_a_file(void **state)
{
	made_file(0);
	ASK(since, WHEN_BEFORE, 5 * SECOND);
	ASK(until, WHEN_BEFORE, 20 * SECOND);
	ASK(moment, WHEN_BEFORE, 21 * SECOND);
	assert_complains("", run_settle_times(&run) == 0);
	ASSERT_ASKED(since, WHEN_BOOT, 15 * SECOND);
	ASSERT_ASKED(until, WHEN_BOOT, 0);
	ASSERT_ASKED(moment, WHEN_BOOT, 0);
	assert_false(wall_needed);
}

/* Each of them alone needs the end. */
static void one_of_them(void **state)
{
	made_file(0);
	ASK(until, WHEN_BEFORE, 1 * SECOND);
	assert_complains("", run_settle_times(&run) == 0);
	ASSERT_ASKED(until, WHEN_BOOT, 19 * SECOND);
	ASSERT_ASKED(since, WHEN_NONE, 0);
	ASK(until, WHEN_NONE, 0);
	ASK(moment, WHEN_BEFORE, 2 * SECOND);
	assert_complains("", run_settle_times(&run) == 0);
	ASSERT_ASKED(moment, WHEN_BOOT, 18 * SECOND);
	ASK(moment, WHEN_BOOT, 3);
	ASK(since, WHEN_BOOT, 4);
	run.path = "/nowhere";
	assert_complains("", run_settle_times(&run) == 0);
	ASSERT_ASKED(moment, WHEN_BOOT, 3);
	ASSERT_ASKED(since, WHEN_BOOT, 4);
}

/* The log ends 8 s after 22:13:20. */
static void times_of_day(void **state)
{
	made_file(EVENING);
	ASK(since, WHEN_CLOCK, 22 * HOUR);
	ASK(until, WHEN_CLOCK, 23 * HOUR);
	ASK(moment, WHEN_CLOCK, 22 * HOUR + 13 * 60 * SECOND + 28 * SECOND);
	assert_complains("", run_settle_times(&run) == 0);
	ASSERT_ASKED(since, WHEN_WALL, MIDNIGHT + 22 * HOUR);
	/* Not 23:00 of the day before. */
	ASSERT_ASKED(until, WHEN_WALL, MIDNIGHT + 23 * HOUR);
	ASSERT_ASKED(moment, WHEN_WALL, EVENING + 8 * SECOND);
	assert_true(wall_needed);
	wall_needed = false;
	ASK(since, WHEN_CLOCK, 22 * HOUR + 13 * 60 * SECOND + 29 * SECOND);
	ASK(until, WHEN_NONE, 0);
	ASK(moment, WHEN_NONE, 0);
	assert_complains("", run_settle_times(&run) == 0);
	ASSERT_ASKED(since, WHEN_WALL, EVENING + 9 * SECOND - DAY);
	assert_true(wall_needed);
}

/*
 * An end before the log begins, which is at 22:13:18, is of the next day; so is one before the beginning that is
 * asked for.
 */
static void an_end_by_the_clock(void **state)
{
	made_file(EVENING);
	ASK(until, WHEN_CLOCK, 22 * HOUR + 13 * 60 * SECOND + 18 * SECOND);
	assert_complains("", run_settle_times(&run) == 0);
	ASSERT_ASKED(until, WHEN_WALL, EVENING - 2 * SECOND);
	assert_true(wall_needed);
	ASK(until, WHEN_CLOCK, 22 * HOUR + 13 * 60 * SECOND + 17 * SECOND);
	assert_complains("", run_settle_times(&run) == 0);
	ASSERT_ASKED(until, WHEN_WALL, EVENING - 3 * SECOND + DAY);
	ASK(until, WHEN_CLOCK, 22 * HOUR + 13 * 60 * SECOND + 22 * SECOND);
	ASK(since, WHEN_WALL, EVENING + 3 * SECOND);
	assert_complains("", run_settle_times(&run) == 0);
	ASSERT_ASKED(until, WHEN_WALL, EVENING + 2 * SECOND + DAY);
	ASK(until, WHEN_CLOCK, 22 * HOUR + 13 * 60 * SECOND + 23 * SECOND);
	assert_complains("", run_settle_times(&run) == 0);
	ASSERT_ASKED(until, WHEN_WALL, EVENING + 3 * SECOND);
	/* One with its date is what it is. */
	ASK(until, WHEN_WALL, 5);
	ASK(since, WHEN_CLOCK, 0);
	assert_complains("", run_settle_times(&run) == 0);
	ASSERT_ASKED(until, WHEN_WALL, 5);
}

/* A file that does not say what the wall clock was is taken to end now. */
static void without_a_wall_clock(void **state)
{
	made_file(0);
	ASK(since, WHEN_CLOCK, 22 * HOUR + 13 * 60 * SECOND + 20 * SECOND);
	ASK(until, WHEN_CLOCK, 23 * HOUR);
	assert_complains("", run_settle_times(&run) == 0);
	ASSERT_ASKED(since, WHEN_WALL, EVENING);
	ASSERT_ASKED(until, WHEN_WALL, MIDNIGHT + 23 * HOUR);
	ASK(since, WHEN_NONE, 0);
	ASK(until, WHEN_CLOCK, 23 * HOUR);
	assert_complains("", run_settle_times(&run) == 0);
	ASSERT_ASKED(until, WHEN_WALL, MIDNIGHT - HOUR);
}

static void a_log_that_goes_on(void **state)
{
	made_file(EVENING - DAY);
	recorder_asked = true;
	ASK(since, WHEN_BEFORE, 100 * SECOND);
	ASK(until, WHEN_CLOCK, 22 * HOUR);
	assert_complains("", run_settle_times(&run) == 0);
	ASSERT_ASKED(since, WHEN_BOOT, 400 * SECOND);
	ASSERT_ASKED(until, WHEN_WALL, MIDNIGHT + 22 * HOUR);
	recorder_joined = true;
	ASK(since, WHEN_BEFORE, 100 * SECOND);
	ASK(until, WHEN_CLOCK, 22 * HOUR + 13 * 60 * SECOND + 20 * SECOND);
	assert_complains("", run_settle_times(&run) == 0);
	ASSERT_ASKED(since, WHEN_BOOT, 400 * SECOND);
	ASSERT_ASKED(until, WHEN_WALL, EVENING);
	/* The file says that it ended yesterday. */
	recorder_asked = recorder_joined = false;
	ASK(since, WHEN_CLOCK, 22 * HOUR);
	ASK(until, WHEN_NONE, 0);
	assert_complains("", run_settle_times(&run) == 0);
	ASSERT_ASKED(since, WHEN_WALL, MIDNIGHT - DAY + 22 * HOUR);
}

static void an_end_that_is_not_known(void **state)
{
	char expected[2048];

	made_file(0);
	ASK(since, WHEN_BEFORE, SECOND);
	run.path = "-";
	assert_complains("bcoslog: a duration before the end has no meaning while standard input is read: "
		"save it to a file "
			 "(bcoslog cat - > FILE), and name that\n", run_settle_times(&run) == -1);
	run.path = made_path("/none");
	snprintf(expected, sizeof(expected), "bcoslog: there is no file %s: check the name\n", run.path);
	assert_complains(expected, run_settle_times(&run) == -1);
}

/* ---- the window ------------------------------------------------------------------------------------- */

static bool window_takes(u16 type, u64 time)
{
	const struct bcos_entry entry = { .size = sizeof(entry), .type = type, .time = time };

	return filter_in_window(&entry);
}

static void entries_of_the_window(void **state)
{
	assert_false(filter_has_times());
	assert_true(window_takes(BCOS_IRQ, 0) && window_takes(BCOS_IRQ, UINT64_MAX));
	assert_false(filter_over());
	ASK(since, WHEN_BOOT, 10);
	ASK(until, WHEN_BOOT, 20);
	assert_true(filter_has_times());
	assert_false(window_takes(BCOS_IRQ, 9));
	/* A historical entry is where it stands. */
	assert_false(window_takes(BCOS_HIST_ASSIGN_CPU, 15));
	assert_true(window_takes(BCOS_IRQ, 10) && window_takes(BCOS_HIST_ASSIGN_CPU, 5) && window_takes(BCOS_IRQ, 20));
	assert_false(filter_over());
	assert_false(window_takes(BCOS_IRQ, 21));
	assert_true(filter_over());
	ASK(since, WHEN_NONE, 0);
	assert_true(filter_has_times());
	ASK(until, WHEN_NONE, 0);
	assert_false(filter_has_times());
	/* By the wall clock, which is 100 at boot. */
	wall = (struct bcoslog_wall){ .boot = 0, .utc = 100 };
	ASK(since, WHEN_WALL, 110);
	assert_true(filter_has_times());
	assert_false(window_takes(BCOS_IRQ, 9));
	assert_true(window_takes(BCOS_IRQ, 10));
	ASK(until, WHEN_WALL, 120);
	assert_true(window_takes(BCOS_IRQ, 20));
	assert_false(window_takes(BCOS_IRQ, 21));
}

static void the_window_since_boot(void **state)
{
	u64 since = 1, until = 1, moment = 1;

	wall = (struct bcoslog_wall){ .boot = 0, .utc = 100 };
	filter_window(&since, &until);
	assert_int_equal(since, 0);
	assert_int_equal(until, 0);
	assert_false(filter_moment(&moment));
	ASK(since, WHEN_BOOT, 10);
	ASK(until, WHEN_WALL, 130);
	ASK(moment, WHEN_WALL, 125);
	filter_window(&since, &until);
	assert_int_equal(since, 10);
	assert_int_equal(until, 30);
	assert_true(filter_moment(&moment));
	assert_int_equal(moment, 25);
	/* A time before boot is boot, and an end at boot is an end. */
	ASK(since, WHEN_WALL, 99);
	ASK(until, WHEN_WALL, 100);
	ASK(moment, WHEN_WALL, 101);
	filter_window(&since, &until);
	assert_int_equal(since, 0);
	assert_int_equal(until, 1);
	filter_moment(&moment);
	assert_int_equal(moment, 1);
	filter_from(7);
	ASSERT_ASKED(since, WHEN_WALL, 99);
	ASK(since, WHEN_NONE, 0);
	filter_from(7);
	ASSERT_ASKED(since, WHEN_BOOT, 7);
	filter_near(9);
	assert_int_equal(window_asked.near, 9);
}

/* A running log may not have any more what was long ago. */
static void what_is_asked_of_the_past(void **state)
{
	static const bool since[] = { false, false, true, true, true }, moment[] = { false, false, true, true, true };
	enum when when;

	for (when = WHEN_NONE; when <= WHEN_BEFORE; when++) {
		ASK(since, when, 1);
		assert_int_equal(filter_looks_back(), since[when]);
		ASK(since, WHEN_NONE, 0);
		ASK(moment, when, 1);
		assert_int_equal(filter_looks_back(), moment[when]);
		ASK(moment, WHEN_NONE, 0);
		ASK(until, when, 1);
		assert_false(filter_looks_back());
		ASK(until, WHEN_NONE, 0);
	}
}

static void options_of_times(void **state)
{
	assert_complains("", !filter_since(NULL, "1.5") && !filter_until(NULL, "2s") && !filter_take_moment("MOMENT",
		"3"));
	ASSERT_ASKED(since, WHEN_BOOT, 1500 * MS);
	ASSERT_ASKED(until, WHEN_BEFORE, 2 * SECOND);
	ASSERT_ASKED(moment, WHEN_BOOT, 3 * SECOND);
	assert_complains("", !filter_last(NULL, "1m"));
	ASSERT_ASKED(since, WHEN_BEFORE, 60 * SECOND);
	assert_complains("bcoslog: --last takes a duration such as 5s, 200ms, 1h or 1h 30m, not \"5\"\n",
		filter_last(NULL, "5") == -1);
}

#define window_test(test) cmocka_unit_test_setup_teardown(test, begin_window, end_window)

int main(void)
{
	const struct CMUnitTest tests[] = {
		window_test(before_the_end_of_a_file),
		window_test(one_of_them),
		window_test(times_of_day),
		window_test(an_end_by_the_clock),
		window_test(without_a_wall_clock),
		window_test(a_log_that_goes_on),
		window_test(an_end_that_is_not_known),
		window_test(entries_of_the_window),
		window_test(the_window_since_boot),
		window_test(what_is_asked_of_the_past),
		window_test(options_of_times),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
