/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Collects the lives of all processes that were asked for, so that a report can print them at the end of the log. A
 * process is left out if it ended before --since or began after --until.
 */
#ifndef BCOSLOG_VIEWS_LIVES_H
#define BCOSLOG_VIEWS_LIVES_H

#include "account/report.h"
#include "report/report.h"

/* The life of a process. */
struct life {
	struct bcoslog_account_process process;
	struct bcoslog_bounds bounds;
	struct bcoslog_stretch longest;	/* its longest stretch without a CPU */
	char *name;
	char *former;			/* its former names as a list, "" if there are none */
	char *cgroup;			/* @process.cgroup, which may be NULL */
};

/* Bytes for a list of former names. */
#define FORMER_TEXT 256

/*
 * Lists the former names of a process of an account in @text (FORMER_TEXT bytes), the newest first, as "sh, env".
 * Return: @text, which is "" if there are none.
 */
const char *former_names(char *text, const struct bcoslog_account_process *process);
/* Lists those of a device. */
const char *former_device_names(char *text, const struct bcoslog_account_device *device);

/* Bytes for a name with the list of former names after it. */
#define FULL_NAME (2 * FORMER_TEXT)

/*
 * Return: the cell of a name with the former ones after it, as "cc1 (was sh)", or without them if there are none or @full
 * (FULL_NAME bytes) has no room for them.
 */
struct cell full_name(char *full, const char *name, size_t length, const char *former);

/* The lives that were collected; zeros but for the session at first. */
struct lives {
	struct session *session;
	struct life *lives;
	size_t count, room;
	bool failed;			/* there was no memory for a life */
};

/*
 * Takes what the sink @interval of the account gets. If options name CPUs, only the time on these counts, and processes
 * that had none of them are left out.
 */
void lives_interval(struct lives *lives, const struct bcoslog_interval *interval);
/* Takes what the sink @process_ended of the account gets. */
void lives_ended(struct lives *lives, const struct bcoslog_account_process *process);
/* Adds the processes that live at the end of the log. */
void lives_add_living(struct lives *lives, const struct bcoslog_account *account);
/* Frees the names of one life. */
void lives_release(struct life *life);
/* Frees all lives. */
void lives_free(struct lives *lives);

#endif
