/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A log is made again of a trace that was made of a log. */
#ifndef CONVERT_LOG_RESTORED_H
#define CONVERT_LOG_RESTORED_H

#include "log_writer.h"
#include "state/state.h"

/**
 * log_restored() - write an entry that a trace carries
 * @log: where to
 * @state: what the entries so far say
 * @start: time of the trace's first event, in ns since boot; what is stated later was lost before
 * @entry: the entry, valid; its type, time and precision may be changed
 * @now: time of the event that carries it, in ns since boot
 *
 * Leaves out what a group of historical entries states again (6.2). If it states something
 * differently than before, a change was lost, and the statement becomes an ordinary entry.
 *
 * Context: user space, one thread. Return: 0 or a negative errno, as log_entry().
 */
int log_restored(struct log_writer *log, struct bcoslog_state *state, u64 start,
		 struct bcos_entry *entry, u64 now);

#endif
