// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Makes the metadata of a trace: clock, stream, events and their fields, environment. */
#include "trace.h"

#define SECOND 1000000000ull

/* Appends a member to a structure, and drops the reference to @class. */
static bool append_member(bt_field_class *structure, const char *name, bt_field_class *class)
{
	bool done = class && !bt.field_class_structure_append_member(structure, name, class);

	if (class)
		bt.field_class_put_ref(class);
	return done;
}

static bt_field_class *integer_class(bt_trace_class *trace, unsigned int bits, bool is_signed)
{
	bt_field_class *class = is_signed ? bt.field_class_integer_signed_create(trace) :
		bt.field_class_integer_unsigned_create(trace);

	if (class)
		bt.field_class_integer_set_field_value_range(class, bits);
	return class;
}

static bt_field_class *list_class(bt_trace_class *trace)
{
	bt_field_class *number = integer_class(trace, 32, false), *class = NULL;

	if (number) {
		class = bt.field_class_array_dynamic_create(trace, number, NULL);
		bt.field_class_put_ref(number);
	}
	return class;
}

static bt_field_class *field_class(bt_trace_class *trace, enum ctf_kind kind)
{
	static const u8 bits[CTF_KINDS] = {
		[CTF_U8] = 8, [CTF_U16] = 16, [CTF_U32] = 32, [CTF_U64] = 64, [CTF_S32] = 32, [CTF_S64] = 64,
	};

	if (kind == CTF_TEXT)
		return bt.field_class_string_create(trace);
	if (kind == CTF_LIST)
		return list_class(trace);
	return integer_class(trace, bits[kind], kind == CTF_S32 || kind == CTF_S64);
}

static bool create_event(struct ctf_trace *trace, enum ctf_layout_id id)
{
	const struct ctf_layout *layout = &ctf_layouts[id];
	bt_field_class *payload = bt.field_class_structure_create(trace->trace_class);
	const struct ctf_field *field;
	bool done;

	trace->classes[id] = bt.event_class_create(trace->stream_class);
	done = payload && trace->classes[id] && !bt.event_class_set_name(trace->classes[id], layout->name);
	for (field = layout->fields; done && field->kind; field++)
		done = append_member(payload, field->name, field_class(trace->trace_class, field->kind));
	done = done && !bt.event_class_set_payload_field_class(trace->classes[id], payload);
	if (payload)
		bt.field_class_put_ref(payload);
	return done;
}

static bool create_clock(struct ctf_trace *trace, bt_self_component *self)
{
	const struct ctf_environment *environment = &trace->environment;

	trace->clock_class = bt.clock_class_create(self);
	if (!trace->clock_class || bt.clock_class_set_name(trace->clock_class, "boottime") ||
	    bt.clock_class_set_description(trace->clock_class, "nanoseconds since boot"))
		return false;
	bt.clock_class_set_frequency(trace->clock_class, SECOND);
	bt.clock_class_set_origin_is_unix_epoch(trace->clock_class, environment->has_wall);
	if (environment->has_wall)
		bt.clock_class_set_offset(trace->clock_class, (s64)(environment->wall / SECOND),
					  environment->wall % SECOND);
	return true;
}

static bool create_stream(struct ctf_trace *trace)
{
	bt_field_class *packet = bt.field_class_structure_create(trace->trace_class);
	bt_field_class *event = bt.field_class_structure_create(trace->trace_class);
	bool done;

	trace->stream_class = bt.stream_class_create(trace->trace_class);
	done = packet && event && trace->stream_class &&
	       append_member(packet, "cpu_id", integer_class(trace->trace_class, 32, false)) &&
	       append_member(event, CTF_ORDER, integer_class(trace->trace_class, 32, false)) &&
	       append_member(event, CTF_PRECISION, integer_class(trace->trace_class, 32, false)) &&
	       !bt.stream_class_set_default_clock_class(trace->stream_class, trace->clock_class);
	if (done) {
		bt.stream_class_set_assigns_automatic_stream_id(trace->stream_class, BT_FALSE);
		bt.stream_class_set_supports_packets(trace->stream_class, BT_TRUE, BT_TRUE, BT_TRUE);
		bt.stream_class_set_supports_discarded_events(trace->stream_class, BT_TRUE, BT_TRUE);
		done = !bt.stream_class_set_packet_context_field_class(trace->stream_class, packet) &&
		       !bt.stream_class_set_event_common_context_field_class(trace->stream_class, event);
	}
	if (packet)
		bt.field_class_put_ref(packet);
	if (event)
		bt.field_class_put_ref(event);
	return done;
}

static bool set_text(struct ctf_trace *trace, const char *name, const char *text)
{
	return !*text || !bt.trace_set_environment_entry_string(trace->trace, name, text);
}

/* The environment is like that of LTTng's kernel tracer, by which viewers recognise the events. */
static bool create_trace(struct ctf_trace *trace)
{
	trace->trace = bt.trace_create(trace->trace_class);
	if (!trace->trace)
		return false;
	return set_text(trace, "hostname", trace->environment.host) && set_text(trace, "domain", "kernel") &&
	       set_text(trace, "sysname", "Linux") && set_text(trace, "kernel_release", trace->environment.release) &&
	       set_text(trace, "kernel_machine", trace->environment.machine) &&
	       set_text(trace, "tracer_name", "lttng-modules") &&
	       !bt.trace_set_environment_entry_integer(trace->trace, "tracer_major", 2) &&
	       !bt.trace_set_environment_entry_integer(trace->trace, "tracer_minor", 13) &&
	       !bt.trace_set_environment_entry_integer(trace->trace, "tracer_patchlevel", 0) &&
	       set_text(trace, "trace_buffering_scheme", "global") &&
	       !bt.trace_set_environment_entry_integer(trace->trace, CTF_ENVIRONMENT, CTF_ENVIRONMENT_VERSION);
}

bool ctf_classes_create(struct ctf_trace *trace, bt_self_component *self)
{
	enum ctf_layout_id id;

	trace->trace_class = bt.trace_class_create(self);
	if (!trace->trace_class || !create_clock(trace, self) || !create_stream(trace))
		return false;
	for (id = 0; id < CTF_LAYOUTS; id++)
		if (!create_event(trace, id))
			return false;
	return create_trace(trace);
}

void ctf_classes_free(struct ctf_trace *trace)
{
	enum ctf_layout_id id;

	for (id = 0; id < CTF_LAYOUTS; id++)
		if (trace->classes[id])
			bt.event_class_put_ref(trace->classes[id]);
	if (trace->stream_class)
		bt.stream_class_put_ref(trace->stream_class);
	if (trace->clock_class)
		bt.clock_class_put_ref(trace->clock_class);
	if (trace->trace)
		bt.trace_put_ref(trace->trace);
	if (trace->trace_class)
		bt.trace_class_put_ref(trace->trace_class);
}
