// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Records in which control group a process is: the counterpart of module/capture/cgroup.c and
 * module/capture/probes/cgroup.c.
 */
#include "cgroup_path.h"
#include "task.h"

struct bcos_bpf_cgroup {
	struct bcos_raw raw;
	struct bcos_raw_event event;
	char text[2 * BCOS_RAW_TEXT];
};

/* The record is too large for the stack, and a program may interrupt another one. */
enum { ATTACH, BIRTH, PROGRAMS };

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, PROGRAMS);
	__type(key, u32);
	__type(value, struct bcos_bpf_cgroup);
} bcos_cgroup SEC(".maps");

/* Returns the group in the hierarchy of version 1 that has the controller cpu, or NULL. */
static __always_inline struct cgroup *old_group_of(struct css_set *set, struct cgroup *root)
{
	struct cgroup_subsys_state *css = NULL;
	struct cgroup *group;
	u32 at;

	if (!bpf_core_enum_value_exists(enum cgroup_subsys_id, cpu_cgrp_id))
		return NULL;
	at = bpf_core_field_offset(struct css_set, subsys) +
	     (u32)bpf_core_enum_value(enum cgroup_subsys_id, cpu_cgrp_id) * sizeof(css);
	bpf_probe_read_kernel(&css, sizeof(css), (const char *)set + at);
	if (!css)
		return NULL;
	group = BPF_CORE_READ(css, cgroup);
	return BPF_CORE_READ(group, root) == BPF_CORE_READ(root, root) ? NULL : group;
}

/*
 * Returns the group of a task: that in the default hierarchy; or if that is the root and the
 * controller cpu has a hierarchy of version 1, the group there. Sets *@old in that case.
 */
static __always_inline struct cgroup *group_of(struct task_struct *task, bool *old)
{
	struct css_set *set = BPF_CORE_READ(task, cgroups);
	struct cgroup *group = BPF_CORE_READ(set, dfl_cgrp), *other = NULL;

	if (!bcos_kernfs_parent(BPF_CORE_READ(group, kn)))
		other = old_group_of(set, group);
	*old = other;
	return other ?: group;
}

/* Is the group in the default hierarchy, as one of the task's is? */
static __always_inline bool is_default(struct task_struct *task, struct cgroup *group)
{
	return BPF_CORE_READ(group, root) == BPF_CORE_READ(task, cgroups, dfl_cgrp, root);
}

static __always_inline void put_group(u32 key, struct task_struct *task, struct cgroup *group,
				      bool old)
{
	struct bcos_bpf_cgroup *record = bpf_map_lookup_elem(&bcos_cgroup, &key);
	bool cut = false;
	u32 length;

	if (!record)
		return;
	length = bcos_put_cgroup_path(record->text, 0, BPF_CORE_READ(group, kn), &cut);
	if (!length) {
		record->text[0] = '/';
		length = 1;
	}
	record->raw = (struct bcos_raw){
		.kind = BCOS_RAW_CGROUP,
		.units = (u8)(2 + (length + sizeof(struct bcos_unit) - 1) /
				  sizeof(struct bcos_unit)),
		.aux = (old ? BCOS_RAW_CGROUP_CPU : 0) | (cut ? BCOS_RAW_CGROUP_CUT : 0),
		.id = task->tgid,
	};
	record->event = (struct bcos_raw_event){
		.tag = bcos_task_tag(task),
		.length = (u16)length,
	};
	bcos_put_units(record, record->raw.units);
}

/*
 * A process is where its leader is. After a move to the root of the default hierarchy, one of
 * version 1 counts.
 */
SEC("tp_btf/cgroup_attach_task")
int BPF_PROG(bcos_on_cgroup_attach_task, struct cgroup *group, const char *path,
	     struct task_struct *task, bool threadgroup)
{
	struct cgroup *own;
	bool old;

	if (!bcos_task_is_leader(task) || !bcos_task_inside(task))
		return 0;
	own = group_of(task, &old);
	if (own == group || is_default(task, group))
		put_group(ATTACH, task, own, old);
	return 0;
}

/* This record follows that of bcos_on_sched_process_fork(), as the module's does. */
SEC("tp_btf/sched_process_fork")
int BPF_PROG(bcos_on_birth_cgroup, struct task_struct *caller, struct task_struct *child)
{
	struct task_struct *parent = child->real_parent;
	struct cgroup *own;
	bool old, other;

	if (!bcos_task_is_leader(child) || !bcos_task_inside(child))
		return 0;
	own = group_of(child, &old);
	if (bcos_task_actor(parent) == BCOS_PROCESS_KERNEL ||
	    group_of(parent->group_leader, &other) != own)
		put_group(BIRTH, child, own, old);
	return 0;
}
