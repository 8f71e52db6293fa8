/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* All processes of a log that were asked for, also those that have ended, until a report prints them. */
#ifndef BCOSLOG_VIEWS_LIVES_H
#define BCOSLOG_VIEWS_LIVES_H

#include "bcoslog_account.h"

/* The life of a process that is alive, or has ended. */
struct life {
	struct bcoslog_account_process process;
	char *name;
	char *former;			/* its former names as a list, "" if there are none */
};

/* Room for a list of former names. */
#define FORMER_TEXT 256

/* The former names of a process of an account, the newest first: "sh, env"; "" if there are none. Return: @text. */
const char *former_names(char *text, const struct bcoslog_account_process *process);

extern struct lives {
	struct life *lives;
	size_t count, room;
	bool failed;			/* there was no memory for one */
} lives;

/* The account's sink @interval: where CPUs were named, time is on these alone, and who had none of them is left out. */
void lives_interval(void *context, const struct bcoslog_interval *interval);
/* The account's sink @process_ended. */
void lives_ended(void *context, const struct bcoslog_account_process *process);
/* At the end of the log: all that have not ended. */
void lives_add_living(const struct bcoslog_account *account);
void lives_release(struct life *life);
void lives_free(void);

#endif
