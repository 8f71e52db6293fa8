/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Jobs for the log writer. Only the writer changes the log and the merge, so no lock that others
 * hold can delay it.
 */
#ifndef BCOS_JOBS_H
#define BCOS_JOBS_H

#include <linux/llist.h>

struct bcos_log;

/* A job, which the log writer runs between two passes. It must not sleep or wait. */
typedef void (*bcos_job)(struct bcos_log *log, void *data);

/**
 * bcos_jobs_do() - submit a job and wait until it is done
 * @jobs: queue of the log writer
 * @run: the job
 * @data: argument of the job
 * @wake: wakes the log writer
 *
 * Context: may sleep, uninterruptible; not the log writer.
 */
void bcos_jobs_do(struct llist_head *jobs, bcos_job run, void *data, void (*wake)(void));

/**
 * bcos_jobs_run() - run all submitted jobs, oldest first
 * @jobs: queue of the log writer
 * @log: argument of the jobs
 *
 * Context: the log writer.
 * Return: the jobs that ran, for bcos_jobs_done().
 */
struct llist_node *bcos_jobs_run(struct llist_head *jobs, struct bcos_log *log);

/* Wakes the callers of these jobs. The results of the jobs must be published before. */
void bcos_jobs_done(struct llist_node *done);

#endif
