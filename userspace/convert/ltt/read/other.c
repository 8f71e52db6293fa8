// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Takes the events of a trace. The names of events and fields tell processes, interrupts and
 * switches; all other events become texts.
 */
#include <stdlib.h>

#include "read.h"

/* The first of the devices for interrupts. Each interrupt number is a device of its own. */
#define INTERRUPT_DEVICE (BCOS_DEVICE_OTHER | 0x10000u)

/* The fields of an event that are used. */
struct fields {
	const char *name, *controller;
	size_t name_length, controller_length;
	u64 pid, in, number, state;
	u32 others;		/* how many others there are */
	bool has_name, has_pid, has_in, has_number, is_zombie;
	bool has_repeats;	/* a switch that bcoslog wrote, in which process 0 is the kernel and not idle */
};

static void take_field(void *context, const struct ltt_value *value)
{
	struct fields *fields = context;

	if (value->kind == LTT_KIND_STRING && !strcmp(value->field, "name")) {
		fields->name = value->text;
		fields->name_length = value->length;
		fields->has_name = true;
	} else if (value->kind == LTT_KIND_STRING && !strcmp(value->field, "controller")) {
		fields->controller = value->text;
		fields->controller_length = value->length;
	} else if (!strcmp(value->field, "pid")) {
		fields->pid = value->number;
		fields->has_pid = true;
	} else if (!strcmp(value->field, "in")) {
		fields->in = value->number;
		fields->has_in = true;
	} else if (!strcmp(value->field, "number")) {
		fields->number = value->number;
		fields->has_number = true;
	} else if (value->kind == LTT_KIND_ENUM && !strcmp(value->field, "state")) {
		fields->is_zombie = value->length == 6 && !memcmp(value->text, "Zombie", 6);
		fields->others++;
	} else if (strcmp(value->field, "out")) {
		fields->has_repeats |= !strcmp(value->field, "repeats");
		fields->others++;
	}
}

static const char *name_of(const struct ltt_reader *reader, u32 node)
{
	return ltt_name(&reader->trace->facilities, ltt_node(&reader->trace->facilities, node));
}

/*
 * Takes the name or end of a process, and an event for all its other fields, whose text stands in reader->text. Process 0
 * is left out: it is the idle one, and a log uses 0 for the kernel.
 */
static int take_process(struct ltt_reader *reader, struct moment when, u16 id, const struct fields *fields, size_t length)
{
	u32 pid = (u32)fields->pid;
	int r = 0;

	reader->idle_processes += !pid;
	if (!pid)
		return 0;
	if (when.time <= reader->start)
		r = log_known_process(reader->log, (struct moment){ 0, SINCE_BOOT }, pid, fields->name,
				      fields->name_length);
	else if (!fields->is_zombie)
		r = log_process(reader->log, when, pid, fields->name, fields->name_length);
	if (!r && fields->others)
		r = log_event(reader->log, when, BCOS_GENERIC_PROCESS, pid, id, BCOS_SEVERITY_INFO, reader->text, length);
	return !r && fields->is_zombie ? log_process_end(reader->log, when, pid, BCOS_STATUS_UNKNOWN) : r;
}

/* Takes an interrupt's handler, and an event for the controller and the count. */
static int take_interrupt(struct ltt_reader *reader, struct moment when, const struct fields *fields, size_t described)
{
	u32 device = INTERRUPT_DEVICE + ((u32)fields->number & 0xFFFF);
	const char *name = fields->name_length ? fields->name : fields->controller;
	size_t length = fields->name_length ? fields->name_length : fields->controller_length;
	int r;

	if (!length)
		return log_device_end(reader->log, when, device, BCOS_STATUS_UNKNOWN);
	if (when.time <= reader->start)
		r = log_known_device(reader->log, (struct moment){ 0, SINCE_BOOT }, device, 0, name, length);
	else
		r = log_device(reader->log, when, device, 0, name, length);
	return r || !(fields->others || fields->controller_length) ? r :
		log_event(reader->log, when, BCOS_GENERIC_DEVICE, device, 0, BCOS_SEVERITY_INFO, reader->text, described);
}

static bool is_schedule(const char *name)
{
	return !strcmp(name, "schedchange") || !strcmp(name, "schedule") || !strcmp(name, "sched_switch");
}

int ltt_reader_other(struct ltt_reader *reader, u32 cpu, u32 *current, const struct ltt_record *record)
{
	static const struct ltt_visitor visitor = { .value = take_field };
	const struct ltt_facilities *facilities = &reader->trace->facilities;
	u32 facility = reader->trace->event_facilities[record->id];
	const char *event = name_of(reader, record->node);
	struct moment when = { record->time, 0 };
	struct ltt_cursor cursor = record->fields;
	struct fields fields = { 0 };
	size_t length;

	if (record->id < LTT_BUILTINS)
		return 0;
	ltt_walk(facilities, record->node, &cursor, &visitor, &fields);
	if (is_schedule(event) && fields.has_in) {
		*current = fields.in || fields.has_repeats ? (u32)fields.in : BCOS_PROCESS_IDLE;
		reader->switch_fields += fields.others;
		if (fields.has_repeats && *current == LTT_UNKNOWN) {
			*current = log_unknown_process(reader->log);
			return log_unassign(reader->log, when, cpu);
		}
		return log_assign(reader->log, when, cpu, *current);
	}
	length = ltt_describe(facilities, facility, record->node, record->fields, reader->text, sizeof(reader->text));
	if (!strcmp(event, "process") && fields.has_name && fields.has_pid)
		return take_process(reader, when, record->id, &fields, length);
	if (!strcmp(event, "interrupt") && fields.has_name && fields.has_number)
		return take_interrupt(reader, when, &fields, length);
	return log_event(reader->log, when, BCOS_GENERIC_PROCESS,
			 *current == BCOS_PROCESS_IDLE ? BCOS_PROCESS_KERNEL :
			 *current == LTT_UNKNOWN ? log_unknown_process(reader->log) : *current,
			 record->id, BCOS_SEVERITY_INFO, reader->text, length);
}

/* A wall clock later than this was set, and does not count from boot. In seconds since 1970. */
#define YEAR_2000 946684800ull
#define SECOND 1000000000ull

int ltt_reader_system(struct ltt_reader *reader)
{
	struct ltt_trace *trace = reader->trace;
	const char *host = trace->system[LTT_NODE_NAME], *release = trace->system[LTT_KERNEL_RELEASE];
	const char *machine = trace->system[LTT_MACHINE];
	static const enum ltt_attribute others[] = {
		LTT_DOMAINNAME, LTT_CPU, LTT_ARCH_SIZE, LTT_KERNEL_NAME, LTT_KERNEL_VERSION, LTT_PROCESSOR,
		LTT_HARDWARE_PLATFORM, LTT_OPERATING_SYSTEM,
	};
	size_t used = 0, i;
	char text[256];
	int r = 0;

	if (host && *host) {
		snprintf(text, sizeof(text), "host %.200s", host);
		r = log_statement(reader->log, (struct moment){ 0, 0 }, BCOS_EVENT_HOST, text);
	}
	if (!r && release && *release) {
		snprintf(text, sizeof(text), "kernel %.150s %.60s", release, machine && *machine ? machine : "unknown");
		r = log_statement(reader->log, (struct moment){ 0, 0 }, BCOS_EVENT_KERNEL, text);
	}
	for (i = 0; !r && i < sizeof(others) / sizeof(others[0]); i++)
		if (trace->system[others[i]] && *trace->system[others[i]] && used < sizeof(reader->text))
			used += (size_t)snprintf(reader->text + used, sizeof(reader->text) - used, "%s%s %.200s",
						 used ? ", " : "system: ", ltt_attributes[others[i]],
						 trace->system[others[i]]);
	if (!r && trace->comment && used < sizeof(reader->text))
		used += (size_t)snprintf(reader->text + used, sizeof(reader->text) - used, "%s%s",
					 used ? "; " : "system: ", trace->comment);
	if (!r && used)
		r = log_statement(reader->log, (struct moment){ 0, 0 }, BCOS_EVENT_UNSPECIFIED, reader->text);
	if (!r && trace->anchored && trace->zero > YEAR_2000 * SECOND)
		r = log_wall_clock(reader->log, (struct moment){ reader->start, 0 }, trace->zero + reader->start);
	return r;
}

int ltt_reader_bookmark(void *context, const struct ltt_bookmark *bookmark)
{
	struct ltt_reader *reader = context;
	struct ltt_trace *trace = reader->trace;
	u64 begin = bookmark->begin, end = bookmark->end, length;

	if (bookmark->cycles) {
		begin = ltt_cycles_time(trace, begin);
		end = ltt_cycles_time(trace, end);
	} else {
		begin = begin < trace->zero ? 0 : begin - trace->zero;
		end = end < trace->zero ? 0 : end - trace->zero;
	}
	length = end - begin;
	snprintf(reader->text, sizeof(reader->text), "%s%s%.*s", bookmark->name ? bookmark->name : "",
		 bookmark->name && bookmark->length ? ": " : "", (int)bookmark->length, bookmark->text);
	return log_event(reader->log, (struct moment){ begin, length > UINT32_MAX ? UINT32_MAX : (u32)length },
			 bookmark->has_cpu ? BCOS_GENERIC_CPU : BCOS_GENERIC_PROCESS,
			 bookmark->has_cpu ? bookmark->cpu : log_unknown_process(reader->log), 0, BCOS_SEVERITY_INFO, reader->text,
			 strlen(reader->text));
}
