// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What EventHeader has for the types of entries and their fields: names, formats, keywords and levels. */
#include <stdio.h>

#include "eventheader.h"

#define EVENT_NAME_MAX 32

static void make_name(char name[EVENT_NAME_MAX], const char *from)
{
	static const char generic[] = "Generic ";
	bool is_generic = !strncmp(from, generic, sizeof(generic) - 1);
	size_t length = 0;

	if (is_generic)
		from += sizeof(generic) - 1;
	for (; *from && length < EVENT_NAME_MAX - 1; from++)
		if (*from != ' ')
			name[length++] = *from;
	snprintf(name + length, EVENT_NAME_MAX - length, "%s", is_generic ? "Event" : "");
}

const char *event_name(const struct bcos_type *type)
{
	static char names[BCOS_TYPES][EVENT_NAME_MAX];
	char *name;

	if (type == &bcos_undefined)
		return "Unknown";
	name = names[type - bcos_types];
	if (!*name)
		make_name(name, type->name);
	return name;
}

u8 event_format(const struct bcos_field *field)
{
	switch (field->kind) {
	case BCOS_KIND_NAME:
	case BCOS_KIND_TEXT:
	case BCOS_KIND_PAYLOAD:
		return EVENTHEADER_DEFAULT;
	case BCOS_KIND_CORE:
	case BCOS_KIND_DEVICE:
	case BCOS_KIND_STATUS:
	case BCOS_KIND_EVENT:
	case BCOS_KIND_SEVERITY:
		return EVENTHEADER_HEX;
	default:
		return EVENTHEADER_UNSIGNED;
	}
}

u16 event_type_keyword(u16 type)
{
	if (type & BCOS_TYPE_HISTORICAL)
		return KEYWORD_HISTORICAL;
	if (event_is_live(type))
		return KEYWORD_LIVES;
	switch (type) {
	case BCOS_KERNEL_API:
		return BCOS_CLASS_API;
	case BCOS_ASSIGN_CPU:
		return BCOS_CLASS_ASSIGN;
	case BCOS_DEVICE_INPUT:
	case BCOS_DEVICE_OUTPUT:
		return BCOS_CLASS_IO;
	case BCOS_IRQ:
		return BCOS_CLASS_IRQ;
	default:
		return 0;
	}
}

u32 event_keyword(const struct bcos_entry *entry, u32 event_id)
{
	if (bcoslog_is_statement(entry) || bcoslog_is_loss(entry) || bcoslog_is_missed(entry))
		return KEYWORD_LOG;
	if (entry->type == BCOS_GENERIC_CPU && event_id == BCOS_EVENT_IDLE)
		return BCOS_CLASS_IDLE;
	if (entry->type != BCOS_GENERIC_PROCESS)
		return BCOS_CLASS_KMSG;
	switch (event_id) {
	case BCOS_EVENT_TASK_STATE:
	case BCOS_EVENT_THREAD_LEFT:
	case BCOS_EVENT_THREAD_RUNS:
	case BCOS_EVENT_THREAD_WOKEN:
	case BCOS_EVENT_THREAD_NAME:
		return BCOS_CLASS_STATE;
	case BCOS_EVENT_KILLED:
	case BCOS_EVENT_PARENT:
	case BCOS_EVENT_CGROUP:
		return BCOS_CLASS_WHO;
	case BCOS_EVENT_EXEC:
		return BCOS_CLASS_EXEC;
	case BCOS_EVENT_REQUEST:
		return BCOS_CLASS_REQUEST;
	case BCOS_EVENT_REFUSED:
		return KEYWORD_LOG;
	default:
		return entry->source == BCOS_PROCESS_KERNEL ? BCOS_CLASS_KMSG : BCOS_CLASS_USER;
	}
}

/* The highest severity below an error means a warning. */
#define WARNING (BCOS_SEVERITY_ERROR - 1)

u8 event_level(u8 severity)
{
	if (severity >= BCOS_SEVERITY_CRITICAL)
		return EVENTHEADER_CRITICAL;
	if (severity >= BCOS_SEVERITY_ERROR)
		return EVENTHEADER_ERROR;
	if (severity == WARNING)
		return EVENTHEADER_WARNING;
	return severity >= BCOS_SEVERITY_INFO ? EVENTHEADER_INFORMATION : EVENTHEADER_VERBOSE;
}

u8 event_severity(u8 level)
{
	static const u8 severities[] = {
		[EVENTHEADER_CRITICAL] = BCOS_SEVERITY_CRITICAL, [EVENTHEADER_ERROR] = BCOS_SEVERITY_ERROR,
		[EVENTHEADER_WARNING] = WARNING, [EVENTHEADER_INFORMATION] = BCOS_SEVERITY_INFO,
	};

	return level < sizeof(severities) ? severities[level] : BCOS_SEVERITY_DEBUG;
}
