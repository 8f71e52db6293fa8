/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A log is restored from a trace that was made from a log. */
#ifndef CONVERT_LOG_RESTORED_H
#define CONVERT_LOG_RESTORED_H

#include "log_writer.h"
#include "state/state.h"

/**
 * log_restored() - take an entry that a trace carries
 * @log: the log_writer that is told of it
 * @state: the state of the log after the entries so far
 * @missed: when the reader was last overtaken, in ns since boot, 0: never; the function keeps it
 * @start: time of the trace's first event, in ns since boot; a name that is first stated later was lost before
 * @entry: the entry, which is valid; the function may change its type, time and precision
 * @now: time of the event that carries the entry, in ns since boot
 *
 * The function leaves out historical entries that only repeat what @state holds (module/DESIGN.md, 3.16). A historical
 * entry that differs from @state means that the trace has lost a change, so it becomes an ordinary entry. Its precision is
 * the time from @missed to @now, in which the change happened, or more if no later event has come.
 *
 * Context: user space, one thread. Return: 0 or a negative errno, as log_entry().
 */
int log_restored(struct log_writer *log, struct bcoslog_state *state, u64 *missed, u64 start,
		 struct bcos_entry *entry, u64 now);

#endif
