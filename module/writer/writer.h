/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The log writer is a thread that merges the staging rings into the log (module/DESIGN.md, 6.1 and
 * 9.4).
 */
#ifndef BCOS_WRITER_H
#define BCOS_WRITER_H

#include <linux/types.h>

#include "core/merge/merge.h"
#include "job.h"
#include "wakeup.h"

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
 * @from: ns since boot, read before @cpus and @seen were found, when every probe was on
 * @begin: ns since boot, read after @cpus and @seen were found
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int bcos_writer_begin(const struct bcos_seen_cpu *cpus, u32 cpu_count,
		      const struct bcos_seen *seen, u32 seen_count, u64 from, u64 begin);

/**
 * bcos_writer_add_cpu() - merge the records of a CPU from now on
 * @cpu: a possible CPU that records no events
 * @ring: new ring of the CPU; NULL: the CPU has one already, or gets none
 * @size: size of @ring in units
 *
 * Context: may sleep; the hotplug lock may be held.
 */
void bcos_writer_add_cpu(unsigned int cpu, struct bcos_unit *ring, u64 size);

/*
 * Forgets the samples of the counter, which may have been set back. No staged record may have
 * ticks. May sleep.
 */
void bcos_writer_new_timebase(void);

/* Is the current thread the log writer? Context: any. */
bool bcos_writer_is_current(void);

/* Returns the time before which everything is merged, ns since boot. Context: any. */
u64 bcos_writer_horizon(void);

/**
 * bcos_writer_tell_requests_gone() - set a function to call when a device with requests has gone
 * @tell: the function, which the writer calls and which must not wait; or NULL
 *
 * Context: may sleep. After the call, the previous function is not running.
 */
void bcos_writer_tell_requests_gone(void (*tell)(void));

/**
 * bcos_writer_do() - run a job in the log writer
 * @run: the job; before the thread runs, this calls it at once
 * @data: argument of the job
 *
 * On return the job is done and its result published.
 *
 * Context: may sleep, uninterruptible; not the log writer. While the log begins, under the hotplug
 *   lock.
 */
void bcos_writer_do(bcos_job run, void *data);

/* Returns the current time as the log has it, ns since boot. Context: the log writer, or a job. */
u64 bcos_writer_time(void);

/* Makes the writer start a walk soon, which compares the model with what there is. May sleep. */
void bcos_writer_resync(void);

/**
 * bcos_writer_status() - get the counters and sizes of log and writer, as of the newest pass
 * @status: out; version, masks, and the figures of readers and staging are left to the caller
 *
 * Context: any; takes no lock.
 */
void bcos_writer_status(struct bcos_status *status);

/* Returns the ring. Readers need no lock. */
const struct bcos_ring *bcos_writer_ring(void);

#endif
