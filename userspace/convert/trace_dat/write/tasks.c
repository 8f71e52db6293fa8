// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The table of threads and their names. */
#include <errno.h>
#include <stdlib.h>

#include "entry/text.h"
#include "write.h"

struct task *recorder_task(const struct recorder *recorder, u32 thread)
{
	return table_find(&recorder->tasks, thread);
}

void recorder_comm(char *comm, const char *name, size_t length)
{
	length = utf8_fit(name, length, COMM - 1);
	memset(comm, 0, COMM);
	if (length)
		memcpy(comm, name, length);
}

struct task *recorder_name(struct recorder *recorder, u32 thread, const char *name, size_t length)
{
	struct task *task = recorder_task(recorder, thread);

	if (!task) {
		task = recorder->tasks.count < RECORDER_TASKS ? calloc(1, sizeof(*task)) : NULL;
		if (!task)
			return NULL;
		task->node.id = thread;
		task->cpu = recorder->home;
		if (table_add(&recorder->tasks, &task->node)) {
			free(task);
			return NULL;
		}
	}
	recorder_comm(task->name, name, length);
	return task;
}

static int compare_tasks(const void *one, const void *other)
{
	const struct node *a = *(const struct node *const *)one, *b = *(const struct node *const *)other;

	return (a->id > b->id) - (a->id < b->id);
}

static void print_task(FILE *to, const struct task *task)
{
	char *at, name[COMM];

	memcpy(name, task->name, COMM);
	/* A name must not contain the end of its line. */
	for (at = name; *at; at++)
		if (*at == '\n')
			*at = ' ';
	fprintf(to, "%u %s\n", task->node.id, name);
}

int recorder_print_tasks(const struct recorder *recorder, FILE *to)
{
	const struct node **nodes = malloc((recorder->tasks.count + 1) * sizeof(*nodes)), *node;
	size_t i, count = 0;

	if (!nodes)
		return -ENOMEM;
	for (i = 0; i < (size_t)1 << recorder->tasks.bits; i++)
		for (node = recorder->tasks.buckets[i]; node; node = node->next)
			nodes[count++] = node;
	qsort(nodes, count, sizeof(*nodes), compare_tasks);
	for (i = 0; i < count; i++)
		print_task(to, (const struct task *)nodes[i]);
	free(nodes);
	return 0;
}
