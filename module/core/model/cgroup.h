/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which control group each process of the model is in. A path is kept once for all its members. */
#ifndef BCOS_CORE_CGROUP_H
#define BCOS_CORE_CGROUP_H

#include "model.h"

/* Frees a group that has lost its last member. */
void bcos_cgroup_free(struct bcos_model *model, struct bcos_cgroup *group);

/* Forgets which group the process is in. */
static __always_inline void bcos_cgroup_leave(struct bcos_model *model,
					      struct bcos_process *process)
{
	struct bcos_cgroup *group = process->cgroup;

	process->cgroup = NULL;
	if (group && unlikely(!--group->members))
		bcos_cgroup_free(model, group);
}

/*
 * Puts a new process into the group that its parent is in for certain at @time. If that is unknown,
 * so is the group of the child.
 */
static __always_inline void bcos_cgroup_inherit(struct bcos_process *child,
						const struct bcos_process *parent, u64 time)
{
	if (!parent->cgroup || parent->cgroup_until > time)
		return;
	child->cgroup = parent->cgroup;
	child->cgroup->members++;
}

/*
 * Puts a process into the group with this path. @length is at most BCOS_RAW_PATH_MAX, and @flags
 * are BCOS_RAW_CGROUP_*. Returns false, and its group is unknown, if there is no memory.
 */
bool bcos_cgroup_enter(struct bcos_model *model, struct bcos_process *process, const char *path,
		       u32 length, u16 flags);

/* Forgets which groups all processes are in. */
void bcos_cgroup_forget(struct bcos_model *model);

#endif
