/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The wall clock throughout a log.
 *
 * A log states the wall clock after each group, and when somebody has set it.  A clock collects these readings, and tells
 * what the wall clock showed at each time since boot, and at which times since boot it showed a time.
 *
 *	struct bcoslog_clock *clock = bcoslog_clock_new();
 *
 *	while (bcoslog_next(log, &entry) > 0)
 *		bcoslog_clock_learn(clock, entry);
 *	if (bcoslog_clock_at(clock, time))
 *		utc = bcoslog_clock_wall(clock, time);
 */
#ifndef BCOSLOG_STATE_CLOCK_H
#define BCOSLOG_STATE_CLOCK_H

#include "bcoslog_statement.h"

struct bcoslog;
struct bcoslog_clock;

/* Return: a clock without readings, which bcoslog_clock_free() frees; NULL if there is no memory. */
struct bcoslog_clock *bcoslog_clock_new(void);
void bcoslog_clock_free(struct bcoslog_clock *clock);

/**
 * bcoslog_clock_add() - add a reading of the wall clock
 * @clock: a clock
 * @wall: the reading; readings come in the order of time
 *
 * A reading that agrees with the one that holds at its time, within both precisions, is not kept, unless it is more
 * precise.  So adding the readings of a log twice changes nothing, and memory is used for changes of the clock alone.  An
 * older reading that does not agree is one of another log: all later ones are forgotten.
 *
 * Return: 0 or -ENOMEM.
 */
int bcoslog_clock_add(struct bcoslog_clock *clock, const struct bcoslog_wall *wall);

/**
 * bcoslog_clock_learn() - add the reading that an entry states
 * @clock: a clock
 * @entry: a well-formed entry of any type
 *
 * Return: 1 if the entry states the wall clock, 0 if it does not, or -ENOMEM.
 */
int bcoslog_clock_learn(struct bcoslog_clock *clock, const struct bcos_entry *entry);

/**
 * bcoslog_clock_at() - find the reading that holds at a time
 * @clock: a clock
 * @time: ns since boot
 *
 * A reading holds from its own time on until the next one, and the first one also holds before.
 *
 * Return: the reading, valid until the next reading is added; NULL if the clock has none.
 */
const struct bcoslog_wall *bcoslog_clock_at(const struct bcoslog_clock *clock, __u64 time);

/* Return: the wall clock at @time, in ns since 1970, UTC; 0 if the clock has no readings. */
__u64 bcoslog_clock_wall(const struct bcoslog_clock *clock, __u64 time);

/**
 * struct bcoslog_moments - the times since boot at which the wall clock showed a time
 * @first: ns since boot at which it first showed the time or, if it never did, first showed a later one
 * @last: ns since boot at which it last showed the time or, if it never did, last showed an earlier one
 * @count: how often it showed the time: more than once if the clock was set back, 0 if the clock was set forward over
 *	the time, or if the time is not in the part that was asked for
 */
struct bcoslog_moments {
	__u64 first;
	__u64 last;
	__u64 count;
};

/**
 * bcoslog_clock_find() - find the times since boot at which the wall clock showed a time
 * @clock: a clock
 * @utc: the time, ns since 1970, UTC
 * @begin: the part of the log that counts begins here, ns since boot
 * @end: it ends here, ns since boot; not less than @begin
 * @moments: receives the times
 *
 * If the part does not have the time, @moments->first and @moments->last are as far before @begin or after @end as the
 * clock at that end of the part says, but not before 0.
 *
 * Return: @moments->count; 0 with both times 0 if the clock has no readings.
 */
__u64 bcoslog_clock_find(const struct bcoslog_clock *clock, __u64 utc, __u64 begin, __u64 end,
			 struct bcoslog_moments *moments);

/* Two readings that differ by less than this, in ns, beyond their precisions are the same clock that was corrected. */
#define BCOSLOG_CLOCK_STEP 1000000

/**
 * struct bcoslog_clock_step - somebody set the wall clock
 * @time: ns since boot at which the log states the clock anew; the clock was set shortly before
 * @from: what the clock would show at that time, ns since 1970, UTC
 * @to: what it shows
 */
struct bcoslog_clock_step {
	__u64 time;
	__u64 from;
	__u64 to;
};

/**
 * bcoslog_clock_step() - list the times at which the wall clock was set
 * @clock: a clock
 * @index: number of the step in the order of time, from 0 on
 * @step: receives the step
 *
 * A change that does not exceed the precisions of both readings by BCOSLOG_CLOCK_STEP is a correction, and no step.
 *
 * Return: true; false if there is no step with this number.
 */
bool bcoslog_clock_step(const struct bcoslog_clock *clock, __u64 index, struct bcoslog_clock_step *step);

#endif
