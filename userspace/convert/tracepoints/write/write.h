/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Writes what recordings of perf and of trace-cmd share: descriptions of tracepoints, and switches and wake-ups. */
#ifndef CONVERT_TRACEPOINTS_WRITE_WRITE_H
#define CONVERT_TRACEPOINTS_WRITE_WRITE_H

#include <stdio.h>

#include "bcoslog.h"
#include "core/host/user.h"

/*
 * Writes descriptions of tracepoints in the form that recordings of perf and trace-cmd share. Numbers are
 * little-endian.
 */

/**
 * struct perf_point - a tracepoint of the recording
 * @system: name of its system, such as "user_events"
 * @name: its name within @system
 * @fields: the lines that tracefs has for its fields, after those of the common fields
 * @print: the format for printing, as in tracefs
 */
struct perf_point {
	const char *system, *name, *fields, *print;
};

/* Tracepoints are numbered from here on. */
#define PERF_POINT_FIRST 1000u

/* A text that is built in memory. */
struct tracing_text {
	char *bytes;
	size_t size;
	FILE *stream;
};

/* Return: 0 or -ENOMEM. */
int tracing_text_begin(struct tracing_text *text);
/* Closes the stream. The caller frees @bytes.  Return: 0, or -ENOMEM, where nothing is left to free. */
int tracing_text_end(struct tracing_text *text);
void tracing_print32(FILE *to, u32 value);
void tracing_print64(FILE *to, u64 value);

/*
 * Describes pages of 4096 bytes, and the tracepoints. Those of a system have to follow each other.  Return: 0 or
 * -ENOMEM.
 */
int tracing_print(FILE *to, const struct perf_point *points, size_t count);

/* Functions that get switches and wake-ups, and the data of these. */

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

/* Turns assignments and states of threads into the tracepoints that perf sched uses. */

struct switches;

extern const struct perf_point switches_point;

/* Returns NULL if there is no memory. */
struct switches *switches_new(const struct switches_sinks *sinks, void *context);
void switches_free(struct switches *switches);

/* Returns the state of the log before the next entry. */
const struct bcoslog_state *switches_state(const struct switches *switches);
/* Returns the number of the thread that stands for a process. */
u32 switches_thread(u32 process);

/* Takes an entry, and passes on the switches and wake-ups that it tells. Returns 0 or -ENOMEM. */
int switches_entry(struct switches *switches, const struct bcos_entry *entry);
/* The log goes on after damage, so nothing that was known has to be true any more. */
void switches_forget(struct switches *switches);
/*
 * The log ends after a loss of the CPU that nothing follows, and nobody knows what the CPU runs, so it switches to
 * "unknown", also from there. Returns 0 or -ENOMEM.
 */
int switches_end_unknown(struct switches *switches, u32 cpu);
/* The log ends, so each CPU switches to idle. */
void switches_end(struct switches *switches);
/* Returns how many assignments were left out because the CPU number is too large. */
u64 switches_left_out(const struct switches *switches);

#endif
