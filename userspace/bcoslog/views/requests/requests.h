/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The reports of bcoslog io --by: who asked disks for what, and how long that took (class request). */
#ifndef BCOSLOG_REQUESTS_H
#define BCOSLOG_REQUESTS_H

#include "report/report.h"
#include "views/track/groups.h"

/* Chooses what has a row: "process", "device", or a group of processes as of groups.h.  Return: 0, or -1 if @text is none of these. */
int requests_choose(const char *text);
/* Chooses a row for each power of two of time instead of percentiles. */
void requests_choose_histogram(void);
/* Has a choice been made? */
bool requests_chosen(void);
/* Refuses what does not go with the choice, and says what the report lists.  Return: 0, or -1 after a complaint. */
int requests_ready(struct report *report);
/* @after of the report.  Return: 0 or -ENOMEM. */
int requests_entry(struct report *report, const struct bcos_entry *entry);
/* A sink of the account: remembers a process that ends, since requests of it may complete later. */
void requests_process_ended(void *context, const struct bcoslog_account_process *process);
/* @print of the report. */
int requests_print(struct report *report);
/* Frees what was collected. */
void requests_end(void);

#endif
