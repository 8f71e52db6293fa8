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
/* The exit status of a child that this kernel does not let do its task. */
#define CHILD_UNAVAILABLE 99

/* The report of a child to its parent. */
struct child {
	pid_t tids[16];		/* of threads: never processes of the log */
	volatile int count;
	volatile int go;
	volatile uint64_t time;
};

extern struct child *child;
/* The part of the log that has been read. */
extern struct log child_log;

/* Loads the module; makes the program, and what is shared. */
void children_begin(void);
/* Reads the log until each of these has ended in it, too. */
void children_await(const pid_t *pids, size_t count);
/* The points about the whole log; unloads the module. */
void children_finish(void);
/* Before another child. */
void child_forget(void);

/* In a child. */
pid_t own_tid(void);
void add_tid(pid_t tid);
void start_thread(void *(*body)(void *), void *argument);
bool is_thread_dead(pid_t tid);
/* Threads that tell their IDs, and then do this for ever. */
void *sleeps(void *unused);
void *burns(void *unused);

/*
 * One life of this process, of @names names, with the end that @status tells.
 * Where this says yes, *@found is it (its entries until the log is read on).
 */
bool lived_once(pid_t pid, int names, uint32_t status, struct life *found);
/* Runs a child; the point is that it lived once.  @user: a signal came from user space. */
struct life child_lives(const char *what, void (*body)(void *), int names, bool user);

#endif
