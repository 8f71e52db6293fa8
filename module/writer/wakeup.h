/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decides when the log writer's thread runs. Kicks and timers wake the thread. A caller that needs
 * all that happened so far requests a merge, and waits until the horizon has passed the time of a
 * pass that began after the request.
 */
#ifndef BCOS_WAKEUP_H
#define BCOS_WAKEUP_H

#include <linux/jiffies.h>
#include <linux/types.h>

/* The period of merges while somebody waits for entries. */
#define BCOS_PERIOD (HZ / 10)
#define BCOS_PERIOD_MAX HZ

/* Prepares the timers. Context: the writer's bring-up. */
void bcos_wakeup_up(void);

/*
 * Wakes the writer, since there is something to merge. Context: any but NMI; not with a run queue
 * locked.
 */
void bcos_writer_kick(void);

/**
 * bcos_writer_arm() - prepare for a reader that is about to wait for new entries
 *
 * Starts the timers, unless they run. The reader must be on its wait queue already, so that the
 * writer keeps the timers going.
 *
 * Context: any but NMI.
 */
void bcos_writer_arm(void);

/**
 * bcos_writer_flush() - merge all that happened before the call
 *
 * Context: may sleep; not the log writer.
 * Return: 0, or -ERESTARTSYS on a signal.
 */
int bcos_writer_flush(void);

/* Like bcos_writer_flush(), uninterruptible. */
void bcos_writer_settle(void);
/* Likewise, but waits at most @timeout jiffies. */
void bcos_writer_settle_within(unsigned long timeout);

/* Stops the timers for good, for unloading. May sleep. */
void bcos_writer_quiesce(void);

/* The log writer calls these. */

/* Sleeps until the thread is woken or has to stop. Returns false if nobody woke it. */
bool bcos_wakeup_wait(void);

/* Makes the thread run again after @delay jiffies, even if the machine is idle then. */
void bcos_wakeup_after(unsigned long delay);

/*
 * Starts the timers again if somebody waits. @interesting: a pass had entries that are worth waking
 * readers for.
 */
void bcos_wakeup_rearm(bool interesting);

/*
 * Returns the number of the newest request. The caller reads it before it looks at any CPU, so what
 * was staged before the request is older than the pass.
 */
u64 bcos_wakeup_asked(void);

/**
 * bcos_wakeup_answer() - answer requests after a pass
 * @asked: number of the newest request when the pass began
 * @now: ns since boot, when the pass began
 * @exact: whether @now is certain
 * @horizon: ns since boot: everything before this is in the log
 */
void bcos_wakeup_answer(u64 asked, u64 now, bool exact, u64 horizon);

/* Wakes the callers whose requests are done. The log must be published before. */
void bcos_wakeup_merged(void);

/* Does a request wait for an answer? */
bool bcos_wakeup_is_due(void);

#endif
