/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Times that depend on the end of the log. */
#ifndef BCOSLOG_REACH_H
#define BCOSLOG_REACH_H

#include "run.h"

/*
 * Chooses the boots, and settles the times that depend on the log's end, such as the last hour. run_log() calls it
 * before it reads entries.  Return: 0, or -1 after a complaint.
 */
int run_settle_times(struct run *run);
/*
 * Says at the end of the pass what the window has to do with the log: that it lies outside, begins before the log, or has
 * no entries.  Return: 0, or -1 after a complaint if it lies outside.
 */
int run_check_window(const struct run *run);

#endif
