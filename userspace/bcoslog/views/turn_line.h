/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Prints each turn on a CPU as a line, as soon as it is known, since a log may have more turns than memory can hold. */
#ifndef BCOSLOG_VIEWS_TURN_LINE_H
#define BCOSLOG_VIEWS_TURN_LINE_H

#include "account/report.h"
#include "report/report.h"

/**
 * struct successor - the process and thread that a CPU runs after a turn
 * @known: the log tells the successor
 * @id: ID of the process, or BCOS_PROCESS_IDLE
 * @process: the process; NULL: there is none, or it has no name
 * @thread: ID of the thread; 0: unknown
 */
struct successor {
	bool known;
	u32 id;
	const struct bcoslog_account_process *process;
	u32 thread;
};

/**
 * struct turn - a turn of a process or a thread on a CPU, or a stretch for which the CPU was idle
 * @begin: begin of the turn, ns since boot
 * @end: end of the turn, ns since boot
 * @cpu: ID of the CPU
 * @process: the process; NULL: the CPU was idle
 * @thread: ID of the thread, if turns of threads are shown
 * @off: ns for which the process or thread had no CPU before; 0: unknown
 * @off_unknown: ns of @off for which it may have run unseen
 * @cut: that time began before the window, so @off is only a part of it, and @waited if the process had been preempted
 * @waited: ns of these for which it waited though it was woken or preempted; 0: unknown
 * @waited_unknown: ns of @waited for which it may have run unseen
 * @preempted: it waited because it had been preempted
 * @waker: the thread or interrupt that woke it, unless it had been preempted
 * @left: how the turn ended, as BCOS_STATE_*; BCOS_STATES: unknown
 * @part: the turn may be longer, since the log or the window has only a part of it, or a loss ends it
 * @next: the successor on the CPU
 */
struct turn {
	u64 begin, end;
	u32 cpu;
	const struct bcoslog_account_process *process;
	u32 thread;
	u64 off, off_unknown, waited, waited_unknown;
	bool preempted, cut;
	struct bcoslog_waker waker;
	u32 left;
	bool part;
	struct successor next;
};

/**
 * struct turn_form - the form in which turns are printed
 * @session: its form, other than TABLE_SVG, and its clock count
 * @threads: the turns are those of threads
 * @next: lines for people show the successor, too
 */
struct turn_form {
	struct session *session;
	bool threads, next;
};

/* Prints the head of the table, unless that was done. */
void turn_head(const struct turn_form *form);
/* Prints a turn.  Return: 0, or -ENOMEM after a complaint. */
int turn_put(const struct turn *turn, const struct turn_form *form);
/* Prints after the last turn which parts had no room in some lines. */
void turn_foot(void);

#endif
