/* SPDX-License-Identifier: GPL-2.0-only */
/* The log writer: a thread that merges the staging rings into the log (module/DESIGN.md, 6.1 and 9.4). */
#ifndef BCOS_WRITER_H
#define BCOS_WRITER_H

#include <linux/types.h>

#include "core/merge/merge.h"
#include "job.h"

/* Creates the empty log and the thread, which bcos_writer_begin() starts. */
int bcos_writer_up(void);
/* Stops the thread, merges what is left and frees the log. */
void bcos_writer_down(void);

/**
 * bcos_writer_begin() - enter the state found at load, and start the thread
 * @cpus: online CPUs
 * @cpu_count: number of @cpus
 * @seen: processes
 * @seen_count: number of @seen
 * @from: ns since boot, read before they were found, with every probe on
 * @begin: ns since boot, read after they were found
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int bcos_writer_begin(const struct bcos_seen_cpu *cpus, u32 cpu_count,
		      const struct bcos_seen *seen, u32 seen_count, u64 from, u64 begin);

/**
 * bcos_writer_add_cpu() - merge this CPU's staging from now on
 * @cpu: a possible CPU that records no events
 * @ring: its new ring, or NULL: it has one, or gets none
 * @size: size of @ring in units
 *
 * Context: may sleep; the hotplug lock may be held.
 */
void bcos_writer_add_cpu(unsigned int cpu, struct bcos_unit *ring, u64 size);

/*
 * Wakes the writer, since there is something to merge. Context: any but NMI; not with a run queue
 * locked.
 */
void bcos_writer_kick(void);

/**
 * bcos_writer_arm() - prepare for a reader that is about to wait for new entries
 *
 * Starts the timers, unless they run. The reader is on its wait queue already, so that the writer
 * keeps the timers going.
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

/*
 * Forgets the samples of the counter, which may have been set. No record may have ticks. May sleep.
 */
void bcos_writer_new_timebase(void);

/* Is the current thread the log writer? Context: any. */
bool bcos_writer_is_current(void);

/* Returns the time before which everything is merged, ns since boot. Context: any. */
u64 bcos_writer_horizon(void);

/**
 * bcos_writer_tell_requests_gone() - set who is told that a device with requests has gone
 * @tell: called by the writer, must not wait; or NULL
 *
 * Context: may sleep. After the call, the previous function is not running.
 */
void bcos_writer_tell_requests_gone(void (*tell)(void));

/**
 * bcos_writer_do() - run a job in the log writer
 * @run: the job; before the thread runs, it is called at once
 * @data: its argument
 *
 * On return the job is done and its result published.
 *
 * Context: may sleep, uninterruptible; not the log writer. While the log begins, under the hotplug
 *   lock.
 */
void bcos_writer_do(bcos_job run, void *data);

/**
 * bcos_writer_append() - write an event (5.7, 5.11, 5.16) after all that is merged
 * @log: as the job got it
 * @type: BCOS_GENERIC_*
 * @source: its subject, which the log has
 * @id: event ID
 * @severity: 0-255
 * @text: UTF-8
 * @length: bytes, at most 1024
 *
 * Context: a job of bcos_writer_do().
 */
void bcos_writer_append(struct bcos_log *log, u16 type, u32 source, u32 id, u8 severity, const char *text,
			size_t length);

/* Returns the current time as the log has it, ns since boot. Context: the log writer, or a job. */
u64 bcos_writer_time(void);

/* Makes the writer compare the model with the task list soon. May sleep. */
void bcos_writer_resync(void);

/**
 * bcos_writer_status() - get the counters and sizes of log and writer, as of the newest pass
 * @status: out, except version, masks, and the figures of readers and staging
 *
 * Context: any; takes no lock.
 */
void bcos_writer_status(struct bcos_status *status);

/* Returns the ring. Readers need no lock. */
const struct bcos_ring *bcos_writer_ring(void);

/* Stops the timers for good, for unloading. May sleep. */
void bcos_writer_quiesce(void);

#endif
