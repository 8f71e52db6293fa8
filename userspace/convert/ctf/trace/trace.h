/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Writes a trace with Babeltrace 2's sink.ctf.fs. The graph consists of a source, which is ours, and that sink. The
 * caller adds event after event, and the graph runs whenever enough messages wait.
 */
#ifndef CONVERT_CTF_TRACE_H
#define CONVERT_CTF_TRACE_H

#include "../library.h"
#include "../schema.h"
#include "state/table.h"

/* At most this many messages wait for the graph to run. */
#define CTF_QUEUE 256u
/* At most this many messages of a CPU are held until the end of a time in which events were lost. */
#define CTF_HELD_MAX 256u

#define CTF_SPARE 4u

/**
 * struct ctf_cpu - a CPU and its stream
 * @node: holds the CPU's ID
 * @stream: its stream
 * @packet: its open packet, or NULL
 * @size: about how many bytes are in the packet
 * @last: time of its last event
 * @held: while @lossy: messages of the packet, which wait here and not in the queue
 * @held_count: how many messages are held
 * @lossy: events were lost, and the end of that time has not come
 * @lost: how many events were lost
 * @since: time of the end of the packet before that
 * @until: the latest time of a lost event
 * @known: the log has said which process has the CPU
 * @gone: while the log does not say it: the CPU was idle when it went offline
 * @stated: a group has stated that the CPU runs @stated_process, which holds from the next entry that is not historical
 *   on
 * @stated_process: see @stated
 * @process: that process
 * @state: prev_state of the switch that ends the turn of @process
 * @threaded: the log has said which thread of @process has the CPU
 * @thread: that thread
 * @priority: priority of @thread, by LTTng's numbers
 * @next_process: the process of @next_thread
 * @next_thread: the thread that runs when the CPU is assigned to @next_process; 0: the log has not said
 * @next_priority: priority of @next_thread
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
	bool known, gone, stated;
	u32 stated_process, process;
	s32 state;
	bool threaded;
	u32 thread, next_process, next_thread;
	s32 priority, next_priority;
};

/* The environment of the trace. Its texts may be empty. */
struct ctf_environment {
	u64 wall;		/* the wall clock at time 0, in ns since 1970 */
	bool has_wall;
	char host[256], release[256], machine[64];
};

struct ctf_trace {
	const char *folder;
	struct ctf_environment environment;
	u64 latest;			/* the latest time that a trace can have */
	/* spare descriptors: once they are closed, the output can be removed even if the limit is reached */
	int spare[CTF_SPARE];
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
	struct table cpus;		/* a table of struct ctf_cpu */
	struct ctf_cpu *recent;
	u32 order;
	char room[3 * 65536];		/* space for cleaning a text */
};

/* An event that is being filled. Its fields are put in the order of its layout. */
struct ctf_event {
	struct ctf_cpu *cpu;
	bt_field *payload;
	unsigned int next;
};

/*
 * These functions return 0 or, after setting @why, a negative errno. After a failure all of them fail.
 */
int ctf_trace_begin(struct ctf_trace *trace, const char *folder, const struct ctf_environment *environment);
int ctf_trace_end(struct ctf_trace *trace);
void ctf_trace_free(struct ctf_trace *trace);

/* Returns a CPU, which is added if it is new, or NULL after a failure. */
struct ctf_cpu *ctf_trace_cpu(struct ctf_trace *trace, u32 id);

/* Calls @take for each CPU until it fails. */
int ctf_trace_each(struct ctf_trace *trace, int (*take)(struct ctf_trace *trace, struct ctf_cpu *cpu));

/* Begins an event of a CPU. @time may not be before that of the CPU's last event. */
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

/* Puts a text or list as the next field. Returns 0, or -ENOMEM, which is also noted in the trace. */
int ctf_put_text(struct ctf_trace *trace, struct ctf_event *event, const char *text, size_t length);
int ctf_put_list(struct ctf_trace *trace, struct ctf_event *event, const u32 *numbers, size_t count);

/* ---- graph.c --------------------------------------------------------------------- */

/* Notes the first failure, and the library's error as its reason. Returns the negative errno of the first failure. */
int ctf_trace_fail(struct ctf_trace *trace, int error, const char *what);
/* Runs the graph until no message waits. */
int ctf_trace_run(struct ctf_trace *trace);

/* ---- classes.c ------------------------------------------------------------------ */

/*
 * Makes the classes and the trace. Only the method that initialises the source may call it. Returns false if there is
 * no memory.
 */
bool ctf_classes_create(struct ctf_trace *trace, bt_self_component *self);
void ctf_classes_free(struct ctf_trace *trace);

#endif
