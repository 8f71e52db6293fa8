// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The account of a log: each entry goes to the file for its kind of item. */
#include <stdlib.h>

#include "core/format/entry.h"
#include "core/format/thread_text.h"
#include "account.h"

struct bcoslog_account *bcoslog_account_new(const struct bcoslog_account_options *options)
{
	struct bcoslog_account *account = calloc(1, sizeof(*account));

	if (!account)
		return NULL;
	if (options)
		account->options = *options;
	if (!account->options.until)
		account->options.until = ~(u64)0;
	if (account->options.until < account->options.since)
		account->options.until = account->options.since;
	order_init(&account->process_order);
	order_init(&account->device_order);
	order_init(&account->cpu_order);
	order_init(&account->core_order);
	if (!table_init(&account->processes) && !table_init(&account->devices) && !table_init(&account->cpus) &&
	    !table_init(&account->cores) && !table_init(&account->thread_table) &&
	    !table_init(&account->thread_names))
		return account;
	bcoslog_account_free(account);
	return NULL;
}

void bcoslog_account_free(struct bcoslog_account *account)
{
	if (!account)
		return;
	table_destroy(&account->thread_table, node_free);
	table_destroy(&account->thread_names, node_free);
	table_destroy(&account->processes, account_process_release);
	table_destroy(&account->devices, account_device_release);
	table_destroy(&account->cpus, node_free);
	table_destroy(&account->cores, account_core_release);
	free(account->coming);
	free(account);
}

static void advance_to(struct bcoslog_account *account, u64 time)
{
	if (unlikely(account->unknown_cpus))
		account->blind += (u128)account->unknown_cpus * account_span(account, account->now, time);
	account->now = time;
}

/* Begin the announced losses that begin before @time, each at its time. */
static noinline void move_over_losses(struct bcoslog_account *account, u64 time)
{
	u64 begin;

	while (account->comings && account->coming->loss.begin < time) {
		begin = account->coming->loss.begin;
		if (begin > account->now)
			advance_to(account, begin);
		account_gap_begin(account, begin);
	}
}

/* Advance the account to the time of a normal entry. */
static void account_move(struct bcoslog_account *account, u64 time)
{
	if (!account->begun) {
		account->begun = true;
		account->now = time;
		account->totals.begin = account_clip(account, time);
	} else if (time > account->now) {
		if (unlikely(account->comings))
			move_over_losses(account, time);
		advance_to(account, time);
	}
	if (unlikely(account->history))
		account_cpus_settle_history(account);
	if (unlikely(account->comings))
		account_gap_begin(account, account->now);
}

/* Return: the process of which this is an entry, so that it lives; NULL if the log does not name it, which is counted. */
static struct process *process_tells(struct bcoslog_account *account, const struct bcos_entry *entry)
{
	struct process *process = table_find(&account->processes, entry->source);

	if (process)
		process->alive = account->now;
	else
		account->totals.unnamed++;
	return process;
}

/* Return: 0 or -ENOMEM. */
static int account_generic(struct bcoslog_account *account, const struct bcos_entry *entry)
{
	const struct bcos_generic *event = (const struct bcos_generic *)entry;
	struct process *process;

	switch (entry->type) {
	case BCOS_GENERIC_PROCESS:
		process = process_tells(account, entry);
		/* The log repeats names of threads, which are no events. */
		if (event->event_id == BCOS_EVENT_THREAD_NAME)
			return process ? account_thread_named(account, process, entry) : 0;
		/* The log tells the groups of all processes again and again, and that is no event of theirs. */
		if (event->event_id == BCOS_EVENT_CGROUP)
			return process ? account_cgroup_told(account, process, entry) : 0;
		if (process && account_counts(account, account->now))
			process->public.events++;
		if (process && event->event_id == BCOS_EVENT_PARENT)
			account_process_parent(account, process, entry);
		if (process && event->event_id == BCOS_EVENT_EXEC)
			account_process_executes(process, entry);
		if (process && unlikely(account->has_threads) && bcos_is_thread_event(event->event_id))
			return account_thread_state(account, process, entry);
		break;
	case BCOS_GENERIC_CPU:
		if (event->event_id == BCOS_EVENT_LOSS)
			account_gap_stated(account, entry);
		else if (event->event_id == BCOS_EVENT_MASK)
			account_gap_mask_changed(account, entry);
		break;
	case BCOS_GENERIC_DEVICE:
		if (bcoslog_is_missed(entry))
			account_gap_overtaken(account, entry);
		else
			account_device_event(account, entry);
		break;
	default:
		break;
	}
	return 0;
}

static void account_call(struct bcoslog_account *account, const struct bcos_entry *entry)
{
	struct process *process = process_tells(account, entry);

	if (process && account_counts(account, account->now))
		process->public.calls++;
}

static int account_historical(struct bcoslog_account *account, const struct bcos_entry *entry)
{
	switch (entry->type) {
	case BCOS_HIST_CORE_ONLINE:
		return account_core_online(account, entry);
	case BCOS_HIST_CPU_ONLINE:
		account_loss_group(account);
		return account_cpu_online(account, entry);
	case BCOS_HIST_SET_PROCESS_NAME:
		return account_process_named(account, entry);
	case BCOS_HIST_SET_DEVICE_NAME:
		return account_device_named(account, entry);
	case BCOS_HIST_ASSIGN_CPU:
		account_cpu_stated(account, entry);
		return 0;
	default:
		return 0;
	}
}

static int account_event(struct bcoslog_account *account, const struct bcos_entry *entry)
{
	switch (entry->type) {
	case BCOS_SET_PROCESS_NAME:
		return account_process_named(account, entry);
	case BCOS_CANCEL_PROCESS_NAME:
		account_process_cancelled(account, entry);
		return 0;
	case BCOS_KERNEL_API:
		account_call(account, entry);
		return 0;
	case BCOS_CORE_ONLINE:
		return account_core_online(account, entry);
	case BCOS_CPU_ONLINE:
		return account_cpu_online(account, entry);
	case BCOS_CPU_OFFLINE:
		account_cpu_offline(account, entry->source);
		return 0;
	case BCOS_SET_DEVICE_NAME:
		return account_device_named(account, entry);
	case BCOS_CANCEL_DEVICE_NAME:
		account_device_cancelled(account, entry);
		return 0;
	case BCOS_DEVICE_INPUT:
	case BCOS_DEVICE_OUTPUT:
		account_device_transfer(account, entry);
		return 0;
	case BCOS_IRQ:
		return account_device_interrupt(account, entry);
	default:
		if (bcoslog_is_generic(entry->type))
			return account_generic(account, entry);
		/* Core Offline changes nothing, as the core has no CPU then. Readers skip unknown types (chapter 2). */
		return 0;
	}
}

int bcoslog_account_entry(struct bcoslog_account *account, const struct bcos_entry *entry)
{
	account->totals.entries++;
	if (entry->type & BCOS_TYPE_HISTORICAL)
		return account_historical(account, entry);
	account_move(account, entry->time);
	if (likely(entry->type == BCOS_ASSIGN_CPU)) {
		account_cpu_assigned(account, entry);
		return 0;
	}
	return account_event(account, entry);
}

int bcoslog_account_batch(struct bcoslog_account *account, const struct bcoslog_batch *batch)
{
	const struct bcos_entry *entry;
	int error = 0;

	bcoslog_each(entry, batch) {
		error = bcoslog_account_entry(account, entry);
		if (unlikely(error))
			break;
	}
	return error;
}

static void account_totals(struct bcoslog_account *account)
{
	struct bcoslog_account_totals *sum = &account->totals;
	const struct bcoslog_account_cpu *cpu = NULL;
	unsigned int use;

	sum->end = account->begun ? account_clip(account, account->now) : 0;
	sum->online = 0;
	memset(sum->time, 0, sizeof(sum->time));
	while ((cpu = bcoslog_account_next_cpu(account, cpu))) {
		sum_add(&sum->online, cpu->online);
		for (use = 0; use < BCOSLOG_USES; use++)
			sum_add(&sum->time[use], cpu->time[use]);
	}
}

void bcoslog_account_settle(struct bcoslog_account *account)
{
	account_cores_settle(account);
	account_cpus_charge(account);
	account_loss_settle(account);
	account_processes_show(account);
	account_devices_show(account);
	account_totals(account);
}

void bcoslog_account_end(struct bcoslog_account *account)
{
	account_cpus_end(account);
	if (account->has_threads)
		account_threads_finish(account);
	account_cores_end(account);
	account_loss_end(account);
	bcoslog_account_settle(account);
}

const struct bcoslog_account_totals *bcoslog_account_totals(const struct bcoslog_account *account)
{
	return &account->totals;
}

#define NEXT(name, type)											\
const struct bcoslog_account_##name *bcoslog_account_next_##name(const struct bcoslog_account *account,	\
								 const struct bcoslog_account_##name *after)	\
{														\
	const struct order *order = after ? item_of(after, struct type, public)->order.next :			\
					    account->name##_order.next;						\
														\
	return order == &account->name##_order ? NULL : &item_of(order, struct type, order)->public;		\
}

NEXT(process, process)
NEXT(device, device)
NEXT(cpu, cpu)
NEXT(core, core)

const struct bcoslog_account_process *bcoslog_account_process(const struct bcoslog_account *account, __u32 id)
{
	const struct process *process = table_find(&account->processes, id);

	return process ? &process->public : NULL;
}

const struct bcoslog_account_cpu *bcoslog_account_cpu(const struct bcoslog_account *account, __u32 id)
{
	const struct cpu *cpu = table_find(&account->cpus, id);

	return cpu ? &cpu->public : NULL;
}

const struct bcoslog_account_device *bcoslog_account_device(const struct bcoslog_account *account, __u32 id)
{
	const struct device *device = table_find(&account->devices, id);

	return device ? &device->public : NULL;
}
