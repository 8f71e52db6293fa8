/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Parsers for the texts of events that say who caused something, what a thread does, and what a process executes:
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
#ifndef ENTRY_WHO_H
#define ENTRY_WHO_H

#include "bcos_message.h"
#include "bcoslog.h"

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
 * @BCOSLOG_WOKEN_BY_TIMER: a timer
 * @BCOSLOG_WOKEN_BY_LINE: an interrupt of a device
 * @BCOSLOG_WOKEN_BY_BLOCK: the softirq that ends requests to disks
 * @BCOSLOG_WOKEN_BY_NET: a softirq of the network
 * @BCOSLOG_WOKEN_LOST: the thread was woken, and the log lost who did it
 *
 * The log of an older version says BY_INTERRUPT for all kinds of interrupts.
 */
enum bcoslog_woken_by {
	BCOSLOG_WOKEN_BY_UNKNOWN,
	BCOSLOG_WOKEN_BY_THREAD,
	BCOSLOG_WOKEN_BY_INTERRUPT,
	BCOSLOG_WOKEN_BY_EITHER,
	BCOSLOG_WOKEN_BY_TIMER,
	BCOSLOG_WOKEN_BY_LINE,
	BCOSLOG_WOKEN_BY_BLOCK,
	BCOSLOG_WOKEN_BY_NET,
	BCOSLOG_WOKEN_LOST,
};

/* Where a thread left its CPU. BCOSLOG_PLACE_OUTSIDE: in no system call, but for example in a page fault. */
enum bcoslog_thread_place {
	BCOSLOG_PLACE_UNKNOWN,
	BCOSLOG_PLACE_CALL,
	BCOSLOG_PLACE_OUTSIDE,
	BCOSLOG_PLACE_EXIT,
};

/* What stopped a thread; of logs of older versions always BCOSLOG_STOP_SIGNAL. */
enum bcoslog_thread_stop {
	BCOSLOG_STOP_SIGNAL,
	BCOSLOG_STOP_TRACER,
	BCOSLOG_STOP_FREEZER,
};

/* A state of struct bcoslog_thread: the thread is ready, but its control group has used its quota. */
#define BCOSLOG_STATE_HELD_BACK	(BCOS_STATES + 1)

/**
 * struct bcoslog_thread - what an entry says about a thread
 * @thread: ID of the thread
 * @state: BCOS_STATE_RUNS to BCOS_STATE_DEAD, of bcos_message.h, or BCOSLOG_STATE_HELD_BACK
 * @by: who or what woke the thread, if it is woken, or was woken before it runs; else unknown
 * @waker: ID of the process of the waking thread, likewise; BCOS_PROCESS_KERNEL for the kernel
 * @waker_thread: ID of the waking thread; 0 is an idle thread
 * @has_cpu: @cpu is valid
 * @has_priority: @priority is valid
 * @cpu: the CPU that executes the thread, or the CPU on which the waker woke the thread
 * @priority: the kernel's priority of the thread while a CPU executes it
 * @delay: ns between the waking and the time of the entry, if @by is known
 * @has_waker_cpu: @waker_cpu is valid
 * @waker_cpu: the CPU on which the thread was woken
 * @device: ID of the device, if @by is BCOSLOG_WOKEN_BY_LINE
 * @stop: what stopped the thread, if it is stopped
 * @place: where it left the CPU
 * @call: number of the system call, if @place is BCOSLOG_PLACE_CALL, as in entries of kernel calls; 0x7FF: another one
 * @io: the thread waits for input or output
 */
struct bcoslog_thread {
	__u32 thread;
	__u32 state;
	enum bcoslog_woken_by by;
	__u32 waker;
	__u32 waker_thread;
	bool has_cpu, has_priority;
	__u32 cpu;
	__s32 priority;
	__u64 delay;
	bool has_waker_cpu;
	__u32 waker_cpu;
	__u32 device;
	enum bcoslog_thread_stop stop;
	enum bcoslog_thread_place place;
	__u32 call;
	bool io;
};

/**
 * bcoslog_thread() - read what an entry says about a thread
 * @thread: out
 * @entry: an entry of a reader
 *
 * Return: 0; -EINVAL: the entry says nothing about a thread.
 */
int bcoslog_thread(struct bcoslog_thread *thread, const struct bcos_entry *entry);

/* The longest text of bcoslog_thread_words(), with a zero byte. */
#define BCOSLOG_THREAD_WORDS	240

/**
 * bcoslog_thread_words() - write the words of an entry about a thread, which may have digits alone
 * @words: out: a text that ends with a zero byte
 * @entry: an entry of a reader
 * @call_name: returns the name of a system call, or NULL; or NULL
 *
 * Return: bytes of the text; 0: the entry has no such digits, and its text is its words.
 */
size_t bcoslog_thread_words(char words[BCOSLOG_THREAD_WORDS], const struct bcos_entry *entry,
			    const char *(*call_name)(__u32 call));

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

#endif
