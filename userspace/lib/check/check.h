/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A check in progress, for the files of the check. */
#ifndef BCOSLOG_CHECK_INTERNAL_H
#define BCOSLOG_CHECK_INTERNAL_H

#include "state/state.h"

/* The order of the entries of a group (reading 7). */
enum rank {
	RANK_CORE = 1,
	RANK_CPU,
	RANK_PROCESS,
	RANK_DEVICE,
	RANK_ASSIGN,
};

/* Consecutive historical entries: a group, or names that are restated before their use. */
struct group {
	bool due;		/* the next entry must begin a complete group */
	bool first;		/* this is the first run of the log, or the first after a notice */
	bool open;		/* the last entry belongs to the run */
	bool whole;		/* the run is a group: it begins with cores */
	enum rank rank;		/* rank of the newest entry of the run */
	u32 number;
	u32 newest;		/* number of the newest group */
	u64 newest_at;		/* offset of the newest group */
	u32 cores, cpus, assigned;	/* numbers of these that the group states */
	u64 offset;		/* offset of the beginning of the run */
	bool timed;		/* newest_time is valid */
	u64 newest_time;	/* greatest time since the last normal entry */
	u64 newest_offset;
};

/* The last object with this ID that has ended since the log began, or began anew. */
struct ended {
	struct node node;
	u64 start, end;		/* earliest possible times */
};

struct bcoslog_check {
	struct bcoslog_state *state;
	bcoslog_report report;
	void *context;
	struct bcoslog_summary summary;
	struct group group;
	u64 offset;		/* offset of the present entry */
	u64 time;		/* time of the newest normal entry */
	struct table ended[4];	/* by subject: bits 13 and 14 of the type */
};

void violation_at(struct bcoslog_check *check, u64 offset, const char *word,
		  const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Report a place that is legal, but not as bcos_evlog writes it. */
void note_unusual(struct bcoslog_check *check, const struct bcos_entry *entry);

#define violation(check, ...) violation_at(check, (check)->offset, __VA_ARGS__)

/* ---- object.c --------------------------------------------------------------- */

/* Check that the newest group, or what follows it, states the object. */
void demand_stated(struct bcoslog_check *check, u32 group, const char *subject, u32 id, bool hexadecimal);
/*
 * Check that an object which an entry uses is known, and that the log states it after
 * the beginning of the newest group, because a reader may begin there.
 * Return: true if it is known.
 */
bool used_process(struct bcoslog_check *check, u32 id);
bool used_device(struct bcoslog_check *check, u32 id);

/* Check the ID of a process that gets a name: it must not be 0xFFFFFFFF. */
void check_reserved(struct bcoslog_check *check, u32 process);

/* Check, when a core or CPU comes online, that the table of the core has an element for each of its CPUs (5.5.2). */
void check_performances(struct bcoslog_check *check, const struct bcos_entry *entry);

/* ---- ended.c: no historical entry states an object that has ended ---------- */

/* Return: 0 or -ENOMEM. */
int ended_init(struct bcoslog_check *check);
void ended_free(struct bcoslog_check *check);
/* Forget all ended objects. */
void ended_clear(struct bcoslog_check *check);
/* Note a normal entry, before it is applied to the state.  Return: 0 or -ENOMEM. */
int ended_note(struct bcoslog_check *check, const struct bcos_entry *entry);
/* Check a historical entry, before it is applied to the state. */
void ended_judge(struct bcoslog_check *check, const struct bcos_entry *entry);

/* ---- history.c -------------------------------------------------------------- */

/* Check a historical entry, before and after it is applied to the state. */
void group_before(struct bcoslog_check *check, const struct bcos_entry *entry);
void group_after(struct bcoslog_check *check, const struct bcos_entry *entry);
/* Check a normal entry, before it is applied to the state. */
void group_close(struct bcoslog_check *check, const struct bcos_entry *entry);
/* Check the end of the log. */
void group_end(struct bcoslog_check *check);

#endif
