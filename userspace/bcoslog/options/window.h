/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The window of time that the options ask for, and the moment that a subcommand asks for. They are parsed here, become
 * times since boot here once it is known where the log begins and ends (window_settle()), and judge entries here.
 */
#ifndef BCOSLOG_WINDOW_H
#define BCOSLOG_WINDOW_H

#include "bcoslog_archive.h"
#include "moments.h"
#include "when.h"

/**
 * struct window - what is asked for. Only window.c uses the fields
 * @since: the begin, which window_settle() makes a WHEN_BOOT; of standard input, a WHEN_WALL becomes one when the log
 *	has stated the wall clock
 * @until: likewise the end
 * @moment: likewise the moment
 * @last: @since was given by --last
 * @by_wall: a time of the wall clock was asked for, so answers are by the wall clock
 * @late_since: the WHEN_WALL from which @since was settled by what a log had stated that comes only once
 * @late_until: likewise for @until
 * @near: ns around the moment that are needed; 0: the whole log is
 * @span: ns around the moment that are shown
 * @position: time of the newest entry that is not historical
 * @first: time of the first entry that is not historical; valid if @counted
 * @newest: time of the newest one that was counted
 * @counted: number of entries that are not historical
 * @inside: number of those that are in the window
 * @found: the time that the log covers, if @is_found: it was known before the pass
 */
struct window {
	struct time_asked since, until, moment;
	struct time_asked late_since, late_until;
	bool last, by_wall;
	u64 near, span;
	u64 position;
	u64 first, newest, counted, inside;
	struct reach found;
	bool is_found;
};

/* ---- what is asked for ---- */

/* These take the values of --since, --until and --last.  Return: 0, or -1 after a complaint. */
int window_take_since(struct window *window, const char *text);
int window_take_until(struct window *window, const char *text);
int window_take_last(struct window *window, const char *text);
/*
 * Takes the moment that a subcommand has as its own argument, in the grammar of --since; @what names the argument in
 * complaints.  Return: 0, or -1 after a complaint.
 */
int window_take_moment(struct window *window, const char *what, const char *text);
/*
 * Declares that what happened up to @ns before and after that moment is shown, and that entries much farther from it
 * need not be read. Call this before window_settle().
 */
void window_show_near(struct window *window, u64 ns);
/* Shows only entries from @time on, in ns since boot, unless --since or --last was given. */
void window_show_from(struct window *window, u64 time);

/* Was --since, --until or --last given? */
bool window_is_given(const struct window *window);
/* Was one of these given, or a moment? */
bool window_is_asked(const struct window *window);
/* Is a time asked for that a running log may not have any more? */
bool window_looks_back(const struct window *window);
/* Is a time of the wall clock asked for? */
bool window_is_by_wall(struct window *window);
/* Is a time asked for that only the log's end tells, such as the last hour, or 14:03 of its last day? */
bool window_needs_end(const struct window *window);

/* ---- the log to which it is applied ---- */

/*
 * Makes all that is asked for times since boot, for a log that covers @reach. In a @recorded directory, whose boots have
 * one line of time, this only finds what part of the log to read; window_settle_part() follows.
 * Return: 0, or -1 after a complaint that the log has nothing of that time.
 */
int window_settle(struct window *window, struct clock *clock, const struct reach *reach, bool recorded);
/* Gets the part of a recording that is to be read. */
void window_limits(const struct window *window, struct bcoslog_window *part);
/* Makes all that is asked for times of the entries of that part, which covers @reach.  Return: as window_settle(). */
int window_settle_part(struct window *window, struct clock *clock, const struct reach *reach);

/*
 * Gets the window in ns since boot; @until is 0 if there is no end. Call this after window_settle(), and if the clock is
 * needed, once it is known.
 */
void window_get(struct window *window, struct clock *clock, u64 *since, u64 *until);
/* Gets the moment in ns since boot, when window_get() may be called.  Return: whether one was taken. */
bool window_get_moment(struct window *window, struct clock *clock, u64 *time);
/*
 * Counts an entry of the log, before window_takes() gets it: where does the log begin and end, and has it entries in the
 * window?
 */
void window_count(struct window *window, struct clock *clock, const struct bcos_entry *entry);
/*
 * Is the entry in the window? Call this once for each entry, in their order. A historical entry is judged by its place in
 * the log, since its own time may be long past.
 */
bool window_takes(struct window *window, struct clock *clock, const struct bcos_entry *entry);
/*
 * Is any of the time from @begin to @end, which may be the same, shown? If a moment is asked for, what is shown is the time
 * around it. Call this when window_get() may be called.
 */
bool window_shows(struct window *window, struct clock *clock, u64 begin, u64 end);
/* Did the user ask for a window, of which only the moment @begin, which then is @end, is in the log? */
bool window_is_moment(const struct window *window, u64 begin, u64 end);
/* Was the last entry that window_takes() got later than --until? */
bool window_is_over(struct window *window, struct clock *clock);

/*
 * Says at the end of the pass what the window has to do with the log: that it lies outside, begins before the log, or
 * has no entries. @follow: the log was followed; @grows: it goes on after what was read, if nobody knew its end before.
 * Return: 0, or -1 after a complaint if it lies outside.
 */
int window_check(struct window *window, struct clock *clock, bool follow, bool grows);

#endif
