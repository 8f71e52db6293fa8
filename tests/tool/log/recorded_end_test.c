// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Times that depend on the end of a recording, whose index is made up here, and the part of it that is read for them. */
#include "log/log_end.h"
#include "log/recorder.h"
#include "log/run.h"
#include "output/times.h"
#include "said.h"
#include "bcoslog_archive.h"
#include "host/clock.h"
#include "options/filter.h"
#include "options/window.h"

#define SECOND 1000000000ull
#define HOUR (3600 * SECOND)
#define DAY (24 * HOUR)
/* 2023-11-14 22:13:20 UTC. */
#define EVENING (1700000000 * SECOND)
#define TODAY (EVENING - 22 * HOUR - 13 * 60 * SECOND - 20 * SECOND)

/* ---- the recording ----------------------------------------------------------------------------------------------------- */

bool recorder_asked, recorder_joined;

static struct bcoslog_boot boots[3];
static u32 boot_count;
static struct bcoslog_window part;
static enum bcoslog_kind kind;
static int choice;
static struct run run;

enum bcoslog_kind bcoslog_kind(const struct bcoslog *log)
{
	return kind;
}

int bcoslog_boot(struct bcoslog *log, __u32 index, struct bcoslog_boot *boot)
{
	assert_int_equal(boot->size, sizeof(*boot));
	if (index >= boot_count)
		return 0;
	*boot = boots[index];
	boot->size = sizeof(*boot);
	return 1;
}

int bcoslog_set_window(struct bcoslog *log, const struct bcoslog_window *window)
{
	note_call("window");
	assert_int_equal(window->size, sizeof(*window));
	part = *window;
	return 0;
}

int boots_choose(struct bcoslog *of, const char *path, bool follow)
{
	assert_ptr_equal(of, run.log);
	assert_ptr_equal(path, run.path);
	return choice;
}

bool boots_are_chosen(void)
{
	return false;
}

/* Only files are read to their end. */
int bcoslog_open(struct bcoslog **log, const char *path, unsigned int flags, struct bcoslog_error *error)
{
	fail();
	return -1;
}

int bcoslog_batch(struct bcoslog *log, struct bcoslog_batch *batch)
{
	return -1;
}

void bcoslog_close(struct bcoslog *log)
{
}

u64 clock_now(clockid_t clock)
{
	return clock == CLOCK_BOOTTIME ? 100 * SECOND : EVENING;
}

/* A boot whose entries are from @first to @last, in s, and which states at @last that it was @utc. */
static void made_boot(u64 first, u64 last, u64 begin, u64 utc, u32 flags)
{
	struct bcoslog_boot *boot = &boots[boot_count++];

	*boot = (struct bcoslog_boot){ .flags = flags, .first = first * SECOND, .last = last * SECOND };
	if (begin)
		boot->begin = (struct bcoslog_wall){ .boot = boot->first, .utc = begin };
	if (utc)
		boot->end = (struct bcoslog_wall){ .boot = boot->last - 2 * SECOND, .utc = utc - 2 * SECOND };
}

static int begin_recording(void **state)
{
	setenv("TZ", "UTC", 1);
	memset(&window_asked, 0, sizeof(window_asked));
	memset(&part, 0xff, sizeof(part));
	boot_count = 0;
	kind = BCOSLOG_RECORDING;
	choice = 0;
	wall_needed = recorder_asked = recorder_joined = false;
	done[0] = '\0';
	return 0;
}

#define ASK(which, how, time) (window_asked.which = (struct moment){ .kind = (how), .ns = (time) })
#define ASSERT_ASKED(which, how, time) do { \
		assert_complains("", run_settle_times(&run) == 0); \
		assert_int_equal(window_asked.which.kind, how); \
		assert_int_equal(window_asked.which.ns, time); \
	} while (0)
#define ASSERT_PART(from, from_ns, to, to_ns) do { \
		assert_string_equal(take_calls(), "window; "); \
		assert_int_equal(part.since, from); \
		assert_int_equal(part.since_ns, from_ns); \
		assert_int_equal(part.until, to); \
		assert_int_equal(part.until_ns, to_ns); \
	} while (0)

/* ---- the end ------------------------------------------------------------------------------------------------------------ */

/* The last boot that is read counts. */
static void before_the_end(void **state)
{
	made_boot(1, 50, EVENING - 900 * SECOND, EVENING - 800 * SECOND, BCOSLOG_BOOT_READ);
	made_boot(5, 60, EVENING - 70 * SECOND, EVENING, BCOSLOG_BOOT_READ);
	made_boot(9, 90, EVENING + 90 * SECOND, EVENING + 99 * SECOND, 0);
	ASK(since, WHEN_BEFORE, 10 * SECOND);
	ASSERT_ASKED(since, WHEN_WALL, EVENING - 10 * SECOND);
	ASSERT_PART(BCOSLOG_MOMENT_WALL, EVENING - 10 * SECOND, BCOSLOG_MOMENT_NONE, 0);
	assert_true(wall_needed);
	/* Nothing is before 1970. */
	ASK(since, WHEN_BEFORE, EVENING);
	ASSERT_ASKED(since, WHEN_WALL, 0);
	ASK(since, WHEN_BEFORE, EVENING + 1);
	ASSERT_ASKED(since, WHEN_WALL, 0);
}

static void without_a_wall_clock(void **state)
{
	made_boot(1, 50, EVENING, EVENING, BCOSLOG_BOOT_READ);
	made_boot(5, 60, 0, 0, BCOSLOG_BOOT_READ);
	ASK(until, WHEN_BEFORE, 10 * SECOND);
	ASSERT_ASKED(until, WHEN_BOOT, 50 * SECOND);
	ASSERT_PART(BCOSLOG_MOMENT_NONE, 0, BCOSLOG_MOMENT_BOOT, 50 * SECOND);
	assert_false(wall_needed);
	ASK(until, WHEN_BEFORE, 61 * SECOND);
	ASSERT_ASKED(until, WHEN_BOOT, 0);
}

static void boots_that_cannot_be_chosen(void **state)
{
	choice = -1;
	assert_complains("", run_settle_times(&run) == -1);
	assert_string_equal(done, "");
}

/* The begin is that of the first boot, by its own clock: it had run for ten days before it was recorded. */
static void until_a_time_of_day(void **state)
{
	made_boot(864000, 864100, TODAY + 20 * HOUR, TODAY + 20 * HOUR + 100 * SECOND, BCOSLOG_BOOT_READ);
	made_boot(1, 60, TODAY + 22 * HOUR, EVENING, BCOSLOG_BOOT_READ);
	ASK(until, WHEN_CLOCK, 21 * HOUR);
	ASSERT_ASKED(until, WHEN_WALL, TODAY + 21 * HOUR);
	ASK(until, WHEN_CLOCK, 20 * HOUR);
	ASSERT_ASKED(until, WHEN_WALL, TODAY + 20 * HOUR);
	/* Before the begin, the next day's one is meant. */
	ASK(until, WHEN_CLOCK, 20 * HOUR - 1);
	ASSERT_ASKED(until, WHEN_WALL, TODAY + 20 * HOUR - 1 + DAY);
	/* The last 23:00 is that of the day before, and so it is before the begin. */
	ASK(until, WHEN_CLOCK, 23 * HOUR);
	ASSERT_ASKED(until, WHEN_WALL, TODAY + 23 * HOUR);
}

/* A recorder that runs goes on with what it records now. */
static void a_recording_that_goes_on(void **state)
{
	recorder_joined = true;
	ASK(since, WHEN_BEFORE, 30 * SECOND);
	ASSERT_ASKED(since, WHEN_WALL, EVENING - 30 * SECOND);
	/* It begins with the boot, 100 s ago. */
	ASK(since, WHEN_NONE, 0);
	ASK(until, WHEN_CLOCK, 22 * HOUR + 13 * 60 * SECOND);
	ASSERT_ASKED(until, WHEN_WALL, EVENING - 20 * SECOND);
	ASK(until, WHEN_CLOCK, 22 * HOUR);
	ASSERT_ASKED(until, WHEN_WALL, TODAY + 22 * HOUR + DAY);
}

/* ---- the part that is read ------------------------------------------------------------------------------------------------ */

static void around_a_moment(void **state)
{
	window_asked.near = 10 * SECOND;
	ASK(moment, WHEN_BOOT, 50 * SECOND);
	assert_complains("", run_settle_times(&run) == 0);
	ASSERT_PART(BCOSLOG_MOMENT_BOOT, 40 * SECOND, BCOSLOG_MOMENT_BOOT, 60 * SECOND);
	ASK(moment, WHEN_WALL, 5 * SECOND);
	assert_complains("", run_settle_times(&run) == 0);
	ASSERT_PART(BCOSLOG_MOMENT_WALL, 0, BCOSLOG_MOMENT_WALL, 15 * SECOND);
	assert_true(wall_needed);
	/* The last moment that there can be. */
	ASK(moment, WHEN_BOOT, ~0ull - 10 * SECOND);
	assert_complains("", run_settle_times(&run) == 0);
	ASSERT_PART(BCOSLOG_MOMENT_BOOT, ~0ull - 20 * SECOND, BCOSLOG_MOMENT_BOOT, ~0ull);
	ASK(moment, WHEN_BOOT, ~0ull - 10 * SECOND + 1);
	assert_complains("", run_settle_times(&run) == 0);
	ASSERT_PART(BCOSLOG_MOMENT_BOOT, ~0ull - 20 * SECOND + 1, BCOSLOG_MOMENT_BOOT, ~0ull);
	/* Options that say it count. */
	ASK(since, WHEN_BOOT, 7);
	ASK(moment, WHEN_BOOT, 50 * SECOND);
	assert_complains("", run_settle_times(&run) == 0);
	ASSERT_PART(BCOSLOG_MOMENT_BOOT, 7, BCOSLOG_MOMENT_BOOT, 60 * SECOND);
	ASK(since, WHEN_NONE, 0);
	ASK(until, WHEN_WALL, 9);
	assert_complains("", run_settle_times(&run) == 0);
	ASSERT_PART(BCOSLOG_MOMENT_BOOT, 40 * SECOND, BCOSLOG_MOMENT_WALL, 9);
	/* All of it is needed. */
	window_asked.near = 0;
	assert_complains("", run_settle_times(&run) == 0);
	ASSERT_PART(BCOSLOG_MOMENT_NONE, 0, BCOSLOG_MOMENT_WALL, 9);
	/* A log that is no recording is read whole. */
	kind = BCOSLOG_DEVICE;
	assert_complains("", run_settle_times(&run) == 0);
	assert_string_equal(done, "");
}

#define recording_test(test) cmocka_unit_test_setup(test, begin_recording)

int main(void)
{
	const struct CMUnitTest tests[] = {
		recording_test(before_the_end),
		recording_test(without_a_wall_clock),
		recording_test(boots_that_cannot_be_chosen),
		recording_test(until_a_time_of_day),
		recording_test(a_recording_that_goes_on),
		recording_test(around_a_moment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
