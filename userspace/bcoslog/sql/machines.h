/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A question in SQL to many machines: each answers it about its own log, and the rows are put together. */
#ifndef BCOSLOG_SQL_MACHINES_H
#define BCOSLOG_SQL_MACHINES_H

#include "question.h"

#define MACHINES_AT_ONCE 16
#define MACHINES_SECONDS 30

/**
 * struct machines_question - what is asked of whom
 * @hosts: the machines, as hosts_read() takes them
 * @statement: the statement that each of them answers
 * @merge: a statement about the table answer, which has all rows; NULL: they are printed as they are
 * @path: the log on each machine
 * @at_once: how many machines are asked at a time
 * @seconds: how long each of them may take
 * @limits: the limits of each statement, there and here
 * @argv: the arguments of the command, whose options of time and boot the machines get
 */
struct machines_question {
	const char *hosts, *statement, *merge, *path;
	u64 at_once, seconds;
	struct limits limits;
	char **argv;
};

/* Return: the exit status. */
int machines_ask(struct session *session, const struct machines_question *question);

#endif
