/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* bcoslog turns: each turn on a CPU as a line, or the sums of each process or thread as a row. */
#ifndef BCOSLOG_TURNS_H
#define BCOSLOG_TURNS_H

#include "account/report.h"
#include "report/report.h"
#include "views/track/waits.h"

/* ---- line.c ---------------------------------------------------------------------- */

/* Prints each turn on a CPU as a line, as soon as it is known, since a log may have more turns than memory can hold. */

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
 * @thread: ID of the thread, if turns of threads are shown and @process is not NULL
 * @thread_name: its name
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
	struct cell thread_name;
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
 * @headed: the head is printed
 * @no_name, @no_left, @no_next, @no_waker: the terminal had no room for this part in some line
 */
struct turn_form {
	struct session *session;
	bool threads, next;
	bool headed;
	bool no_name, no_left, no_next, no_waker;
};

/* Prints the head of the table, unless that was done. */
void turn_head(struct turn_form *form);
/* Prints a turn.  Return: 0, or -ENOMEM after a complaint. */
int turn_put(const struct turn *turn, struct turn_form *form);
/* Prints after the last turn which parts had no room in some lines. */
void turn_foot(const struct turn_form *form);

/* ---- sums.c ---------------------------------------------------------------------- */

/* Sums up the turns of each process or thread as a row of a table. */

/*
 * The sums of a living process or thread, which are its @user in the account. @mean is the mean length of its turns so
 * far, and @squares is the sum of the squares of their distances from @mean.
 */
struct turn_sums {
	struct waits waits;
	u64 turns, time, shortest, longest, longest_at;
	double mean, squares;
	u64 migrations;
	u32 cpu;
	bool ran;
	bool shortest_part, longest_part;	/* the turn may have been longer */
};

#define TURN_COLUMNS 12

/**
 * struct turn_rows - the table of sums
 * @table: its rows
 * @columns: its columns, of which rows of processes lack the first and the last one
 * @of_threads: 1 if the rows are those of threads, else 0
 */
struct turn_rows {
	struct table_rows table;
	struct column columns[TURN_COLUMNS];
	size_t of_threads;
};

/* Begins the table; call this first. @of_threads: the rows are those of threads. */
void turn_sums_begin(struct turn_rows *rows, bool of_threads);
/* Return: the sums of a process or a thread, which the first call makes; NULL if there is no memory. */
struct turn_sums *turn_sums_of(const struct bcoslog_account_process *process);
struct turn_sums *turn_sums_of_thread(const struct bcoslog_account_thread *thread);
/* Adds a turn on @cpu from @begin to @end, in ns since boot. @part: it may be longer. */
void turn_sums_add(struct turn_sums *sums, u32 cpu, u64 begin, u64 end, bool part);
/* Add the row of a process or a thread, and free its sums. */
void turn_sums_row(struct turn_rows *rows, const struct bcoslog_account_process *process);
void turn_sums_thread_row(struct turn_rows *rows, const struct bcoslog_account_thread *thread);
/* Prints all rows, and one for @idle if it has turns. @lost: CPUs may have been idle unseen.  Return: 0, or -ENOMEM after a complaint. */
int turn_sums_print(struct turn_rows *rows, struct report *report, const struct turn_sums *idle, bool lost);
/* Frees all rows. */
void turn_sums_free(struct turn_rows *rows);

#endif
