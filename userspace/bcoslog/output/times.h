/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Times as the subcommands show them: since boot, by the wall clock, since the first entry, or since the last one. */
#ifndef BCOSLOG_TIMES_H
#define BCOSLOG_TIMES_H

#include "bcoslog.h"
#include "options/option.h"
#include "output.h"

enum time_mode { TIME_BOOT, TIME_WALL, TIME_RELATIVE, TIME_DELTA };

extern enum time_mode time_mode;

/* These take the options --time and --wall.  Return: 0, or -1 after a complaint. */
int take_time(struct arguments *arguments, const char *text);
int take_wall_time(struct arguments *arguments, const char *text);

/* Times of the wall clock are shown, or an option names one. */
extern bool wall_needed;
/* The wall clock throughout the log, as it was read so far, and whether it has any reading. */
extern struct bcoslog_clock *wall_clock;
extern bool wall_known;

/* Learns the wall clock from the entry, if it states it.  Return: 0, or -ENOMEM after a complaint. */
int wall_learn(const struct bcos_entry *entry);
/* Adds a reading.  Return: as wall_learn(). */
int wall_add(const struct bcoslog_wall *reading);
/* Takes this machine's wall clock as it is now, which fits logs of this boot only. */
void wall_now(void);
/* Forgets what is known of the wall clock. */
void wall_forget(void);
/* Return: the wall clock at @time, in ns since boot, as ns since 1970, UTC. */
u64 wall_time(u64 time);
/*
 * Has the entry, which states the wall clock, somebody's setting of it to tell? Then @by becomes the ns by which it was
 * set, modulo 2^64.
 */
bool wall_was_set(const struct bcos_entry *entry, u64 *by);
/* Writes `the clock was set back by 1 h 0 min 0 s` for the @by of wall_was_set().  Return: @text. */
#define SET_TEXT 96
const char *set_text(char *text, u64 by);
/* Complains of each time in the window at which the clock was set, if times are those of the wall clock. */
void wall_say_steps(u64 since, u64 until);

/* Puts the time of an entry, right-aligned, in the mode that --time chooses. */
void put_stamp(const struct bcos_entry *entry);
/*
 * Writes a time into @text as by the wall clock, if @wall is set, else since boot, without spaces in front. The zone
 * stands after a local time that exists twice.
 */
void moment_text(char *text, u64 time, bool by_wall);
/* Writes a time into @text without spaces in front. In the modes relative and delta it is since boot. */
#define TIME_TEXT 64
void time_text(char *text, u64 time);
/*
 * Writes how much later than its time an event may have happened, as "+400ms" or "or later", rounded up. All that shows
 * such a precision does it by this function.
 * Return: @text, which is "" if the precision is not more than a nanosecond, the last digit of a time.
 */
#define PRECISION_TEXT 32
const char *precision_text(char *text, u64 precision);
/* Puts how much later the event may have happened, if that is more than a nanosecond. */
void put_precision(const struct bcos_entry *entry);
/*
 * Puts how much later than put_stamp() shows the event may have happened, including the precision of the wall clock, if
 * that is more than the last digit of put_stamp().
 */
void put_uncertainty(const struct bcos_entry *entry);

/* Writes a length of time for people, as `5.123 s` or `3 h 25 min 45 s`.  Return: @text. */
#define SPAN_TEXT 64
const char *span_text(char *text, u64 ns);

/*
 * Writes the wall clock at @time, in ns since boot, for programs: `2026-11-23T14:03:05.123456789Z`.
 * Return: the length of the text.
 */
#define WALL_TEXT 48
size_t wall_text(char *text, u64 time);

/*
 * Return: the ns from the first entry (mode relative) or from the last one (mode delta) to this entry. Call this once
 * for each entry.
 */
s64 time_since(const struct bcos_entry *entry);

#endif
