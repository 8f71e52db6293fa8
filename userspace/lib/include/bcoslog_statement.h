/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Functions of libbcoslog for statements; programs include bcoslog.h.
 *
 * After each group of historical entries a log states which classes differ from the default ones, the time of the wall clock, and
 * the boot, host, kernel and version that wrote the log.  When one of these changes, the log states it again.  Readers
 * ignore statements and historical entries that repeat a known fact; bcoslog_state_compare() recognises both.
 */
#ifndef BCOSLOG_STATEMENT_H
#define BCOSLOG_STATEMENT_H

#include <stdbool.h>

#include "bcoslog_state.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Return: true if @entry is one of these statements, or the notice that the recorded classes have changed. */
bool bcoslog_is_statement(const struct bcos_entry *entry);

/**
 * struct bcoslog_wall - one reading of the wall clock
 * @boot: time of the reading, ns since boot
 * @utc: the reading, ns since 1970, UTC; the clock showed it at some time from @boot to @boot + @precision
 * @precision: ns; 0xFFFFFFFF stands for itself and for all greater values
 */
struct bcoslog_wall {
	__u64 boot;
	__u64 utc;
	__u32 precision;
};

/**
 * bcoslog_wall_clock() - read the wall clock from a statement
 * @entry: a well-formed entry of any type
 * @wall: receives the reading
 *
 * The statement is a generic event (0x0010) of process 0 with the event ID BCOS_EVENT_CLOCK and the text "wall clock
 * SECONDS.NNNNNNNNN", with nine digits after the point.
 *
 * Context: any thread.
 * Return: true; false if the entry is no such statement, or its text is malformed: @wall is not changed then.
 */
bool bcoslog_wall_clock(const struct bcos_entry *entry, struct bcoslog_wall *wall);

/**
 * bcoslog_wall_time() - convert a time since boot to a time of the wall clock
 * @wall: a reading of the wall clock in the same boot
 * @time: ns since boot, before or after @wall->boot
 *
 * The result may be late by up to @wall->precision.  It is wrong if somebody set the clock between the two times; a
 * log states the wall clock again after each such change.
 *
 * Context: any thread.
 * Return: ns since 1970, UTC; 0 for a time before 1970, 2^64 - 1 for a time that 64 bits cannot hold.
 */
__u64 bcoslog_wall_time(const struct bcoslog_wall *wall, __u64 time);

/* Return: the newest reading of the wall clock, valid until the next bcoslog_state_apply(); NULL if there is none. */
const struct bcoslog_wall *bcoslog_state_wall(const struct bcoslog_state *state);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
