/* SPDX-License-Identifier: GPL-2.0-only */
/* The log writer: a thread that merges staging into the log (sections 2 and 5.6 of the design). */
#ifndef BCOS_WRITER_H
#define BCOS_WRITER_H

#include <linux/types.h>

#include "core/merge.h"
#include "jobs.h"

/* Bring-up: the empty log and the thread, which bcos_writer_begin() starts. */
int bcos_writer_up(void);
/* Stops the thread, merges what is left and frees the log. */
void bcos_writer_down(void);

/**
 * bcos_writer_begin() - the state found at load; starts the thread
 * @cpus: online CPUs
 * @cpu_count: how many
 * @seen: processes
 * @seen_count: how many
 * @from: clock before they were seen, with every probe on; ns since boot
 * @begin: clock after they were seen
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int bcos_writer_begin(const struct bcos_seen_cpu *cpus, u32 cpu_count,
		      const struct bcos_seen *seen, u32 seen_count, u64 from, u64 begin);

/**
 * bcos_writer_add_cpu() - merge this CPU's staging from now on
 * @cpu: possible, and not running events
 * @ring: its new ring, or NULL: it has one, or gets none
 * @size: of @ring, in units
 *
 * Context: may sleep; the hotplug lock may be held.
 */
void bcos_writer_add_cpu(unsigned int cpu, struct bcos_unit *ring, u64 size);

/* There is something to merge.  Any context but NMI; not with a run queue locked. */
void bcos_writer_kick(void);

/**
 * bcos_writer_arm() - somebody is about to wait for new entries
 *
 * Starts the timers, unless they run.  Whoever waits is on its wait queue
 * already, so that the writer keeps them going.  Any context but NMI.
 */
void bcos_writer_arm(void);

/**
 * bcos_writer_flush() - merge all that happened before the call
 *
 * Context: may sleep; not under the writer's lock.
 * Return: 0, or -ERESTARTSYS on a signal.
 */
int bcos_writer_flush(void);

/* The same, not to be interrupted. */
void bcos_writer_settle(void);

/* The counter may have been set: no record has ticks.  May sleep. */
void bcos_writer_new_timebase(void);

/* Is this the log writer's thread?  Any context. */
bool bcos_writer_is_current(void);

/* All that is older is merged: ns since boot.  Any context. */
u64 bcos_writer_horizon(void);

/**
 * bcos_writer_tell_requests_gone() - whom the writer tells that a device went and its requests with it
 * @tell: called by the writer, must not wait; or NULL
 *
 * Context: may sleep.  When it returns, nobody else is being told.
 */
void bcos_writer_tell_requests_gone(void (*tell)(void));

/**
 * bcos_writer_do() - have something done to the log that the writer does not do by itself
 * @run: what; called by the writer, or, before there is a log, at once
 * @data: for it
 *
 * When this returns it is done, and published.
 * Context: may sleep, uninterruptible; not by the writer.  While the log begins, under the hotplug lock.
 */
void bcos_writer_do(bcos_job run, void *data);

/**
 * bcos_writer_append() - an event (5.7, 5.11, 5.16) behind all that was merged
 * @log: as the job got it
 * @type: BCOS_GENERIC_*
 * @source: its subject, in the log
 * @id: event ID
 * @severity: 0-255
 * @text: UTF-8
 * @length: bytes, at most 1024
 *
 * Context: a job of bcos_writer_do().
 */
void bcos_writer_append(struct bcos_log *log, u16 type, u32 source, u32 id, u8 severity, const char *text,
			size_t length);

/* The time of now as the log has it.  By the writer, or in a job. */
u64 bcos_writer_time(void);

/* Compares the model with the task list, soon.  May sleep. */
void bcos_writer_resync(void);

/**
 * bcos_writer_status() - counters and sizes of log and writer, as of its newest pass
 * @status: all of it is set but version, masks and what readers and staging know
 *
 * Context: any; takes no lock.
 */
void bcos_writer_status(struct bcos_status *status);

/* The ring, for readers: they need no lock. */
const struct bcos_ring *bcos_writer_ring(void);

/* No timer runs any more, nor is started again.  May sleep.  For unloading. */
void bcos_writer_quiesce(void);

#endif
