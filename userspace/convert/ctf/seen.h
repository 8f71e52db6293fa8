/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The events that were seen in a trace. Babeltrace reads the trace in a process of its own, since it ends the process
 * where a trace is not as it expects. That process sends what it sees through a pipe, in records of this form:
 *
 *	size of the record u32, what u8, meaning u8, which u16, CPU u32, precision u32, time u64
 *	of each value: its kind u8; of a number u64; of a text its size u32 and its bytes; of a list its count u32 and
 *	its numbers u32
 *
 * in the byte order of the machine. The reader of the pipe trusts none of it.
 */
#ifndef CONVERT_CTF_SEEN_H
#define CONVERT_CTF_SEEN_H

#include "../input.h"
#include "schema.h"

enum ctf_what {
	CTF_BEGINS,	/* the trace: enum ctf_begins */
	CTF_EVENT,	/* meaning and which tell which values there are */
	CTF_LOST,	/* enum ctf_lost */
	CTF_ENDS,	/* enum ctf_ends */
	CTF_WHATS
};

/* The kind of the event. */
enum ctf_meaning {
	CTF_MEANS_NOTHING,
	CTF_MEANS_ENTRY,	/* of a log; which: enum ctf_layout_id; the values are its fields */
	CTF_MEANS_KERNEL,	/* of LTTng's kernel tracer; which: enum ctf_kernel; likewise */
	CTF_MEANS_TEXT,		/* of any other tracer: a process, and all fields as text */
	CTF_MEANINGS
};

/* The values of records other than events. */
enum ctf_begins { CTF_BEGINS_WALL, CTF_BEGINS_HOST, CTF_BEGINS_RELEASE, CTF_BEGINS_CLOCK };
enum ctf_lost { CTF_LOST_UNTIL, CTF_LOST_COUNT, CTF_LOST_PACKETS };
enum ctf_ends { CTF_ENDS_ERROR, CTF_ENDS_DAMAGED, CTF_ENDS_LEFT_OUT, CTF_ENDS_WHY };

enum ctf_value_kind { CTF_ABSENT, CTF_NUMBER, CTF_STRING, CTF_NUMBERS, CTF_VALUE_KINDS };

/* A longer text or list is cut. */
#define CTF_STRING_MAX 65536u
#define CTF_NUMBERS_MAX 16384u

/**
 * struct ctf_value - a value
 * @kind: of it
 * @number: of a text its bytes, of a list how many numbers
 * @text: a text, not zero terminated
 * @numbers: a list, at any address
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
 * @what: of what
 * @meaning: of an event, and of what the trace begins with
 * @which: of an event
 * @cpu: where
 * @precision: of @time, of an event of a log
 * @time: ns since boot, or since the clock of the trace began
 * @size: of the record in the pipe; 0 before the first one
 * @count: of values
 * @values: fields that the event lacks are absent
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
 * Takes the next record of a pipe; its texts and lists are valid until the next call. Returns 1, 0 at the end, or -EBADMSG
 * if there is no whole one.
 */
int ctf_seen_read(struct input *input, struct ctf_seen *seen);

/*
 * Looks at the record that is @offset bytes after the next one, and leaves all of them where they are. Returns what
 * ctf_seen_read() returns; -EBADMSG is also where looking ahead has to end.
 */
int ctf_seen_ahead(struct input *input, size_t offset, struct ctf_seen *seen);

/* The value of a field. Returns false, or NULL, if there is none of that kind. */
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

/* ---- the other side ---------------------------------------------------------------- */

/* The largest record. */
#define CTF_SEEN_MAX (CTF_SEEN_HEAD + CTF_FIELDS_MAX * (5 + 65536u))
#define CTF_SEEN_HEAD 24u
/* The number of bytes that are written at once. */
#define CTF_PIPE_WRITE (64u << 10)

/**
 * struct ctf_pipe - what records are written to
 * @fd: of the pipe
 * @error: a negative errno; nothing is written after it
 * @record: where the record begins that is being made
 * @used: bytes in the buffer
 * @buffer: records
 */
struct ctf_pipe {
	int fd;
	int error;
	size_t record, used;
	u8 buffer[CTF_PIPE_WRITE + CTF_SEEN_MAX];
};

/* A record is begun, gets its values in their order, and ends. */
void ctf_pipe_begin(struct ctf_pipe *pipe, const struct ctf_seen *head);
void ctf_pipe_absent(struct ctf_pipe *pipe);
void ctf_pipe_number(struct ctf_pipe *pipe, u64 number);
void ctf_pipe_text(struct ctf_pipe *pipe, const char *text, size_t length);
/* The numbers follow, by ctf_pipe_element(). Returns how many of them. */
u32 ctf_pipe_list(struct ctf_pipe *pipe, u64 count);
void ctf_pipe_element(struct ctf_pipe *pipe, u32 number);
/* Returns 0 or a negative errno, if nobody reads any more. */
int ctf_pipe_end(struct ctf_pipe *pipe);
int ctf_pipe_flush(struct ctf_pipe *pipe);

#endif
