/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The import of CTF. trace.c reads a trace with Babeltrace 2's library, by the graph of merge.c, and hands events to reader.c,
 * which knows nothing of that library, and tells the log_writer.
 */
#ifndef CONVERT_CTF_READ_H
#define CONVERT_CTF_READ_H

#include <babeltrace2/babeltrace.h>

#include "../../convert.h"
#include "../../machine/machine.h"
#include "../schema.h"
#include "core/host/user.h"
#include "state/table.h"

/* ---- seen -------------------------------------------------------------------------- */

/*
 * An event that was seen in a trace, with its fields in an order of ours: what Babeltrace's library has read, for code
 * that knows nothing of that library.
 */

/* The meaning of an event. */
enum ctf_meaning {
	CTF_MEANS_NOTHING,
	/* an event of LTTng's kernel tracer; which: enum ctf_kernel_event; the values are its fields */
	CTF_MEANS_KERNEL,
	CTF_MEANS_TEXT,		/* an event of any other tracer; the values are a process, and all fields as one text */
};

enum ctf_value_kind { CTF_ABSENT, CTF_NUMBER, CTF_STRING };

/* A longer text is cut. */
#define CTF_STRING_MAX 65536u

/**
 * struct ctf_value - a value
 * @kind: kind of the value
 * @number: the number; for a text its size
 * @text: the text, which no zero terminates
 */
struct ctf_value {
	enum ctf_value_kind kind;
	u64 number;
	const char *text;
};

/**
 * struct ctf_seen - an event
 * @meaning: its meaning
 * @which: see enum ctf_meaning
 * @cpu: the CPU
 * @time: ns since boot, or since the clock of the trace began
 * @count: how many values it has
 * @values: the values; a field that the event lacks is CTF_ABSENT
 */
struct ctf_seen {
	enum ctf_meaning meaning;
	unsigned int which;
	u32 cpu;
	u64 time;
	unsigned int count;
	struct ctf_value values[CTF_FIELDS_MAX + 2];
};

/* Adds a value, which has to stay where it is as long as the event is used. There is room for all values of an event. */
static inline struct ctf_value *ctf_value_add(struct ctf_seen *seen, enum ctf_value_kind kind, u64 number)
{
	struct ctf_value *value = &seen->values[seen->count++];

	*value = (struct ctf_value){ .kind = kind, .number = number };
	return value;
}

static inline void ctf_text_add(struct ctf_seen *seen, const char *text, size_t length)
{
	ctf_value_add(seen, CTF_STRING, length < CTF_STRING_MAX ? length : CTF_STRING_MAX)->text = text;
}

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

/* ---- reader.c ---------------------------------------------------------------------- */

/* Turns the events of a CTF trace into facts of a log. */

/* The limit for network interfaces, which a trace identifies by their names. */
#define CTF_INTERFACES_MAX 1024u

/**
 * struct ctf_reader - a trace that is being read
 * @log: the log_writer
 * @left: what is left out
 * @path: path of the trace, for messages
 * @beside: the trace lies beside the one that becomes the log, in this folder, and is only counted; else NULL
 * @begun: @meaning is known
 * @started: an event was read; @start is the time of the first one
 * @wall: the wall clock at time 0, in ns since 1970; 0: not known
 * @host: name of the host, or ""
 * @release: release of its kernel, or ""
 * @clock: name of the clock, or ""
 * @machine: for a trace of LTTng's kernel tracer
 * @devices: disks and interfaces that the log_writer has been told of
 * @interfaces: names of the interfaces
 * @interfaces_count: how many there are
 * @perf: perf has written the trace
 * @spoiled: how many records lack a field that they have to have
 */
struct ctf_reader {
	struct log_writer *log;
	struct left_out *left;
	const char *path, *beside;
	bool begun, started, perf;
	enum ctf_meaning meaning;
	u64 start, wall;
	char host[200], release[200], clock[100];
	struct machine *machine;
	struct table devices;
	char (*interfaces)[32];
	u32 interfaces_count;
	u64 spoiled;
};

/**
 * struct ctf_beginning - what a trace tells of itself
 * @meaning: the meaning of its events
 * @perf: perf has written it
 * @wall: the wall clock at time 0, in ns since 1970; 0: not known
 * @host: name of the host, or ""
 * @release: release of its kernel, or ""
 * @clock: name of the clock, or ""
 */
struct ctf_beginning {
	enum ctf_meaning meaning;
	bool perf;
	u64 wall;
	const char *host, *release, *clock;
};

/**
 * struct ctf_ending - how the reading of a trace ended
 * @error: 0, or the negative errno with which nothing more could be read
 * @damaged: how many streams could not be read to their end
 * @streams: how many streams there are
 * @why: the first reason, or ""
 */
struct ctf_ending {
	int error;
	u64 damaged, streams;
	const char *why;
};

/*
 * These take what is in the trace, in this order, and tell the log_writer. They return 0 or a negative errno, after a complaint
 * unless it is -EINTR, -ENOMEM or the error of the log_writer. Events that lack fields are counted.
 */
int ctf_reader_begin(struct ctf_reader *reader, const struct ctf_beginning *beginning);
/*
 * Looks at an event before any event is taken, for the processes of threads that it names. Returns false if the caller
 * need not look at later events.
 */
bool ctf_reader_ahead(struct ctf_reader *reader, const struct ctf_seen *seen);
int ctf_reader_event(struct ctf_reader *reader, const struct ctf_seen *seen);
/* @count events or packets of a CPU were lost, between two times. */
int ctf_reader_lost(struct ctf_reader *reader, u32 cpu, u64 since, u64 until, u64 count, bool packets);
/* @count events of a kind were left out. @repeats: since another kind tells of the same. */
void ctf_reader_left_out(struct ctf_reader *reader, const char *kind, u64 count, bool repeats);
/* @ending: NULL if the library has given up. Returns -EBADMSG, after a complaint, if a part of the trace could not be read. */
int ctf_reader_end(struct ctf_reader *reader, const struct ctf_ending *ending);
void ctf_reader_free(struct ctf_reader *reader);

/* Has the log_writer been told of this disk or interface? ctf_know_device() tells it. */
bool ctf_known_device(const struct ctf_reader *reader, u32 id);
int ctf_know_device(struct ctf_reader *reader, u32 id, const char *name, size_t length);

/* ---- lttng.c: events of LTTng's kernel tracer ------------------------------------------- */

/*
 * Takes an event. Returns 0, -EBADMSG if it lacks a field, or another negative errno. Errors of the machine are in
 * machine_error().
 */
int ctf_kernel_event(struct ctf_reader *reader, const struct ctf_seen *seen);
/*
 * Looks at an event before it is taken, for the processes of threads that it names. Returns false if the caller need
 * not look at later events.
 */
bool ctf_kernel_ahead(struct ctf_reader *reader, const struct ctf_seen *seen);

/* ---- folders.c --------------------------------------------------------------------- */

/* The folders below a folder that are traces, such as those of a session of LTTng. */

/* So many folders are kept; a session has one for the kernel, and some for each user or program. */
#define CTF_FOLDERS_MAX 256u
/* And so deep: archives/TIME/ust/uid/1000/64-bit, with room for more. */
#define CTF_FOLDERS_DEPTH 12
/* So many files and folders are looked at: somebody may name the root of a disk. */
#define CTF_FOLDERS_LOOK 100000u

/**
 * struct ctf_folders - folders that are traces
 * @names: their paths, which begin with that of the folder that was searched
 * @count: how many there are
 * @more: there may be more, which are not in @names
 */
struct ctf_folders {
	char *names[CTF_FOLDERS_MAX];
	unsigned int count;
	bool more;
};

/**
 * ctf_folders_find() - find all traces in a folder
 * @folders: gets them, in the order of their names
 * @path: the folder, which may be a trace itself
 * @is_trace: says whether a folder is a trace
 *
 * Links are not followed, apart from @path. A signal ends the search.
 */
void ctf_folders_find(struct ctf_folders *folders, const char *path, bool (*is_trace)(const char *folder));
void ctf_folders_free(struct ctf_folders *folders);

/* ---- merge.c ----------------------------------------------------------------------- */

/*
 * Reads a CTF trace with Babeltrace 2's source.ctf.fs. The graph consists of that source and a sink, which is ours. The
 * sink has an iterator for each stream and takes the events of all streams in the order of time. Events of a trace that
 * was made from a log also have a number, which orders events of equal times.
 */

/**
 * struct ctf_stream - a stream of a trace
 * @iterator: gives the messages of the stream
 * @messages: the messages that it gave last
 * @count: how many there are
 * @at: index of the first message that is not taken yet
 * @cpu: the CPU of the current packet
 * @ended: no message follows
 * @time: time of the message at @at
 * @lost: events that were lost, at an unknown time, since the event at @before; and
 * @lost_packets: packets
 * @order: number of the entry for the message at @at
 */
struct ctf_stream {
	bt_message_iterator *iterator;
	bt_message_array_const messages;
	u64 count, at;
	u32 cpu;
	bool ended;
	u64 time, before;
	u64 lost, lost_packets;
	u32 order;
};

/**
 * struct ctf_moment - when and where
 * @time: ns since boot, or since the origin of the clock
 * @cpu: the CPU
 */
struct ctf_moment {
	u64 time;
	u32 cpu;
};

/**
 * struct ctf_taker - functions that get what is read
 * @begin: called once, before anything else
 * @event: called for each event, in the order of time
 * @lost: called if @count events or packets were lost up to the time @until
 * @context: passed to these functions, which return 0 or a negative errno
 */
struct ctf_taker {
	int (*begin)(void *context, const bt_trace *trace, const bt_clock_class *clock);
	int (*event)(void *context, struct ctf_moment when, const bt_event *event);
	int (*lost)(void *context, struct ctf_moment when, u64 until, u64 count, bool packets);
	void *context;
};

struct ctf_merge {
	const struct ctf_taker *taker;
	bt_graph *graph;
	struct ctf_stream *streams;
	u32 streams_count;
	struct ctf_stream **heap;
	u32 heap_count;
	const bt_clock_class *clock;	/* the clock that was seen first; time 0 is when it began to count */
	s64 base;			/* ns from the clock's origin to time 0 */
	bool begun;
	int error;
	u64 damaged;			/* how many streams cannot be read to their end */
	char why[600];			/* the reason of the first damage, or of a failure */
};

/* Reads the whole trace. Returns 0 or a negative errno; -EBADMSG, with a reason in @why, if nothing can be read. */
int ctf_merge_run(struct ctf_merge *merge, const char *folder, const struct ctf_taker *taker);
void ctf_merge_free(struct ctf_merge *merge);

/* ---- trace.c ----------------------------------------------------------------------- */

/* Reads a trace with Babeltrace 2's library, and hands what it sees to a reader. */

/**
 * ctf_trace_read() - read a trace
 * @reader: gets what is seen
 * @folder: folder of the trace
 * @size: bytes of the input, which limit how many events the trace may have
 *
 * The library ends its process if a trace is not as it expects. Here it ends the reading alone: what the reader was told
 * before stays. All complaints of the library are kept from standard error, and so is its memory from growing without end.
 *
 * Return: 0; a negative errno of the reader; -EFBIG if there are more events than @size allows; -ENOMEM; -EBADMSG, after a
 * complaint, if the trace cannot be read to its end; or -ENOTRECOVERABLE, after a complaint, if the library has given up.
 */
int ctf_trace_read(struct ctf_reader *reader, const char *folder, u64 size);

/* ---- fields.c --------------------------------------------------------------------- */

/**
 * struct ctf_class - an event class, and the places of its fields
 * @class: the class in the library
 * @meaning: what its events become
 * @which: see struct ctf_seen
 * @count: how many fields are wanted
 * @left_out: how many events of this class were left out, since @meaning is CTF_MEANS_NOTHING
 * @name: with @left_out: the name of the class, which may be cut; else NULL
 * @repeats: they were left out since another event tells of the same
 * @member: for each wanted field, its index in the payload; -1: the class lacks it
 */
struct ctf_class {
	const bt_event_class *class;
	enum ctf_meaning meaning;
	unsigned int which, count;
	u64 left_out;
	char *name;
	bool repeats;
	int16_t member[CTF_FIELDS_MAX];
};

/* Sets the meaning and the wanted fields of an event class. @meaning: the meaning of the trace. */
void ctf_class_learn(struct ctf_class *class, enum ctf_meaning meaning);
/* Adds the wanted fields of @event to @seen. */
void ctf_class_get(const struct ctf_class *class, struct ctf_seen *seen, const bt_event *event);
/* Gets a number from the fields of an event. Returns false if there is no such number. */
bool ctf_payload_number(const bt_event *event, const char *name, u64 *number);
/* Gets a number from the common context of an event. Returns false if the context has no such number. */
bool ctf_context_number(const bt_event *event, const char *name, u64 *number);

/* ---- describe.c ---------------------------------------------------------------------- */

/* Gets the value of an integer or boolean field. Returns false if the field has another type. */
bool ctf_field_number(const bt_field *field, u64 *number);
/*
 * Writes the name of an event and all its fields, with what is nested in them: NAME field=value, ... Returns how many
 * bytes that takes.
 */
size_t ctf_describe(const bt_event *event, char *text, size_t size);

#endif
