// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records which program a process executes: path, cgroup and arguments, as the kernel has them at
 * exec.
 */
#include <linux/binfmts.h>
#include <linux/cgroup.h>
#include <linux/cred.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/uidgid.h>

#include "capture/cgroup.h"
#include "params.h"
#include "probes.h"

struct bcos_program {
	struct bcos_raw raw;
	struct bcos_raw_program program;
	char text[BCOS_RAW_TEXT];
};

static __always_inline u32 bcos_put_path(struct bcos_program *record, const char *path)
{
	ssize_t length = strscpy(record->text, path, BCOS_RAW_PATH_MAX + 1);

	if (likely(length >= 0))
		return length;
	record->raw.aux |= BCOS_RAW_PATH_CUT;
	return BCOS_RAW_PATH_MAX;
}

#ifdef CONFIG_CGROUPS
/* Is the current task in cgroups of version 1, too? Context: under RCU. */
static __always_inline bool bcos_has_old_groups(void)
{
	const struct css_set *set = task_css_set(current);
	int i;

	for (i = 0; i < CGROUP_SUBSYS_COUNT; i++)
		if (set->subsys[i] && set->subsys[i]->cgroup->root != &cgrp_dfl_root)
			return true;
	return false;
}

/*
 * Writes the cgroup's path in the default hierarchy. The root is no answer if there are other
 * hierarchies, where the task may be anywhere.
 */
static __always_inline u32 bcos_put_cgroup(struct bcos_program *record, u32 at)
{
	char path[BCOS_RAW_PATH_MAX];
	u32 length;

	rcu_read_lock();
	length = bcos_cgroup_levels(task_dfl_cgroup(current), path, &record->raw.aux);
	if (!length && !(record->raw.aux & BCOS_RAW_CGROUP_CUT) && !bcos_has_old_groups())
		path[length++] = '/';
	rcu_read_unlock();
	memcpy(record->text + at, path, length);
	return length;
}
#else
static __always_inline u32 bcos_put_cgroup(struct bcos_program *record, u32 at)
{
	return 0;
}
#endif

/*
 * Writes the arguments. The kernel wrote them to memory a moment ago, so their pages are present,
 * and this never waits for a page. Programs whose memory the user must not read (set-user-ID,
 * unreadable files) have their arguments withheld.
 */
static __always_inline u32 bcos_put_arguments(struct bcos_program *record, u32 at)
{
	const struct mm_struct *mm = current->mm;
	unsigned long length = mm->arg_end - mm->arg_start, room = BCOS_RAW_TEXT - at;

	if (!READ_ONCE(bcos_params.who_args) || !bcos_mm_is_dumpable(mm)) {
		record->raw.aux |= BCOS_RAW_SECRET;
		return 0;
	}
	if (length > room) {
		record->raw.aux |= BCOS_RAW_ARGUMENTS_CUT;
		length = room;
	}
	if (!copy_from_user_nofault(record->text + at, (const void __user *)mm->arg_start, length))
		return length;
	record->raw.aux = (record->raw.aux & ~BCOS_RAW_ARGUMENTS_CUT) | BCOS_RAW_SECRET;
	return 0;
}

noinline notrace void bcos_put_program(const struct task_struct *task,
				       const struct linux_binprm *bprm)
{
	struct bcos_program record;
	u32 length;

	record.raw = (struct bcos_raw){ .kind = BCOS_RAW_PROGRAM, .id = task->tgid };
	record.program = (struct bcos_raw_program){
		.user = from_kuid(&init_user_ns, current_uid()),
		.tag = bcos_task_tag(task),
	};
	record.program.path = bcos_put_path(&record, bprm->filename);
	record.program.cgroup = bcos_put_cgroup(&record, record.program.path);
	length = record.program.path + record.program.cgroup;
	length += bcos_put_arguments(&record, length);
	bcos_put_text(&record.raw, (struct bcos_raw_event *)&record.program, record.text, length);
}
