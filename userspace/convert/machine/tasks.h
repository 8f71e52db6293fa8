/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The threads and processes of a machine, as its trace tells of them. */
#ifndef CONVERT_TASKS_H
#define CONVERT_TASKS_H

#include "state/table.h"

/* The largest thread ID that the kernel gives. A trace with a larger one is damaged. */
#define TASK_MAX 4194304u
/*
 * These two are exceptions, which only exports of bcoslog contain: the kernel as a thread, and the thread that has a
 * CPU while the log does not say which process has it.
 */
#define TASK_KERNEL 0x7FFFFFFFu
#define TASK_UNKNOWN 0x7FFFFFFEu

static inline bool task_is_possible(u32 id)
{
	return id && (id <= TASK_MAX || id == TASK_KERNEL || id == TASK_UNKNOWN);
}

#define TASK_NAME 16

/* A process with at least one known thread. */
struct group {
	struct node node;	/* the process ID */
	u32 threads;
	u64 exit;		/* when the last of its threads began to end */
	bool kernel;		/* a kernel thread, which is part of process 0 in a log */
	bool named;
	bool told;		/* the log_writer has been told of it */
	bool alive;		/* one of its threads is still alive at the end of the trace */
	u8 length;
	char name[TASK_NAME];
};

struct task {
	struct node node;	/* the thread ID */
	struct group *group;
	bool dying;		/* it has begun to end, at @exit */
	bool heard;		/* an event was about it since it was added */
	bool rumoured;		/* only a list of names has it, which may be older than the recording */
	u64 exit;
};

struct tasks {
	struct table tasks, groups;
};

/* Return: 0 or -ENOMEM. The functions below that return a pointer return NULL if there is no memory. */
int tasks_init(struct tasks *tasks);
void tasks_destroy(struct tasks *tasks);

static inline struct task *tasks_find(const struct tasks *tasks, u32 tid)
{
	return table_find(&tasks->tasks, tid);
}

/* Adds the thread @tid of the process @pid. The thread must not be in the table yet. */
struct task *tasks_add(struct tasks *tasks, u32 pid, u32 tid);

/*
 * Removes a thread and, if it was the last of its process, the process.  Return: true if the process was removed too.
 * @ended gets a copy of the process.
 */
bool tasks_remove(struct tasks *tasks, struct task *task, struct group *ended);

/*
 * Goes through all threads: returns the thread after @after, or NULL after the last one. @after is NULL and *@bucket is
 * 0 at first. A caller that removes threads passes NULL each time, and gets the first thread from *@bucket on.
 */
struct task *tasks_next(struct tasks *tasks, const struct task *after, size_t *bucket);

#endif
