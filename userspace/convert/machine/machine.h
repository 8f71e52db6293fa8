/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* From the events of a kernel's trace, which come in the order of time, a machine makes facts of a log. */
#ifndef CONVERT_MACHINE_H
#define CONVERT_MACHINE_H

#include "../intake/left_out.h"
#include "../log/log_writer.h"

struct machine;
struct tracepoint_record;

/**
 * machine_new() - make a machine of which nothing is known yet
 * @log: the log_writer that is told the facts
 * @grouped: the trace itself says which threads form a process, and tells all names; else each thread is a process
 *
 * Return: NULL if there is no memory.
 */
struct machine *machine_new(struct log_writer *log, bool grouped);
void machine_free(struct machine *machine);

/*
 * Returns the first failure of the functions below, a negative errno, or 0. After a failure these functions do nothing.
 */
int machine_error(const struct machine *machine);

/* A record is about the CPU @cpu.  Return: false if no machine has a CPU of this number. */
bool machine_cpu(struct machine *machine, u32 cpu);

/* The thread @tid exists, and belongs to the process @pid. */
void machine_thread(struct machine *machine, u32 pid, u32 tid);

/* The thread @tid has a name. The thread may be unknown so far. */
void machine_name(struct machine *machine, u64 time, u32 pid, u32 tid, const char *name, size_t length);

/*
 * A list of names has this one for the thread @tid. Such a list may be older than the recording, so it does not say that
 * the thread exists.
 */
void machine_rumour(struct machine *machine, u32 tid, const char *name, size_t length);

/* The next events happened at some time from the one that they have on, within @precision ns. 0 is the default. */
void machine_imprecise(struct machine *machine, u32 precision);

/* No record is earlier than this. */
void machine_starts(struct machine *machine, u64 time);

/* The kinds of events that a machine leaves out, and counts. */
enum machine_leaves {
	MACHINE_LEAVES_WAKEUP,		/* sched_wakeup after sched_waking */
	MACHINE_LEAVES_KERNEL_WAKE,	/* a wake-up of a kernel thread */
	MACHINE_LEAVES_STATE,		/* a wake-up, where switches do not tell states */
	MACHINE_LEAVES_NAME,		/* the name of a thread that is not the first of its process */
	MACHINE_LEAVES_RUMOUR,		/* a name of which machine_rumour() told, and no event */
	MACHINE_LEAVES_LINE,		/* an interrupt of a line beyond the limits */
	MACHINE_LEAVES_CPU,		/* anything on a CPU that no machine has */
	MACHINE_LEAVES_FIELD,		/* an event without a field that it has to have */
	MACHINE_LEAVES_FORK,		/* sched_process_fork where the trace itself tells of threads */
	MACHINE_LEAVES_EXEC,		/* sched_process_exec where the trace itself tells of names */
	MACHINE_LEAVES
};

/* An event is left out. */
void machine_leave_out(struct machine *machine, enum machine_leaves what);

/* Some other event is about the thread @tid. */
void machine_hear(struct machine *machine, u32 tid);

/* The process @pid has mapped a file. The file's name becomes the name of a process that has none. */
void machine_map(struct machine *machine, u32 pid, const char *file, size_t length);

/*
 * The thread @tid of the process @pid begins; @parent created it. Time 0 means that it ran before the recording began.
 * @name: the name of a new process, or NULL: then it has that of the process of @parent.
 */
void machine_fork(struct machine *machine, u64 time, u32 pid, u32 tid, u32 parent, const char *name, size_t length);

/* The thread @tid has begun to end. It may still have a CPU for a while. */
void machine_exit(struct machine *machine, u64 time, u32 tid);

/* Does the trace itself say which threads form a process? See machine_new(). */
bool machine_is_grouped(const struct machine *machine);

/* Has any record named this thread? */
bool machine_knows(const struct machine *machine, u32 tid);

/* Returns the process of a thread, or 0 if no record has named the thread. */
u32 machine_process(const struct machine *machine, u32 tid);

/* A record of the CPU @cpu has the time @time.  Return: false if no machine has a CPU of this number. */
bool machine_hear_cpu(struct machine *machine, u64 time, u32 cpu);

/**
 * struct machine_turns - a CPU goes from one thread to another
 * @tid: the thread that leaves the CPU and the one that gets it; 0 is the idle thread
 * @name: the names of both; NULL: not known
 * @length: bytes of each @name
 * @has_state: @state is known
 * @state: the state in which the first thread leaves the CPU, by the numbers of the kernel's tracepoint
 * @has_priority: @priority is known
 * @priority: the priority of the second thread, by the kernel's numbers
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

/* In exports of bcoslog, what has a CPU while the log does not say which process has it. It is no thread. */
#define MACHINE_UNKNOWN 0x7FFFFFFEu

/* Return: the thread that has the CPU, or 0 if the CPU is idle or its thread is not known. */
u32 machine_running(const struct machine *machine, u32 cpu);

void machine_switch(struct machine *machine, u64 time, u32 cpu, const struct machine_turns *turns);

enum machine_wakes {
	MACHINE_WAKING,		/* sched_waking */
	MACHINE_WAKEUP,		/* sched_wakeup, which sched_waking precedes if it is recorded */
	MACHINE_WAKEUP_NEW,	/* sched_wakeup_new */
};

/**
 * struct machine_wake - a thread is woken
 * @event: the tracepoint that told of it
 * @tid: the thread that is woken
 * @name: the name of @tid, or NULL
 * @length: bytes of @name
 * @by: enum bcos_woken_by
 * @waker: the thread that woke @tid
 */
struct machine_wake {
	enum machine_wakes event;
	u32 tid;
	const char *name;
	size_t length;
	u32 by, waker;
};

/* A thread is woken. From the first call on, machine_switch() also tells the log the states of threads. */
void machine_wake(struct machine *machine, u64 time, u32 cpu, const struct machine_wake *wake);

/* The thread @tid executes a file. The file's name without its folders becomes the name of the process. */
void machine_exec(struct machine *machine, u64 time, u32 tid, const char *file, size_t length);

/* An interrupt of the line @number comes. @name is the name of its handler, or NULL. */
void machine_irq(struct machine *machine, u64 time, u32 cpu, u32 number, const char *name, size_t length);

/* Takes a record of a tracepoint, unless its kind is TRACEPOINT_EVENTHEADER. */
void machine_record(struct machine *machine, u64 time, u32 cpu, const struct tracepoint_record *record);

/* Between the last record of the CPU @cpu and @time, @count records of this CPU were lost. */
void machine_lost(struct machine *machine, u64 time, u32 cpu, u64 count, const char *why);

/*
 * @count records of the CPU @cpu were lost at an unknown time after its last record so far. They are stated up to the
 * next record of this CPU, or to the last record of all.
 */
void machine_lost_before_next(struct machine *machine, u32 cpu, u64 count, const char *why);

/* The trace ends. */
void machine_end(struct machine *machine);

/* Tells what the machine has left out. */
void machine_left_out(const struct machine *machine, struct left_out *left);

#endif
