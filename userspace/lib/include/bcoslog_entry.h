/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Functions of libbcoslog for the contents of one entry.  Programs include bcoslog.h. */
#ifndef BCOSLOG_ENTRY_H
#define BCOSLOG_ENTRY_H

#include <stdbool.h>
#include <stddef.h>

#include "bcos_evlog.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Return: the specification's name of an entry type, such as "Assign CPU"; NULL if it does not define the type. */
const char *bcoslog_type_name(__u16 type);

/* Return: the kind of object that entries of this type describe: "process", "core", "CPU" or "device". */
const char *bcoslog_subject(__u16 type);

/* Return: the name or text of an entry, which no zero byte terminates; NULL if entries of its type have none. */
const char *bcoslog_text(const struct bcos_entry *entry, size_t *length);

/* Return: true for the types of generic events: 0x0010, 0x2010, 0x4010 and 0x6010. */
static inline bool bcoslog_is_generic(__u16 type)
{
	return (type & ~BCOS_TYPE_SUBJECT_MASK) == BCOS_GENERIC_PROCESS;
}

/* Return: true for the notice that the log has overwritten entries before this reader read them. */
bool bcoslog_is_missed(const struct bcos_entry *entry);

/* Return: true if the entry states that events were lost. */
bool bcoslog_is_loss(const struct bcos_entry *entry);

/**
 * struct bcoslog_loss - a loss that an entry states
 * @begin: the earliest time of a lost event, ns since boot; it may be long before the time of the entry
 * @end: the latest time of one, ns since boot; the entry's precision ends at 4.29 s, and this does not
 * @count: number of lost events, as far as the entry counts them; 0: it tells none
 * @lost: what was lost, BCOSLOG_LOST_*; all kinds if the entry does not say
 * @late: the loss began before the time of the entry
 * @open: the log does not tell the end: it may lie between @end and the next group of historical entries
 * @what: the kinds with their counts in words, such as "3 assignments, 1 interrupts"; no zero byte terminates it
 * @reason: the reason in words, such as "staging full"; no zero byte terminates it
 * @what_length: length of @what in bytes
 * @reason_length: length of @reason in bytes; 0: the entry gives no reason
 */
struct bcoslog_loss {
	__u64 begin, end;
	__u64 count;
	__u32 lost;
	bool late, open;
	const char *what, *reason;
	size_t what_length, reason_length;
};

/**
 * bcoslog_loss() - read a loss that an entry states
 * @entry: any entry
 * @loss: receives the loss; its texts are valid as long as @entry is
 *
 * Return: true if the entry states a loss; else false, and @loss is unchanged.
 */
bool bcoslog_loss(const struct bcos_entry *entry, struct bcoslog_loss *loss);

/* Return: the name of a severity: "debug", "info", "error" or "critical" (5.3.2). */
const char *bcoslog_severity(__u8 severity);

/* Return: the meaning of the event ID of a generic event; NULL if bcos_evlog does not define it. */
const char *bcoslog_event(__u16 type, __u32 event_id);

/**
 * enum bcoslog_end - the way in which a process ended
 * @BCOSLOG_EXITED: the process called exit(); the value is its exit code
 * @BCOSLOG_OWNER: user space ended the process; the value is the number of the signal, or 0
 * @BCOSLOG_KERNEL: the kernel ended the process; the value is the number of the signal, or 0
 * @BCOSLOG_END_UNKNOWN: the log has no status of the end; the value is 0
 */
enum bcoslog_end {
	BCOSLOG_EXITED,
	BCOSLOG_OWNER,
	BCOSLOG_KERNEL,
	BCOSLOG_END_UNKNOWN,
};

/**
 * bcoslog_status_end() - decode a termination status (5.2.1)
 * @status: the termination status
 * @value: receives the exit code or the number of the signal
 *
 * Return: the way in which the process ended.
 */
enum bcoslog_end bcoslog_status_end(__u32 status, __u32 *value);

/* Return: the name of a signal, such as "SIGSEGV"; NULL if the number has no name of its own. */
const char *bcoslog_signal(__u32 number);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
