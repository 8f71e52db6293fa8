/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The threads and processes of a machine, as its trace tells of them. */
#ifndef CONVERT_TASKS_H
#define CONVERT_TASKS_H

#include "state/table.h"

/* The kernel gives no larger thread ID; with more the trace is damaged. */
#define TASK_MAX 4194304u
/* But bcoslog itself writes the kernel as this thread, and whoever has a CPU while a log does not say who as that one. */
#define TASK_KERNEL 0x7FFFFFFFu
#define TASK_UNKNOWN 0x7FFFFFFEu

static inline bool task_is_possible(u32 id)
{
	return id && (id <= TASK_MAX || id == TASK_KERNEL || id == TASK_UNKNOWN);
}

#define TASK_NAME 16

/* A process, of which threads are known. */
struct group {
	struct node node;	/* its ID */
	u32 threads;
	u64 exit;		/* when the latest of them has begun to end */
	bool kernel;		/* of the kernel: it is process 0 of a log */
	bool named;
	bool told;		/* the log knows it, by its name */
	bool alive;		/* at the end of the trace, one of its threads */
	u8 length;
	char name[TASK_NAME];
};

struct task {
	struct node node;	/* thread ID */
	struct group *group;
	bool dying;		/* since @exit */
	bool heard;		/* something has happened to it since it was found */
	u64 exit;
};

struct tasks {
	struct table tasks, groups;
};

/* Return: 0 or -ENOMEM, as other functions return NULL. */
int tasks_init(struct tasks *tasks);
void tasks_destroy(struct tasks *tasks);

static inline struct task *tasks_find(const struct tasks *tasks, u32 tid)
{
	return table_find(&tasks->tasks, tid);
}

/* A thread that is not there yet. */
struct task *tasks_add(struct tasks *tasks, u32 pid, u32 tid);

/* Forget a thread.  Return: true if the process had no other, and then @ended is a copy of it. */
bool tasks_remove(struct tasks *tasks, struct task *task, struct group *ended);

/*
 * The thread after @after, or the first if that is NULL, from @bucket on, which begins with 0; NULL if there is none.
 * @after may have been removed if it is not given.
 */
struct task *tasks_next(struct tasks *tasks, const struct task *after, size_t *bucket);

#endif
