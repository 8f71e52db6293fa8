// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "balance.h"
#include "account/report.h"
#include "core/format/entry.h"

static char said[200];

#define say(...) (snprintf(said, sizeof(said), __VA_ARGS__), said)

static void demand_that(bool holds)
{
	if (!holds)
		abort();
}

/* ---- how long CPUs were online, from the entries alone ---------------------------------- */

static __u64 clip_time(const struct balance *balance, __u64 time)
{
	if (time < balance->since)
		time = balance->since;
	return !balance->until || time < balance->until ? time : balance->until;
}

static struct balance_cpu *cpu_of(struct balance *balance, __u32 id)
{
	size_t i;

	for (i = 0; i < balance->count; i++)
		if (balance->cpus[i].id == id)
			return &balance->cpus[i];
	balance->cpus = reallocarray(balance->cpus, balance->count + 1, sizeof(*balance->cpus));
	demand_that(balance->cpus);
	balance->cpus[balance->count] = (struct balance_cpu){ .id = id };
	return &balance->cpus[balance->count++];
}

static void begin_cpu(const struct balance *balance, struct balance_cpu *cpu)
{
	cpu->up = true;
	cpu->waits = false;
	cpu->since = balance->now;
}

static void end_cpu(const struct balance *balance, struct balance_cpu *cpu)
{
	if (cpu->up)
		cpu->online += clip_time(balance, balance->now) - clip_time(balance, cpu->since);
	cpu->up = false;
}

static void put_online(struct balance *balance, const struct bcos_entry *entry)
{
	struct balance_cpu *cpu = cpu_of(balance, entry->source);
	__u32 core = ((const struct bcos_cpu_online *)entry)->core;
	bool history = entry->type & BCOS_TYPE_HISTORICAL;

	if (history && cpu->up && cpu->core == core)
		return;
	end_cpu(balance, cpu);
	cpu->core = core;
	if (history)
		cpu->waits = balance->history = true;
	else
		begin_cpu(balance, cpu);
}

/*
 * Moves on to the time of an entry that is not historical. Historical entries have no time of their own: what they say
 * holds from the next other entry on.
 */
static void move_on(struct balance *balance, __u64 time)
{
	size_t i;

	if (!balance->begun || time > balance->now)
		balance->now = time;
	balance->begun = true;
	for (i = 0; balance->history && i < balance->count; i++)
		if (balance->cpus[i].waits)
			begin_cpu(balance, &balance->cpus[i]);
	balance->history = false;
}

static void reckon_entry(struct balance *balance, const struct bcos_entry *entry)
{
	if (!(entry->type & BCOS_TYPE_HISTORICAL))
		move_on(balance, entry->time);
	switch (entry->type) {
	case BCOS_CPU_ONLINE:
	case BCOS_HIST_CPU_ONLINE:
		put_online(balance, entry);
		break;
	case BCOS_CPU_OFFLINE:
		end_cpu(balance, cpu_of(balance, entry->source));
		break;
	case BCOS_GENERIC_DEVICE:
		balance->overtaken |= bcoslog_is_missed(entry);
		break;
	default:
		break;
	}
}

/* ---- what the account says ---------------------------------------------------------------- */

/* Sums of the account end at 64 bits: the greatest number stands for all that are greater. */
static __u64 add_times(__u64 one, __u64 other)
{
	__u64 sum;

	return __builtin_add_overflow(one, other, &sum) ? ~0ull : sum;
}

static void add_interval(void *context, const struct bcoslog_interval *told)
{
	struct balance *balance = context;

	balance->backward |= told->begin > told->end;
	balance->intervals[told->use] = add_times(balance->intervals[told->use], told->end - told->begin);
}

/* Adds a thread. The user pointer of a process is the sum of the time of its threads, in ns. */
static void add_thread(struct balance *balance, const struct bcoslog_account_thread *thread)
{
	uintptr_t sum = (uintptr_t)add_times((uintptr_t)thread->process->user, thread->time);

	bcoslog_account_set_user(thread->process, (void *)sum);
	balance->threads = add_times(balance->threads, thread->time);
	balance->thread_turns += thread->turns;
	balance->unwoken |= thread->longest_wait > thread->waited || (thread->waits && !thread->turns);
}

static void thread_ended(void *context, const struct bcoslog_account_thread *thread)
{
	add_thread(context, thread);
}

static void thread_turn(void *context, const struct bcoslog_thread_turn *turn)
{
	struct balance *balance = context;

	balance->backward |= turn->begin > turn->end;
	balance->turns = add_times(balance->turns, turn->end - turn->begin);
}

static void end_process(struct balance *balance, const struct bcoslog_account_process *process)
{
	balance->more_threads |= (uintptr_t)process->user > process->time;
	balance->ended = add_times(balance->ended, process->time);
}

static void end_account(void *context, const struct bcoslog_account_process *process)
{
	end_process(context, process);
}

void balance_begin(struct balance *balance, __u64 since, __u64 until)
{
	const struct bcoslog_account_options options = {
		.since = since, .until = until, .context = balance, .interval = add_interval,
		.process_ended = end_account,
	};
	const struct bcoslog_thread_sinks threads = { .context = balance, .ended = thread_ended, .turn = thread_turn };

	memset(balance, 0, sizeof(*balance));
	balance->since = since;
	balance->until = until && until < since ? since : until;
	balance->account = bcoslog_account_new(&options);
	demand_that(balance->account);
	bcoslog_account_threads(balance->account, &threads);
}

void balance_entry(struct balance *balance, const struct bcos_entry *entry)
{
	reckon_entry(balance, entry);
	demand_that(!bcoslog_account_entry(balance->account, entry));
}

void balance_free(struct balance *balance)
{
	bcoslog_account_free(balance->account);
	free(balance->cpus);
}

static const char *cpus_add_up(struct balance *balance)
{
	const struct bcoslog_account_cpu *cpu = NULL;
	struct balance_cpu *reckoned;
	unsigned int use;
	__u64 sum;

	while ((cpu = bcoslog_account_next_cpu(balance->account, cpu))) {
		for (sum = 0, use = 0; use < BCOSLOG_USES; use++)
			sum += cpu->time[use];
		if (sum != cpu->online)
			return say("the uses of CPU %u are %llu ns, and it is said to be online for %llu ns", cpu->id,
				   sum, cpu->online);
		reckoned = cpu_of(balance, cpu->id);
		end_cpu(balance, reckoned);
		if (reckoned->online != cpu->online && !balance->overtaken)
			return say("CPU %u was online for %llu ns, and the account says %llu ns", cpu->id,
				   reckoned->online, cpu->online);
	}
	return NULL;
}

const char *balance_end(struct balance *balance)
{
	const struct bcoslog_account_totals *totals = bcoslog_account_totals(balance->account);
	const struct bcoslog_account_process *process = NULL;
	const struct bcoslog_account_thread *thread;
	__u64 sum = 0;
	const char *wrong;
	unsigned int use;

	bcoslog_account_end(balance->account);
	wrong = cpus_add_up(balance);
	if (wrong)
		return wrong;
	if (balance->backward)
		return say("an interval ends before it begins");
	for (use = 0; use < BCOSLOG_USES; use++) {
		sum = add_times(sum, totals->time[use]);
		if (balance->intervals[use] != totals->time[use])
			return say("intervals of use %u are %llu ns, and its total is %llu ns", use,
				   balance->intervals[use], totals->time[use]);
	}
	if (sum != totals->online)
		return say("all uses are %llu ns, and all CPUs were online for %llu ns", sum, totals->online);
	while ((process = bcoslog_account_next_process(balance->account, process))) {
		for (thread = NULL; (thread = bcoslog_account_next_thread(process, thread));)
			add_thread(balance, thread);
		end_process(balance, process);
	}
	sum = add_times(totals->time[BCOSLOG_USE_PROCESS], totals->time[BCOSLOG_USE_KERNEL]);
	if (balance->ended != sum)
		return say("processes have %llu ns, and CPUs ran them for %llu ns", balance->ended, sum);
	if (balance->more_threads)
		return say("the threads of a process have more time than the process");
	if (balance->turns != balance->threads)
		return say("turns of threads are %llu ns, and threads have %llu ns", balance->turns, balance->threads);
	if (balance->unwoken)
		return say("a thread waited without ever having a CPU, or longer at once than in all");
	return NULL;
}

/* ---- a whole log ---------------------------------------------------------------------------- */

struct window {
	struct bcoslog_account_totals totals;
	__u64 threads, turns;
};

static const char *window_of(const void *log, size_t size, __u64 since, __u64 until, struct window *window)
{
	static __u64 aligned[65536 / 8];
	const char *at = log, *end = at + size;
	const struct bcos_entry *entry;
	struct balance balance;
	const char *wrong;
	__u16 length;

	balance_begin(&balance, since, until);
	for (; !bcos_entry_check(at, (size_t)(end - at)); at += length) {
		memcpy(&length, at, sizeof(length));
		entry = (const void *)at;
		if ((uintptr_t)at % 4)
			entry = memcpy(aligned, at, length);
		balance_entry(&balance, entry);
	}
	wrong = balance_end(&balance);
	window->totals = *bcoslog_account_totals(balance.account);
	window->threads = balance.threads;
	window->turns = balance.thread_turns;
	balance_free(&balance);
	return wrong;
}

const char *balance_of(const void *log, size_t size)
{
	struct window windows[3];
	const struct bcoslog_account_totals *whole = &windows[0].totals, *first = &windows[1].totals,
					    *second = &windows[2].totals;
	const char *wrong = window_of(log, size, 0, 0, &windows[0]);
	__u64 middle = whole->begin + (whole->end - whole->begin) / 2;
	unsigned int use;

	if (!wrong && middle)
		wrong = window_of(log, size, 0, middle, &windows[1]);
	if (!wrong && middle)
		wrong = window_of(log, size, middle, 0, &windows[2]);
	if (wrong || !middle)
		return wrong;
	for (use = 0; use < BCOSLOG_USES; use++)
		if (add_times(first->time[use], second->time[use]) != whole->time[use])
			return say("use %u has %llu ns before %llu ns and %llu ns after that, and %llu ns in all", use,
				   first->time[use], middle, second->time[use], whole->time[use]);
	if (first->turns + second->turns != whole->turns || first->births + second->births != whole->births ||
	    first->execs + second->execs != whole->execs || first->ends + second->ends != whole->ends)
		return say("assignments, births, execs or ends before and after %llu ns are not those in all", middle);
	if (add_times(windows[1].threads, windows[2].threads) != windows[0].threads ||
	    add_times(windows[1].turns, windows[2].turns) != windows[0].turns)
		return say("time or turns of threads before and after %llu ns are not those in all", middle);
	return NULL;
}
