/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Threads, of which a log with the class of states tells, as the files of switches share them. */
#ifndef PERF_THREADS_H
#define PERF_THREADS_H

#include "state/table.h"

#include "sinks.h"

/* The priority that the kernel calls normal. */
#define PRIORITY 120
/* No kernel has more CPUs. */
#define CPUS_MAX 65536u

/**
 * struct turn - a turn on a CPU
 * @known: who has the CPU has been told
 * @threaded: and which thread of @process it is
 * @stated: a group has stated that @stated_process has the CPU, which holds from the first entry after it on
 * @stated_process: as it says
 * @process: a process, BCOS_PROCESS_IDLE or BCOSLOG_NO_PROCESS
 * @thread: its thread, or what stands for it
 * @next_process: the process of @next_thread
 * @next_thread: the CPU runs this thread whenever @next_process has it; 0: nothing has told
 * @priority: of @thread
 * @next_priority: of @next_thread
 * @state: in which @thread is going to leave the CPU, as the kernel numbers states; 0: it still runs
 * @comm: of @process
 */
struct turn {
	bool known, threaded, stated;
	u32 stated_process, process, thread, next_process, next_thread;
	s32 priority, next_priority;
	u64 state;
	struct comm comm;
};

/* A thread that has been named. */
struct known_thread {
	struct node node;
	u32 process, cpu;	/* @cpu: which it had last */
	s32 priority;
};

struct switches {
	struct switches_sinks sinks;
	void *context;
	struct bcoslog_state *state;
	struct table threads;
	struct turn *cpus;
	u32 count, home;	/* @home: the CPU that switched last */
	u64 time, left_out;
	bool stated;		/* of any CPU */
};

/* ---- turn.c ---- */

/* Returns NULL if there is no memory. */
struct turn *switches_turn(struct switches *switches, u32 cpu);
/* Returns the name of a process. */
struct comm switches_comm(const struct switches *switches, u32 process);
/* A CPU goes to a process, and to the thread of it that was told last. */
void switches_switch(struct switches *switches, u32 cpu, struct turn *turn, u32 process, u64 time);

/* ---- threads.c ---- */

/* Tells what a generic event of a process says of a thread. Returns 0 or -ENOMEM. */
int threads_entry(struct switches *switches, const struct bcos_entry *entry);
void threads_forget(struct switches *switches);
void threads_free(struct switches *switches);

#endif
