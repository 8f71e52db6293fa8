/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The data that the files of struct switches share, for threads that a log with the class "state" tells apart. */
#ifndef CONVERT_TRACEPOINTS_WRITE_THREADS_H
#define CONVERT_TRACEPOINTS_WRITE_THREADS_H

#include "state/table.h"
#include "write.h"

#include "../../cpus.h"

/* The priority that the kernel gives a thread by default. */
#define PRIORITY 120
/* The limit for CPU numbers. */
#define CPUS_MAX CPU_SET_MAX

/**
 * struct turn - a turn on a CPU
 * @known: @process and @thread are set
 * @threaded: @thread is a thread that the log names
 * @stated: a group has stated that the CPU runs @stated_process, which holds from the next entry that is not historical
 *   on
 * @stated_process: see @stated
 * @process: the process that has the CPU, BCOS_PROCESS_IDLE or BCOSLOG_NO_PROCESS
 * @shown: @process; or the process that has ended, if @thread was one of its threads
 * @thread: the thread of @process, or the number that stands for the process
 * @next_process: the process of @next_thread
 * @next_thread: the thread that runs when the CPU is assigned to @next_process; 0: the log has not said
 * @priority: priority of @thread
 * @next_priority: priority of @next_thread
 * @state: the state in which @thread is about to leave the CPU, by the kernel's numbers; 0: it still runs
 * @behind: the thread whose CPU the kernel has, and that has not blocked; 0: none
 * @behind_process: the process of @behind
 * @comm: name of @process, or of @thread if it has one of its own
 */
struct turn {
	bool known, threaded, stated;
	u32 stated_process, process, shown, thread, next_process, next_thread, behind, behind_process;
	s32 priority, next_priority;
	u64 state;
	struct comm comm;
};

/* A thread that the log has named. */
struct known_thread {
	struct node node;
	u32 process, cpu;	/* @cpu: the CPU that it had last */
	s32 priority;
	bool named;		/* @comm is its own name, and not that of its process */
	bool unplaced;		/* the log has told its name, and nothing else yet */
	struct comm comm;	/* the name that readers know it by */
};

struct switches {
	struct switches_sinks sinks;
	void *context;
	struct bcoslog_state *state;
	struct table threads;
	bool named;		/* the log has told a name of a thread */
	struct turn *cpus;
	u32 count, home;	/* @home: the CPU that switched last */
	u64 time, left_out;
	struct cpu_set known;	/* the CPUs of which the log may say what they run */
	struct cpu_set stated;	/* those that may have turn.stated */
	struct cpu_set threaded;	/* those of which the log has named a thread */
};

/* ---- turn.c ---- */

/* Returns the turn of a CPU, or NULL if there is no memory. */
struct turn *switches_turn(struct switches *switches, u32 cpu);
/* Returns a name as readers have room for it, which is at most 15 bytes. */
struct comm switches_cut(const char *name, size_t length);
/* Returns the name of a process. */
struct comm switches_comm(const struct switches *switches, u32 process);
/* The CPU switches to @process, and to that thread of it which the log named last. */
void switches_switch(struct switches *switches, u32 cpu, struct turn *turn, u32 process, u64 time);

/* The thread that the kernel interrupts leaves the CPU in @state, by the kernel's numbers. */
void switches_leave_behind(struct switches *switches, u32 cpu, struct turn *turn, u64 state, u64 time);

/* ---- threads.c ---- */

/* A process has a new name, which its first thread has, too. */
void threads_rename(struct switches *switches, u32 process);
/* Takes an event of a process about the state or the name of a thread. Returns 0 or -ENOMEM. */
int threads_entry(struct switches *switches, const struct bcos_entry *entry);
void threads_forget(struct switches *switches);
void threads_free(struct switches *switches);

#endif
