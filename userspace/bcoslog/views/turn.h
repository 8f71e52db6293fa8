/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A turn of a CPU as a line, at once: a log has more of them than memory could hold. */
#ifndef BCOSLOG_VIEWS_TURN_H
#define BCOSLOG_VIEWS_TURN_H

#include "bcoslog_threads.h"
#include "report.h"

/**
 * struct turn - what is known of a turn when it begins
 * @cpu: which one
 * @process: whose, BCOS_PROCESS_IDLE: nobody's
 * @known: it is; else the log does not tell of its beginning
 * @off: ns for which the process had been without a CPU; 0: not known
 * @delay: of these, ns for which it waited though it was woken; 0: not known
 */
struct turn {
	u32 cpu;
	u32 process;
	bool known;
	u64 off, delay;
};

/* The head of a table, the first time. */
void turn_head(enum table_form form);
/* Under it.  @part: the turn is at least as long as @interval. */
void turn_line(const struct bcoslog_interval *interval, const struct turn *turn, bool part);
void turn_csv(const struct bcoslog_interval *interval, const struct turn *turn);
/* Return: 0 or -ENOMEM, after saying so. */
int turn_json(const struct bcoslog_interval *interval, const struct turn *turn, bool part);

/* The head of a table of turns of threads, the first time. */
void thread_turn_head(enum table_form form);
/* A turn of a thread in the form that was asked for.  @part: it is at least as long.  Return: as turn_json(). */
int thread_turn(const struct bcoslog_thread_turn *turn, enum table_form form, bool part);

#endif
