// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Keeps the control groups of processes: see cgroup.h. */
#include "cgroup.h"
#include "core/format/entry.h"
#include "core/format/who_text.h"

static u32 hash_of(const char *path, u32 length, u16 flags)
{
	u32 hash = flags, i;

	for (i = 0; i < length; i++)
		hash = (hash ^ (u8)path[i]) * 0x01000193u;
	return hash ^ hash >> 15;
}

static struct bcos_cgroup **bucket_of(const struct bcos_model *model, u32 hash)
{
	return &model->cgroups[hash % BCOS_CGROUP_BUCKETS];
}

void bcos_cgroup_free(struct bcos_model *model, struct bcos_cgroup *group)
{
	struct bcos_cgroup **at = bucket_of(model, group->hash);

	while (*at != group)
		at = &(*at)->next;
	*at = group->next;
	bcos_heap_free(&model->heap, group, sizeof(*group) + group->length);
}

/* Returns a new group without members, or NULL if there is no memory. */
static struct bcos_cgroup *new_group(struct bcos_model *model, u32 hash, const char *path,
				     u32 length, u16 flags)
{
	struct bcos_cgroup *group = bcos_heap_alloc(&model->heap, sizeof(*group) + length);
	struct bcos_cgroup **at = bucket_of(model, hash);
	char text[BCOS_CGROUP_TEXT];

	if (!group)
		return NULL;
	group->bytes = (u16)bcos_entry_size(BCOS_GENERIC_TEXT,
					    bcos_cgroup_format(text, path, length, flags, true));
	group->hash = hash;
	group->flags = flags;
	group->length = (u16)length;
	memcpy(group->path, path, length);
	group->next = *at;
	*at = group;
	return group;
}

static bool is_it(const struct bcos_cgroup *group, u32 hash, const char *path, u32 length,
		  u16 flags)
{
	return group->hash == hash && group->length == length && group->flags == flags &&
	       !memcmp(group->path, path, length);
}

bool bcos_cgroup_enter(struct bcos_model *model, struct bcos_process *process, const char *path,
		       u32 length, u16 flags)
{
	u32 hash = hash_of(path, length, flags);
	struct bcos_cgroup *group;

	bcos_cgroup_leave(model, process);
	if (!model->cgroups)
		model->cgroups = bcos_heap_alloc(&model->heap, BCOS_CGROUP_BUCKETS *
							       sizeof(*model->cgroups));
	if (!model->cgroups)
		return false;
	group = *bucket_of(model, hash);
	while (group && !is_it(group, hash, path, length, flags))
		group = group->next;
	if (!group)
		group = new_group(model, hash, path, length, flags);
	if (!group)
		return false;
	group->members++;
	process->cgroup = group;
	return true;
}

void bcos_cgroup_forget(struct bcos_model *model)
{
	struct bcos_link *link;

	if (!model->cgroups)
		return;
	for (link = model->recent.next; link != &model->recent; link = link->next)
		bcos_cgroup_leave(model, bcos_process_of(link));
}
