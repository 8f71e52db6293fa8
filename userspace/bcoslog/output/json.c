// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Prints an entry as a JSON object on a line of its own. */
#include "entry/who.h"
#include "calls.h"
#include "core/format/fields.h"
#include "core/format/thread_text.h"
#include "json.h"
#include "object.h"
#include "request.h"
#include "state/thread_name.h"
#include "times.h"

static void add_process(struct object *object, struct lines *lines, u32 id,
			const char *key, const char *name_key)
{
	const struct bcoslog_process *process = bcoslog_process(lines->state, id);

	object_number(object, key, id);
	if (process)
		object_text(object, name_key, process->name, process->name_length);
}

static void add_source(struct object *object, struct lines *lines,
		       const struct bcos_entry *entry)
{
	const struct bcoslog_process *process = NULL;
	const struct bcoslog_device *device = NULL;
	const char *key = "source_name", *text;
	size_t length;

	object_word(object, "subject", bcoslog_subject(entry->type));
	object_number(object, "source", entry->source);
	if ((entry->type & BCOS_TYPE_SUBJECT_MASK) == BCOS_SUBJECT_PROCESS)
		process = bcoslog_process(lines->state, entry->source);
	else if ((entry->type & BCOS_TYPE_SUBJECT_MASK) == BCOS_SUBJECT_DEVICE)
		device = bcoslog_device(lines->state, entry->source);
	text = bcos_type_begins(entry->type) ? bcoslog_text(entry, &length) : NULL;
	if (text) {
		object_text(object, key, text, length);
		key = "previous_name";
	}
	if (process)
		object_text(object, key, process->name, process->name_length);
	if (device)
		object_text(object, key, device->name, device->name_length);
}

static void add_status(struct object *object, u32 status)
{
	u32 value;
	enum bcoslog_end end = bcoslog_status_end(status, &value);

	object_status(object, status);
	if (end == BCOSLOG_END_UNKNOWN)
		return;
	if (end == BCOSLOG_EXITED) {
		object_number(object, "exit_code", value);
		return;
	}
	object_word(object, "sent_by", end == BCOSLOG_OWNER ? "user" : "kernel");
	if (!value)
		return;
	object_number(object, "signal", value);
	object_word(object, "signal_name", bcoslog_signal(value));
}

/* Adds the name that a thread has beside that of its process. */
static void add_thread_name(struct object *object, const struct lines *lines, u32 process, u32 thread)
{
	size_t length;
	const char *name = thread != process ? state_thread_name(lines->state, process, thread, &length) : NULL;

	if (name)
		object_text(object, "thread_name", name, length);
}

static void add_waker(struct object *object, struct lines *lines,
		      const struct bcoslog_thread *thread)
{
	const struct bcoslog_process *process = bcoslog_process(lines->state, thread->waker);
	struct object inner = { .json = json_object() };

	static const char *const kinds[] = {
		[BCOSLOG_WOKEN_BY_TIMER] = "timer", [BCOSLOG_WOKEN_BY_LINE] = "device", [BCOSLOG_WOKEN_BY_BLOCK] = "block",
		[BCOSLOG_WOKEN_BY_NET] = "network",
	};

	if (thread->by != BCOSLOG_WOKEN_BY_THREAD && thread->by != BCOSLOG_WOKEN_BY_EITHER) {
		object_add(&inner, "interrupt", json_true());
		if (thread->by >= BCOSLOG_WOKEN_BY_TIMER && thread->by <= BCOSLOG_WOKEN_BY_NET)
			object_word(&inner, "kind", kinds[thread->by]);
		if (thread->by == BCOSLOG_WOKEN_BY_LINE)
			object_number(&inner, "device", thread->device);
	} else {
		object_number(&inner, "process", thread->waker);
		if (process)
			object_text(&inner, "name", process->name, process->name_length);
		object_number(&inner, "thread", thread->waker_thread);
		add_thread_name(&inner, lines, thread->waker, thread->waker_thread);
	}
	/* Of a thread that is only woken, the entry's CPU and time are those of the waking. */
	if (thread->state == BCOS_STATE_RUNS && thread->has_waker_cpu)
		object_number(&inner, "cpu", thread->waker_cpu);
	if (thread->state == BCOS_STATE_RUNS || thread->delay)
		object_number(&inner, "ns_before", thread->delay);
	object->failed |= inner.failed;
	object_add(object, "woken_by",
		   thread->by == BCOSLOG_WOKEN_BY_EITHER ? object_uncertain(object, inner.json) : inner.json);
}

/* Adds where a thread left its CPU. */
static void add_place(struct object *object, const struct bcoslog_thread *thread)
{
	static const char *const places[] = {
		[BCOSLOG_PLACE_CALL] = "call", [BCOSLOG_PLACE_OUTSIDE] = "outside", [BCOSLOG_PLACE_EXIT] = "exit",
	};
	const char *name;

	if (thread->place == BCOSLOG_PLACE_UNKNOWN)
		return;
	object_word(object, "place", places[thread->place]);
	object_add(object, "io", json_boolean(thread->io));
	if (thread->place != BCOSLOG_PLACE_CALL || !call_is_numbered(thread->call))
		return;
	object_number(object, "call", thread->call);
	name = call_name(thread->call);
	if (name)
		object_word(object, "call_name", name);
}

static void add_state(struct object *object, struct lines *lines, const struct bcos_entry *entry)
{
	static const char *const names[] = {
		[BCOS_STATE_RUNS] = "runs", [BCOS_STATE_BLOCKED] = "blocked", [BCOS_STATE_BLOCKED_HARD] = "blocked_hard",
		[BCOS_STATE_WOKEN] = "woken", [BCOS_STATE_STOPPED] = "stopped", [BCOS_STATE_DEAD] = "dead",
		[BCOSLOG_STATE_HELD_BACK] = "held_back",
	};
	static const char *const stops[] = {
		[BCOSLOG_STOP_SIGNAL] = "stopped", [BCOSLOG_STOP_TRACER] = "traced", [BCOSLOG_STOP_FREEZER] = "frozen",
	};
	struct bcos_thread_name name;
	struct bcoslog_thread thread;

	if (bcos_thread_name_read(&name, entry)) {
		object_number(object, "thread", name.thread);
		object_text(object, "thread_name", name.name, name.length);
	}
	if (bcoslog_thread(&thread, entry))
		return;
	object_number(object, "thread", thread.thread);
	add_thread_name(object, lines, entry->source, thread.thread);
	object_word(object, "thread_state",
		    thread.state == BCOS_STATE_STOPPED ? stops[thread.stop] : names[thread.state]);
	add_place(object, &thread);
	if (thread.by == BCOSLOG_WOKEN_LOST)
		object_add(object, "woken_by", json_null());
	else if (thread.by != BCOSLOG_WOKEN_BY_UNKNOWN)
		add_waker(object, lines, &thread);
	if (thread.has_cpu)
		object_number(object, "cpu", thread.cpu);
	if (thread.has_priority)
		object_add(object, "priority", json_integer(thread.priority));
}

/* Adds what the event of a request says. */
static void add_request(struct object *object, const struct bcos_entry *entry)
{
	static const char *const operations[BCOS_OPERATIONS] = { "read", "write", "flush", "discard", "other" };
	static const struct {
		const char *key;
		u16 flag;
	} flags[] = {
		{ "waited_for", BCOS_REQUEST_SYNC }, { "metadata", BCOS_REQUEST_META }, { "onto_medium", BCOS_REQUEST_FUA },
		{ "after_flush", BCOS_REQUEST_PREFLUSH }, { "ahead", BCOS_REQUEST_AHEAD }, { "part", BCOS_REQUEST_PART },
	};
	struct bcos_request_told told;
	size_t i;

	if (!request_read(entry, &told))
		return;
	object_word(object, "operation", operations[told.operation]);
	object_number(object, "device", told.device);
	object_number(object, "bytes", told.bytes);
	object_number(object, "sector", told.sector);
	for (i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		object_add(object, flags[i].key, json_boolean(told.flags & flags[i].flag));
	if (told.has_start)
		object_number(object, told.has_issue ? "queue_ns" : "both_ns", told.queue);
	if (told.has_issue)
		object_number(object, "device_ns", told.service);
	if (told.thread)
		object_number(object, "thread", told.thread);
	if (told.process)
		object_number(object, "issued_by", told.process);
	if (told.cgroup)
		object_number(object, "cgroup", told.cgroup);
	if (told.error)
		object_number(object, "errno", told.error);
}

static void add_text(struct object *object, struct lines *lines, const struct bcos_walk *walk)
{
	const struct bcos_entry *entry = walk->entry;
	u64 set;

	object_text(object, "text", (const char *)walk->bytes, walk->count);
	if (wall_was_set(lines->clock, entry, &set))
		object_add(object, "clock_set", json_integer((json_int_t)set));
	add_state(object, lines, entry);
	add_request(object, entry);
}

static void add_list(struct object *object, const struct bcos_walk *walk)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < walk->count; i++)
		object->failed |= json_array_append_new(array, json_integer(bcos_walk_element(walk, i)));
	object_add(object, walk->field->name, array);
}

/* Adds the names of functions, with null for an unknown one. */
static void add_function_names(struct object *object, const struct bcos_walk *walk)
{
	json_t *names = json_array();
	const char *name;
	size_t i;

	for (i = 0; i < walk->count; i++) {
		name = call_name(bcos_walk_element(walk, i));
		object->failed |= json_array_append_new(names, name ? json_string_nocheck(name) : json_null());
	}
	object_add(object, "function_names", names);
}

static void add_payload(struct object *object, const struct bcos_walk *walk)
{
	static const char digits[] = "0123456789abcdef";
	static char hex[2 * BCOS_ENTRY_MAX];
	size_t i;

	for (i = 0; i < walk->count; i++) {
		hex[2 * i] = digits[walk->bytes[i] >> 4];
		hex[2 * i + 1] = digits[walk->bytes[i] & 15];
	}
	object_text(object, walk->field->name, hex, 2 * walk->count);
}

/* Adds a field, and what its number means. */
static void add_field(struct object *object, struct lines *lines, const struct bcos_walk *walk)
{
	u32 number = (u32)walk->number;
	const char *key = walk->field->name, *meaning;

	switch (walk->field->kind) {
	case BCOS_KIND_PROCESS:
		add_process(object, lines, number, key, "driver_name");
		break;
	case BCOS_KIND_RUNNING:
		add_process(object, lines, number, key, "process_name");
		object_add(object, "idle", json_boolean(number == BCOS_PROCESS_IDLE));
		break;
	case BCOS_KIND_STATUS:
		add_status(object, number);
		break;
	case BCOS_KIND_EVENT:
		object_number(object, key, number);
		meaning = bcoslog_event(walk->entry->type, number);
		if (meaning)
			object_word(object, "event_name", meaning);
		break;
	case BCOS_KIND_SEVERITY:
		object_number(object, key, number);
		object_word(object, "severity_name", bcoslog_severity((u8)number));
		break;
	case BCOS_KIND_TEXT:
		add_text(object, lines, walk);
		break;
	case BCOS_KIND_FUNCTION:
		add_list(object, walk);
		add_function_names(object, walk);
		break;
	case BCOS_KIND_PERFORMANCE:
		add_list(object, walk);
		break;
	case BCOS_KIND_PAYLOAD:
		add_payload(object, walk);
		break;
	case BCOS_KIND_NAME:
		break;		/* It is the name of the source. */
	default:
		object_number(object, key, number);
		break;
	}
}

static void add_fields(struct object *object, struct lines *lines, const struct bcos_entry *entry)
{
	struct bcos_walk walk;

	bcos_walk_begin(&walk, entry);
	while (bcos_walk_next(&walk))
		add_field(object, lines, &walk);
}

/* Adds the time since boot, and the one of the mode that --time chooses. */
static void add_time(struct object *object, struct clock *clock, const struct bcos_entry *entry)
{
	char text[WALL_TEXT];

	object_number(object, "time", entry->time);
	if (clock->mode == TIME_WALL)
		object_text(object, "wall", text, wall_text(clock, text, entry->time));
	else if (clock->mode != TIME_BOOT)
		object_add(object, clock->mode == TIME_DELTA ? "delta" : "relative", json_integer(time_since(clock, entry)));
}

int json_entry(struct lines *lines, const struct bcos_entry *entry, u64 offset)
{
	struct object object = { .json = json_object() };

	if (lines->host) {
		object_word(&object, "machine", lines->host);
		object_word(&object, "machine_id", lines->machine);
	}
	object_number(&object, "offset", offset);
	add_time(&object, lines->clock, entry);
	object_number(&object, "precision", entry->precision);
	object_number(&object, "type", entry->type);
	object_word(&object, "name", bcoslog_type_name(entry->type));
	object_add(&object, "historical", json_boolean(entry->type & BCOS_TYPE_HISTORICAL));
	add_source(&object, lines, entry);
	add_fields(&object, lines, entry);
	return object_print(&object, "an entry");
}
