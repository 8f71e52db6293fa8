/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The events that were seen in a trace. Babeltrace reads the trace in a child process, since it ends its process if a
 * trace is not as it expects. The child sends what it sees through a pipe, in records of this form:
 *
 *	size of the record u32, what u8, meaning u8, which u16, CPU u32, precision u32, time u64
 *	for each value its kind u8; then for a number u64; for a text u32 size and its bytes; for a list u32 count
 *	and u32 for each number
 *
 * Numbers are in the byte order of the machine. The reader of the pipe trusts nothing that it reads.
 */
#ifndef CONVERT_CTF_SEEN_H
#define CONVERT_CTF_SEEN_H

#include "../../input.h"
#include "../schema.h"

enum ctf_what {
	CTF_BEGINS,	/* the trace begins; values: enum ctf_begins */
	CTF_EVENT,	/* an event; meaning and which tell the values */
	CTF_LOST,	/* records were lost; values: enum ctf_lost */
	CTF_LEFT_OUT,	/* events of a kind were left out; values: enum ctf_left_out */
	CTF_ENDS,	/* the trace ends; values: enum ctf_ends */
	CTF_WHATS
};

/* The meaning of an event. */
enum ctf_meaning {
	CTF_MEANS_NOTHING,
	/* an event of LTTng's kernel tracer; which: enum ctf_kernel_event; the values are its fields */
	CTF_MEANS_KERNEL,
	CTF_MEANS_TEXT,		/* an event of any other tracer; the values are a process, and all fields as one text */
	CTF_MEANINGS
};

/* The values of records other than events. */
enum ctf_begins { CTF_BEGINS_WALL, CTF_BEGINS_HOST, CTF_BEGINS_RELEASE, CTF_BEGINS_CLOCK, CTF_BEGINS_PERF };
enum ctf_lost { CTF_LOST_UNTIL, CTF_LOST_COUNT, CTF_LOST_PACKETS };
enum ctf_left_out { CTF_LEFT_OUT_COUNT, CTF_LEFT_OUT_KIND, CTF_LEFT_OUT_REPEATS };
enum ctf_ends { CTF_ENDS_ERROR, CTF_ENDS_DAMAGED, CTF_ENDS_STREAMS, CTF_ENDS_WHY };

enum ctf_value_kind { CTF_ABSENT, CTF_NUMBER, CTF_STRING, CTF_NUMBERS, CTF_VALUE_KINDS };

/* Limits for the values; a longer text or list is cut. */
#define CTF_STRING_MAX 65536u
#define CTF_NUMBERS_MAX 16384u

/**
 * struct ctf_value - a value
 * @kind: kind of the value
 * @number: the number; for a text its size, for a list the count of its numbers
 * @text: the text, which no zero terminates
 * @numbers: the list; it need not be aligned
 */
struct ctf_value {
	enum ctf_value_kind kind;
	u64 number;
	union {
		const char *text;
		const u8 *numbers;
	};
};

/**
 * struct ctf_seen - a record
 * @what: kind of the record
 * @meaning: for an event its meaning, and for CTF_BEGINS that of all events
 * @which: for an event: see enum ctf_meaning
 * @cpu: the CPU
 * @precision: precision of @time, for events of a trace that was made from a log
 * @time: ns since boot, or since the clock of the trace began
 * @size: size of the record in the pipe; 0 before the first record
 * @count: how many values it has
 * @values: the values; a field that the event lacks is CTF_ABSENT
 */
struct ctf_seen {
	enum ctf_what what;
	enum ctf_meaning meaning;
	unsigned int which;
	u32 cpu, precision;
	u64 time;
	u32 size;
	unsigned int count;
	struct ctf_value values[CTF_FIELDS_MAX];
};

/*
 * Takes the next record from the pipe. Its texts and lists are valid until the next call. Returns 1, 0 at the end, or
 * -EBADMSG if the pipe ends inside a record or the record is not valid.
 */
int ctf_seen_read(struct input *input, struct ctf_seen *seen);

/*
 * Looks at the record that begins @offset bytes after the next record, and takes nothing. Returns the same as
 * ctf_seen_read(); -EBADMSG also means that the buffer is too small to look further ahead.
 */
int ctf_seen_ahead(struct input *input, size_t offset, struct ctf_seen *seen);

/* Returns the value of a field; false or NULL if it has no value of that kind. */
static inline bool ctf_number(const struct ctf_seen *seen, unsigned int field, u64 *number)
{
	if (field >= seen->count || seen->values[field].kind != CTF_NUMBER)
		return false;
	*number = seen->values[field].number;
	return true;
}

static inline const char *ctf_text(const struct ctf_seen *seen, unsigned int field, size_t *length)
{
	*length = 0;
	if (field >= seen->count || seen->values[field].kind != CTF_STRING)
		return NULL;
	*length = (size_t)seen->values[field].number;
	return seen->values[field].text;
}

/* ---- the writing side -------------------------------------------------------------- */

/* The largest size of a record. */
#define CTF_SEEN_MAX (CTF_SEEN_HEAD + CTF_FIELDS_MAX * (5 + 65536u))
#define CTF_SEEN_HEAD 24u
/* Records are written in pieces of at least this size. */
#define CTF_PIPE_WRITE (64u << 10)

/**
 * struct ctf_pipe - the pipe that records are written to
 * @fd: descriptor of the pipe
 * @error: a negative errno, after which nothing is written
 * @record: the beginning in the buffer of the current record
 * @used: bytes in the buffer
 * @buffer: records that are not written yet
 */
struct ctf_pipe {
	int fd;
	int error;
	size_t record, used;
	u8 buffer[CTF_PIPE_WRITE + CTF_SEEN_MAX];
};

/* Begins a record. Its values follow in their order, and ctf_pipe_end(). */
void ctf_pipe_begin(struct ctf_pipe *pipe, const struct ctf_seen *head);
void ctf_pipe_absent(struct ctf_pipe *pipe);
void ctf_pipe_number(struct ctf_pipe *pipe, u64 number);
void ctf_pipe_text(struct ctf_pipe *pipe, const char *text, size_t length);
/* Begins a list. Its numbers follow, by ctf_pipe_element(). Returns how many of them the list takes. */
u32 ctf_pipe_list(struct ctf_pipe *pipe, u64 count);
void ctf_pipe_element(struct ctf_pipe *pipe, u32 number);
/* Ends a record. Returns 0, or a negative errno if nobody reads the pipe any more. */
int ctf_pipe_end(struct ctf_pipe *pipe);
int ctf_pipe_flush(struct ctf_pipe *pipe);

#endif
