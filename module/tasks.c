// SPDX-License-Identifier: GPL-2.0-only
/* The walk of the task list: at load, and after births or deaths were lost. */
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "memory.h"
#include "tasks.h"

/* Room for processes that are born between counting and walking. */
#define BCOS_WALK_SLACK 64

/*
 * A user-mode helper before its exec has no mm yet.  A leader that exited
 * before its threads has none any more, but was marked as exiting before.
 */
static bool bcos_task_hidden(const struct task_struct *leader)
{
	if (READ_ONCE(leader->mm))
		return false;
	/* mm before flags: exit_mm() comes after exit_signals(). */
	smp_rmb();
	return !(bcos_task_flags(leader) & PF_EXITING);
}

static void bcos_task_see(struct bcos_seen *seen, const struct task_struct *leader)
{
	seen->id = leader->tgid;
	seen->tag = bcos_task_tag(leader);
	seen->start = leader->start_boottime;
	seen->hidden = bcos_task_hidden(leader);
	/* Its owner may be changing it; the last byte is always zero. */
	data_race(memcpy(seen->name, leader->comm, sizeof(seen->name)));
	seen->name[sizeof(seen->name) - 1] = 0;
}

/* Return: how many there are; those beyond @room are only counted. */
static u32 bcos_tasks_fill(struct bcos_seen *seen, u32 room)
{
	struct task_struct *leader;
	u32 count = 0;

	rcu_read_lock();
	for_each_process(leader) {
		if (bcos_task_flags(leader) & PF_KTHREAD || bcos_task_dying(leader))
			continue;
		if (count < room)
			bcos_task_see(&seen[count], leader);
		count++;
	}
	rcu_read_unlock();
	return count;
}

int bcos_tasks_walk(struct bcos_seen **seen, u32 *count)
{
	struct bcos_seen *array = NULL;
	u32 room = 0, found;

	BUILD_BUG_ON(sizeof(array->name) != sizeof_field(struct task_struct, comm));
	for (;;) {
		found = bcos_tasks_fill(array, room);
		if (array && found <= room)
			break;
		kvfree(array);
		room = found + found / 8 + BCOS_WALK_SLACK;
		array = kvmalloc_array(room, sizeof(*array), GFP_KERNEL | __GFP_ZERO);
		if (!array)
			return -ENOMEM;
	}
	/* Whoever frees it knows of no more than this. */
	bcos_memory_count((s64)(found * sizeof(*array)));
	*seen = array;
	*count = found;
	return 0;
}
