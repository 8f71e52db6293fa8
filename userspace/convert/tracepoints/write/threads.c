// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* States of threads: which thread a CPU runs, in which state it leaves the CPU, and who woke it. */
#include <errno.h>
#include <stdlib.h>

#include "bcoslog_account.h"
#include "core/format/thread_text.h"
#include "threads.h"

/* Memory for threads is bounded. Further threads are named each time that the log tells of them. */
#define THREADS_MAX (1u << 20)

/* The values for prev_state of sched_switch. */
static const u8 kernel_states[BCOS_STATES] = {
	[BCOS_STATE_BLOCKED] = 1, [BCOS_STATE_BLOCKED_HARD] = 2, [BCOS_STATE_STOPPED] = 4, [BCOS_STATE_DEAD] = 16,
};

void threads_free(struct switches *switches)
{
	if (switches->threads.buckets)
		table_destroy(&switches->threads, node_free);
}

void threads_forget(struct switches *switches)
{
	u32 cpu;

	while (cpu_set_take(&switches->threaded, &cpu))
		switches->cpus[cpu].next_thread = switches->cpus[cpu].behind = 0;
}

static void forget_thread(struct switches *switches, u32 id)
{
	struct node *node = table_find(&switches->threads, id);

	if (!node)
		return;
	table_remove(&switches->threads, node);
	free(node);
}

void threads_rename(struct switches *switches, u32 process)
{
	struct known_thread *thread = table_find(&switches->threads, process);

	if (thread && thread->process == process && !thread->named)
		thread->comm = switches_comm(switches, process);
}

/* Finds a thread, and names it if it is new. Returns NULL if no more threads can be kept. */
static struct known_thread *meet_thread(struct switches *switches, const struct switches_place *place)
{
	struct known_thread *thread = table_find(&switches->threads, place->thread);
	struct comm comm = switches_comm(switches, place->process);

	if (thread && thread->process == place->process) {
		if (thread->unplaced)
			thread->cpu = place->cpu;
		thread->unplaced = false;
		return thread;
	}
	/* The threads of a process that has ended belong to the kernel while they die. They keep process and name. */
	if (place->process == BCOS_PROCESS_KERNEL)
		return thread;
	/* perf takes the name of a process for that of its first thread, so that thread needs no name of its own. */
	if (place->thread != place->process) {
		switches->sinks.name(switches->context, place, (const char *)&comm,
				     strnlen((const char *)&comm, sizeof(comm)));
	}
	if (!thread) {
		thread = switches->threads.count < THREADS_MAX ? calloc(1, sizeof(*thread)) : NULL;
		if (!thread)
			return NULL;
		thread->node.id = place->thread;
		if (table_add(&switches->threads, &thread->node)) {
			free(thread);
			return NULL;
		}
	}
	thread->process = place->process;
	thread->named = thread->unplaced = false;
	thread->comm = comm;
	thread->cpu = place->cpu;
	thread->priority = PRIORITY;
	return thread;
}

static int thread_runs(struct switches *switches, const struct bcos_entry *entry,
		       const struct bcos_thread_phrase *phrase)
{
	const struct switches_place place = { .cpu = phrase->cpu, .time = entry->time, .process = entry->source,
					      .thread = phrase->thread };
	struct known_thread *thread;
	struct turn *turn;

	if (!phrase->has_cpu || phrase->cpu >= CPUS_MAX)
		return 0;
	turn = switches_turn(switches, phrase->cpu);
	if (!turn)
		return -ENOMEM;
	cpu_set_add(&switches->threaded, phrase->cpu);
	turn->next_process = entry->source;
	turn->next_thread = phrase->thread;
	turn->next_priority = phrase->has_priority ? phrase->priority : PRIORITY;
	thread = meet_thread(switches, &place);
	if (thread) {
		thread->cpu = phrase->cpu;
		thread->priority = turn->next_priority;
	}
	/* If another process has the CPU, an assignment follows, which makes the switch. */
	if (turn->known && turn->process == entry->source && turn->thread != phrase->thread)
		switches_switch(switches, phrase->cpu, turn, entry->source, entry->time);
	return 0;
}

/* The last thread of a process that ends is one of the kernel to the log, but leaves its CPU as one of the process. */
static bool is_on(const struct turn *turn, u32 process, u32 thread)
{
	return turn->thread == thread && (turn->process == process || turn->process == BCOS_PROCESS_KERNEL);
}

static void thread_leaves(struct switches *switches, const struct bcos_entry *entry,
			  const struct bcos_thread_phrase *phrase)
{
	const struct known_thread *thread = table_find(&switches->threads, phrase->thread);
	u32 cpu = thread ? thread->cpu : switches->home;
	struct turn *turn = cpu < switches->count ? &switches->cpus[cpu] : NULL;

	if (!turn || !turn->known)
		turn = NULL;
	/* A thread of a process that has ended is one of the kernel. */
	if (turn && turn->behind && turn->behind == phrase->thread &&
	    (turn->behind_process == entry->source || entry->source == BCOS_PROCESS_KERNEL)) {
		switches_leave_behind(switches, cpu, turn, kernel_states[phrase->state], entry->time);
	} else if (turn && (turn->threaded ? is_on(turn, entry->source, phrase->thread) :
				    turn->process == entry->source && entry->source != BCOS_PROCESS_KERNEL)) {
		turn->threaded = true;
		turn->state = kernel_states[phrase->state];
	}
	if (phrase->state == BCOS_STATE_DEAD)
		forget_thread(switches, phrase->thread);
}

static void thread_woken(struct switches *switches, const struct bcos_entry *entry,
			 const struct bcos_thread_phrase *phrase)
{
	u32 cpu = phrase->has_cpu && phrase->cpu < CPUS_MAX ? phrase->cpu : switches->home;
	struct switches_place place = { .cpu = cpu, .time = entry->time, .process = entry->source,
					.thread = phrase->thread };
	const struct known_thread *thread = meet_thread(switches, &place);
	struct wake_fields fields = {
		.comm = thread && (thread->named || entry->source == BCOS_PROCESS_KERNEL) ?
				thread->comm : switches_comm(switches, entry->source),
		.pid = phrase->thread, .prio = (u32)(thread ? thread->priority : PRIORITY),
		.target_cpu = thread ? thread->cpu : cpu,
	};

	/* A thread that the kernel interrupts has not blocked, so it does not begin to wait for a CPU. */
	if (thread && thread->cpu < switches->count && switches->cpus[thread->cpu].behind == phrase->thread &&
	    switches->cpus[thread->cpu].behind_process == entry->source)
		return;
	if (phrase->by == BCOS_WOKEN_BY_THREAD) {
		place.process = phrase->waker_thread ? phrase->waker : BCOS_PROCESS_IDLE;
		place.thread = phrase->waker_thread;
		if (place.process != BCOS_PROCESS_IDLE && place.process != BCOS_PROCESS_KERNEL)
			meet_thread(switches, &place);
	} else {
		/* The thread amid which an interrupt came has woken nobody. */
		place.process = BCOSLOG_NO_PROCESS;
		place.interrupt = phrase->by == BCOS_WOKEN_BY_INTERRUPT;
		place.thread = place.interrupt ? SWITCHES_INTERRUPT : SWITCHES_UNKNOWN;
	}
	switches->sinks.wake(switches->context, &place, &fields);
}

/* A thread gets a name of its own. The log repeats it after each group. */
static void thread_named(struct switches *switches, const struct bcos_entry *entry, const struct bcos_thread_name *told)
{
	const struct switches_place place = { .cpu = switches->home, .time = entry->time, .process = entry->source,
					      .thread = told->thread };
	struct comm comm = switches_cut(told->name, told->length);
	struct known_thread *thread = table_find(&switches->threads, told->thread);
	bool unplaced = !thread || thread->process != entry->source || thread->unplaced;

	if (entry->source == BCOS_PROCESS_KERNEL)
		return;
	thread = meet_thread(switches, &place);
	if (thread)
		thread->unplaced = unplaced;
	if (!thread || (thread->named && !memcmp(&thread->comm, &comm, sizeof(comm))))
		return;
	switches->named = thread->named = true;
	thread->comm = comm;
	switches->sinks.name(switches->context, &place, (const char *)&comm, strnlen((const char *)&comm, sizeof(comm)));
}

int threads_entry(struct switches *switches, const struct bcos_entry *entry)
{
	struct bcos_thread_phrase phrase;
	struct bcos_thread_name name;

	if (bcos_thread_name_read(&name, entry))
		thread_named(switches, entry, &name);
	if (!bcos_thread_told(&phrase, entry))
		return 0;
	if (phrase.state == BCOS_STATE_RUNS)
		return thread_runs(switches, entry, &phrase);
	if (phrase.state == BCOS_STATE_WOKEN)
		thread_woken(switches, entry, &phrase);
	else
		thread_leaves(switches, entry, &phrase);
	return 0;
}
