// SPDX-License-Identifier: GPL-2.0-only
/* Jobs for the log writer: see job.h. */
#include <linux/completion.h>

#include "job.h"

/* A job is on the stack of its caller, who waits. */
struct bcos_job_entry {
	struct llist_node node;
	bcos_job run;
	void *data;
	struct completion done;
};

void bcos_jobs_do(struct llist_head *jobs, bcos_job run, void *data, void (*wake)(void))
{
	struct bcos_job_entry job = { .run = run, .data = data };

	init_completion(&job.done);
	llist_add(&job.node, jobs);
	wake();
	wait_for_completion(&job.done);
}

struct llist_node *bcos_jobs_run(struct llist_head *jobs, struct bcos_log *log)
{
	struct llist_node *taken = llist_reverse_order(llist_del_all(jobs));
	struct bcos_job_entry *job;

	llist_for_each_entry(job, taken, node)
		job->run(log, job->data);
	return taken;
}

void bcos_jobs_done(struct llist_node *done)
{
	struct bcos_job_entry *job, *next;

	/* A caller that is woken returns at once, and its job no longer exists. */
	llist_for_each_entry_safe(job, next, done, node)
		complete(&job->done);
}
