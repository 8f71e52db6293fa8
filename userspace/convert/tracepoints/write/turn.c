// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Turns of processes and threads on CPUs, and the switches between them. */
#include <errno.h>
#include <stdlib.h>

#include "../../cpus.h"
#include "../../unknown.h"
#include "entry/text.h"
#include "write.h"
#include "threads.h"

struct turn *switches_turn(struct switches *switches, u32 cpu)
{
	struct turn *larger;

	if (likely(cpu < switches->count))
		return &switches->cpus[cpu];
	larger = cpus_grow(switches->cpus, &switches->count, sizeof(*larger), cpu);
	if (!larger)
		return NULL;
	switches->cpus = larger;
	return &switches->cpus[cpu];
}

u32 switches_thread(u32 process)
{
	return process == BCOS_PROCESS_IDLE ? 0 : process == BCOS_PROCESS_KERNEL ? SWITCHES_KERNEL :
	       process == BCOSLOG_NO_PROCESS ? SWITCHES_UNKNOWN : process & 0x7FFFFFFF;
}

static u64 word_of(const char *from, size_t bytes)
{
	u64 word = 0;

	memcpy(&word, from, bytes);
	return word;
}

/* Returns a name of at most 15 bytes as two words. */
static struct comm comm_of(const char *name, size_t length)
{
	struct comm comm = { { 0, 0 } };

	if (length >= 8) {
		comm.words[0] = word_of(name, 8);
		comm.words[1] = length > 8 ? word_of(name + length - 8, 8) >> 8 * (16 - length) : 0;
	} else if (length >= 4) {
		comm.words[0] = word_of(name, 4) | word_of(name + length - 4, 4) << 8 * (length - 4);
	} else {
		while (length--)
			comm.words[0] = comm.words[0] << 8 | (u8)name[length];
	}
	return comm;
}

struct comm switches_cut(const char *name, size_t length)
{
	return comm_of(name, utf8_fit(name, length, 15));
}

struct comm switches_comm(const struct switches *switches, u32 process)
{
	const struct bcoslog_process *known =
		process == BCOS_PROCESS_IDLE ? NULL : bcoslog_process(switches->state, process);
	const char *name = process == BCOS_PROCESS_IDLE ? "swapper" : process == BCOS_PROCESS_KERNEL ? "kernel" :
			   process == BCOSLOG_NO_PROCESS ? "unknown" : "?";

	if (known)
		return switches_cut(known->name, known->name_length);
	return comm_of(name, strlen(name));
}

/*
 * Sets whose names a turn has: those of the process, unless its thread has one of its own; or, of a process that has ended,
 * those that its thread had.
 */
static struct comm name_turn(const struct switches *switches, struct turn *turn)
{
	const struct known_thread *thread = NULL;

	turn->shown = turn->process;
	turn->comm = switches_comm(switches, turn->process);
	if (turn->threaded &&
	    (turn->process == BCOS_PROCESS_KERNEL || !bcoslog_process(switches->state, turn->process))) {
		thread = table_find(&switches->threads, turn->thread);
		turn->shown = thread ? thread->process : turn->process;
		turn->comm = thread ? thread->comm : comm_of("?", 1);
	} else if (turn->threaded && switches->named) {
		thread = table_find(&switches->threads, turn->thread);
		if (thread && thread->named && thread->process == turn->process)
			turn->comm = thread->comm;
	}
	return turn->comm;
}

static struct comm set_turn(const struct switches *switches, struct turn *turn, u32 process)
{
	turn->known = true;
	turn->process = process;
	turn->threaded = turn->next_thread && turn->next_process == process;
	turn->thread = turn->threaded ? turn->next_thread : switches_thread(process);
	turn->priority = turn->threaded ? turn->next_priority : PRIORITY;
	turn->state = 0;
	return name_turn(switches, turn);
}

/*
 * The prev_state of a thread whose CPU the kernel gets: parked. The log does not say whether the kernel works for it or
 * for somebody else, until the thread blocks, or another process gets the CPU.
 */
#define STATE_PARKED 0x40u

/* Returns the state in which a thread leaves the CPU to @process, by the kernel's numbers. */
static u64 state_of(const struct turn *turn, u32 process)
{
	if (!turn->thread || (turn->process == BCOS_PROCESS_KERNEL && !turn->threaded))
		return 0;
	/* An assignment does not tell whether a process blocks or is preempted. State 1 means that it sleeps. */
	if (turn->threaded && !turn->state && process == BCOS_PROCESS_KERNEL)
		return STATE_PARKED;
	return turn->threaded ? turn->state : 1;
}

static void put_switch(struct switches *switches, u32 cpu, struct turn *turn, u32 process, u64 time)
{
	struct switch_fields fields;
	struct switches_place place;

	if (!turn->known)
		set_turn(switches, turn, BCOS_PROCESS_IDLE);
	place = (struct switches_place){
		.cpu = cpu, .time = time, .process = turn->shown, .thread = turn->thread,
	};
	fields.prev.comm = turn->comm;
	fields.prev.pid = turn->thread;
	fields.prev.prio = (u32)turn->priority;
	fields.prev_state = state_of(turn, process);
	turn->behind = fields.prev_state == STATE_PARKED ? turn->thread : 0;
	turn->behind_process = turn->process;
	fields.next.comm = set_turn(switches, turn, process);
	if (process != BCOSLOG_NO_PROCESS)
		cpu_set_add(&switches->known, cpu);
	fields.next.pid = turn->thread;
	fields.next.prio = (u32)turn->priority;
	switches->sinks.put(switches->context, &place, &fields);
	switches->home = cpu;
}

/* Switches from the kernel to the thread that it interrupts, for no time. */
static void take_behind(struct switches *switches, u32 cpu, struct turn *turn, u64 state, u64 time)
{
	u32 process = turn->next_process, thread = turn->next_thread;

	turn->next_process = turn->behind_process;
	turn->next_thread = turn->behind;
	put_switch(switches, cpu, turn, turn->behind_process, time);
	turn->next_process = process;
	turn->next_thread = thread;
	turn->state = state;
}

void switches_switch(struct switches *switches, u32 cpu, struct turn *turn, u32 process, u64 time)
{
	bool back = turn->next_process == process && turn->next_thread == turn->behind;

	/* The thread has not blocked. If it does not get its CPU back, it was preempted, and waits for a CPU. */
	if (turn->behind && process != BCOSLOG_NO_PROCESS && !(process == turn->behind_process && back))
		take_behind(switches, cpu, turn, 0, time);
	put_switch(switches, cpu, turn, process, time);
}

void switches_leave_behind(struct switches *switches, u32 cpu, struct turn *turn, u64 state, u64 time)
{
	take_behind(switches, cpu, turn, state, time);
	put_switch(switches, cpu, turn, BCOS_PROCESS_KERNEL, time);
}
