/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Tracepoints of the kernel that become entries of a log, learned from descriptions in the form of tracefs. */
#ifndef PERF_TRACEPOINTS_H
#define PERF_TRACEPOINTS_H

#include "state/table.h"

#include "../eventheader/decode.h"
#include "../intake/left_out.h"

enum tracepoint_kind {
	TRACEPOINT_SWITCH,	/* sched:sched_switch */
	TRACEPOINT_FORK,	/* sched:sched_process_fork */
	TRACEPOINT_EXEC,	/* sched:sched_process_exec */
	TRACEPOINT_EXIT,	/* sched:sched_process_exit */
	TRACEPOINT_IRQ,		/* irq:irq_handler_entry */
	TRACEPOINT_WAKING,	/* sched:sched_waking */
	TRACEPOINT_WAKEUP,	/* sched:sched_wakeup */
	TRACEPOINT_WAKEUP_NEW,	/* sched:sched_wakeup_new */
	TRACEPOINT_EVENTHEADER,	/* any tracepoint whose first field is eventheader_flags */
	TRACEPOINT_KINDS,
	TRACEPOINT_OTHER = TRACEPOINT_KINDS	/* any other, which becomes no entry */
};

/**
 * struct tracepoint_field - the place of a field in a record
 * @offset: offset in the record
 * @size: size in bytes
 * @dynamic: the field holds the offset and size of its contents
 * @relative: and that offset counts from the end of the field
 */
struct tracepoint_field {
	u32 offset, size;
	bool dynamic, relative;
};

#define TRACEPOINT_FIELDS 6

/**
 * struct tracepoint - a tracepoint
 * @node: holds its number
 * @kind: the kind of the tracepoint
 * @field: the fields that its kind uses, in the order of the enums below; @size is 0 if the kernel lacks a field
 * @name: for TRACEPOINT_EVENTHEADER: the parts of the tracepoint's name
 * @text: the tracepoint's name; for TRACEPOINT_OTHER with its system before it, as "block:block_rq_issue"
 * @left_out: how many of its events were left out, and
 * @why: the reason
 */
struct tracepoint {
	struct node node;
	enum tracepoint_kind kind;
	struct tracepoint_field field[TRACEPOINT_FIELDS];
	struct eventheader_name name;
	char text[EVENTHEADER_NAME_MAX];
	u64 left_out;
	const char *why;
};

/* The fields that each kind uses. */
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
 * tracepoints_describe() - learn a tracepoint from its description
 * @points: all tracepoints
 * @system: the system, such as "sched"
 * @text: the contents of the file "format" of tracefs, which no zero terminates
 * @size: of @text
 *
 * A tracepoint that becomes no entry is kept by its name alone. A description that cannot be parsed counts as one.
 *
 * Return: 0 or -ENOMEM.
 */
int tracepoints_describe(struct tracepoints *points, const char *system, const char *text, size_t size);

/**
 * tracepoints_describe_all() - learn from the descriptions that trace-cmd and perf put into a recording
 * @points: all tracepoints
 * @bytes: the descriptions, beginning with "header_page"
 * @size: bytes at @bytes
 * @big: the numbers in them are big-endian
 * @used: out: how many bytes the descriptions take; or NULL
 *
 * Return: 0, -EBADMSG if the bytes end too early, -EINTR after a signal, or -ENOMEM.
 */
int tracepoints_describe_all(struct tracepoints *points, const u8 *bytes, size_t size, bool big, size_t *used);

/* Does the same as tracepoints_describe_all() for descriptions that begin with the number of systems. */
int tracepoints_describe_systems(struct tracepoints *points, const u8 *bytes, size_t size, bool big, size_t *used);

/* Returns the tracepoint with this number, which is the first 16 bits of a record, or NULL if it becomes no entry. */
const struct tracepoint *tracepoints_of(const struct tracepoints *points, u16 number);

/* An event of the tracepoint @number is left out, since it becomes no entry. */
int tracepoints_leave_out(struct tracepoints *points, u16 number);
/* Writes the name of a tracepoint into @to, which has room for @size bytes, or what else is known of it. */
void tracepoints_name(const struct tracepoints *points, u16 number, char *to, size_t size);
/* Tells of all events that were left out. */
void tracepoints_left_out(const struct tracepoints *points, struct left_out *left);

/*
 * Learns the names of ftrace's own events, such as "ftrace:function": u32 count, and for each u64 size and its
 * description. Return: 0, -EBADMSG if the bytes end too early, -EINTR or -ENOMEM.
 */
int tracepoints_describe_own(struct tracepoints *points, const u8 *bytes, size_t size, bool big);

/**
 * struct tracepoint_record - a record of a tracepoint
 * @point: the tracepoint
 * @bytes: bytes of the record
 * @size: bytes at @bytes
 * @big: the record is big-endian
 */
struct tracepoint_record {
	const struct tracepoint *point;
	const u8 *bytes;
	size_t size;
	bool big;
};

/* Gets a number of 1, 2, 4 or 8 bytes.  Return: false if the record has no such field. */
bool tracepoint_number(const struct tracepoint_record *record, unsigned int field, u64 *number);

/* Gets a string, up to its zero.  Return: NULL if the record has no such field. */
const char *tracepoint_string(const struct tracepoint_record *record, unsigned int field, size_t *length);

#endif
