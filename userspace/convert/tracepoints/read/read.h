/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reads the records of the kernel's tracepoints, which recordings of perf and of trace-cmd hold. */
#ifndef CONVERT_TRACEPOINTS_READ_READ_H
#define CONVERT_TRACEPOINTS_READ_READ_H

#include <regex.h>
#include <stdbool.h>

#include "state/table.h"

#include "../../convert.h"
#include "../../eventheader/read/read.h"
#include "../../intake/left_out.h"

/*
 * Accepts descriptions of tracepoints only in the form in which the kernel writes them. libtraceevent trusts its input,
 * so it must not get a description that no kernel writes.
 */

#define GRAMMAR_LINES 6

struct grammar {
	regex_t line[GRAMMAR_LINES];
	size_t count;
};

/* Return: 0 or -ENOMEM. */
int grammar_init(struct grammar *grammar);
void grammar_free(struct grammar *grammar);

/**
 * grammar_shorten() - cut a description after its fields
 * @grammar: initialised by grammar_init()
 * @text: the description, which the function changes; its buffer has room for 16 more bytes
 *
 * The description of how to print the fields is dropped, since it is not needed.
 *
 * Return: false if @text is no description of a tracepoint.
 */
bool grammar_shorten(const struct grammar *grammar, char *text);

/* Tracepoints of the kernel that become entries of a log, learned from descriptions in the form of tracefs. */

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

/*
 * Records of a trace come CPU by CPU. A story puts them into the order of time before they are interpreted, since it
 * depends on earlier records who runs where and which thread belongs to which process.
 */

struct story;

/**
 * story_new() - make an empty story
 * @points: describes the records; it may still be empty at this time
 * @input: the input, whose guard bounds what the story keeps
 *
 * Return: NULL if there is no memory.
 */
struct story *story_new(struct tracepoints *points, struct input *input);
void story_free(struct story *story);

/**
 * struct occasion - when and where something happened
 * @time: the time in ns; 0: before the recording
 * @precision: how much later than @time it may have been, in ns
 * @cpu: the CPU; OCCASION_NO_CPU: not known
 * @pid: the process that had the CPU; 0xFFFFFFFF: not known
 * @tid: the thread of @pid that had the CPU
 */
struct occasion {
	u64 time;
	u32 precision, cpu, pid, tid;
};

#define OCCASION_NO_CPU 0xFFFFFFFFu

/* Adds a record. Each of these functions returns 0 or a negative errno. */
int story_record(struct story *story, const struct occasion *when, const u8 *bytes, size_t size, bool big);
int story_name(struct story *story, const struct occasion *when, const char *name, size_t length);
/* A list of names, which may be older than the recording, has a name for a thread. */
int story_rumour(struct story *story, u32 tid, const char *name, size_t length);
int story_map(struct story *story, const struct occasion *when, const char *file, size_t length);
int story_fork(struct story *story, const struct occasion *when, u32 parent);
int story_exit(struct story *story, const struct occasion *when);
int story_lost(struct story *story, const struct occasion *when, u64 count);
/* Records of @when->cpu were lost at an unknown time between the records of this CPU around @when->time. */
int story_lost_somewhere(struct story *story, const struct occasion *when, u64 count);

/**
 * struct story_clock - the clock of a trace, and the machine
 * @name: name of the clock, such as "perf"; "": not known
 * @is: how the clock relates to the time since boot: a sentence without full stop
 * @wall: @time and @utc are known
 * @time: a time of this clock
 * @utc: the time of the wall clock at @time, in ns since 1970
 * @host: "host NAME", or empty
 * @kernel: "kernel RELEASE", or empty
 */
struct story_clock {
	const char *name, *is;
	bool wall;
	u64 time, utc;
	char host[256], kernel[256];
};

/**
 * story_finish() - tell the log_writer all that could be read
 * @story: the story, with all records that could be read
 * @import: the import that the story belongs to
 * @grouped: the trace itself says which threads form a process
 * @clock: the clock of the times
 * @damage: 0, or -EBADMSG if the rest could not be read
 *
 * Return: 0, @damage, or a negative errno. The function has complained of everything that was left out.
 */
int story_finish(struct story *story, struct import *import, bool grouped, const struct story_clock *clock,
		 int damage);

/**
 * story_read_failed() - complain of a failure to read the input
 * @story: the story, or NULL
 * @import: the import that the story belongs to
 * @r: the result of reading
 * @reason: the cause, if @r is -EBADMSG or, for a recording of a kind that cannot be read, -ENOTSUP
 *
 * Return: @r, if the story is to be told nevertheless, which is so for 0, and for -EBADMSG if the story has records;
 *   else the error with which the import ends.
 */
int story_read_failed(const struct story *story, const struct import *import, int r, const char *reason);

#endif
