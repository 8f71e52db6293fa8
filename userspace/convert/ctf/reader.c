// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Which tracer a trace is of, and what becomes of its events. */
#include <stdlib.h>

#include "reader.h"

#define CLASSES_MIN 256u
/* A wall clock that was set, and not one that counts since boot. */
#define YEAR_2000 946684800ull
#define SECOND 1000000000ull

/* ---- the trace --------------------------------------------------------------------- */

static const char *environment(const bt_trace *trace, const char *name)
{
	const bt_value *value = bt.trace_borrow_environment_entry_value_by_name_const(trace, name);

	return value && bt.value_get_type(value) == BT_VALUE_TYPE_STRING ? bt.value_string_get(value) : "";
}

static bool is_ours(const bt_trace *trace)
{
	const bt_value *value = bt.trace_borrow_environment_entry_value_by_name_const(trace, CTF_ENVIRONMENT);

	return value && bt_value_type_is(bt.value_get_type(value), BT_VALUE_TYPE_SIGNED_INTEGER) &&
	       bt.value_integer_signed_get(value) == CTF_ENVIRONMENT_VERSION;
}

/* What a log states about itself; one that became a trace has these statements as events. */
static int state(struct ctf_reader *reader, const bt_trace *trace)
{
	const char *host = environment(trace, "hostname"), *release = environment(trace, "kernel_release");
	char statement[256];
	int r = 0;

	if (*host) {
		snprintf(statement, sizeof(statement), "host %.200s", host);
		r = log_statement(reader->log, BCOS_EVENT_HOST, statement);
	}
	if (!r && *release) {
		snprintf(statement, sizeof(statement), "kernel %.200s unknown", release);
		r = log_statement(reader->log, BCOS_EVENT_KERNEL, statement);
	}
	return r;
}

/* Where the clock began to count, if that is a time of the wall clock. */
static void learn_clock(struct ctf_reader *reader, const bt_clock_class *clock)
{
	u64 cycles, frequency;
	s64 seconds;

	if (!clock || !bt.clock_class_origin_is_unix_epoch(clock))
		return;
	bt.clock_class_get_offset(clock, &seconds, &cycles);
	frequency = bt.clock_class_get_frequency(clock);
	if (seconds < (s64)YEAR_2000 || (u64)seconds > UINT64_MAX / SECOND / 2 || !frequency)
		return;
	reader->wall = (u64)seconds * SECOND + (u64)((unsigned __int128)cycles * SECOND / frequency);
}

int ctf_reader_begin(void *context, const bt_trace *trace, const bt_clock_class *clock)
{
	struct ctf_reader *reader = context;

	reader->ours = is_ours(trace);
	reader->kernel = !reader->ours && (!strcmp(environment(trace, "domain"), "kernel") ||
					   !strcmp(environment(trace, "tracer_name"), "lttng-modules"));
	if (reader->ours) {
		reader->state = bcoslog_state_new();
		return reader->state ? 0 : -ENOMEM;
	}
	if (reader->kernel) {
		reader->machine = machine_new(reader->log, false);
		if (!reader->machine)
			return -ENOMEM;
	}
	learn_clock(reader, clock);
	return state(reader, trace);
}

/* ---- event classes ------------------------------------------------------------------- */

static struct ctf_class *slot(struct ctf_class *classes, u32 size, const bt_event_class *class)
{
	u32 at = (u32)(((uintptr_t)class >> 4) * 0x9E3779B97F4A7C15ull >> 32) & (size - 1);

	while (classes[at].class && classes[at].class != class)
		at = (at + 1) & (size - 1);
	return &classes[at];
}

static int grow(struct ctf_reader *reader)
{
	u32 i, size = reader->classes_size ? 2 * reader->classes_size : CLASSES_MIN;
	struct ctf_class *classes = calloc(size, sizeof(*classes));

	if (!classes)
		return -ENOMEM;
	for (i = 0; i < reader->classes_size; i++)
		if (reader->classes[i].class)
			*slot(classes, size, reader->classes[i].class) = reader->classes[i];
	free(reader->classes);
	reader->classes = classes;
	reader->classes_size = size;
	return 0;
}

/* Does the stream record that packets were sent? */
static bool has_xmit(const bt_event *event)
{
	const bt_stream_class *stream = bt.stream_borrow_class_const(bt.event_borrow_stream_const(event));
	u64 i, count = bt.stream_class_get_event_class_count(stream);
	const char *name;

	for (i = 0; i < count; i++) {
		name = bt.event_class_get_name(bt.stream_class_borrow_event_class_by_index_const(stream, i));
		if (name && !strcmp(name, "net_dev_xmit"))
			return true;
	}
	return false;
}

/* Returns NULL if there is no memory. */
static const struct ctf_class *class_of(struct ctf_reader *reader, const bt_event *event)
{
	const bt_event_class *class = bt.event_borrow_class_const(event);
	struct ctf_class *found;
	const char *name;

	if (2 * reader->classes_count >= reader->classes_size && grow(reader))
		return NULL;
	found = slot(reader->classes, reader->classes_size, class);
	if (likely(found->class))
		return found;
	reader->classes_count++;
	found->class = class;
	name = bt.event_class_get_name(class);
	if (reader->ours) {
		ctf_ours_class(found, name ? name : "");
	} else if (reader->kernel) {
		ctf_kernel_class(found, name ? name : "");
		if (name && !strcmp(name, "net_dev_queue"))
			reader->xmit = has_xmit(event);
	} else {
		found->meaning = CTF_MEANS_TEXT;
	}
	return found;
}

/* ---- events ---------------------------------------------------------------------------- */

static int begin_log(struct ctf_reader *reader, u64 time)
{
	reader->started = true;
	reader->start = time;
	return reader->wall ? log_wall_clock(reader->log, (struct moment){ time, 0 }, reader->wall + time) : 0;
}

/* A number of the context of an event, as LTTng adds them when it is told to. */
static bool context_number(const bt_event *event, const char *name, u64 *number)
{
	const bt_field *context = bt.event_borrow_common_context_field_const(event), *field = NULL;

	if (context)
		field = bt.field_structure_borrow_member_field_by_name_const(context, name);
	return field && ctf_field_number(field, number);
}

static int take_text(struct ctf_reader *reader, struct ctf_moment when, const bt_event *event)
{
	size_t length = ctf_describe(event, reader->text, sizeof(reader->text));
	u64 process = BCOS_PROCESS_KERNEL;

	if (!context_number(event, "pid", &process))
		context_number(event, "vpid", &process);
	return log_event(reader->log, (struct moment){ when.time, 0 }, BCOS_GENERIC_PROCESS, (u32)process, 0, BCOS_SEVERITY_INFO,
			 reader->text, length);
}

int ctf_reader_event(void *context, struct ctf_moment when, const bt_event *event)
{
	struct ctf_reader *reader = context;
	const struct ctf_class *class = class_of(reader, event);
	int r = 0;

	if (!class)
		return -ENOMEM;
	if (unlikely(!reader->started))
		r = begin_log(reader, when.time);
	if (r)
		return r;
	switch (class->meaning) {
	case CTF_MEANS_ENTRY:
		r = ctf_ours_event(reader, class, when, event);
		break;
	case CTF_MEANS_KERNEL:
		r = ctf_kernel_event(reader, class, when, event);
		r = r ? r : machine_error(reader->machine);
		break;
	case CTF_MEANS_TEXT:
		r = take_text(reader, when, event);
		break;
	default:
		reader->left_out += !reader->ours;
		return 0;
	}
	if (r != -EBADMSG)
		return r;
	reader->spoiled++;
	return 0;
}

int ctf_reader_lost(void *context, struct ctf_moment when, u64 until, u64 count, bool packets)
{
	struct ctf_reader *reader = context;

	/* A log that became a trace states its losses itself. */
	if (reader->ours)
		return 0;
	if (reader->machine && !machine_hear_cpu(reader->machine, when.time, when.cpu))
		return 0;
	return log_loss(reader->log, (struct moment){ when.time, 0 }, until, when.cpu, count, "events",
			packets ? "packets of the tracer" : "buffer of the tracer full");
}

int ctf_reader_end(struct ctf_reader *reader)
{
	if (!reader->machine)
		return 0;
	machine_end(reader->machine);
	return machine_error(reader->machine);
}

static void release(struct node *node)
{
	free(node);
}

void ctf_reader_free(struct ctf_reader *reader)
{
	bcoslog_state_free(reader->state);
	machine_free(reader->machine);
	if (reader->devices.buckets)
		table_destroy(&reader->devices, release);
	free(reader->classes);
	free(reader->interfaces);
}

/* ---- devices ----------------------------------------------------------------------------- */

bool ctf_known_device(const struct ctf_reader *reader, u32 id)
{
	return reader->devices.buckets && table_find(&reader->devices, id);
}

int ctf_know_device(struct ctf_reader *reader, u32 id, const char *name, size_t length)
{
	struct node *node;

	if (!reader->devices.buckets && table_init(&reader->devices))
		return -ENOMEM;
	if (!table_find(&reader->devices, id)) {
		node = calloc(1, sizeof(*node));
		if (!node)
			return -ENOMEM;
		node->id = id;
		if (table_add(&reader->devices, node)) {
			free(node);
			return -ENOMEM;
		}
	}
	return log_known_device(reader->log, (struct moment){ 0, SINCE_BOOT }, id, BCOS_PROCESS_KERNEL, name, length);
}
