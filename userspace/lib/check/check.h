/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The check, which finds each violation of the specification in a log; and its structure, for the files of the check. */
#ifndef BCOSLOG_CHECK_H
#define BCOSLOG_CHECK_H

#include "bcoslog_reader.h"
#include "state/state.h"

struct bcoslog_check;

/**
 * struct bcoslog_violation - a place where a log breaks a rule of the specification
 * @offset: offset of the entry that breaks it
 * @word: a short, stable word for the rule, such as "order"
 * @reason: one sentence, without a full stop
 * @legal: the specification allows it, but bcos_evlog does not write such logs; it does not count as a violation
 */
struct bcoslog_violation {
	__u64 offset;
	const char *word;
	const char *reason;
	bool legal;
};

/* The function that a check calls for each violation; @violation is valid during the call. */
typedef void (*bcoslog_report)(void *context, const struct bcoslog_violation *violation);

/**
 * struct bcoslog_summary - the result of a check
 * @entries: number of entries, including malformed ones
 * @historical: number of historical entries
 * @violations: number of violations
 * @losses: number of entries that state a loss
 * @missed: number of notices that entries were overwritten unread
 * @reserved: number of entries of types that the specification does not define
 * @unusual: number of places that are legal, but not as bcos_evlog writes them
 * @lost: number of bytes that were left out because of damage
 */
struct bcoslog_summary {
	__u64 entries;
	__u64 historical;
	__u64 violations;
	__u64 losses;
	__u64 missed;
	__u64 reserved;
	__u64 unusual;
	__u64 lost;
};

/**
 * bcoslog_check_new() - begin to check a log
 * @report: called for each violation
 * @context: first argument of @report
 *
 * Return: the check; NULL if there is no memory.
 */
struct bcoslog_check *bcoslog_check_new(bcoslog_report report, void *context);

/* Free a check.  NULL is ignored. */
void bcoslog_check_free(struct bcoslog_check *check);

/**
 * bcoslog_check_entry() - check the next entry of the log
 * @check: the check
 * @offset: offset of the entry in the log
 * @entry: a well-formed entry
 *
 * Return: 0 or -ENOMEM.
 */
int bcoslog_check_entry(struct bcoslog_check *check, __u64 offset, const struct bcos_entry *entry);

/* Count the damage that bcoslog_next() reported as -EBADMSG.  @error is bcoslog_error() of that log. */
void bcoslog_check_damage(struct bcoslog_check *check, const struct bcoslog_error *error);

/*
 * End the check, and report the violations that show only at the end of a log.
 * Return: the result, valid until bcoslog_check_free().
 */
const struct bcoslog_summary *bcoslog_check_end(struct bcoslog_check *check);

/* ---- the structure -------------------------------------------------------------- */

/* The order of the entries of a group (reading 7). */
enum rank {
	RANK_CORE = 1,
	RANK_CPU,
	RANK_PROCESS,
	RANK_DEVICE,
	RANK_ASSIGN,
};

/* A run of consecutive historical entries. The run is a group, or names that the log restates before their use. */
struct group {
	bool due;		/* the next entry must begin a complete group */
	bool first;		/* the run is the first of the log, or the first after lost entries */
	bool open;		/* the newest entry of the log belongs to the run */
	bool whole;		/* the run is a group: it begins with cores */
	enum rank rank;		/* rank of the newest entry of the run */
	u32 number;		/* number of the run, counted from 1 */
	u32 newest;		/* number of the newest run that is a group */
	u64 newest_at;		/* offset of the newest run that is a group */
	u32 cores, cpus, assigned;	/* numbers of cores, CPUs and assignments that the group states */
	u64 offset;		/* offset of the beginning of the run */
	bool timed;		/* newest_time is valid */
	u64 newest_time;	/* greatest time of a historical entry since the last normal entry */
	u64 newest_offset;	/* offset of the entry with that time */
};

/* The last object with an ID that has ended since the log began, or since entries before this place were lost. */
struct ended {
	struct node node;
	u64 start, end;		/* earliest possible times of its beginning and end */
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

/* Count and report a violation by the entry at @offset. */
void violation_at(struct bcoslog_check *check, u64 offset, const char *word,
		  const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Report the entry if it is legal, but not as bcos_evlog writes it. */
void note_unusual(struct bcoslog_check *check, const struct bcos_entry *entry);

#define violation(check, ...) violation_at(check, (check)->offset, __VA_ARGS__)

/* ---- object.c --------------------------------------------------------------- */

/* Check that the newest group or an entry after it states an object; @group is the object's newest run. */
void demand_stated(struct bcoslog_check *check, u32 group, const char *subject, u32 id, bool hexadecimal);
/*
 * Check that the log states an object which an entry uses after the beginning of the
 * newest group, because a reader may begin there.
 * Return: true if the state contains the object.
 */
bool used_process(struct bcoslog_check *check, u32 id);
bool used_device(struct bcoslog_check *check, u32 id);

/* Check the ID of a process that gets a name: it must not be 0xFFFFFFFF. */
void check_reserved(struct bcoslog_check *check, u32 process);

/* Check after a core or CPU came online that the core's table of performance has an element for each CPU (5.5.2). */
void check_performances(struct bcoslog_check *check, const struct bcos_entry *entry);

/* ---- ended.c: no historical entry states an object that has ended ---------- */

/* Return: 0 or -ENOMEM. */
int ended_init(struct bcoslog_check *check);
void ended_free(struct bcoslog_check *check);
/* Forget all ended objects. */
void ended_clear(struct bcoslog_check *check);
/* Note the object that a normal entry ends or begins, before the state changes.  Return: 0 or -ENOMEM. */
int ended_note(struct bcoslog_check *check, const struct bcos_entry *entry);
/* Check that a historical entry does not state an ended object, before the state changes. */
void ended_judge(struct bcoslog_check *check, const struct bcos_entry *entry);

/* ---- history.c -------------------------------------------------------------- */

/* Check a historical entry, before and after the state changes. */
void group_before(struct bcoslog_check *check, const struct bcos_entry *entry);
void group_after(struct bcoslog_check *check, const struct bcos_entry *entry);
/* End the run of historical entries before a normal entry, and check it, before the state changes. */
void group_close(struct bcoslog_check *check, const struct bcos_entry *entry);
/* Check the run of historical entries at the end of the log. */
void group_end(struct bcoslog_check *check);

#endif
