// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Makes the messages of events, packets and streams: see trace.h. */
#include <stdlib.h>
#include <unistd.h>

#include "core/format/entry.h"
#include "trace.h"

/* A packet ends when it has about this many bytes, which is the usual size of LTTng's sub-buffers. */
#define PACKET_SIZE (256u << 10)
/* About how many bytes an event has without its texts and lists. */
#define EVENT_SIZE 64u

/* A time more than 292 years after boot or 1970 is too large for readers of CTF. */
static int fail_late(struct ctf_trace *trace)
{
	trace->error = -ERANGE;
	snprintf(trace->why, sizeof(trace->why),
		 "it has times 292 years after boot or 1970, which readers of CTF refuse");
	return trace->error;
}

/* ---- messages ----------------------------------------------------------------------- */

/* Queues a message, and takes over the reference to it. */
static int put_message(struct ctf_trace *trace, const bt_message *message)
{
	int r = 0;

	if (!message)
		return ctf_trace_fail(trace, -ENOMEM, "no memory");
	if (trace->first + trace->count == CTF_QUEUE)
		r = ctf_trace_run(trace);
	if (r)
		bt.message_put_ref(message);
	else
		trace->queue[trace->first + trace->count++] = message;
	return r;
}

static int open_packet(struct ctf_trace *trace, struct ctf_cpu *cpu)
{
	cpu->packet = bt.packet_create(cpu->stream);
	cpu->size = 0;
	if (!cpu->packet)
		return ctf_trace_fail(trace, -ENOMEM, "no memory");
	bt.field_integer_unsigned_set_value(bt.field_structure_borrow_member_field_by_index(
		bt.packet_borrow_context_field(cpu->packet), 0), cpu->node.id);
	return 0;
}

static int put_beginning(struct ctf_trace *trace, struct ctf_cpu *cpu, u64 time)
{
	return put_message(trace, bt.message_packet_beginning_create_with_default_clock_snapshot(trace->iterator,
												 cpu->packet, time));
}

static int close_packet(struct ctf_trace *trace, struct ctf_cpu *cpu, u64 time)
{
	int r = put_message(
		trace, bt.message_packet_end_create_with_default_clock_snapshot(trace->iterator, cpu->packet, time));

	bt.packet_put_ref(cpu->packet);
	cpu->packet = NULL;
	return r;
}

/* The time in which events were lost is over. A message with their count is queued, and then the held packet. */
static int release_packet(struct ctf_trace *trace, struct ctf_cpu *cpu, u64 end)
{
	bt_message *message = bt.message_discarded_events_create_with_default_clock_snapshots(
		trace->iterator, cpu->stream, cpu->since, end);
	u32 i;
	int r;

	if (message)
		bt.message_discarded_events_set_count(message, cpu->lost);
	r = put_message(trace, message);
	r = r ? r : put_beginning(trace, cpu, cpu->since);
	for (i = 0; i < cpu->held_count; i++) {
		if (r)
			bt.message_put_ref(cpu->held[i]);
		else
			r = put_message(trace, cpu->held[i]);
	}
	cpu->held_count = 0;
	cpu->lossy = false;
	cpu->lost = 0;
	return r ? r : close_packet(trace, cpu, end);
}

int ctf_trace_lost(struct ctf_trace *trace, struct ctf_cpu *cpu, u64 time, u64 until, u64 count)
{
	int r = 0;

	if (trace->error)
		return trace->error;
	if (cpu->last < time)
		cpu->last = time;
	if (!cpu->lossy) {
		if (cpu->packet)
			r = close_packet(trace, cpu, cpu->last);
		r = r ? r : open_packet(trace, cpu);
		if (!r && !cpu->held)
			cpu->held = malloc(CTF_HELD_MAX * sizeof(*cpu->held));
		if (r || !cpu->held)
			return r ? r : ctf_trace_fail(trace, -ENOMEM, "no memory");
		cpu->lossy = true;
		cpu->since = cpu->last;
		cpu->until = cpu->last;
	}
	cpu->lost += count;
	if (until > trace->latest)
		until = trace->latest;
	if (cpu->until < until)
		cpu->until = until;
	return 0;
}

/* Queues the next message of a CPU's packet, or holds it while events were lost. */
static int hold_or_put(struct ctf_trace *trace, struct ctf_cpu *cpu, const bt_message *message)
{
	if (likely(!cpu->lossy))
		return put_message(trace, message);
	if (!message)
		return ctf_trace_fail(trace, -ENOMEM, "no memory");
	cpu->held[cpu->held_count++] = message;
	return 0;
}

/* Makes sure that a packet is open. */
static int prepare_packet(struct ctf_trace *trace, struct ctf_cpu *cpu, u64 time)
{
	int r = 0;

	if (cpu->lossy && time >= cpu->until)
		r = release_packet(trace, cpu, cpu->until > cpu->last ? cpu->until : cpu->last);
	else if (cpu->lossy && cpu->held_count == CTF_HELD_MAX)
		r = release_packet(trace, cpu, cpu->last);
	else if (cpu->packet && !cpu->lossy && cpu->size > PACKET_SIZE)
		r = close_packet(trace, cpu, cpu->last);
	if (r || cpu->packet)
		return r;
	r = open_packet(trace, cpu);
	return r ? r : put_beginning(trace, cpu, time);
}

int ctf_event_begin(struct ctf_trace *trace, struct ctf_event *event, struct ctf_cpu *cpu, enum ctf_layout_id layout,
		    u64 time, u32 precision)
{
	bt_message *message;
	bt_event *made;
	bt_field *context;
	int r = trace->error;

	if (unlikely(time > trace->latest))
		return r ? r : fail_late(trace);
	if (unlikely(!cpu->packet || cpu->lossy || cpu->size > PACKET_SIZE))
		r = r ? r : prepare_packet(trace, cpu, time);
	if (unlikely(r))
		return r;
	cpu->last = time;
	cpu->size += EVENT_SIZE;
	message = bt.message_event_create_with_packet_and_default_clock_snapshot(
		trace->iterator, trace->classes[layout], cpu->packet, time);
	r = hold_or_put(trace, cpu, message);
	if (unlikely(r))
		return r;
	made = bt.message_event_borrow_event(message);
	context = bt.event_borrow_common_context_field(made);
	bt.field_integer_unsigned_set_value(bt.field_structure_borrow_member_field_by_index(context, 0), trace->order);
	bt.field_integer_unsigned_set_value(bt.field_structure_borrow_member_field_by_index(context, 1), precision);
	event->cpu = cpu;
	event->payload = bt.event_borrow_payload_field(made);
	event->next = 0;
	return 0;
}

int ctf_put_text(struct ctf_trace *trace, struct ctf_event *event, const char *text, size_t length)
{
	bt_field *field = ctf_event_field(event);
	int r;

	bt.field_string_clear(field);
	if (!bcos_utf8_valid(text, length)) {
		length = bcos_utf8_clean(trace->room, sizeof(trace->room), text, length);
		text = trace->room;
	}
	event->cpu->size += length;
	r = bt.field_string_append_with_length(field, text, length);
	return unlikely(r) ? ctf_trace_fail(trace, -ENOMEM, "no memory") : 0;
}

int ctf_put_list(struct ctf_trace *trace, struct ctf_event *event, const u32 *numbers, size_t count)
{
	bt_field *field = ctf_event_field(event);
	size_t i;

	if (bt.field_array_dynamic_set_length(field, count))
		return ctf_trace_fail(trace, -ENOMEM, "no memory");
	for (i = 0; i < count; i++)
		bt.field_integer_unsigned_set_value(bt.field_array_borrow_element_field_by_index(field, i), numbers[i]);
	event->cpu->size += 4 * count;
	return 0;
}

/* ---- CPUs --------------------------------------------------------------------------- */

static int begin_stream(struct ctf_trace *trace, struct ctf_cpu *cpu)
{
	char name[32];

	cpu->stream = bt.stream_create_with_id(trace->stream_class, trace->trace, cpu->node.id);
	snprintf(name, sizeof(name), "channel0_%u", cpu->node.id);
	if (!cpu->stream || bt.stream_set_name(cpu->stream, name))
		return ctf_trace_fail(trace, -ENOMEM, "no memory");
	return put_message(trace, bt.message_stream_beginning_create(trace->iterator, cpu->stream));
}

struct ctf_cpu *ctf_trace_cpu(struct ctf_trace *trace, u32 id)
{
	struct ctf_cpu *cpu = trace->recent;

	if (likely(cpu && cpu->node.id == id))
		return cpu;
	cpu = table_find(&trace->cpus, id);
	if (!cpu) {
		cpu = trace->error ? NULL : calloc(1, sizeof(*cpu));
		if (cpu) {
			cpu->node.id = id;
			if (table_add(&trace->cpus, &cpu->node)) {
				free(cpu);
				cpu = NULL;
			}
		}
		if (!cpu) {
			ctf_trace_fail(trace, -ENOMEM, "no memory");
			return NULL;
		}
		if (begin_stream(trace, cpu))
			return NULL;
	}
	trace->recent = cpu;
	return cpu;
}

int ctf_trace_each(struct ctf_trace *trace, int (*take)(struct ctf_trace *trace, struct ctf_cpu *cpu))
{
	struct node *node;
	size_t i;
	int r = 0;

	for (i = 0; trace->cpus.buckets && i < (size_t)1 << trace->cpus.bits; i++)
		for (node = trace->cpus.buckets[i]; !r && node; node = node->next)
			r = take(trace, (struct ctf_cpu *)node);
	return r;
}

static int end_stream(struct ctf_trace *trace, struct ctf_cpu *cpu)
{
	int r = 0;

	if (cpu->lossy)
		r = release_packet(trace, cpu, cpu->until > cpu->last ? cpu->until : cpu->last);
	if (!r && cpu->packet)
		r = close_packet(trace, cpu, cpu->last);
	return r ? r : put_message(trace, bt.message_stream_end_create(trace->iterator, cpu->stream));
}

int ctf_trace_end(struct ctf_trace *trace)
{
	int r = ctf_trace_each(trace, end_stream);

	trace->ended = true;
	r = r ? r : ctf_trace_run(trace);
	/* The library writes the metadata when the trace is freed. */
	ctf_trace_free(trace);
	return r ? r : trace->error;
}

static void free_cpu(struct node *node)
{
	struct ctf_cpu *cpu = (struct ctf_cpu *)node;

	/* The CPU's packets have ended, so it holds no messages. */
	if (cpu->stream)
		bt.stream_put_ref(cpu->stream);
	free(cpu->held);
	free(cpu);
}

void ctf_trace_free(struct ctf_trace *trace)
{
	unsigned int i;

	/* The sink crashes when a trace is freed that is not complete. Its memory then stays until the process ends. */
	if (trace->error || !trace->ended)
		return;
	if (trace->cpus.buckets)
		table_destroy(&trace->cpus, free_cpu);
	ctf_classes_free(trace);
	if (trace->graph)
		bt.graph_put_ref(trace->graph);
	for (i = 0; trace->folder && i < CTF_SPARE; i++)
		close(trace->spare[i]);
	/* A second call does nothing. */
	trace->ended = false;
}
