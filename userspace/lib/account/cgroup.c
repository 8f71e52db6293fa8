// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The account: control groups of processes, by the rules of the log (uapi/bcos_evlog.h): an event tells the group, a
 * child begins in the group of its parent, and after a loss of births and deaths nothing is known. What is told before such
 * a loss has ended holds for its moment alone.
 */
#include <stdlib.h>

#include "core/format/entry.h"
#include "core/format/who_text.h"
#include "account.h"
#include "report.h"

/* Many processes may be in one group, of which an event told once. */
struct cgroup {
	u32 members;
	bool cpu, cut;
	size_t bytes;		/* of @path, with the zero byte */
	char path[];
};

static bool is_known(const struct bcoslog_account *account, const struct process *process)
{
	return process->cgroup && process->cgroup_round == account->cgroup_round && account->now <= process->cgroup_end;
}

void account_cgroup_leave(struct process *process, u64 *memory)
{
	struct cgroup *group = process->cgroup;

	process->cgroup = NULL;
	if (!group || --group->members)
		return;
	*memory -= group->bytes;
	free(group);
}

static void enter_group(struct bcoslog_account *account, struct process *process, struct cgroup *group, u64 until)
{
	group->members++;
	account_cgroup_leave(process, &account->memory);
	process->cgroup = group;
	process->cgroup_round = account->cgroup_round;
	process->cgroup_until = until;
	process->cgroup_end = (until ?: account->now) < account->ends_lost ? account->now : UINT64_MAX;
	account_cgroup_show(account, process);
}

int account_cgroup_told(struct bcoslog_account *account, struct process *process, const struct bcos_entry *entry)
{
	struct bcos_in_cgroup told;
	struct cgroup *group;
	size_t length;
	const char *text = bcos_entry_text(entry, &length);

	if (account->memory + length + 1 > ITEMS_MEMORY_MAX)
		return -ENOMEM;
	group = malloc(sizeof(*group) + length + 1);
	if (!group)
		return -ENOMEM;
	if (!bcos_cgroup_parse(&told, group->path, text, length)) {
		free(group);
		return 0;
	}
	*group = (struct cgroup){ .cpu = told.cpu, .cut = told.cut, .bytes = length + 1 };
	account->memory += group->bytes;
	account->totals.cgroups++;
	enter_group(account, process, group, told.read ? entry->time + entry->precision : 0);
	return 0;
}

void account_cgroup_inherit(struct bcoslog_account *account, struct process *child)
{
	struct process *parent = table_find(&account->processes, child->public.parent);

	if (parent && parent != child && is_known(account, parent) && !is_known(account, child) &&
	    parent->cgroup_until <= account->now)
		enter_group(account, child, parent->cgroup, 0);
}

void account_cgroups_forget(struct bcoslog_account *account)
{
	account->cgroup_round++;
}

const char *account_process_cgroup(const struct bcoslog_account *account, const struct bcoslog_account_process *public)
{
	const struct process *process = item_of(public, struct process, public);

	return is_known(account, process) ? process->cgroup->path : NULL;
}

void account_cgroup_show(const struct bcoslog_account *account, struct process *process)
{
	const struct cgroup *group = is_known(account, process) ? process->cgroup : NULL;

	process->public.cgroup = group ? group->path : NULL;
	process->public.cgroup_cpu = group && group->cpu;
	process->public.cgroup_cut = group && group->cut;
}
