/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* States quotas and stalls of control groups as events of the log that is recorded. */
#ifndef BCOSLOG_RECORD_QUOTA_EVENTS_H
#define BCOSLOG_RECORD_QUOTA_EVENTS_H

#include "log/run.h"

struct quota_events;

/* Begins to watch, unless the class who is not recorded, or no group can be read.  Return: NULL if nothing is watched. */
struct quota_events *quota_events_open(struct run *run);
/* States what happened, if a second has passed. @events may be NULL here. */
void quota_events_read(struct quota_events *events);
/* Return: the time between two statements, in ns; UINT64_MAX if nothing is watched. @events may be NULL here. */
u64 quota_events_interval(const struct quota_events *events);
void quota_events_close(struct quota_events *events);

#endif
