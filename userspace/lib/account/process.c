// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The account: processes. Each owner of an ID is a process of its own. */
#include <stdlib.h>

#include "core/format/entry.h"
#include "core/format/who_text.h"
#include "account.h"

static struct process *next_process(const struct bcoslog_account *account, const struct process *after)
{
	const struct order *order = after ? after->order.next : account->process_order.next;

	return order == &account->process_order ? NULL : item_of(order, struct process, order);
}

static struct process *add_process(struct bcoslog_account *account, const struct bcos_entry *entry)
{
	struct process *process = account_add(account, &account->processes, entry->source, sizeof(*process),
					      &account->process_order, offsetof(struct process, order));

	if (!process)
		return NULL;
	process->public.id = entry->source;
	process->public.serial = ++account->serial;
	process->public.start = entry->time;
	process->public.precision = entry->precision;
	process->seen = account->now;
	process->alive = account->now;
	process->blind = account->blind;
	order_init(&process->running);
	order_init(&process->threads);
	return process;
}

/* Return: true if the process may have ended, since ends were lost after the log told of it last. */
static bool end_lost(const struct bcoslog_account *account, const struct process *process)
{
	u64 alive = process->ran && process->off_since > process->alive ? process->off_since : process->alive;

	if (process->public.ended || process->public.vanished || process->public.id == BCOS_PROCESS_KERNEL)
		return false;
	return process->gap || (!process->public.cpus && (account->open & BCOSLOG_LOST_LIVES || account->ends_lost > alive));
}

static void show_process(const struct bcoslog_account *account, struct process *process)
{
	u128 blind = account->blind - process->blind;
	u64 unknown = blind > SUM_MAX ? SUM_MAX : (u64)blind;

	account_work_show(&process->work, &process->public.work);
	account_cgroup_show(account, process);
	process->public.end_lost = end_lost(account, process);
	process->public.lost = account_lost_since(account, process->seen);
	process->public.at_least |= !!(process->public.lost & BCOSLOG_LOST_ASSIGNMENTS);
	process->bounds.time = sum_of(process->public.time, unknown);
	process->bounds.time_known = process->seen >= account->unbounded &&
				     !(account->gap && account_loss_concerns(account, account->gap_since, account->now));
	account_work_bounds(&account->limits, &process->public.work, unknown, &process->bounds);
}

/* Report the end of a process, and free the process. */
static void forget_process(struct bcoslog_account *account, struct process *process)
{
	account_cpus_leave(account, process);
	account_threads_end(account, process);
	show_process(account, process);
	if (account->options.process_ended)
		account->options.process_ended(account->options.context, &process->public);
	account_cgroup_leave(process, &account->memory);
	name_free(&process->name, &account->memory);
	formers_free(&process->formers, &account->memory);
	account_remove(account, &account->processes, process, sizeof(*process), offsetof(struct process, order));
}

static void process_vanishes(struct bcoslog_account *account, struct process *process)
{
	process->public.vanished = true;
	forget_process(account, process);
}

/* Keep the present name of a process as a former name.  Return: 0 or -ENOMEM. */
static int keep_name(struct bcoslog_account *account, struct process *process)
{
	const struct name *former;

	if (formers_keep(account, &process->formers, &process->name, &former))
		return -ENOMEM;
	process->public.former = former->text;
	process->public.former_length = former->length;
	return 0;
}

const char *bcoslog_account_former_name(const struct bcoslog_account_process *public, size_t index, size_t *length)
{
	return formers_get(&item_of(public, struct process, public)->formers, index, length);
}

void bcoslog_account_bounds(const struct bcoslog_account_process *public, struct bcoslog_bounds *bounds)
{
	*bounds = item_of(public, struct process, public)->bounds;
}

static int set_name(struct bcoslog_account *account, struct process *process, const char *text, size_t length)
{
	struct bcoslog_account_process *public = &process->public;

	if (public->name) {
		if (public->name_length == length && !memcmp(public->name, text, length))
			return 0;
		if (keep_name(account, process))
			return -ENOMEM;
		public->renames++;
	}
	if (name_set(&process->name, &account->memory, text, length))
		return -ENOMEM;
	public->name = process->name.text;
	public->name_length = length;
	return 0;
}

static int restate_process(struct bcoslog_account *account, struct process *process, const struct bcos_entry *entry,
			   const char *text, size_t length)
{
	/* If the birth of the process was lost, the historical entry says when it was. */
	process->public.start = entry->time;
	process->public.precision = entry->precision;
	process->gap = false;
	process->alive = account->now;
	return set_name(account, process, text, length);
}

/* A process that is born is one of its parent's user. */
static void inherit_user(const struct bcoslog_account *account, struct process *child)
{
	const struct process *parent = table_find(&account->processes, child->public.parent);

	if (!parent || parent == child || child->public.has_user)
		return;
	child->public.has_user = parent->public.has_user;
	child->public.uid = parent->public.uid;
}

void account_process_parent(struct bcoslog_account *account, struct process *process, const struct bcos_entry *entry)
{
	struct bcos_parent parent;
	size_t length;
	const char *text = bcos_entry_text(entry, &length);

	if (!bcos_parent_parse(&parent, text, length))
		return;
	process->public.has_parent = true;
	process->public.parent = parent.process;
	account_cgroup_inherit(account, process);
	inherit_user(account, process);
}

void account_process_executes(struct process *process, const struct bcos_entry *entry)
{
	char bytes[BCOS_EVENT_TEXT_MAX];
	struct bcos_exec exec;
	size_t length;
	const char *text = bcos_entry_text(entry, &length);

	if (length > sizeof(bytes) || !bcos_exec_parse(&exec, bytes, text, length))
		return;
	process->public.has_user = true;
	process->public.uid = exec.user;
}

int account_process_named(struct bcoslog_account *account, const struct bcos_entry *entry)
{
	struct process *process = table_find(&account->processes, entry->source);
	bool history = entry->type & BCOS_TYPE_HISTORICAL;
	size_t length;
	const char *text = bcos_entry_text(entry, &length);

	/* The log restates each living process before its use, so the ID passed to another process in the gap. */
	if (process && process->gap && (!history || process->public.start != entry->time)) {
		process_vanishes(account, process);
		process = NULL;
	}
	if (process && history)
		return restate_process(account, process, entry, text, length);
	if (process) {
		process->alive = account->now;
		if (account_counts(account, account->now))
			account->totals.execs++;
		return set_name(account, process, text, length);
	}
	process = add_process(account, entry);
	if (!process)
		return -ENOMEM;
	if (!history) {
		process->public.born = true;
		if (account_counts(account, account->now))
			account->totals.births++;
	}
	return set_name(account, process, text, length);
}

void account_process_cancelled(struct bcoslog_account *account, const struct bcos_entry *entry)
{
	struct process *process = table_find(&account->processes, entry->source);

	if (!process) {
		account->totals.unnamed++;
		return;
	}
	if (account_counts(account, account->now))
		account->totals.ends++;
	process->public.ended = true;
	process->public.end = account->now;
	process->public.status = ((const struct bcos_cancel_name *)entry)->status;
	forget_process(account, process);
}

void account_processes_gap(struct bcoslog_account *account)
{
	struct process *process = next_process(account, NULL), *following;

	for (; process; process = following) {
		following = next_process(account, process);
		/* The log has not stated the process since the gap before, so the process has ended. */
		if (process->gap)
			process_vanishes(account, process);
		else
			process->gap = true;
	}
}

void account_processes_show(struct bcoslog_account *account)
{
	struct process *process = NULL;

	while ((process = next_process(account, process))) {
		show_process(account, process);
		account_threads_show(account, process);
	}
}

void bcoslog_account_set_user(const struct bcoslog_account_process *public, void *user)
{
	item_of(public, struct process, public)->public.user = user;
}

void account_process_release(struct node *node)
{
	struct process *process = (struct process *)node;
	u64 memory = UINT64_MAX;	/* nobody counts it any more */

	account_cgroup_leave(process, &memory);
	name_free(&process->name, &memory);
	formers_free(&process->formers, &memory);
	free(process);
}
