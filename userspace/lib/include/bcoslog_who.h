/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Parsers of libbcoslog for the texts of the events of class "who", which say who
 * caused something:
 *
 *	struct bcoslog_killed killed;
 *	size_t length;
 *	const char *text = bcoslog_text(entry, &length);
 *
 *	if (event->event_id == BCOS_EVENT_KILLED && !bcoslog_killed(&killed, text, length))
 *		printf("signal %u from process %u\n", killed.signal, killed.process);
 *
 * Each function returns 0, or -EINVAL if the text is malformed.  bcoslog(5) defines the grammar.
 */
#ifndef BCOSLOG_WHO_H
#define BCOSLOG_WHO_H

#include "bcos_message.h"
#include "bcoslog.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/**
 * struct bcoslog_killed - the sender of the signal that ended a process (BCOS_EVENT_KILLED)
 * @signal: number of the signal
 * @code: its si_code
 * @process: ID of the sender; BCOS_PROCESS_KERNEL for the kernel
 * @user: user ID of the sender; 0 for the kernel
 * @name: name of the sender, a part of the parsed text; NULL if unknown
 * @name_length: length of @name in bytes
 */
struct bcoslog_killed {
	__u32 signal;
	__s32 code;
	__u32 process;
	__u32 user;
	const char *name;
	size_t name_length;
};

/* Parse the text of an event BCOS_EVENT_KILLED. */
int bcoslog_killed(struct bcoslog_killed *killed, const char *text, size_t length);

/**
 * struct bcoslog_parent - the parent of a new process (BCOS_EVENT_PARENT)
 * @process: ID of the parent
 * @name: name of the parent, a part of the parsed text; NULL if unknown
 * @name_length: length of @name in bytes
 */
struct bcoslog_parent {
	__u32 process;
	const char *name;
	size_t name_length;
};

/* Parse the text of an event BCOS_EVENT_PARENT. */
int bcoslog_parent(struct bcoslog_parent *parent, const char *text, size_t length);

/**
 * enum bcoslog_woken_by - the kind of a waker
 * @BCOSLOG_WOKEN_BY_UNKNOWN: the log does not name the waker
 * @BCOSLOG_WOKEN_BY_THREAD: a thread
 * @BCOSLOG_WOKEN_BY_INTERRUPT: an interrupt or softirq
 * @BCOSLOG_WOKEN_BY_EITHER: an interrupt or softirq, or the thread amid which it came; the log does not say which
 */
enum bcoslog_woken_by {
	BCOSLOG_WOKEN_BY_UNKNOWN,
	BCOSLOG_WOKEN_BY_THREAD,
	BCOSLOG_WOKEN_BY_INTERRUPT,
	BCOSLOG_WOKEN_BY_EITHER,
};

/**
 * struct bcoslog_thread_state - the state of a thread (BCOS_EVENT_TASK_STATE)
 * @thread: ID of the thread
 * @state: BCOS_STATE_RUNS to BCOS_STATE_DEAD, of bcos_message.h
 * @by: the kind of the waker, if @state is BCOS_STATE_WOKEN
 * @waker: ID of the process of the waking thread, if a thread woke or may have woken this one; BCOS_PROCESS_KERNEL for
 *	the kernel
 * @waker_thread: ID of the waking thread, if a thread woke or may have woken this one; 0 is an idle thread
 * @has_cpu: @cpu is valid
 * @has_priority: @priority is valid
 * @cpu: the CPU that executes the thread, or the CPU on which the waker woke the thread
 * @priority: the kernel's priority of the thread while a CPU executes it
 */
struct bcoslog_thread_state {
	__u32 thread;
	__u32 state;
	enum bcoslog_woken_by by;
	__u32 waker;
	__u32 waker_thread;
	bool has_cpu, has_priority;
	__u32 cpu;
	__s32 priority;
};

/* Parse the text of an event BCOS_EVENT_TASK_STATE. */
int bcoslog_thread_state(struct bcoslog_thread_state *state, const char *text, size_t length);

#define BCOSLOG_ARGUMENTS_MAX	(BCOS_EVENT_TEXT_MAX / 3)

/**
 * struct bcoslog_exec - the program that a process executes (BCOS_EVENT_EXEC)
 * @user: real user ID of the process
 * @path: path of the program, as execve() received it, terminated by a zero byte
 * @cgroup: path of the process's cgroup in the default hierarchy, terminated by a zero byte; NULL if unknown
 * @path_cut: @path is only the beginning of the path
 * @cgroup_cut: @cgroup is only a part of the path
 * @told: the log contains the arguments; otherwise they are secret
 * @cut: the last argument is incomplete, or more arguments followed
 * @count: number of elements of @argument
 * @argument: the arguments, each terminated by a zero byte
 * @bytes: the memory to which the pointers point; a copy of the structure still points to the original, so parse the
 *	text again instead of copying
 */
struct bcoslog_exec {
	__u32 user;
	bool path_cut, cgroup_cut, told, cut;
	const char *path;
	const char *cgroup;
	unsigned int count;
	const char *argument[BCOSLOG_ARGUMENTS_MAX];
	char bytes[BCOS_EVENT_TEXT_MAX];
};

/* Parse the text of an event BCOS_EVENT_EXEC, of at most BCOS_EVENT_TEXT_MAX bytes. */
int bcoslog_exec(struct bcoslog_exec *exec, const char *text, size_t length);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
