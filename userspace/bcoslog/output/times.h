/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Times as the subcommands show them: since boot, by the wall clock, since the first entry, or since the last one. */
#ifndef BCOSLOG_TIMES_H
#define BCOSLOG_TIMES_H

#include "bcoslog.h"
#include "output.h"

enum time_mode { TIME_BOOT, TIME_WALL, TIME_RELATIVE, TIME_DELTA };

extern enum time_mode time_mode;

/* These take the options --time and --wall.  Return: 0, or -1 after a complaint. */
int take_time(void *context, const char *text);
int take_wall_time(void *context, const char *text);

#define TIME_OPTIONS { "time", 0, "HOW", take_time }, { "wall", 'T', NULL, take_wall_time }
#define TIME_HELP \
"      --time HOW    show times as boot (seconds since boot, the default), wall\n" \
"                    (the wall clock), relative (since the first entry), or delta\n" \
"                    (since the entry before)\n" \
"  -T, --wall        the same as --time wall\n"

/* Times of the wall clock are shown, or an option names one. */
extern bool wall_needed;
/* The wall clock as an entry stated it last, or of wall_now(). */
extern struct bcoslog_wall wall;
extern bool wall_known;

/* Learns the wall clock from the entry, if it states it. */
void wall_learn(const struct bcos_entry *entry);
/* Takes this machine's wall clock as it is now, which fits logs of this boot only. */
void wall_now(void);

/* Puts the time of an entry, right-aligned, in the mode that --time chooses. */
void put_stamp(const struct bcos_entry *entry);
/* Writes a time into @text without spaces in front. In the modes relative and delta it is since boot. */
#define TIME_TEXT 64
void time_text(char *text, u64 time);
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
