/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Gives a reader the wakings of threads at their own time. An event of the log may tell of a waking that is older than
 * itself: one that says that a thread runs tells how it was woken, too (core/format/thread_text.h). For a log that is
 * opened with BCOSLOG_WAKINGS, each waking is an entry of its own among those of its time, and no other entry tells of it.
 */
#ifndef BCOSLOG_UNFOLD_H
#define BCOSLOG_UNFOLD_H

#include "handle/handle.h"

/*
 * Return: as bcoslog_batch(). @read is what that is without unfolding. Once threads have states, entries are held back
 * for BCOS_WAKING_SPAN, up to the present end of the log.
 */
int unfold_batch(struct bcoslog *log, struct bcoslog_batch *batch,
		 int (*read)(struct bcoslog *log, struct bcoslog_batch *batch));

/* Return: as bcoslog_next(). */
int unfold_next(struct bcoslog *log, const struct bcos_entry **entry,
		int (*read)(struct bcoslog *log, struct bcoslog_batch *batch));

/* Return: BCOSLOG_WAKINGS if the log is read so, else 0. */
static inline unsigned int unfold_flag(const struct bcoslog *log)
{
	return log->flags & BCOSLOG_WAKINGS;
}

/* Shows all entries to @folded as the log has them, each before it is given to the caller, for whoever copies the log. */
void unfold_show(struct bcoslog *log, void (*folded)(void *context, const struct bcoslog_batch *batch), void *context);

/* Forget what is held back, since reading goes on elsewhere; @log may be closed then. */
void unfold_forget(struct bcoslog *log);

#endif
