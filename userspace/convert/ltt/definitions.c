// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The descriptions of the events: of facility_load, which every trace has, and of those that bcoslog writes, in the
 * order of enum ltt_core and enum ltt_bcos.
 */
#include <stdarg.h>
#include <stdio.h>

#include "ltt.h"

#define FIELD(name, type) "      <field name=\"" name "\">" type "</field>\n"
#define U1 "<uint size=\"1\"/>"
#define U4 "<uint size=\"4\"/>"
#define TEXT "<string/>"

#define EVENT(name, description, fields) \
	"  <event name=\"" name "\">\n    <description>" description "</description>\n" \
	"    <struct>\n" fields "    </struct>\n  </event>\n"

/* The field "order" counts the entries of the log. It gives the order of events with equal times. */
#define PRECISION FIELD("order", U4) FIELD("precision", U4)

const char ltt_builtin_xml[] =
	"<facility name=\"builtin\">\n"
	EVENT("facility_load", "Facility used in the trace",
	      FIELD("name", TEXT) FIELD("checksum", U4) FIELD("base_code", U4))
	"</facility>\n";

const char ltt_core_xml[] =
	"<facility name=\"core\">\n"
	"  <description>Processes, interrupts and the scheduler</description>\n"
	EVENT("interrupt", "Interrupt request number assignment",
	      FIELD("number", U4) FIELD("count", U4) FIELD("controller", TEXT) FIELD("name", TEXT))
	EVENT("process", "Existing process",
	      FIELD("name", TEXT) FIELD("pid", U4) FIELD("ppid", U4) FIELD("tracer_pid", U4) FIELD("uid", U4)
	      FIELD("euid", U4) FIELD("suid", U4) FIELD("fsuid", U4) FIELD("gid", U4) FIELD("egid", U4)
	      FIELD("sgid", U4) FIELD("fsgid", U4)
	      FIELD("state",
		    "<enum size=\"4\">Running WaitInterruptible WaitUninterruptible Zombie Traced Paging</enum>"))
	EVENT("schedule",
	      "The CPU is taken from one process and assigned to another; 0 is the kernel, 4294967295 idle, 4294967294 "
	      "nobody known; repeats is 1 if another event tells this, too",
	      PRECISION FIELD("out", U4) FIELD("in", U4) FIELD("repeats", U1))
	EVENT("process_name", "A process begins, or changes its name",
	      PRECISION FIELD("pid", U4) FIELD("name", TEXT))
	EVENT("process_end", "A process ends",
	      PRECISION FIELD("pid", U4) FIELD("status", U4))
	"</facility>\n";

const struct ltt_event ltt_events[BCOS_TYPES] = {
	{ LTT_PROCESS_NAME, NULL, NULL },
	{ LTT_PROCESS_END, NULL, NULL },
	{ LTT_GENERIC_PROCESS, "generic_process", "A process says something" },
	{ LTT_KERNEL_CALL, "kernel_call", "A process called these functions of the kernel" },
	{ LTT_CORE_ONLINE, "core_online", "A core comes online, or its estimates change" },
	{ LTT_CORE_OFFLINE, "core_offline", "A core goes offline" },
	{ LTT_GENERIC_CORE, "generic_core", "About a core" },
	{ LTT_CPU_ONLINE, "cpu_online", "A CPU comes online" },
	{ LTT_CPU_OFFLINE, "cpu_offline", "A CPU goes offline" },
	{ LTT_SCHEDULE, NULL, NULL },
	{ LTT_GENERIC_CPU, "generic_cpu", "About a CPU" },
	{ LTT_DEVICE_NAME, "device_name", "A device becomes ready, or changes its name or driver" },
	{ LTT_DEVICE_END, "device_end", "A device goes" },
	{ LTT_DEVICE_INPUT, "device_input", "Data came from a device" },
	{ LTT_DEVICE_OUTPUT, "device_output", "Data went to a device" },
	{ LTT_GENERIC_DEVICE, "generic_device", "About a device" },
	{ LTT_IRQ, "irq", "A device sent an interrupt" },
	{ LTT_STATE_PROCESS, "state_process", "A process that has this name" },
	{ LTT_STATE_CORE, "state_core", "A core that is online" },
	{ LTT_STATE_CPU, "state_cpu", "A CPU that is online" },
	{ LTT_STATE_ASSIGN, "state_assign", "A CPU and the process that has it" },
	{ LTT_STATE_DEVICE, "state_device", "A device that has this name" },
};

const struct bcos_type *ltt_type_of(u32 id)
{
	size_t i;

	for (i = 0; i < BCOS_TYPES; i++)
		if (ltt_events[i].id == id)
			return &bcos_types[i];
	return NULL;
}

/* Returns the name of a field in the words of LTT. */
static const char *field_name(const struct bcos_field *field)
{
	static const char *const names[BCOS_KINDS] = {
		[BCOS_KIND_RUNNING] = "pid", [BCOS_KIND_EVENT] = "event_id", [BCOS_KIND_INTERRUPT] = "number",
	};
	bool subject = field == bcos_common_fields(BCOS_SUBJECT_PROCESS);

	return subject ? "pid" : names[field->kind] ? names[field->kind] : field->name;
}

/* The description that is being written. */
struct description {
	char *at, *end;
};

static __attribute__((format(printf, 2, 3))) void put_text(struct description *to, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(to->at, (size_t)(to->end - to->at), format, args);
	va_end(args);
	/* If the table of the types outgrows the room, the test of the facility sees that the description is cut. */
	to->at = n < to->end - to->at ? to->at + n : to->end - 1;
}

static void put_field(struct description *to, const char *name, enum bcos_form form, u32 width)
{
	char number[32];

	snprintf(number, sizeof(number), "<uint size=\"%u\"/>", width);
	put_text(to, "      <field name=\"%s\">%s%s%s</field>\n", name,
		 form == BCOS_FORM_LIST ? "<sequence lengthsize=\"4\">" : "",
		 form == BCOS_FORM_STRING ? "<string/>" : number, form == BCOS_FORM_LIST ? "</sequence>" : "");
}

/* The field "order" counts the entries of the log; "since" is the time since which a state holds. */
static void put_event(struct description *to, const struct ltt_event *event, const struct bcos_type *type)
{
	const struct bcos_field *source = bcos_common_fields(type->type), *field;

	put_text(to, "  <event name=\"%s\">\n    <description>%s</description>\n    <struct>\n", event->name,
		 event->description);
	if (type->type & BCOS_TYPE_HISTORICAL)
		put_field(to, "since", BCOS_FORM_NUMBER, 8);
	put_field(to, "order", BCOS_FORM_NUMBER, 4);
	put_field(to, "precision", BCOS_FORM_NUMBER, 4);
	put_field(to, field_name(source), source->form, source->width);
	for (field = type->fields; field < type->fields + type->count; field++)
		put_field(to, field_name(field), field->form, field->width);
	put_text(to, "    </struct>\n  </event>\n");
}

const char *ltt_bcos_xml(void)
{
	static char xml[12288];
	struct description to = { xml, xml + sizeof(xml) };
	const struct bcos_type *type;
	u32 id;

	if (*xml)
		return xml;
	put_text(&to, "<facility name=\"bcos\">\n  <description>What a BCOS event log says beyond the facility core. A time "
		 "is the earliest possible one; precision is the difference to the latest possible one, in ns."
		 "</description>\n");
	for (id = LTT_BCOS; id < LTT_BCOS_END; id++) {
		type = ltt_type_of(id);
		put_event(&to, &ltt_events[type - bcos_types], type);
	}
	put_text(&to, "</facility>\n");
	return xml;
}

/* The hash FNV-1a. */
u32 ltt_checksum(const char *text, size_t length)
{
	u32 sum = 2166136261u;
	size_t i;

	for (i = 0; i < length; i++)
		sum = (sum ^ (u8)text[i]) * 16777619u;
	return sum ? sum : 1;
}
