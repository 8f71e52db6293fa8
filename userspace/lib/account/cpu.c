// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The account: the uses of CPUs. */
#include "account.h"

static bool is_busy(enum bcoslog_use use)
{
	return use == BCOSLOG_USE_PROCESS || use == BCOSLOG_USE_KERNEL;
}

static void work_add(struct work *sum, const struct work *now, const struct work *then)
{
	sum->performance += now->performance - then->performance;
	sum->energy += now->energy - then->energy;
	sum_add(&sum->performance_unknown, now->performance_unknown - then->performance_unknown);
	sum_add(&sum->performance_assumed, now->performance_assumed - then->performance_assumed);
	sum_add(&sum->power_unknown, now->power_unknown - then->power_unknown);
	sum_add(&sum->power_least, now->power_least - then->power_least);
}

/* Count the use of a CPU up to @until. The caller has completed the sums of the CPU's core up to @until. */
static void charge_time(struct bcoslog_account *account, struct cpu *cpu, u64 until)
{
	u64 span = account_span(account, cpu->from, until);

	cpu->from = until;
	cpu->public.time[cpu->public.use] += span;
	if (unlikely(cpu->lost && span))
		account_loss_note(account, BCOSLOG_LOST_ASSIGNMENTS, cpu->began, until);
	cpu->public.lost |= cpu->lost && span;
	if (cpu->process) {
		sum_add(&cpu->process->public.time, span);
		work_add(&cpu->process->work, &cpu->core->sums, &cpu->at);
	}
	cpu->at = cpu->core->sums;
	if (unlikely(account->has_threads))
		account_thread_charge(account, cpu, until);
}

static void tell_interval(struct bcoslog_account *account, const struct cpu *cpu, u64 end)
{
	struct bcoslog_interval interval = {
		.begin = account_clip(account, cpu->began), .end = account_clip(account, end), .cpu = cpu->public.id,
		.core = cpu->public.core, .use = cpu->public.use,
		.process = cpu->process ? &cpu->process->public : NULL,
	};

	/* Do not report an interval that lies before or after the window. */
	if (end <= account->options.since || cpu->began >= account->options.until)
		return;
	account->options.interval(account->options.context, &interval);
}

/* Add @by, 1 or -1, to the core's number of CPUs with this use. */
static void count_use(struct core *core, enum bcoslog_use use, u32 by)
{
	if (is_busy(use))
		core->public.busy += by;
	else if (use == BCOSLOG_USE_UNKNOWN)
		core->public.unknown += by;
}

static void set_lost(struct bcoslog_account *account, struct cpu *cpu, bool lost)
{
	account->lost_cpus += (u32)lost - (u32)cpu->lost;
	cpu->lost = lost;
}

/* End the turn of the CPU's thread. The account reports this turn before the interval of the thread's process. */
static void end_thread(struct bcoslog_account *account, struct cpu *cpu, bool to_kernel)
{
	account_thread_charge(account, cpu, account->now);
	account_thread_leaves(account, cpu, to_kernel);
}

/* Note the process that a CPU executes. */
static void set_process(struct cpu *cpu, struct process *process)
{
	if (cpu->process)
		order_remove(&cpu->running);
	if (process)
		order_add(&process->running, &cpu->running);
	cpu->process = process;
	cpu->public.process = process ? &process->public : NULL;
}

/* Change the use of a CPU at the account's time. According to the log the new use began at @since. */
static void use_cpu(struct bcoslog_account *account, struct cpu *cpu, enum bcoslog_use next, struct process *process,
		    u64 since)
{
	struct core *core = cpu->core;
	enum bcoslog_use last = cpu->public.use;
	struct process *before = cpu->process;

	if (is_busy(last) != is_busy(next) || (last == BCOSLOG_USE_UNKNOWN) != (next == BCOSLOG_USE_UNKNOWN))
		account_core_cut(account, core);
	account_core_advance(account, core);
	if (unlikely(account->has_threads))
		end_thread(account, cpu, next == BCOSLOG_USE_KERNEL);
	if (account->options.interval)
		tell_interval(account, cpu, account->now);
	charge_time(account, cpu, account->now);
	count_use(core, last, -1u);
	count_use(core, next, 1);
	cpu->public.use = next;
	cpu->public.since = since;
	cpu->began = account->now;
	set_process(cpu, process);
	if (unlikely(last == BCOSLOG_USE_UNKNOWN)) {
		account_unknown_cpus(account, -1);
		set_lost(account, cpu, false);
	}
	if (unlikely(next == BCOSLOG_USE_UNKNOWN))
		account_unknown_cpus(account, 1);
	if (before)
		account_process_off(account, before, next == BCOSLOG_USE_UNKNOWN);
	if (process)
		account_process_on(account, process, cpu->public.id);
	if (unlikely(account->has_threads) && process)
		account_thread_comes(account, cpu);
}

/* Return: the use of a CPU that is assigned to process @id.  *@process receives the process, or NULL. */
static enum bcoslog_use use_of(struct bcoslog_account *account, u32 id, struct process **process)
{
	*process = NULL;
	if (id == BCOS_PROCESS_IDLE)
		return BCOSLOG_USE_IDLE;
	*process = table_find(&account->processes, id);
	if (unlikely(!*process)) {
		account->totals.unnamed++;
		return BCOSLOG_USE_UNKNOWN;
	}
	return id == BCOS_PROCESS_KERNEL ? BCOSLOG_USE_KERNEL : BCOSLOG_USE_PROCESS;
}

void account_cpu_assigned(struct bcoslog_account *account, const struct bcos_entry *entry)
{
	u32 id = ((const struct bcos_assign_cpu *)entry)->process;
	struct cpu *cpu = table_find(&account->cpus, entry->source);
	struct process *process;
	enum bcoslog_use next;

	if (unlikely(!cpu || !cpu->public.up)) {
		account->totals.unnamed++;
		return;
	}
	/* The CPU is online, so the next group need not state it. */
	cpu->gap = false;
	chain_add(&account->to_miss, &cpu->to_miss);
	next = use_of(account, id, &process);
	if (account_counts(account, account->now)) {
		cpu->public.turns++;
		account->totals.turns++;
	}
	if (unlikely(account->now < cpu->lost_until))
		return;
	/* A CPU may be assigned to the process that it executes already, which changes nothing. */
	if (next == cpu->public.use && process == cpu->process)
		return;
	use_cpu(account, cpu, next, process, account->now);
	chain_add(&account->to_lose, &cpu->to_lose);
	if (process && account_counts(account, account->now))
		process->public.turns++;
}

void account_cpu_stated(struct bcoslog_account *account, const struct bcos_entry *entry)
{
	struct cpu *cpu = table_find(&account->cpus, entry->source);

	if (!cpu) {
		account->totals.unnamed++;
		return;
	}
	/* A historical entry that repeats what is known adds nothing (3.1). */
	if (cpu->public.up && cpu->public.use != BCOSLOG_USE_UNKNOWN)
		return;
	cpu->stated = true;
	cpu->stated_process = ((const struct bcos_assign_cpu *)entry)->process;
	cpu->stated_since = entry->time;
	chain_add(&account->to_settle, &cpu->to_settle);
	account->history = true;
}

/* Bring a CPU online. The use of the CPU is unknown at first. */
static void cpu_comes(struct bcoslog_account *account, struct cpu *cpu)
{
	struct core *core = cpu->core;

	account_core_cut(account, core);
	account_core_advance(account, core);
	core->public.cpus++;
	core->public.unknown++;
	account_unknown_cpus(account, 1);
	cpu->waits = false;
	cpu->public.up = true;
	cpu->public.use = BCOSLOG_USE_UNKNOWN;
	chain_add(&account->to_lose, &cpu->to_lose);
	chain_add(&account->to_miss, &cpu->to_miss);
	cpu->public.since = account->now;
	cpu->began = cpu->from = cpu->online_from = account->now;
	cpu->at = core->sums;
}

/* Take a CPU offline at @end. The caller has counted the use of the CPU up to @end. */
static void cpu_goes(struct bcoslog_account *account, struct cpu *cpu, u64 end)
{
	struct core *core = cpu->core;

	cpu->public.online += account_span(account, cpu->online_from, end);
	account_core_cut(account, core);
	account_core_advance(account, core);
	core->public.cpus--;
	count_use(core, cpu->public.use, -1u);
	if (cpu->public.use == BCOSLOG_USE_UNKNOWN)
		account_unknown_cpus(account, -1);
	cpu->public.up = false;
	set_lost(account, cpu, false);
	cpu->gap = false;
	cpu->stated = false;
	cpu->public.use = BCOSLOG_USE_UNKNOWN;
	if (cpu->process)
		account_process_off(account, cpu->process, false);
	set_process(cpu, NULL);
}

void account_cpu_offline(struct bcoslog_account *account, u32 id)
{
	struct cpu *cpu = table_find(&account->cpus, id);

	if (!cpu || !cpu->public.up) {
		account->totals.unnamed++;
		return;
	}
	account_core_advance(account, cpu->core);
	if (account->has_threads)
		end_thread(account, cpu, false);
	charge_time(account, cpu, account->now);
	if (account->options.interval)
		tell_interval(account, cpu, account->now);
	cpu_goes(account, cpu, account->now);
}

int account_cpu_online(struct bcoslog_account *account, const struct bcos_entry *entry)
{
	const struct bcos_cpu_online *online = (const struct bcos_cpu_online *)entry;
	bool history = entry->type & BCOS_TYPE_HISTORICAL;
	struct cpu *cpu = table_find(&account->cpus, entry->source);
	struct core *core = account_core_find(account, online->core);

	if (!core)
		return -ENOMEM;
	if (!cpu) {
		cpu = account_add(account, &account->cpus, entry->source, sizeof(*cpu), &account->cpu_order,
				  offsetof(struct cpu, order));
		if (!cpu)
			return -ENOMEM;
		cpu->public.id = entry->source;
		cpu->public.use = BCOSLOG_USE_UNKNOWN;
	}
	/* A historical entry that repeats what is known adds nothing (3.1), except that the CPU is still online. */
	if (history && cpu->public.up && cpu->core == core) {
		cpu->public.start = entry->time;
		account->history |= cpu->gap;
		cpu->gap = false;
		chain_add(&account->to_miss, &cpu->to_miss);
		return 0;
	}
	if (cpu->public.up)
		account_cpu_offline(account, entry->source);
	cpu->core = core;
	cpu->public.core = online->core;
	cpu->public.start = entry->time;
	if (history) {
		cpu->waits = true;
		chain_add(&account->to_settle, &cpu->to_settle);
		account->history = true;
	} else {
		cpu_comes(account, cpu);
	}
	return 0;
}

static struct cpu *next_cpu(const struct bcoslog_account *account, const struct cpu *after)
{
	const struct order *order = after ? after->order.next : account->cpu_order.next;

	return order == &account->cpu_order ? NULL : item_of(order, struct cpu, order);
}

static void forget_cpu(struct bcoslog_account *account, struct cpu *cpu)
{
	if (cpu->public.up && cpu->public.use != BCOSLOG_USE_UNKNOWN)
		use_cpu(account, cpu, BCOSLOG_USE_UNKNOWN, NULL, account->now);
}

void account_cpu_lose(struct bcoslog_account *account, struct cpu *cpu)
{
	struct link *link;

	if (!cpu) {
		while ((link = chain_take(&account->to_lose)))
			account_cpu_lose(account, item_of(link, struct cpu, to_lose));
		return;
	}
	forget_cpu(account, cpu);
	if (cpu->public.up)
		set_lost(account, cpu, true);
}

void account_cpus_leave(struct bcoslog_account *account, const struct process *process)
{
	while (process->running.next != &process->running)
		forget_cpu(account, item_of(process->running.next, struct cpu, running));
}

/* Count the use and the online time of a CPU up to @until. The caller has completed the sums of the core up to then. */
static void settle_cpu(struct bcoslog_account *account, struct cpu *cpu, u64 until)
{
	charge_time(account, cpu, until);
	cpu->public.online += account_span(account, cpu->online_from, until);
	cpu->online_from = until;
}

void account_cpus_gap(struct bcoslog_account *account)
{
	struct link *link;
	struct cpu *cpu;

	account_cpu_lose(account, NULL);
	while ((link = chain_take(&account->to_miss))) {
		cpu = item_of(link, struct cpu, to_miss);
		if (!cpu->public.up)
			continue;
		account_core_advance(account, cpu->core);
		settle_cpu(account, cpu, account->now);
		cpu->gap = true;
		chain_add(&account->to_settle, &cpu->to_settle);
	}
}

void account_cpus_settle_history(struct bcoslog_account *account)
{
	struct process *process;
	enum bcoslog_use stated;
	struct link *link;
	struct cpu *cpu;

	account->history = false;
	if (account->gap)
		account_loss_restated(account);
	while ((link = chain_take(&account->to_settle))) {
		cpu = item_of(link, struct cpu, to_settle);
		/* The CPU went offline at an unknown time in the gap, so its time counts up to the gap's beginning. */
		if (account->gap && cpu->gap) {
			settle_cpu(account, cpu, account->gap_stated);
			if (account->options.interval)
				tell_interval(account, cpu, cpu->from);
			cpu_goes(account, cpu, cpu->from);
		}
		if (cpu->waits)
			cpu_comes(account, cpu);
		if (!cpu->stated)
			continue;
		cpu->stated = false;
		stated = use_of(account, cpu->stated_process, &process);
		if (cpu->public.up && cpu->public.use == BCOSLOG_USE_UNKNOWN && account->now >= cpu->stale_until)
			use_cpu(account, cpu, stated, process, cpu->stated_since);
		chain_add(&account->to_lose, &cpu->to_lose);
	}
	account->gap = false;
}

void account_cpus_charge(struct bcoslog_account *account)
{
	struct cpu *cpu = NULL;

	while ((cpu = next_cpu(account, cpu))) {
		if (!cpu->public.up)
			continue;
		/* A CPU that the log has not stated since the gap may be offline; the next group will tell. */
		settle_cpu(account, cpu, cpu->gap ? account->gap_stated : account->now);
	}
}

void account_cpus_end(struct bcoslog_account *account)
{
	struct cpu *cpu = NULL;

	while ((cpu = next_cpu(account, cpu)))
		if (cpu->public.up && account->options.interval)
			tell_interval(account, cpu, cpu->gap ? cpu->from : account->now);
}
