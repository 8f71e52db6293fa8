// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The graph that reads a trace, and the heap of its streams: see read.h. */
#include <stdlib.h>

#include "../../convert.h"
#include "read.h"
#include "../schema.h"

#define SECOND 1000000000ull

/*
 * Takes the error that the library has noted. Returns its first message, "" if there is none, which stays valid until
 * the next call.
 */
static const char *library_error(void)
{
	static char text[512];
	const bt_error *error = bt_current_thread_take_error();

	text[0] = 0;
	if (!error)
		return text;
	/* The first cause is the origin of the error. */
	if (bt_error_get_cause_count(error))
		snprintf(text, sizeof(text), "%s", bt_error_cause_get_message(bt_error_borrow_cause_by_index(error, 0)));
	bt_error_release(error);
	return text;
}

static int fail_merge(struct ctf_merge *merge, int error)
{
	const char *said = library_error();

	if (!merge->error)
		merge->error = error;
	if (!*merge->why)
		snprintf(merge->why, sizeof(merge->why), "%s", *said ? said : strerror(-error));
	return merge->error;
}

/* ---- times ------------------------------------------------------------------------ */

/* Times are those of the clock that is seen first, and begin when that clock began to count. */
static int learn_clock(struct ctf_merge *merge, const bt_clock_class *clock)
{
	s64 seconds;
	u64 cycles, frequency = bt_clock_class_get_frequency(clock);

	bt_clock_class_get_offset(clock, &seconds, &cycles);
	merge->clock = clock;
	if (seconds > INT64_MAX / (s64)SECOND - 1 || seconds < INT64_MIN / (s64)SECOND + 1)
		seconds = 0;
	merge->base = seconds * (s64)SECOND +
		      (s64)((unsigned __int128)cycles * SECOND / (frequency ? frequency : SECOND) % SECOND);
	return 0;
}

static u64 time_of(struct ctf_merge *merge, const bt_clock_snapshot *snapshot)
{
	const bt_clock_class *clock = bt_clock_snapshot_borrow_clock_class_const(snapshot);
	u64 value = bt_clock_snapshot_get_value(snapshot);
	u64 frequency = bt_clock_class_get_frequency(clock);
	s64 ns;

	if (!merge->clock)
		learn_clock(merge, clock);
	if (clock == merge->clock)
		return frequency == SECOND ?
			       value :
			       (u64)((unsigned __int128)value * SECOND / (frequency ? frequency : SECOND));
	if (bt_clock_class_cycles_to_ns_from_origin(clock, value, &ns)) {
		library_error();
		return 0;
	}
	return ns < merge->base ? 0 : (u64)ns - (u64)merge->base;
}

/* ---- messages ---------------------------------------------------------------------- */

/* Returns the number of an event of a trace that was made from a log, else 0. */
static u32 order_of(const bt_event *event)
{
	const bt_field *context = bt_event_borrow_common_context_field_const(event), *field;

	if (!context || !(bt_field_get_class_type(context) & BT_FIELD_CLASS_TYPE_STRUCTURE))
		return 0;
	field = bt_field_structure_borrow_member_field_by_name_const(context, CTF_ORDER);
	return field && bt_field_class_type_is(bt_field_get_class_type(field), BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER) ?
		(u32)bt_field_integer_unsigned_get_value(field) : 0;
}

static u32 cpu_of(const bt_packet *packet)
{
	const bt_field *context = bt_packet_borrow_context_field_const(packet), *field = NULL;
	u64 cpu = 0;

	if (context)
		field = bt_field_structure_borrow_member_field_by_name_const(context, "cpu_id");
	if (field && bt_field_class_type_is(bt_field_get_class_type(field), BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER))
		cpu = bt_field_integer_unsigned_get_value(field);
	/* No CPU has a number beyond 32 bits, and it must not become that of another one. */
	return cpu < UINT32_MAX ? (u32)cpu : UINT32_MAX;
}

/* Looks at the next message. Returns whether it is to be taken in the order of time, and sets its time. */
static bool look_at_message(struct ctf_merge *merge, struct ctf_stream *stream, const bt_message *message)
{
	const bt_stream_class *class;

	switch (bt_message_get_type(message)) {
	case BT_MESSAGE_TYPE_EVENT:
		class = bt_stream_borrow_class_const(
			bt_event_borrow_stream_const(bt_message_event_borrow_event_const(message)));
		/* An event without a clock has the time of the event before it. */
		if (bt_stream_class_borrow_default_clock_class_const(class))
			stream->time = time_of(merge, bt_message_event_borrow_default_clock_snapshot_const(message));
		stream->order = order_of(bt_message_event_borrow_event_const(message));
		return true;
	case BT_MESSAGE_TYPE_PACKET_BEGINNING:
		stream->cpu = cpu_of(bt_message_packet_beginning_borrow_packet_const(message));
		return false;
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		return true;
	default:
		return false;
	}
}

static int begin_trace(struct ctf_merge *merge, const bt_message *message)
{
	const bt_stream *stream = bt_message_stream_beginning_borrow_stream_const(message);
	const bt_clock_class *clock =
		bt_stream_class_borrow_default_clock_class_const(bt_stream_borrow_class_const(stream));

	if (clock && !merge->clock)
		learn_clock(merge, clock);
	if (merge->begun)
		return 0;
	merge->begun = true;
	return merge->taker->begin(merge->taker->context, bt_stream_borrow_trace_const(stream), clock);
}

/*
 * Moves on to the next message that is to be taken. Returns 0, with @stream->ended set at the end, or a negative errno.
 */
static int advance_stream(struct ctf_merge *merge, struct ctf_stream *stream)
{
	bt_message_iterator_next_status status;
	const bt_message *message;
	int r = 0;

	for (;;) {
		for (; !r && stream->at < stream->count; stream->at++) {
			message = stream->messages[stream->at];
			if (bt_message_get_type(message) == BT_MESSAGE_TYPE_STREAM_BEGINNING)
				r = begin_trace(merge, message);
			else if (look_at_message(merge, stream, message))
				return 0;
			bt_message_put_ref(message);
		}
		if (r)
			return r;
		stream->at = stream->count = 0;
		status = bt_message_iterator_next(stream->iterator, &stream->messages, &stream->count);
		if (status == BT_MESSAGE_ITERATOR_NEXT_STATUS_OK)
			continue;
		stream->count = 0;
		if (status == BT_MESSAGE_ITERATOR_NEXT_STATUS_AGAIN)
			continue;
		stream->ended = true;
		if (status == BT_MESSAGE_ITERATOR_NEXT_STATUS_END)
			return 0;
		if (status == BT_MESSAGE_ITERATOR_NEXT_STATUS_MEMORY_ERROR)
			return fail_merge(merge, -ENOMEM);
		merge->damaged++;
		if (!*merge->why)
			snprintf(merge->why, sizeof(merge->why), "%s", library_error());
		else
			library_error();
		return 0;
	}
}

static int take_lost(struct ctf_merge *merge, struct ctf_stream *stream, const bt_message *message)
{
	bool packets = bt_message_get_type(message) == BT_MESSAGE_TYPE_DISCARDED_PACKETS;
	const bt_stream *of = packets ? bt_message_discarded_packets_borrow_stream_const(message) :
		bt_message_discarded_events_borrow_stream_const(message);
	const bt_stream_class *class = bt_stream_borrow_class_const(of);
	struct ctf_moment when = { stream->time, stream->cpu };
	u64 until = stream->time, count;
	bool timed = packets ? bt_stream_class_discarded_packets_have_default_clock_snapshots(class) :
		bt_stream_class_discarded_events_have_default_clock_snapshots(class);

	if (timed && packets) {
		when.time = time_of(
			merge, bt_message_discarded_packets_borrow_beginning_default_clock_snapshot_const(message));
		until = time_of(merge, bt_message_discarded_packets_borrow_end_default_clock_snapshot_const(message));
	} else if (timed) {
		when.time = time_of(merge,
				    bt_message_discarded_events_borrow_beginning_default_clock_snapshot_const(message));
		until = time_of(merge, bt_message_discarded_events_borrow_end_default_clock_snapshot_const(message));
	}
	if ((packets ? bt_message_discarded_packets_get_count(message, &count) :
	     bt_message_discarded_events_get_count(message, &count)) != BT_PROPERTY_AVAILABILITY_AVAILABLE)
		count = 1;
	if (timed)
		return merge->taker->lost(merge->taker->context, when, until, count, packets);
	/* A loss without a time lies between the events of its stream around it. */
	*(packets ? &stream->lost_packets : &stream->lost) += count;
	return 0;
}

/* Tells of the losses since the last event of a stream, which lie before @until. */
static int tell_lost(struct ctf_merge *merge, struct ctf_stream *stream, u64 until)
{
	struct ctf_moment since = { stream->before, stream->cpu };
	u64 events = stream->lost, packets = stream->lost_packets;
	int r = 0;

	stream->lost = stream->lost_packets = 0;
	if (events)
		r = merge->taker->lost(merge->taker->context, since, until, events, false);
	if (!r && packets)
		r = merge->taker->lost(merge->taker->context, since, until, packets, true);
	return r;
}

static int take_stream(struct ctf_merge *merge, struct ctf_stream *stream)
{
	const bt_message *message = stream->messages[stream->at++];
	struct ctf_moment when = { stream->time, stream->cpu };
	int r;

	if (bt_message_get_type(message) == BT_MESSAGE_TYPE_EVENT) {
		r = tell_lost(merge, stream, stream->time);
		stream->before = stream->time;
		r = r ? r : merge->taker->event(merge->taker->context, when, bt_message_event_borrow_event_const(message));
	} else {
		r = take_lost(merge, stream, message);
	}
	bt_message_put_ref(message);
	return r;
}

/* ---- the heap ------------------------------------------------------------------------ */

static bool is_before(const struct ctf_stream *a, const struct ctf_stream *b)
{
	if (a->time != b->time)
		return a->time < b->time;
	return a->order != b->order ? (s32)(a->order - b->order) < 0 : a < b;
}

static void sift_down(struct ctf_merge *merge, u32 at)
{
	struct ctf_stream **heap = merge->heap, *moved = heap[at];
	u32 child;

	while ((child = 2 * at + 1) < merge->heap_count) {
		if (child + 1 < merge->heap_count && is_before(heap[child + 1], heap[child]))
			child++;
		if (!is_before(heap[child], moved))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = moved;
}

static int fill_heap(struct ctf_merge *merge)
{
	u32 i;
	int r;

	for (i = 0; i < merge->streams_count; i++) {
		r = advance_stream(merge, &merge->streams[i]);
		if (r)
			return r;
		if (!merge->streams[i].ended)
			merge->heap[merge->heap_count++] = &merge->streams[i];
	}
	for (i = merge->heap_count / 2; i--;)
		sift_down(merge, i);
	return 0;
}

/* Takes all messages in the order of time. */
static int take_all(struct ctf_merge *merge)
{
	int r = fill_heap(merge);

	while (!r && merge->heap_count) {
		if (convert_interrupted())
			return -EINTR;
		r = take_stream(merge, merge->heap[0]);
		r = r ? r : advance_stream(merge, merge->heap[0]);
		if (!r && merge->heap[0]->ended)
			r = tell_lost(merge, merge->heap[0], merge->heap[0]->time);
		if (!r && merge->heap[0]->ended)
			merge->heap[0] = merge->heap[--merge->heap_count];
		if (!r && merge->heap_count)
			sift_down(merge, 0);
	}
	return r;
}

/* ---- the sink ------------------------------------------------------------------------- */

static bt_component_class_initialize_method_status initialize_sink(bt_self_component_sink *self,
							       bt_self_component_sink_configuration *configuration,
							       const bt_value *parameters, void *data)
{
	struct ctf_merge *merge = data;
	char name[32];
	u32 i;

	(void)configuration;
	(void)parameters;
	bt_self_component_set_data(bt_self_component_sink_as_self_component(self), merge);
	for (i = 0; i < merge->streams_count; i++) {
		snprintf(name, sizeof(name), "in%u", i);
		if (bt_self_component_sink_add_input_port(self, name, NULL, NULL))
			return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_MEMORY_ERROR;
	}
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

static bt_component_class_sink_graph_is_configured_method_status sink_configured(bt_self_component_sink *self)
{
	struct ctf_merge *merge = bt_self_component_get_data(bt_self_component_sink_as_self_component(self));
	u32 i;

	for (i = 0; i < merge->streams_count; i++)
		if (bt_message_iterator_create_from_sink_component(
			    self, bt_self_component_sink_borrow_input_port_by_index(self, i),
			    &merge->streams[i].iterator))
			return BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_ERROR;
	return BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_OK;
}

static bt_component_class_sink_consume_method_status consume_messages(bt_self_component_sink *self)
{
	struct ctf_merge *merge = bt_self_component_get_data(bt_self_component_sink_as_self_component(self));
	int r = take_all(merge);

	if (r && !merge->error)
		merge->error = r;
	return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_END;
}

static bool add_source(struct ctf_merge *merge, const char *folder, const bt_component_source **component)
{
	const bt_component_class_source *class;
	const bt_plugin *plugin = NULL;
	bt_value *parameters = bt_value_map_create(), *inputs = bt_value_array_create();
	bool done = false;

	/* The plugin is that of the system. BABELTRACE_PLUGIN_PATH would load others into whatever calls this tool. */
	if (!parameters || !inputs || bt_plugin_find("ctf", BT_FALSE, BT_FALSE, BT_TRUE, BT_TRUE, BT_FALSE, &plugin))
		goto out;
	class = bt_plugin_borrow_source_component_class_by_name_const(plugin, "fs");
	done = class && !bt_value_array_append_string_element(inputs, folder) &&
	       !bt_value_map_insert_entry(parameters, "inputs", inputs) &&
	       !bt_graph_add_source_component_with_initialize_method_data(merge->graph, class, "trace", parameters,
									  NULL, BT_LOGGING_LEVEL_ERROR, component);
out:
	if (plugin)
		bt_plugin_put_ref(plugin);
	if (inputs)
		bt_value_put_ref(inputs);
	if (parameters)
		bt_value_put_ref(parameters);
	return done;
}

static bool add_sink(struct ctf_merge *merge, const bt_component_sink **component)
{
	bt_component_class_sink *class = bt_component_class_sink_create("log", consume_messages);
	bool done = class && !bt_component_class_sink_set_initialize_method(class, initialize_sink) &&
		    !bt_component_class_sink_set_graph_is_configured_method(class, sink_configured) &&
		    !bt_graph_add_sink_component_with_initialize_method_data(merge->graph, class, "log", NULL, merge,
									     BT_LOGGING_LEVEL_NONE, component);

	if (class)
		bt_component_class_sink_put_ref(class);
	return done;
}

static int connect_ports(struct ctf_merge *merge, const bt_component_source *source, const bt_component_sink *sink)
{
	u32 i;

	for (i = 0; i < merge->streams_count; i++)
		if (bt_graph_connect_ports(merge->graph,
					   bt_component_source_borrow_output_port_by_index_const(source, i),
					   bt_component_sink_borrow_input_port_by_index_const(sink, i), NULL))
			return fail_merge(merge, -EBADMSG);
	return 0;
}

int ctf_merge_run(struct ctf_merge *merge, const char *folder, const struct ctf_taker *taker)
{
	const bt_component_source *source = NULL;
	const bt_component_sink *sink = NULL;

	merge->taker = taker;
	merge->graph = bt_graph_create(0);
	if (!merge->graph || !add_source(merge, folder, &source))
		return fail_merge(merge, -EBADMSG);
	merge->streams_count = (u32)bt_component_source_get_output_port_count(source);
	if (!merge->streams_count)
		return 0;
	merge->streams = calloc(merge->streams_count, sizeof(*merge->streams));
	merge->heap = calloc(merge->streams_count, sizeof(*merge->heap));
	if (!merge->streams || !merge->heap)
		return fail_merge(merge, -ENOMEM);
	if (!add_sink(merge, &sink))
		return fail_merge(merge, -ENOMEM);
	if (connect_ports(merge, source, sink))
		return merge->error;
	if (bt_graph_run_once(merge->graph) < 0)
		return fail_merge(merge, -EBADMSG);
	return merge->error;
}

void ctf_merge_free(struct ctf_merge *merge)
{
	struct ctf_stream *stream;
	u32 i;

	for (i = 0; i < merge->streams_count && merge->streams; i++) {
		stream = &merge->streams[i];
		while (stream->at < stream->count)
			bt_message_put_ref(stream->messages[stream->at++]);
		if (stream->iterator)
			bt_message_iterator_put_ref(stream->iterator);
	}
	if (merge->graph)
		bt_graph_put_ref(merge->graph);
	free(merge->streams);
	free(merge->heap);
}
