/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Functions that get switches and wake-ups, and the data of these. */
#ifndef PERF_SINKS_H
#define PERF_SINKS_H

#include "core/host/user.h"

/*
 * The numbers of three pseudo threads, since thread 0 is idle: the kernel, the thread on a CPU while the log does not say
 * which process has the CPU, or the waker while it does not say who that is, and an interrupt, which only wakes.
 */
#define SWITCHES_KERNEL 0x7FFFFFFFu
#define SWITCHES_UNKNOWN 0x7FFFFFFEu
#define SWITCHES_INTERRUPT 0x7FFFFFFDu

/* Bit in the flags of a tracepoint's record: an interrupt tells it, and not the thread amid which that came. */
#define PERF_IN_HARDIRQ 0x08u

/*
 * A name of at most 15 bytes, filled up with zeros. It consists of two words that fit into registers: a processor
 * stalls when it reads a word that it has just written byte by byte.
 */
struct comm {
	u64 words[2];
} __attribute__((packed));

/* The fields of sched_switch for one thread. */
struct switch_thread {
	struct comm comm;
	u32 pid, prio;
} __attribute__((packed));

/* The fields of sched_switch after the common ones. */
struct switch_fields {
	struct switch_thread prev;
	u64 prev_state;
	struct switch_thread next;
} __attribute__((packed));

/* The fields of sched_waking and sched_wakeup after the common ones. */
struct wake_fields {
	struct comm comm;
	u32 pid, prio, target_cpu;
} __attribute__((packed));

#define WAKE_POINT(name) { "sched", name, \
	"\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n" \
	"\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n" \
	"\tfield:int prio;\toffset:28;\tsize:4;\tsigned:1;\n" \
	"\tfield:int target_cpu;\toffset:32;\tsize:4;\tsigned:1;\n", \
	"\"comm=%s pid=%d prio=%d target_cpu=%03d\", REC->comm, REC->pid, REC->prio, REC->target_cpu" }

/**
 * struct switches_place - where and when something happens
 * @cpu: the CPU
 * @time: when
 * @process: the process that has the CPU
 * @thread: the thread that has the CPU
 * @interrupt: an interrupt does it, and @thread is SWITCHES_INTERRUPT
 */
struct switches_place {
	u32 cpu;
	u64 time;
	u32 process, thread;
	bool interrupt;
};

/**
 * struct switches_sinks - functions that get switches, wake-ups and names
 * @put: gets a switch of a CPU
 * @wake: gets a thread that is woken; NULL: threads are not told apart, so each process is one thread
 * @name: gets the name of a thread before anything else about the thread; not NULL if @wake is not NULL
 */
struct switches_sinks {
	void (*put)(void *context, const struct switches_place *place, const struct switch_fields *fields);
	void (*wake)(void *context, const struct switches_place *place, const struct wake_fields *fields);
	void (*name)(void *context, const struct switches_place *place, const char *name, size_t length);
};

#endif
