// SPDX-License-Identifier: GPL-2.0-only
/* Looks up control groups of tasks: see cgroup.h. */
#include <linux/kernfs.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/string.h>

#include "cgroup.h"
#include "compat.h"

#ifdef CONFIG_CGROUPS
/* Returns the task's group in the hierarchy of version 1 that has the controller cpu, or NULL. */
static const struct cgroup *bcos_old_cgroup_of(const struct css_set *set)
{
#ifdef CONFIG_CGROUP_SCHED
	const struct cgroup_subsys_state *css = set->subsys[cpu_cgrp_id];

	if (css && css->cgroup->root != &cgrp_dfl_root)
		return css->cgroup;
#endif
	return NULL;
}

notrace const struct cgroup *bcos_cgroup_of(const struct task_struct *task)
{
	const struct css_set *set = rcu_dereference(task->cgroups);
	const struct cgroup *old = NULL;

	if (set->dfl_cgrp == &cgrp_dfl_root.cgrp)
		old = bcos_old_cgroup_of(set);
	return old ?: set->dfl_cgrp;
}

/*
 * Writes a slash and the name of a group before @end. Returns where they begin, or NULL if there is
 * no room from @begin on. A group of version 1 may get another name, and before Linux 6.15 the
 * former name is freed at once: a copy is right if the group still has the name after it.
 */
static char *bcos_put_name(const struct kernfs_node *node, char *begin, char *end)
{
	const char *name;
	size_t length;

	do {
		name = bcos_kernfs_name(node);
		length = strnlen(name, BCOS_RAW_PATH_MAX + 1);
		if (length < end - begin)
			memcpy(end - length, name, length);
		/* The copy precedes the second look. */
		smp_rmb();
	} while (unlikely(bcos_kernfs_name(node) != name));
	if (length >= end - begin)
		return NULL;
	end -= length;
	*--end = '/';
	return end;
}

/*
 * Apart from RCU no lock is needed: a cgroup holds all its ancestors, and they are freed only after
 * a grace period.
 */
notrace u32 bcos_cgroup_levels(const struct cgroup *group, char *path, u16 *flags)
{
	char *end = path + BCOS_RAW_PATH_MAX, *to = end, *next;
	const struct kernfs_node *node, *parent;

	for (node = group->kn; (parent = bcos_kernfs_parent(node)); node = parent) {
		next = bcos_put_name(node, path, to);
		if (!next) {
			*flags |= BCOS_RAW_CGROUP_CUT;
			break;
		}
		to = next;
	}
	memmove(path, to, end - to);
	return end - to;
}

notrace u32 bcos_cgroup_path(const struct task_struct *task, char *path, u16 *flags)
{
	const struct cgroup *group;
	u32 length;

	rcu_read_lock();
	group = bcos_cgroup_of(task);
	if (group->root != &cgrp_dfl_root)
		*flags |= BCOS_RAW_CGROUP_CPU;
	length = bcos_cgroup_levels(group, path, flags);
	rcu_read_unlock();
	if (!length)
		path[length++] = '/';
	return length;
}

u32 bcos_cgroup_find(u32 id, u32 tag, char *path, u16 *flags)
{
	const struct task_struct *task;
	u32 length = 0;

	rcu_read_lock();
	task = pid_task(find_pid_ns(id, &init_pid_ns), PIDTYPE_TGID);
	if (task && bcos_task_tag(task) == tag)
		length = bcos_cgroup_path(task, path, flags);
	rcu_read_unlock();
	return length;
}
#else
u32 bcos_cgroup_path(const struct task_struct *task, char *path, u16 *flags)
{
	return 0;
}

u32 bcos_cgroup_find(u32 id, u32 tag, char *path, u16 *flags)
{
	return 0;
}
#endif
