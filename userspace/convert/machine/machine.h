/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Events of a kernel's trace, in the order of time, become facts of a log. */
#ifndef CONVERT_MACHINE_H
#define CONVERT_MACHINE_H

#include "../log/log_writer.h"

struct machine;
struct tracepoint_record;

/**
 * machine_new() - a machine of which nothing is known
 * @log: takes the facts
 * @grouped: the trace tells which threads are a process, and all names, by itself; else each thread is a process
 *
 * Return: NULL if there is no memory.
 */
struct machine *machine_new(struct log_writer *log, bool grouped);
void machine_free(struct machine *machine);

/* The first failure of the functions below, which then do nothing any more: 0 or a negative errno. */
int machine_error(const struct machine *machine);

/* A CPU that records tell of.  Return: false if there can be none of this number. */
bool machine_cpu(struct machine *machine, u32 cpu);

/* @tid is a thread of @pid, and exists. */
void machine_thread(struct machine *machine, u32 pid, u32 tid);

/* The name of a thread, also of one that is not known yet. */
void machine_name(struct machine *machine, u64 time, u32 pid, u32 tid, const char *name, size_t length);

/* Something else happens to a thread. */
void machine_hear(struct machine *machine, u32 tid);

/* A process has mapped a file, which is its name if nothing has told one. */
void machine_map(struct machine *machine, u32 pid, const char *file, size_t length);

/* @tid begins, a thread of @pid, whose parent is @parent. Time 0 means that it was there before the recording. */
void machine_fork(struct machine *machine, u64 time, u32 pid, u32 tid, u32 parent);

/* @tid has begun to end. Its last turn on a CPU may last longer. */
void machine_exit(struct machine *machine, u64 time, u32 tid);

/* Does the trace tell which threads are a process? */
bool machine_is_grouped(const struct machine *machine);

/* Has something told of this thread? */
bool machine_knows(const struct machine *machine, u32 tid);

/* A record of a CPU.  Return: false if there can be none of this number. */
bool machine_hear_cpu(struct machine *machine, u64 time, u32 cpu);

/**
 * struct machine_turns - a CPU goes from one thread to another
 * @tid: which threads; 0 is the idle one
 * @name: of them; NULL: not known
 * @length: bytes of @name
 * @has_state: @state is known
 * @state: in which the first one leaves it, as the kernel's tracepoint has it
 * @has_priority: @priority is known
 * @priority: of the second one, as the kernel has it
 */
struct machine_turns {
	u32 tid[2];
	const char *name[2];
	size_t length[2];
	bool has_state;
	u64 state;
	bool has_priority;
	s32 priority;
};

/* Return: the thread that has the CPU, or 0 if that is the idle one or not known. */
u32 machine_running(const struct machine *machine, u32 cpu);

void machine_switch(struct machine *machine, u64 time, u32 cpu, const struct machine_turns *turns);

enum machine_wakes {
	MACHINE_WAKING,		/* sched_waking */
	MACHINE_WAKEUP,		/* sched_wakeup, which sched_waking precedes if it is recorded */
	MACHINE_WAKEUP_NEW,	/* sched_wakeup_new */
};

/**
 * struct machine_wake - a thread is woken
 * @event: which event tells it
 * @tid: the thread
 * @name: its name, or NULL
 * @length: bytes of @name
 * @by: enum bcos_woken_by
 * @waker: the thread that woke it
 */
struct machine_wake {
	enum machine_wakes event;
	u32 tid;
	const char *name;
	size_t length;
	u32 by, waker;
};

/* From the first one on the log has the states of threads. */
void machine_wake(struct machine *machine, u64 time, u32 cpu, const struct machine_wake *wake);

/* A thread executes a file, whose name without folders becomes that of its process. */
void machine_exec(struct machine *machine, u64 time, u32 tid, const char *file, size_t length);

/* @number: of the line; @name: of the handler, or NULL */
void machine_irq(struct machine *machine, u64 time, u32 cpu, u32 number, const char *name, size_t length);

/* A record of a tracepoint other than TRACEPOINT_EVENTHEADER. */
void machine_record(struct machine *machine, u64 time, u32 cpu, const struct tracepoint_record *record);

/* Records of a CPU were lost, at some time from its last record to @time. */
void machine_lost(struct machine *machine, u64 time, u32 cpu, u64 count, const char *why);

/* The trace is over. */
void machine_end(struct machine *machine);

#endif
