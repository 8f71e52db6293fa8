/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A check in progress, as check.c and history.c share it. */
#ifndef BCOSLOG_CHECK_H
#define BCOSLOG_CHECK_H

#include "state/state.h"

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

/* What ended under this ID last, since the log began or anew. */
struct ended {
	struct node node;
	u64 start, end;		/* earliest times */
};

struct bcoslog_check {
	struct bcoslog_state *state;
	bcoslog_report report;
	void *context;
	struct bcoslog_summary summary;
	struct group group;
	u64 offset;		/* of the entry being looked at */
	u64 time;		/* of the newest entry that is not historical */
	struct table ended[4];	/* by subject: bits 13 and 14 of the type */
};

void violation_at(struct bcoslog_check *check, u64 offset, const char *word,
		  const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Legal, but not as we write it. */
void note_unusual(struct bcoslog_check *check, const struct bcos_entry *entry);

#define violation(check, ...) violation_at(check, (check)->offset, __VA_ARGS__)

/*
 * What an entry uses must be known, and stated since the newest group began,
 * since a log may be read from there on.  Return: it is known.
 */
bool used_process(struct bcoslog_check *check, u32 id);
bool used_device(struct bcoslog_check *check, u32 id);

/* Process @process gets a name: it may not be 0xFFFFFFFF. */
void check_reserved(struct bcoslog_check *check, u32 process);

/* A core or CPU is online now: has its core's table an entry for each of its CPUs (5.5.2)? */
void check_performances(struct bcoslog_check *check, const struct bcos_entry *entry);

/* ---- ended.c: what is cancelled or offline does not come back as history ---- */

/* Return: 0 or -ENOMEM. */
int ended_init(struct bcoslog_check *check);
void ended_free(struct bcoslog_check *check);
/* Forget all. */
void ended_clear(struct bcoslog_check *check);
/* An entry that is not historical, before the state has learnt from it.  Return: 0 or -ENOMEM. */
int ended_note(struct bcoslog_check *check, const struct bcos_entry *entry);
/* A historical entry, likewise. */
void ended_judge(struct bcoslog_check *check, const struct bcos_entry *entry);

/* ---- history.c -------------------------------------------------------------- */

/* A historical entry, before and after the state has learnt from it. */
void group_before(struct bcoslog_check *check, const struct bcos_entry *entry);
void group_after(struct bcoslog_check *check, const struct bcos_entry *entry);
/* Any other entry, before the state has learnt from it. */
void group_close(struct bcoslog_check *check, const struct bcos_entry *entry);
/* The log's end. */
void group_end(struct bcoslog_check *check);

#endif
