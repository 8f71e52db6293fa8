/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * An import leaves out what no entry can tell, and counts it by kind. Every importer tells it here, and the caller prints all of it in one form
 * when the import is done.
 */
#ifndef CONVERT_LEFT_OUT_H
#define CONVERT_LEFT_OUT_H

#include "core/host/user.h"

/* At most this many kinds are kept, and this many printed; all others become one sum. */
#define LEFT_OUT_KINDS 512u
#define LEFT_OUT_LINES 24u

/* Reasons that importers share. Each ends the sentence "N events of kind K are left out: ...". */
#define LEFT_OUT_NO_ENTRY "no entry of a log tells of such an event"
#define LEFT_OUT_CARRIED "only the log that the recording carried would tell of them"
#define LEFT_OUT_TOO_LONG "they are too long for an entry"
#define LEFT_OUT_DAMAGED "they are damaged"

/**
 * struct left_out - what was left out
 * @count: how many of @kinds are in use
 * @more: events of kinds that are not in @kinds
 * @kinds: the kinds: name, reason, and how many events
 */
struct left_out {
	unsigned int count;
	u64 more;
	struct {
		char kind[96];
		const char *why;
		u64 events;
	} kinds[LEFT_OUT_KINDS];
};

/**
 * left_out_add() - tell of events that are left out
 * @left: what was left out so far
 * @kind: the kind of the events, as the recording names it; a long one is cut
 * @why: the reason, a sentence without a full stop; it has to stay valid
 * @events: how many; 0 does nothing
 *
 * This searches all kinds, so it is called once for a kind if there may be many events.
 */
void left_out_add(struct left_out *left, const char *kind, const char *why, u64 events);

/* Complains of all that was left out of @path, a line for each kind, those with the most events first. */
void left_out_complain(struct left_out *left, const char *path);

#endif
