// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Two tables, of threads and of the processes to which these belong. */
#include <stdlib.h>

#include "parts.h"

int tasks_init(struct tasks *tasks)
{
	int r = table_init(&tasks->tasks);

	return r ? r : table_init(&tasks->groups);
}

void tasks_destroy(struct tasks *tasks)
{
	if (tasks->tasks.buckets)
		table_destroy(&tasks->tasks, node_free);
	if (tasks->groups.buckets)
		table_destroy(&tasks->groups, node_free);
}

static struct group *group_of(struct tasks *tasks, u32 pid)
{
	struct group *group = table_find(&tasks->groups, pid);

	if (group)
		return group;
	group = calloc(1, sizeof(*group));
	if (!group)
		return NULL;
	group->node.id = pid;
	if (!table_add(&tasks->groups, &group->node))
		return group;
	free(group);
	return NULL;
}

static void drop_group(struct tasks *tasks, struct group *group)
{
	if (group->threads)
		return;
	table_remove(&tasks->groups, &group->node);
	free(group);
}

struct task *tasks_add(struct tasks *tasks, u32 pid, u32 tid)
{
	struct group *group = group_of(tasks, pid);
	struct task *task = group ? calloc(1, sizeof(*task)) : NULL;

	if (!group)
		return NULL;
	if (task) {
		task->node.id = tid;
		task->group = group;
		if (!table_add(&tasks->tasks, &task->node)) {
			group->threads++;
			return task;
		}
		free(task);
	}
	drop_group(tasks, group);
	return NULL;
}

bool tasks_remove(struct tasks *tasks, struct task *task, struct group *ended)
{
	struct group *group = task->group;

	table_remove(&tasks->tasks, &task->node);
	free(task);
	group->threads--;
	*ended = *group;
	drop_group(tasks, group);
	return !ended->threads;
}

struct task *tasks_next(struct tasks *tasks, const struct task *after, size_t *bucket)
{
	if (after && after->node.next)
		return (struct task *)after->node.next;
	if (after)
		++*bucket;
	for (; *bucket < (size_t)1 << tasks->tasks.bits; ++*bucket)
		if (tasks->tasks.buckets[*bucket])
			return (struct task *)tasks->tasks.buckets[*bucket];
	return NULL;
}
