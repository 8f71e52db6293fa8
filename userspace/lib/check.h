/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A check in progress, as check.c and history.c share it. */
#ifndef BCOSLOG_CHECK_H
#define BCOSLOG_CHECK_H

#include "state.h"

/* Order of what a group states (reading 7). */
enum rank {
	RANK_CORE = 1,
	RANK_CPU,
	RANK_PROCESS,
	RANK_DEVICE,
	RANK_ASSIGN,
};

/* A run of historical entries: a group, or names stated again just before their use. */
struct group {
	bool due;		/* a complete group must begin with the next entry */
	bool first;		/* the log, or what it is after a notice, begins with this one */
	bool open;		/* within a run */
	bool whole;		/* the run began as a group, with cores */
	enum rank rank;		/* of the run's newest entry */
	u32 number;
	u32 newest;		/* number of the newest run that began as a group */
	u64 newest_at;		/* and its offset */
	u32 cores, cpus, assigned;	/* stated */
	u64 offset;		/* where it began */
	bool timed;		/* newest_* are valid */
	u64 newest_time;	/* since the last entry that is not historical */
	u64 newest_offset;
};

struct bcoslog_check {
	struct bcoslog_state *state;
	bcoslog_report report;
	void *context;
	struct bcoslog_summary summary;
	struct group group;
	u64 offset;		/* of the entry being looked at */
	u64 time;		/* of the newest entry that is not historical */
};

void violation_at(struct bcoslog_check *check, u64 offset, const char *word,
		  const char *format, ...) __attribute__((format(printf, 4, 5)));

#define violation(check, ...) violation_at(check, (check)->offset, __VA_ARGS__)

/*
 * What an entry uses must be known, and stated since the newest group began,
 * since a log may be read from there on.  Return: it is known.
 */
bool used_process(struct bcoslog_check *check, u32 id);
bool used_device(struct bcoslog_check *check, u32 id);

/* A historical entry, before and after the state has learnt from it. */
void group_before(struct bcoslog_check *check, const struct bcos_entry *entry);
void group_after(struct bcoslog_check *check, const struct bcos_entry *entry);
/* Any other entry, before the state has learnt from it. */
void group_close(struct bcoslog_check *check, const struct bcos_entry *entry);
/* The log's end. */
void group_end(struct bcoslog_check *check);

#endif
