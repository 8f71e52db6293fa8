// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records in which control group a process is: when it moves, and when it begins in another one
 * than its parent. uapi/bcos_evlog.h has the rule by which readers know all others.
 */
#include <linux/cgroup.h>
#include <linux/kernfs.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "capture/cgroup.h"
#include "probes.h"

#ifdef CONFIG_CGROUPS
static noinline notrace void bcos_put_cgroup(const struct task_struct *task)
{
	struct bcos_raw raw = { .kind = BCOS_RAW_CGROUP, .id = task->tgid };
	struct bcos_raw_event event = { .tag = bcos_task_tag(task) };
	char path[BCOS_RAW_PATH_MAX];
	u32 length = bcos_cgroup_path(task, path, &raw.aux);

	bcos_put_text(&raw, &event, path, length);
}

/*
 * This follows the record of the birth. fork() chooses the group of the child under a lock that a
 * move of the caller takes, too, and does not give back before it has fired cgroup_attach_task. So
 * when the child has the group to which its parent moves, the record of that move precedes the
 * birth; and when a move comes between fork()'s choice and the birth, the two groups differ here.
 * The group of a process is that of its leader, and another thread, which may be elsewhere, can be
 * the one that forks.
 */
notrace void bcos_put_birth_cgroup(const struct task_struct *child)
{
	const struct task_struct *parent;
	bool alike;

	rcu_read_lock();
	parent = rcu_dereference(child->real_parent)->group_leader;
	alike = bcos_task_is_user(parent) &&
		bcos_cgroup_of(parent) == bcos_cgroup_of(child);
	rcu_read_unlock();
	if (unlikely(!alike))
		bcos_put_cgroup(child);
}

/* A process is where its leader is. */
notrace void bcos_on_cgroup_attach_task(void *data, struct cgroup *group, const char *path,
					struct task_struct *task, bool threadgroup)
{
	bool here;

	if (!bcos_task_is_leader(task))
		return;
	/*
	 * In another hierarchy than that which counts, a move tells nothing. After a move to the
	 * root of the default one, that of version 1 counts.
	 */
	rcu_read_lock();
	here = group->root == &cgrp_dfl_root || bcos_cgroup_of(task) == group;
	rcu_read_unlock();
	if (here)
		bcos_put_cgroup(task);
}
#else
notrace void bcos_put_birth_cgroup(const struct task_struct *child)
{
}

notrace void bcos_on_cgroup_attach_task(void *data, struct cgroup *group, const char *path,
					struct task_struct *task, bool threadgroup)
{
}
#endif
