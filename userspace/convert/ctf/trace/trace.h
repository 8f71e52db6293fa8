/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A trace that Babeltrace 2's sink.ctf.fs writes: a graph of a source, which is ours, and that sink. The caller adds
 * event after event, and the graph runs whenever enough of them wait.
 */
#ifndef CONVERT_CTF_TRACE_H
#define CONVERT_CTF_TRACE_H

#include "../library.h"
#include "../schema.h"
#include "state/table.h"

/* Messages that wait for the graph to run. */
#define CTF_QUEUE 256u
/* The messages of a CPU that wait for the end of a time in which events were lost. */
#define CTF_HELD_MAX 256u

#define CTF_SPARE 4u

/**
 * struct ctf_cpu - a CPU and its stream
 * @node: its ID
 * @stream: of it
 * @packet: the open one, or NULL
 * @size: roughly how many bytes are in it
 * @last: time of its last event
 * @held: messages of the packet while events were lost, in place of the queue
 * @held_count: how many
 * @lossy: events were lost
 * @lost: how many
 * @since: the end of the packet before
 * @until: the latest time at which events were lost
 * @known: who has the CPU is known
 * @process: who
 * @state: prev_state of the switch that ends this
 * @threaded: the log tells which thread of the process it is
 * @thread: which one
 * @priority: of it, as LTTng has it
 * @next_process: the process of @next_thread
 * @next_thread: the CPU runs this thread whenever @next_process has it; 0: nothing has told
 * @next_priority: of @next_thread
 */
struct ctf_cpu {
	struct node node;
	bt_stream *stream;
	bt_packet *packet;
	size_t size;
	u64 last;
	const bt_message **held;
	u32 held_count;
	bool lossy;
	u64 lost, since, until;
	bool known;
	u32 process;
	s32 state;
	bool threaded;
	u32 thread, next_process, next_thread;
	s32 priority, next_priority;
};

/* The environment of the trace; texts may be empty. */
struct ctf_environment {
	u64 wall;		/* ns since 1970 at time 0 */
	bool has_wall;
	char host[256], release[256], machine[64];
};

struct ctf_trace {
	const char *folder;
	struct ctf_environment environment;
	u64 latest;			/* time */
	int spare[CTF_SPARE];		/* descriptors, so that what is written can be removed when there are none left */
	int error;
	char why[600];
	bt_graph *graph;
	bt_self_message_iterator *iterator;
	bool ended;
	bt_trace_class *trace_class;
	bt_trace *trace;
	bt_clock_class *clock_class;
	bt_stream_class *stream_class;
	bt_event_class *classes[CTF_LAYOUTS];
	const bt_message *queue[CTF_QUEUE];
	u32 first, count;
	struct table cpus;		/* of struct ctf_cpu */
	struct ctf_cpu *recent;
	u32 order;
	char room[3 * 65536];		/* for a text that is cleaned */
};

/* An event that is being filled: its fields are put in their order. */
struct ctf_event {
	struct ctf_cpu *cpu;
	bt_field *payload;
	unsigned int next;
};

/*
 * Functions return 0 or a negative errno, with a reason in @why; after a failure all fail.
 */
int ctf_trace_begin(struct ctf_trace *trace, const char *folder, const struct ctf_environment *environment);
int ctf_trace_end(struct ctf_trace *trace);
void ctf_trace_free(struct ctf_trace *trace);

/* Returns NULL after a failure. */
struct ctf_cpu *ctf_trace_cpu(struct ctf_trace *trace, u32 id);

/* Calls @take for each CPU until that fails. */
int ctf_trace_each(struct ctf_trace *trace, int (*take)(struct ctf_trace *trace, struct ctf_cpu *cpu));

/* Begins an event of a CPU. Times of a CPU do not go back. */
int ctf_event_begin(struct ctf_trace *trace, struct ctf_event *event, struct ctf_cpu *cpu, enum ctf_layout_id layout,
		    u64 time, u32 precision);
/* @count events of the CPU were lost between @time and @until. */
int ctf_trace_lost(struct ctf_trace *trace, struct ctf_cpu *cpu, u64 time, u64 until, u64 count);

static inline bt_field *ctf_event_field(struct ctf_event *event)
{
	return bt.field_structure_borrow_member_field_by_index(event->payload, event->next++);
}

static inline void ctf_put(struct ctf_event *event, u64 value)
{
	bt.field_integer_unsigned_set_value(ctf_event_field(event), value);
}

static inline void ctf_put_signed(struct ctf_event *event, s64 value)
{
	bt.field_integer_signed_set_value(ctf_event_field(event), value);
}

/* Returns 0 or -ENOMEM, also noted in the trace. */
int ctf_put_text(struct ctf_trace *trace, struct ctf_event *event, const char *text, size_t length);
int ctf_put_list(struct ctf_trace *trace, struct ctf_event *event, const u32 *numbers, size_t count);

/* ---- graph.c --------------------------------------------------------------------- */

/* Notes the first failure. Returns its negative errno. */
int ctf_trace_fail(struct ctf_trace *trace, int error, const char *what);
/* Runs the graph until no message waits. */
int ctf_trace_run(struct ctf_trace *trace);

/* ---- classes.c ------------------------------------------------------------------ */

/* Makes the classes and the trace, in the method that initializes the source. Returns false if there is no memory. */
bool ctf_classes_create(struct ctf_trace *trace, bt_self_component *self);
void ctf_classes_free(struct ctf_trace *trace);

#endif
