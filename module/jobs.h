/* SPDX-License-Identifier: GPL-2.0-only */
/* What others want done to the log.  The log writer does it: nobody else touches log or merge, so nobody holds it up. */
#ifndef BCOS_JOBS_H
#define BCOS_JOBS_H

#include <linux/llist.h>

struct bcos_log;

/* Does the job, by the log writer, between two passes.  Must not sleep, nor wait for anybody. */
typedef void (*bcos_job)(struct bcos_log *log, void *data);

/**
 * bcos_jobs_do() - hand a job in, and wait until it is done
 * @jobs: where the log writer looks for them
 * @run: the job
 * @data: for it
 * @wake: wakes the log writer
 *
 * Context: may sleep, uninterruptible.  Not by the log writer.
 */
void bcos_jobs_do(struct llist_head *jobs, bcos_job run, void *data, void (*wake)(void));

/**
 * bcos_jobs_run() - does all jobs that were handed in, the oldest first
 * @jobs: where they are
 * @log: for them
 *
 * Context: the log writer.
 * Return: those jobs, for bcos_jobs_done().
 */
struct llist_node *bcos_jobs_run(struct llist_head *jobs, struct bcos_log *log);

/* Tells whoever waits for these jobs.  What they changed is published by now. */
void bcos_jobs_done(struct llist_node *done);

#endif
