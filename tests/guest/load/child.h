/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Children that must have lived once: whatever its threads do, a process is born
 * once and ends once, with the status that waitpid() gave, and no thread of it is
 * a process of the log.
 */
#ifndef BCOS_TESTS_GUEST_CHILD_H
#define BCOS_TESTS_GUEST_CHILD_H

#include "lib.h"

#define CHILD_PROGRAM "/tmp/exits"
/* A child exits with this status if the kernel does not let it do its task. */
#define CHILD_UNAVAILABLE 99

/* The report of a child to its parent. */
struct child {
	pid_t tids[16];		/* IDs of threads, which are never processes of the log */
	volatile int count;
	volatile int go;
	volatile uint64_t time;
};

extern struct child *child;
/* The part of the log that has been read. */
extern struct log child_log;

/* Loads the module, and makes the program and the shared memory. */
void children_begin(void);
/* Reads the log until each of these processes has ended in it, too. */
void children_await(const pid_t *pids, size_t count);
/* Makes the points about the whole log, and unloads the module. */
void children_finish(void);
/* Clears the report, before another child. */
void child_forget(void);

/* A child calls these. */
pid_t own_tid(void);
void add_tid(pid_t tid);
void start_thread(void *(*body)(void *), void *argument);
bool is_thread_dead(pid_t tid);
/* Bodies of threads that report their IDs, and then sleep or compute for ever. */
void *sleeping_thread(void *unused);
void *burning_thread(void *unused);

/*
 * Does the log have one life of this process, with @names names and the end by @status? If so, *@found is this life,
 * whose entries are valid until the log is read on.
 */
bool lived_once(pid_t pid, int names, uint32_t status, struct life *found);
/* Runs a child, and makes a point: it lived once. @user: user space sent the signal that ended it. */
struct life child_lives(const char *what, void (*body)(void *), int names, bool user);

#endif
