// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The loop of bcoslog top: in which order it reads the log, ends intervals, draws and takes keys, and how it ends. */
#include <errno.h>
#include <signal.h>
#include <time.h>

#include "log/hold.h"
#include "log/log_end.h"
#include "log/open.h"
#include "log/pass.h"
#include "log/run.h"
#include "said.h"
#include "command.h"
#include "host/clock.h"
#include "options/filter.h"
#include "output/screen.h"
#include "screen/top_draw.h"
#include "screen/top_screen.h"

#define SECOND 1000000000ull
#define MS 1000000ull
#define WAIT SCREEN_NO_KEY
#define LIST(...) ((const int []){ __VA_ARGS__, 99 })

/* ---- the log, the report, the screen and the clock are those of the test ------------------------------- */

volatile sig_atomic_t run_signal;
bool run_finishing;
u64 top_every;
enum live_order screen_order;
bool screen_reverse;
const struct screen_table screen_tables[SCREEN_TABLES];

static const int *batches, *waits, *keys;
static u64 now, step;
static int filter_error, live_error, screen_error, report_error, hold_error, end_error;
static bool damage_ends, memory_fails, signal_in_batch;
static struct bcoslog_account_totals totals;
static struct report report;
static struct run run;

/* The next result of a list that 99 ends, and after that @usual. */
static int next_of(const int **list, int usual)
{
	return *list && **list != 99 ? *(*list)++ : usual;
}

u64 clock_now(clockid_t clock)
{
	assert_int_equal(clock, CLOCK_MONOTONIC);
	return now;
}

int bcoslog_batch(struct bcoslog *log, struct bcoslog_batch *batch)
{
	int r = next_of(&batches, 0);

	note_call(r ? "batch" : "empty");
	now += step;
	if (signal_in_batch)
		run_signal = SIGTERM;
	return r;
}

int bcoslog_wait(struct bcoslog *log, int ms)
{
	note_call("wait %d", ms);
	return next_of(&waits, -ETIMEDOUT);
}

int bcoslog_flush(struct bcoslog *log, __u64 *head)
{
	note_call("flush");
	return 0;
}

int run_failed(struct run *of)
{
	note_call("failed");
	return EXIT_ENVIRONMENT;
}

bool run_damaged(struct run *of)
{
	note_call("damaged");
	return !damage_ends;
}

int hold_entries(struct run *of, const struct bcoslog_batch *batch)
{
	return hold_error;
}

int hold_end(struct run *of)
{
	note_call("all");
	return end_error;
}

int run_settle_times(struct run *of)
{
	note_call("filter");
	return filter_error;
}

int report_begin(struct report *of)
{
	note_call("report");
	if (!report_error)
		of->account = (struct bcoslog_account *)&totals;
	return report_error;
}

const struct bcoslog_account_totals *bcoslog_account_totals(const struct bcoslog_account *account)
{
	return &totals;
}

int live_begin(struct live *live, struct report *of)
{
	note_call("begin %llu", (unsigned long long)live->over);
	live->report = of;
	return live_error;
}

void live_free(struct live *live)
{
	note_call("freed");
}

void live_interval(struct live *live, bool end)
{
	note_call(end ? "last interval" : "interval");
	live->last.end = 1;
	live->last.entries = 5;
	live->failed = memory_fails;
}

void table_free(struct table_rows *table)
{
	note_call("table freed");
}

int screen_begin(void)
{
	note_call("screen");
	return screen_error;
}

void screen_end(void)
{
	note_call("left");
}

void top_draw(struct top *top)
{
	note_call("draw%s%s%s", top->paused ? " PAUSED" : "", top->ended ? " ENDED" : "", top->behind ? " BEHIND" : "");
	top->stale = false;
}

size_t top_page(void)
{
	return 1;
}

void top_find(struct top *top)
{
}

/* After the last key of a list, a signal comes. */
int screen_key(int ms)
{
	int key = next_of(&keys, 99);

	note_call("key %d", ms);
	if (key == 99)
		run_signal = SIGTERM;
	if (key == WAIT && ms > 0)
		now += (u64)ms * MS;
	return key == 99 ? WAIT : key;
}

static int begin_test(void **state)
{
	run_signal = 0;
	run_finishing = false;
	batches = waits = keys = NULL;
	now = 1000 * SECOND;
	top_every = 250 * MS;
	step = 0;
	filter_error = live_error = screen_error = report_error = hold_error = end_error = 0;
	damage_ends = memory_fails = signal_in_batch = false;
	totals.entries = 7;
	report = (struct report){ .account = (struct bcoslog_account *)&totals };
	run = (struct run){ .follow = true };
	done[0] = '\0';
	return 0;
}

#define BEGIN "filter; begin 10000000; screen; "
#define END "left; table freed; freed; "
/* The log has nothing new. */
#define NOTHING "empty; wait 0; "
/* After the key that leaves, it asks for one more. */
#define LEFT "key 0; "

/* Asserts the exit status, and what is done between the begin and the end. */
#define assert_run(status, between) do { \
		assert_int_equal(top_screen(&report, &run), status); \
		assert_string_equal(take_calls(), BEGIN between END); \
		assert_true(run_finishing); \
	} while (0)

/* ---- intervals -------------------------------------------------------------------------------------------- */

/* All that is there is shown at once. The recorder is asked for the newest entries when the interval is over: after 251 ms. */
static void a_log_that_goes_on(void **state)
{
	batches = LIST(1, 1, 0, 0, 1);
	keys = LIST(WAIT, WAIT, WAIT, WAIT, 'q');
	assert_run(EXIT_OK, "batch; batch; " NOTHING "interval; draw; key 100; " NOTHING "key 100; batch; " NOTHING
		   "key 51; flush; " NOTHING "interval; draw; key 100; " NOTHING "key 100; " LEFT);
	/* The next interval begins when this one was computed. When it is over already, nothing is waited for. */
	begin_test(state);
	step = 150 * MS;
	top_every = 100 * MS;
	keys = LIST('n', WAIT, 'q');
	assert_run(EXIT_OK, NOTHING "interval; draw; key 100; key 0; " NOTHING "draw; key 0; " LEFT);
}

/* A look at the log takes 50 ms at most, between which there is time for keys. */
static void a_log_that_never_ends(void **state)
{
	batches = LIST(1, 1, 1, 1, 1, 1, 1);
	step = 25 * MS;
	top_every = 100 * MS;
	keys = LIST(WAIT, WAIT, 'q');
	assert_run(EXIT_OK, "batch; batch; draw; key 0; batch; batch; key 0; flush; batch; batch; interval; "
		   "draw BEHIND; key 0; " LEFT);
	begin_test(state);
	batches = LIST(1, 1, 1, 1, 1);
	step = 50 * MS - 1;
	keys = LIST('q');
	assert_run(EXIT_OK, "batch; batch; draw; key 0; " LEFT);
	/* Entries that came while it waited are read in the same look. */
	begin_test(state);
	batches = LIST(0, 0, 1, 0);
	waits = LIST(1, 1);
	keys = LIST('q');
	assert_run(EXIT_OK, NOTHING NOTHING "batch; " NOTHING "interval; draw; key 100; " LEFT);
	begin_test(state);
	batches = LIST(1, 1);
	signal_in_batch = true;
	assert_run(EXIT_OK, "batch; draw; key 0; ");
}

/* It is read to its end, and what is known is shown meanwhile; nothing is to come, so only a key ends the wait. */
static void a_file(void **state)
{
	run.follow = false;
	batches = LIST(1, 1, 1, 0);
	waits = LIST(0);
	step = 50 * MS;
	keys = LIST(WAIT, WAIT, WAIT, WAIT, 'q');
	assert_run(EXIT_OK, "batch; draw; key 0; batch; draw; key 0; batch; draw; key 0; " NOTHING "all; last interval; "
		   "draw ENDED; key -1; draw ENDED; key -1; " LEFT);
}

static void a_pause(void **state)
{
	top_every = 100 * MS;
	keys = LIST('p', WAIT, WAIT, WAIT, WAIT, 'p', WAIT, 'q');
	assert_run(EXIT_OK, NOTHING "interval; draw; key 100; key 0; " NOTHING "draw PAUSED; key 100; " NOTHING
		   "key 100; " NOTHING "key 100; " NOTHING "key 100; key 0; flush; " NOTHING "interval; draw; key 100; " LEFT);
	/* One that is over at once ends an interval all the same. */
	begin_test(state);
	keys = LIST('p', 'p', WAIT, 'q');
	assert_run(EXIT_OK, NOTHING "interval; draw; key 100; key 0; key 0; flush; " NOTHING "interval; draw; key 100; " LEFT);
}

/* ---- its end ------------------------------------------------------------------------------------------------- */

static void the_log_ends(void **state)
{
	static const int ends[] = { 0, -EINTR, -EPIPE };
	size_t i;

	for (i = 0; i < 3; i++) {
		begin_test(state);
		waits = LIST(ends[i]);
		keys = LIST(WAIT, 'q');
		assert_run(EXIT_OK, NOTHING "all; last interval; draw ENDED; key -1; key -1; " LEFT);
	}
	begin_test(state);
	waits = LIST(-EIO);
	assert_run(EXIT_ENVIRONMENT, NOTHING "failed; all; last interval; ");
	begin_test(state);
	end_error = -EIO;
	waits = LIST(0);
	assert_run(EXIT_ENVIRONMENT, NOTHING "all; last interval; ");
	/* An interval of the same entries stays, but one with more is shown. */
	begin_test(state);
	totals.entries = 5;
	waits = LIST(-ETIMEDOUT, 0);
	keys = LIST(WAIT, 'q');
	assert_run(EXIT_OK, NOTHING "interval; draw; key 100; " NOTHING "all; draw ENDED; key -1; " LEFT);
	begin_test(state);
	waits = LIST(-ETIMEDOUT, 0);
	keys = LIST(WAIT, 'q');
	assert_run(EXIT_OK, NOTHING "interval; draw; key 100; " NOTHING "all; last interval; draw ENDED; key -1; " LEFT);
}

static void the_log_cannot_be_read(void **state)
{
	batches = LIST(1, -EIO);
	assert_run(EXIT_ENVIRONMENT, "batch; batch; failed; all; last interval; ");
	begin_test(state);
	batches = LIST(1);
	hold_error = -EIO;
	assert_run(EXIT_ENVIRONMENT, "batch; all; last interval; ");
	begin_test(state);
	batches = LIST(-EBADMSG, 1, 0);
	keys = LIST('q');
	assert_run(EXIT_DAMAGE, "batch; damaged; batch; " NOTHING "interval; draw; key 100; " LEFT);
	begin_test(state);
	batches = LIST(-EBADMSG, 1, 0);
	damage_ends = true;
	keys = LIST('q');
	assert_run(EXIT_DAMAGE, "batch; damaged; all; last interval; draw ENDED; key -1; " LEFT);
}

/* All entries may be held back up to the end of the log, and only then is there an account. */
static void no_account_yet(void **state)
{
	report.account = NULL;
	top_every = 100 * MS;
	waits = LIST(-ETIMEDOUT, -ETIMEDOUT, 0);
	keys = LIST(WAIT, WAIT, 'q');
	assert_run(EXIT_OK, NOTHING "draw; key 100; flush; " NOTHING "key 100; flush; " NOTHING
		   "all; report; last interval; draw ENDED; key -1; " LEFT);
	begin_test(state);
	report.account = NULL;
	report_error = -ENOMEM;
	waits = LIST(0);
	assert_run(EXIT_ENVIRONMENT, NOTHING "all; report; ");
}

static void no_memory(void **state)
{
	memory_fails = true;
	assert_complains("bcoslog: no memory for the screen\n", top_screen(&report, &run) == EXIT_ENVIRONMENT);
	assert_string_equal(take_calls(), BEGIN NOTHING "interval; " END);
}

static void it_does_not_begin(void **state)
{
	filter_error = -1;
	assert_int_equal(top_screen(&report, &run), EXIT_ENVIRONMENT);
	assert_string_equal(take_calls(), "filter; ");
	filter_error = 0;
	live_error = -ENOMEM;
	assert_int_equal(top_screen(&report, &run), EXIT_ENVIRONMENT);
	assert_string_equal(take_calls(), "filter; begin 10000000; ");
	live_error = 0;
	screen_error = -1;
	assert_int_equal(top_screen(&report, &run), EXIT_ENVIRONMENT);
	assert_string_equal(take_calls(), "filter; begin 10000000; screen; freed; ");
}

/* Keys that come together are taken before anything is drawn, up to the one that leaves. */
static void how_it_is_left(void **state)
{
	keys = LIST('h', 'x', SCREEN_RESIZED, 'q', 'h');
	assert_run(EXIT_OK, NOTHING "interval; draw; key 100; key 0; key 0; key 0; " LEFT);
	begin_test(state);
	keys = LIST(WAIT, SCREEN_GONE, 'h');
	assert_run(EXIT_OK, NOTHING "interval; draw; key 100; " NOTHING "key 100; " LEFT);
	begin_test(state);
	keys = LIST(WAIT);
	assert_run(EXIT_OK, NOTHING "interval; draw; key 100; " NOTHING "key 100; ");
}

#define loop_test(test) cmocka_unit_test_setup(test, begin_test)

int main(void)
{
	const struct CMUnitTest tests[] = {
		loop_test(a_log_that_goes_on),
		loop_test(a_log_that_never_ends),
		loop_test(a_file),
		loop_test(a_pause),
		loop_test(the_log_ends),
		loop_test(the_log_cannot_be_read),
		loop_test(no_account_yet),
		loop_test(no_memory),
		loop_test(it_does_not_begin),
		loop_test(how_it_is_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
