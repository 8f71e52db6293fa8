// SPDX-License-Identifier: GPL-2.0-only
/* Walks the task list, at load and after records of births or deaths were lost. */
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "memory.h"
#include "task.h"

/* Room for processes that are born between counting and walking. */
#define BCOS_WALK_SLACK 64

bool bcos_exit_is_final, bcos_threads_have_names;

static bool bcos_task_hidden(const struct task_struct *leader)
{
	bool has_mm = READ_ONCE(leader->mm);

	/*
	 * Pairs with the order in do_exit(), where exit_mm() comes after exit_signals(): whoever
	 * sees a task without mm must see PF_EXITING, too.
	 */
	smp_rmb();
	return bcos_task_is_helper(has_mm, bcos_task_flags(leader));
}

static void bcos_task_see(struct bcos_seen *seen, const struct task_struct *leader)
{
	seen->id = leader->tgid;
	seen->tag = bcos_task_tag(leader);
	seen->thread = 0;
	seen->reserved = 0;
	seen->start = leader->start_boottime;
	seen->dying = bcos_task_dying(leader);
	seen->status = seen->dying ? leader->signal->group_exit_code : 0;
	seen->hidden = bcos_task_hidden(leader);
	/* The task may be changing its name; the last byte is always zero. */
	data_race(memcpy(seen->name, leader->comm, sizeof(seen->name)));
	seen->name[sizeof(seen->name) - 1] = 0;
}

static void bcos_thread_see(struct bcos_seen *seen, const struct task_struct *thread)
{
	memset(seen, 0, sizeof(*seen));
	seen->id = thread->tgid;
	seen->tag = bcos_task_tag(thread);
	seen->thread = thread->pid;
	/* As above. */
	data_race(memcpy(seen->name, thread->comm, sizeof(seen->name)));
}

/*
 * Writes the other threads of a process to @seen, from @count on, if they have names. Returns the
 * count with them.
 */
static u32 bcos_threads_fill(struct bcos_seen *seen, u32 room, u32 count,
			     const struct task_struct *leader)
{
	const struct task_struct *thread;

	if (!READ_ONCE(bcos_threads_have_names))
		return count;
	for_each_thread(leader, thread) {
		if (!bcos_task_is_follower(thread) || bcos_task_flags(thread) & PF_EXITING)
			continue;
		if (count < room)
			bcos_thread_see(&seen[count], thread);
		count++;
	}
	return count;
}

/* Writes processes to @seen. Returns their number; those beyond @room are only counted. */
static u32 bcos_tasks_fill(struct bcos_seen *seen, u32 room)
{
	struct task_struct *leader;
	u32 count = 0;

	rcu_read_lock();
	for_each_process(leader) {
		if (!bcos_task_is_user(leader))
			continue;
		if (count < room)
			bcos_task_see(&seen[count], leader);
		count = bcos_threads_fill(seen, room, count + 1, leader);
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
		array = kvcalloc(room, sizeof(*array), BCOS_GFP);
		if (!array)
			return -ENOMEM;
	}
	/* The caller frees exactly this many bytes. */
	bcos_memory_count((s64)(found * sizeof(*array)));
	*seen = array;
	*count = found;
	return 0;
}
