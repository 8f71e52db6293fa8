/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The check of libbcoslog, which finds each violation of the specification in a log.  Programs include bcoslog.h. */
#ifndef BCOSLOG_CHECK_H
#define BCOSLOG_CHECK_H

#include <stdbool.h>

#include "bcoslog_reader.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

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

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
