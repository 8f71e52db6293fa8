// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog top as a screen: the loop over log and keys. */
#include <stdlib.h>

#include "command.h"
#include "entry/text.h"
#include "host/linux.h"
#include "log/hold.h"
#include "log/lag.h"
#include "log/reach.h"
#include "log/open.h"
#include "log/pass.h"
#include "log/run.h"
#include "options/filter.h"
#include "output/screen.h"
#include "reader/reader.h"
#include "complain/complain.h"
#include "top.h"

/* The ms between two reads of the log. The ring has to have room for the entries of that time. */
#define LOOK 100
/* The ns for which the log is read before the program looks for keys. */
#define SLICE 50000000ull

/* For how many ms to wait for the next part of what is there already. */
#define CATCH_UP 20
/* The ns after which the screen shows entries although they are old. */
#define CATCH_UP_MOST 10000000000ull

/* ---- the log ---------------------------------------------------------------------------- */

/* Return: 1 if new entries came meanwhile, 0 if there are none yet, -1 if there will be none. */
static int at_end(struct top *top)
{
	/* A recorder sends what there is in parts. */
	int r = bcoslog_wait(top->run->log, top->lag > TOP_LAG ? CATCH_UP : 0);

	if (r > 0)
		return 1;
	if (r == -ETIMEDOUT)
		return 0;
	if (r < 0 && r != -EINTR && r != -EPIPE)
		top->status = run_failed(top->run);
	return -1;
}

/*
 * Reads the log for a while.
 * Return: 1 if it has more entries, 0 if it has none yet, -1 if there will be none or the log cannot be read.
 */
static int read_some(struct top *top)
{
	u64 until = clock_now(CLOCK_MONOTONIC) + SLICE;
	struct bcoslog_batch batch;
	int r;

	do {
		r = bcoslog_batch(top->run->log, &batch);
		if (r > 0) {
			if (hold_entries(top->run, &batch)) {
				top->status = EXIT_ENVIRONMENT;
				return -1;
			}
			top->newest = lag_newest(&batch, top->newest);
			top->lag = lag_since(top->run, top->newest);
		} else if (!r) {
			r = at_end(top);
			if (r <= 0)
				return r;
		} else if (r != -EBADMSG) {
			top->status = run_failed(top->run);
			return -1;
		} else {
			top->status = EXIT_DAMAGE;
			if (!run_damaged(top->run))
				return -1;
		}
	} while (clock_now(CLOCK_MONOTONIC) < until && !run_signal);
	return 1;
}

static void end_interval(struct top *top)
{
	struct report *report = top->live.report;

	if (top->ended && !report->account && report_begin(report))
		top->status = EXIT_ENVIRONMENT;
	if (!report->account)
		return;
	top->stale = true;
	/* If the log ends just after an interval, the screen still shows that interval. */
	if (top->ended && top->live.last.end &&
	    bcoslog_account_totals(report->account)->entries == top->live.last.entries)
		return;
	live_interval(&top->live, top->ended);
	if (top->live.failed) {
		complain("no memory for the screen");
		top->status = EXIT_ENVIRONMENT;
	}
}

/* Reads the log, and ends the interval when it is over.  Return: whether the log has more entries now. */
static bool look_at_log(struct top *top)
{
	bool due = clock_now(CLOCK_MONOTONIC) >= top->next && !top->paused && !top->live.whole;
	bool first = !top->live.last.end;
	__u64 head;
	int more;

	/* The recorder writes everything that has happened by now into the log. */
	if (due)
		bcoslog_flush(top->run->log, &head);
	more = read_some(top);
	if (more < 0) {
		top->ended = true;
		if (hold_end(top->run))
			top->status = EXIT_ENVIRONMENT;
		end_interval(top);
		return false;
	}
	top->lag = lag_since(top->run, top->newest);
	if (first && top->lag > TOP_LAG && clock_now(CLOCK_MONOTONIC) < top->next + CATCH_UP_MOST) {
		/* Meanwhile, the screen says how far it is. */
		top->stale = true;
		return more;
	}
	/* The first interval ends as soon as the entries that are there already are read. */
	if (due || (first && !more && !top->live.whole)) {
		top->behind = due && more;
		end_interval(top);
		top->next = clock_now(CLOCK_MONOTONIC) + top_every;
	}
	return more;
}

/* ---- keys ------------------------------------------------------------------------------- */

static void find_key(struct top *top, int key)
{
	switch (key) {
	case SCREEN_ENTER:
		top->finding = false;
		top_find(top);
		break;
	case SCREEN_ESCAPE:
		top->finding = false;
		top->find_length = 0;
		break;
	case SCREEN_ERASE:
		while (top->find_length && utf8_is_inside(top->find[--top->find_length]))
			;
		break;
	default:
		if (key >= ' ' && key < 0x100 && top->find_length < sizeof(top->find))
			top->find[top->find_length++] = (char)key;
		break;
	}
}

static void change_every(struct top *top, bool longer)
{
	static const u32 steps[] = { 100, 200, 500, 1000, 2000, 5000, 10000, 30000, 60000 };
	const size_t count = sizeof(steps) / sizeof(steps[0]);
	u64 before = top_every;
	size_t i;

	for (i = 0; i < count; i++) {
		if (longer && steps[i] * 1000000ull > before) {
			top_every = steps[i] * 1000000ull;
			break;
		}
		if (!longer && steps[count - 1 - i] * 1000000ull < before) {
			top_every = steps[count - 1 - i] * 1000000ull;
			break;
		}
	}
	top->next = clock_now(CLOCK_MONOTONIC) + top_every;
}

/* Return: true if @key chose an order. */
static bool sort_key(struct top *top, int key)
{
	/* In the order of enum live_order. */
	static const char keys[] = "ctwni";
	const char *at = key > 0 && key < 0x80 ? strchr(keys, key) : NULL;

	if (!at)
		return false;
	screen_order = (enum live_order)(at - keys);
	top->scroll = 0;
	top->stale = true;
	return true;
}

/* Return: true if @key chose a table. */
static bool table_key(struct top *top, int key)
{
	size_t i;

	for (i = 0; i < SCREEN_TABLES; i++) {
		if (screen_tables[i].key != key)
			continue;
		top->shown = i;
		top->scroll = top->shift = 0;
		top->stale = true;
		return true;
	}
	return false;
}

static void scroll_key(struct top *top, int key)
{
	size_t page = top_page(top), most = top->table ? top->table->rows : 0;

	switch (key) {
	case SCREEN_UP:
		top->scroll -= top->scroll > 0;
		break;
	case SCREEN_DOWN:
		top->scroll++;
		break;
	case SCREEN_PAGE_UP:
		top->scroll -= top->scroll < page ? top->scroll : page;
		break;
	case SCREEN_PAGE_DOWN:
		top->scroll += page;
		break;
	case SCREEN_HOME:
		top->scroll = 0;
		break;
	case SCREEN_END:
		top->scroll = most;
		break;
	case SCREEN_LEFT:
		top->shift -= top->shift < 8 ? top->shift : 8;
		break;
	case SCREEN_RIGHT:
		top->shift += 8;
		break;
	default:
		break;
	}
	if (top->scroll + page > most)
		top->scroll = most > page ? most - page : 0;
}

/* The interval ends when the pause does, and contains the time of the pause. */
static void pause_key(struct top *top)
{
	top->paused = !top->paused;
	top->next = clock_now(CLOCK_MONOTONIC);
}

static void command_key(struct top *top, int key)
{
	switch (key) {
	case 'q':
		top->quit = true;
		break;
	case 'h':
	case '?':
		top->help = true;
		break;
	case 'r':
		screen_reverse = !screen_reverse;
		top->stale = true;
		break;
	case 'p':
	case ' ':
		pause_key(top);
		break;
	case '+':
	case '-':
		change_every(top, key == '+');
		break;
	case '/':
		top->finding = true;
		top->find_length = 0;
		break;
	default:
		scroll_key(top, key);
		break;
	}
}

static void take_key(struct top *top, int key)
{
	if (key == SCREEN_GONE) {
		top->quit = true;
	} else if (top->finding && key != SCREEN_RESIZED) {
		find_key(top, key);
	} else if (top->help && key != SCREEN_RESIZED) {
		top->help = false;
		top->quit = key == 'q';
	} else if (!table_key(top, key) && !sort_key(top, key)) {
		command_key(top, key);
	}
}

/* ---- the loop --------------------------------------------------------------------------- */

static int wait_time(const struct top *top)
{
	u64 time = clock_now(CLOCK_MONOTONIC);

	if (top->ended)
		return -1;
	if (top->paused || time + LOOK * 1000000ull <= top->next)
		return LOOK;
	return time < top->next ? (int)((top->next - time) / 1000000) + 1 : 0;
}

/* Reads the log, draws the screen and takes keys until the user leaves. */
static void run_loop(struct top *top)
{
	bool more = true, drawn = false;
	int key;

	while (!top->quit && !run_signal && top->status != EXIT_ENVIRONMENT) {
		if (!top->ended)
			more = look_at_log(top);
		if (top->status == EXIT_ENVIRONMENT)
			break;
		if (top->stale || !drawn || top->live.whole) {
			top_draw(top);
			drawn = true;
		}
		key = screen_key(more && !top->ended ? 0 : wait_time(top));
		for (; key != SCREEN_NO_KEY && !top->quit; key = screen_key(0)) {
			take_key(top, key);
			drawn = false;
		}
	}
}

int top_screen(struct report *report, struct run *run)
{
	struct top top = { .run = run, .shown = 0, .head_lines = 4, .live = { .over = 10000000 } };

	/* A file that does not grow is one interval. */
	top.live.whole = !run->follow;
	if (run_settle_times(run) || live_begin(&top.live, report))
		return EXIT_ENVIRONMENT;
	if (screen_begin()) {
		live_free(&top.live);
		return EXIT_ENVIRONMENT;
	}
	top.next = clock_now(CLOCK_MONOTONIC) + top_every;
	run_loop(&top);
	screen_end();
	table_free(&top.own);
	live_free(&top.live);
	/* Leaving the screen is the usual end, even by a signal. */
	run_finishing = true;
	return top.status;
}
