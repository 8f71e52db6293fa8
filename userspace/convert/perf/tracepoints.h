/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Tracepoints of the kernel, as the texts of tracefs describe them, that become entries of a log. */
#ifndef PERF_TRACEPOINTS_H
#define PERF_TRACEPOINTS_H

#include "state/table.h"

#include "../eventheader/decode.h"

enum tracepoint_kind {
	TRACEPOINT_SWITCH,	/* sched:sched_switch */
	TRACEPOINT_FORK,	/* sched:sched_process_fork */
	TRACEPOINT_EXEC,	/* sched:sched_process_exec */
	TRACEPOINT_EXIT,	/* sched:sched_process_exit */
	TRACEPOINT_IRQ,		/* irq:irq_handler_entry */
	TRACEPOINT_WAKING,	/* sched:sched_waking */
	TRACEPOINT_WAKEUP,	/* sched:sched_wakeup */
	TRACEPOINT_WAKEUP_NEW,	/* sched:sched_wakeup_new */
	TRACEPOINT_EVENTHEADER,	/* whatever begins with eventheader_flags */
	TRACEPOINT_KINDS
};

/**
 * struct tracepoint_field - where a record has a field
 * @offset: in the record
 * @size: in bytes
 * @dynamic: what is there says where it is, and how long
 * @relative: and counts from the end of the field
 */
struct tracepoint_field {
	u32 offset, size;
	bool dynamic, relative;
};

#define TRACEPOINT_FIELDS 6

/**
 * struct tracepoint - a tracepoint
 * @node: its number
 * @kind: which one
 * @field: those of the list of its kind, in its order; @size is 0 where the kernel has none
 * @name: of EventHeader, what the tracepoint's name says
 * @text: its name
 */
struct tracepoint {
	struct node node;
	enum tracepoint_kind kind;
	struct tracepoint_field field[TRACEPOINT_FIELDS];
	struct eventheader_name name;
	char text[EVENTHEADER_NAME_MAX];
};

/* The fields by kind. */
enum { SWITCH_PREV_PID, SWITCH_PREV_COMM, SWITCH_NEXT_PID, SWITCH_NEXT_COMM, SWITCH_PREV_STATE, SWITCH_NEXT_PRIO };
enum { FORK_PARENT, FORK_CHILD, FORK_COMM, FORK_PARENT_COMM };
enum { EXEC_PID, EXEC_FILE };
enum { EXIT_PID, EXIT_COMM };
enum { IRQ_NUMBER, IRQ_NAME };
enum { WAKE_PID, WAKE_COMM };
enum { EVENTHEADER_FLAGS };

struct tracepoints;

/* Return: NULL if there is no memory. */
struct tracepoints *tracepoints_new(void);
void tracepoints_free(struct tracepoints *points);

/**
 * tracepoints_describe() - learn about a tracepoint
 * @points: all of them
 * @system: as "sched"
 * @text: of the file "format" of tracefs, not zero terminated
 * @size: of @text
 *
 * An event that becomes no entry is ignored, and so is one that cannot be understood.
 *
 * Return: 0 or -ENOMEM.
 */
int tracepoints_describe(struct tracepoints *points, const char *system, const char *text, size_t size);

/**
 * tracepoints_describe_all() - learn from the descriptions that trace-cmd and perf put into a recording
 * @points: all of them
 * @bytes: from "header_page" on
 * @size: bytes at @bytes
 * @big: byte order
 * @used: out: how many bytes they have, or NULL
 *
 * Return: 0, -EBADMSG if they end too early, or -ENOMEM.
 */
int tracepoints_describe_all(struct tracepoints *points, const u8 *bytes, size_t size, bool big, size_t *used);

/* As tracepoints_describe_all(), but from the number of systems on. */
int tracepoints_describe_systems(struct tracepoints *points, const u8 *bytes, size_t size, bool big, size_t *used);

/* The tracepoint of a record; NULL if it becomes no entry.  The first 16 bits of a record are its number. */
const struct tracepoint *tracepoints_of(const struct tracepoints *points, u16 number);

/* Has a tracepoint been described that bcoslog writes logs as? */
bool tracepoints_own(const struct tracepoints *points);

/**
 * struct tracepoint_record - a record of a tracepoint
 * @point: of which
 * @bytes: of the record
 * @size: bytes at @bytes
 * @big: byte order
 */
struct tracepoint_record {
	const struct tracepoint *point;
	const u8 *bytes;
	size_t size;
	bool big;
};

/* A number of 1 to 8 bytes.  Return: false if the record has no such field. */
bool tracepoint_number(const struct tracepoint_record *record, unsigned int field, u64 *number);

/* A string up to its zero.  Return: NULL if the record has no such field. */
const char *tracepoint_string(const struct tracepoint_record *record, unsigned int field, size_t *length);

#endif
