/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* How times are shown: since boot, by the wall clock, since the first entry, since the one before. */
#ifndef BCOSLOG_TIMES_H
#define BCOSLOG_TIMES_H

#include "bcoslog.h"
#include "output.h"

enum time_mode { TIME_BOOT, TIME_WALL, TIME_RELATIVE, TIME_DELTA };

extern enum time_mode time_mode;

/* --time and -T.  Return: 0, or -1 after a complaint. */
int take_time(void *context, const char *text);
int take_wall_time(void *context, const char *text);

#define TIME_OPTIONS { "time", 0, "HOW", take_time }, { "wall", 'T', NULL, take_wall_time }
#define TIME_HELP \
"      --time HOW    times: boot (seconds since boot, the default), wall (clock),\n" \
"                    relative (to the first entry), delta (to the one before)\n" \
"  -T, --wall        short for --time wall\n"

/* The wall clock as entries state it, or as it shows now. */
extern struct bcoslog_wall wall;
extern bool wall_known;

/* Take what an entry states of the wall clock. */
void wall_learn(const struct bcos_entry *entry);
/* This machine's, as it is now: for logs of this boot. */
void wall_now(void);

/* The time of an entry that is printed, right-aligned. */
void put_stamp(const struct bcos_entry *entry);
/* Prints any time without spaces in front; relative and delta are since boot. */
#define TIME_TEXT 64
void time_text(char *text, u64 time);
/* Prints how much later the event may have been, if that is more than a nanosecond. */
void put_precision(const struct bcos_entry *entry);
/* As above, if more than the last digit of put_stamp() is uncertain, also because of the reading of the wall clock. */
void put_uncertainty(const struct bcos_entry *entry);

/* A length of time for people, `5.123 s` or `3 h 25 min 45 s`. */
#define SPAN_TEXT 64
const char *span_text(char *text, u64 ns);

/* A time of the wall clock for programs: `2026-11-23T14:03:05.123456789Z`.  Return: its length. */
#define WALL_TEXT 48
size_t wall_text(char *text, u64 time);

/* Since what is shown, of relative and delta: ns.  Once for each entry. */
s64 time_since(const struct bcos_entry *entry);

#endif
