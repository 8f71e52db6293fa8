/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Times as the subcommands show them: since boot, by the wall clock, since the first entry, or since the last one. */
#ifndef BCOSLOG_TIMES_H
#define BCOSLOG_TIMES_H

#include "bcoslog.h"
#include "output.h"

enum time_mode { TIME_BOOT, TIME_WALL, TIME_RELATIVE, TIME_DELTA };

#define WALL_TEXT 48

/**
 * struct clock - how times are shown, and the wall clock of the log
 * @mode: how times are shown
 * @needed: times of the wall clock are shown, or an option names one
 * @readings: the wall clock throughout the log, as it was read so far; NULL: nothing is known
 * @known: it has any reading
 * @past: number of steps of the clock before the entries that wall_was_set() is asked about
 * @origin: the time relative to which the next one is shown
 * @has_origin: @origin is known
 * @local: text of the second that was shown last, since the next entry is probably of that second, too
 *
 * Zeros show times since boot.
 */
struct clock {
	enum time_mode mode;
	bool needed, known;
	struct bcoslog_clock *readings;
	u64 past;
	u64 origin;
	bool has_origin;
	struct {
		u64 second;
		size_t length;
		char text[WALL_TEXT];
		size_t zone_length;
		char zone[8];			/* only if the local time exists twice */
	} local;
};

/* Sets the mode that @text names.  Return: 0, or -1 after a complaint. */
int clock_choose(struct clock *clock, const char *text);

/* Learns the wall clock from the entry, if it states it.  Return: 0, or -ENOMEM after a complaint. */
int wall_learn(struct clock *clock, const struct bcos_entry *entry);
/* Adds a reading.  Return: as wall_learn(). */
int wall_add(struct clock *clock, const struct bcoslog_wall *reading);
/* Takes this machine's wall clock as it is now, which fits logs of this boot only. */
void wall_now(struct clock *clock);
/* Forgets what is known of the wall clock. */
void wall_forget(struct clock *clock);
/* Return: the wall clock at @time, in ns since boot, as ns since 1970, UTC. */
u64 wall_time(const struct clock *clock, u64 time);
/*
 * Has the entry, which states the wall clock, somebody's setting of it to tell? Then @by becomes the ns by which it was
 * set, modulo 2^64.
 */
bool wall_was_set(struct clock *clock, const struct bcos_entry *entry, u64 *by);
/* Writes `the clock was set back by 1 h 0 min 0 s` for the @by of wall_was_set().  Return: @text. */
#define SET_TEXT 96
const char *set_text(char *text, u64 by);
/* Complains of each time in the window at which the clock was set, if times are those of the wall clock. */
void wall_say_steps(struct clock *clock, u64 since, u64 until);

/* Puts the time of an entry, right-aligned, in the mode that --time chooses. */
void put_stamp(struct clock *clock, const struct bcos_entry *entry);
/*
 * Writes a time into @text as by the wall clock, if @wall is set, else since boot, without spaces in front. The zone
 * stands after a local time that exists twice.
 */
void moment_text(struct clock *clock, char *text, u64 time, bool by_wall);
/* Writes a time into @text without spaces in front. In the modes relative and delta it is since boot. */
#define TIME_TEXT 64
void time_text(struct clock *clock, char *text, u64 time);
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
void put_uncertainty(struct clock *clock, const struct bcos_entry *entry);

/* Writes a length of time for people, as `5.123 s` or `3 h 25 min 45 s`.  Return: @text. */
#define SPAN_TEXT 64
const char *span_text(char *text, u64 ns);

/*
 * Writes the wall clock at @time, in ns since boot, for programs: `2026-11-23T14:03:05.123456789Z`.
 * Return: the length of the text.
 */
size_t wall_text(struct clock *clock, char *text, u64 time);

/*
 * Return: the ns from the first entry (mode relative) or from the last one (mode delta) to this entry. Call this once
 * for each entry.
 */
s64 time_since(struct clock *clock, const struct bcos_entry *entry);

#endif
