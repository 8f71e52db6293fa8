/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Paths of cgroups. */
#ifndef BCOS_BPF_CGROUP_PATH_H
#define BCOS_BPF_CGROUP_PATH_H

#include "stage.h"

/* The most levels of a recorded cgroup path. */
#define BCOS_CGROUP_LEVELS 12
/* The longest name of a cgroup, with a zero byte. */
#define BCOS_CGROUP_NAME 256

/*
 * The field for the parent before Linux 6.15, and since then, whatever kernel this is built with.
 */
struct kernfs_node___plain {
	struct kernfs_node *parent;
} __attribute__((preserve_access_index));

struct kernfs_node___rcu {
	struct kernfs_node *__parent;
} __attribute__((preserve_access_index));

static __always_inline struct kernfs_node *bcos_kernfs_parent(struct kernfs_node *node)
{
	struct kernfs_node___plain *older = (void *)node;
	struct kernfs_node___rcu *newer = (void *)node;

	if (bpf_core_field_exists(newer->__parent))
		return BPF_CORE_READ(newer, __parent);
	return BPF_CORE_READ(older, parent);
}

/*
 * Writes the path of the cgroup @node to @text + @at: as many levels from its end as there is room
 * for, else sets *@cut. Of the root it writes nothing. @text has twice BCOS_RAW_TEXT bytes, since
 * the verifier assumes that reads may be longer than they are. Returns the end of the text.
 */
static __always_inline u32 bcos_put_cgroup_path(char *text, u32 at, struct kernfs_node *node,
						bool *cut)
{
	struct kernfs_node *parent, *path[BCOS_CGROUP_LEVELS];
	u32 levels = 0, room = BCOS_RAW_PATH_MAX, i;
	long length;

#pragma unroll
	for (i = 0; i < BCOS_CGROUP_LEVELS; i++) {
		parent = bcos_kernfs_parent(node);
		if (!parent)
			break;
		/* This tells the length of "/" and the name. The next loop overwrites the name. */
		length = bpf_probe_read_kernel_str(&text[at & (BCOS_RAW_TEXT - 1)],
						   BCOS_CGROUP_NAME, BPF_CORE_READ(node, name));
		if (length <= 0 || length > room)
			break;
		room -= (u32)length;
		path[i] = node;
		levels++;
		node = parent;
	}
	*cut = bcos_kernfs_parent(node);
#pragma unroll
	for (i = BCOS_CGROUP_LEVELS; i > 0; i--) {
		if (i > levels)
			continue;
		text[at & (BCOS_RAW_TEXT - 1)] = '/';
		at++;
		length = bpf_probe_read_kernel_str(&text[at & (BCOS_RAW_TEXT - 1)],
						   BCOS_CGROUP_NAME,
						   BPF_CORE_READ(path[i - 1], name));
		if (length > 1)
			at += (u32)length - 1;
	}
	return at;
}

#endif
