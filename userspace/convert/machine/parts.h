/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The parts of a machine, which machine.c alone uses: see machine.h. */
#ifndef CONVERT_PARTS_H
#define CONVERT_PARTS_H

#include "../log/log_writer.h"
#include "core/format/phrase.h"
#include "core/host/user.h"
#include "state/table.h"

/* ---- interrupts.c ------------------------------------------------------------------ */

/* Interrupt lines of a trace become devices of a log: a device for each line and handler's name on it. */

struct interrupts;

/* Return: NULL if there is no memory. */
struct interrupts *interrupts_new(void);
void interrupts_free(struct interrupts *interrupts);

/**
 * interrupts_device() - get the device of a line and a handler
 * @interrupts: all known lines
 * @number: the number of the line
 * @name: the name of the handler; NULL: not known
 * @length: bytes of @name
 * @device: out: the device's ID, from the range of other devices
 * @is_new: out: this is the first call for this device; interrupts_name() returns its name
 *
 * Return: 0, -ENOSPC if there are more lines than the table can hold, or -ENOMEM.
 */
int interrupts_device(struct interrupts *interrupts, u32 number, const char *name, size_t length, u32 *device,
		      bool *is_new);

/* Returns the name of the device that interrupts_device() made last, such as "irq 27 virtio0-input.0". */
const char *interrupts_name(const struct interrupts *interrupts);

/* ---- states.c ---------------------------------------------------------------------- */

/* States of threads, as the class "state" of a log tells them: see bcoslog(5). */

/*
 * Bits of the state in which a thread leaves a CPU that mean dead: 0x10 and 0x20 are dead and zombie, 0x40 is dead
 * before Linux 4.14. Later kernels use 0x40 for parked threads, which only the kernel has.
 */
#define STATE_DEAD 0x70u

/**
 * struct side - one of the two threads of a switch
 * @told: the log tells of this thread, since it belongs to a process and not to the kernel
 * @process: the thread's process
 * @thread: the thread's ID
 */
struct side {
	bool told;
	u32 process, thread;
};

/* Tells the log_writer the state of a thread of the process @process. Returns 0 or a negative errno. */
int states_tell(struct log_writer *log, u64 time, u32 process, const struct bcos_thread_phrase *phrase);
/*
 * The thread leaves its CPU in the state @state, by the numbers of the kernel's tracepoint. Returns 0 or a negative
 * errno.
 */
int states_leave(struct log_writer *log, u64 time, const struct side *side, u64 state);
/* The CPU @cpu runs the thread. @priority: by the kernel's numbers, or NULL. Returns 0 or a negative errno. */
int states_run(struct log_writer *log, u64 time, const struct side *side, u32 cpu, const s32 *priority);

/* ---- tasks.c ----------------------------------------------------------------------- */

/* The threads and processes of a machine, as its trace tells of them. */

/* The largest thread ID that the kernel gives. A trace with a larger one is damaged. */
#define TASK_MAX 4194304u
/*
 * This is an exception, which only exports of bcoslog contain: the kernel as a thread.
 */
#define TASK_KERNEL 0x7FFFFFFFu

static inline bool task_is_possible(u32 id)
{
	return id && (id <= TASK_MAX || id == TASK_KERNEL);
}

#define TASK_NAME 16

/* A process with at least one known thread. */
struct group {
	struct node node;	/* the process ID */
	u32 threads;
	u64 exit;		/* when the last of its threads began to end */
	bool kernel;		/* a kernel thread, which is part of process 0 in a log */
	bool named;
	bool told;		/* the log_writer has been told of it */
	bool alive;		/* one of its threads is still alive at the end of the trace */
	u8 length;
	char name[TASK_NAME];
};

struct task {
	struct node node;	/* the thread ID */
	struct group *group;
	bool dying;		/* it has begun to end, at @exit */
	bool heard;		/* an event was about it since it was added */
	bool rumoured;		/* only a list of names has it, which may be older than the recording */
	u64 exit;
};

struct tasks {
	struct table tasks, groups;
};

/* Return: 0 or -ENOMEM. The functions below that return a pointer return NULL if there is no memory. */
int tasks_init(struct tasks *tasks);
void tasks_destroy(struct tasks *tasks);

static inline struct task *tasks_find(const struct tasks *tasks, u32 tid)
{
	return table_find(&tasks->tasks, tid);
}

/* Adds the thread @tid of the process @pid. The thread must not be in the table yet. */
struct task *tasks_add(struct tasks *tasks, u32 pid, u32 tid);

/*
 * Removes a thread and, if it was the last of its process, the process.  Return: true if the process was removed too.
 * @ended gets a copy of the process.
 */
bool tasks_remove(struct tasks *tasks, struct task *task, struct group *ended);

/*
 * Goes through all threads: returns the thread after @after, or NULL after the last one. @after is NULL and *@bucket is
 * 0 at first. A caller that removes threads passes NULL each time, and gets the first thread from *@bucket on.
 */
struct task *tasks_next(struct tasks *tasks, const struct task *after, size_t *bucket);

#endif
