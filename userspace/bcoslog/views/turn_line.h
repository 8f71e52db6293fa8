/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A turn of a CPU as a line, at once: a log has more of them than memory could hold. */
#ifndef BCOSLOG_VIEWS_TURN_LINE_H
#define BCOSLOG_VIEWS_TURN_LINE_H

#include "bcoslog_threads.h"
#include "report.h"

/**
 * struct successor - who has a CPU after a turn
 * @known: the log says so
 * @id: ID of its process, or BCOS_PROCESS_IDLE
 * @process: its process; NULL: there is none, or it has no name
 * @thread: ID of the thread; 0: not known
 */
struct successor {
	bool known;
	u32 id;
	const struct bcoslog_account_process *process;
	u32 thread;
};

/**
 * struct turn - a turn of a process or a thread on a CPU, or a stretch for which the CPU was idle
 * @begin: when it began
 * @end: when it ended
 * @cpu: which CPU
 * @process: whose; NULL: the CPU was idle
 * @thread: ID of the thread, if turns of threads are told
 * @off: ns for which it had been without a CPU; 0: not known
 * @waited: of these, ns for which it waited though it was woken; 0: not known
 * @preempted: it waited because it had been preempted
 * @waker: else, who woke it
 * @left: how the turn ended: a BCOS_STATE_*; BCOS_STATES: not known
 * @part: it is at least as long
 * @next: who came after it
 */
struct turn {
	u64 begin, end;
	u32 cpu;
	const struct bcoslog_account_process *process;
	u32 thread;
	u64 off, waited;
	bool preempted;
	struct bcoslog_waker waker;
	u32 left;
	bool part;
	struct successor next;
};

/**
 * struct turn_form - how turns are told
 * @form: for people or programs; not TABLE_SVG
 * @threads: they are turns of threads
 * @next: people want to know who came next
 */
struct turn_form {
	enum table_form form;
	bool threads, next;
};

/* The head of a table, the first time. */
void turn_head(const struct turn_form *form);
/* Return: 0 or -ENOMEM, after saying so. */
int turn_put(const struct turn *turn, const struct turn_form *form);
/* After the last one: what the lines had no room for. */
void turn_foot(void);

#endif
