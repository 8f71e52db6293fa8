// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Events of programs become texts, and events of bcoslog become entries again. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/format/entry.h"

#include "../bytes/bytes.h"
#include "events.h"
#include "import.h"

bool eventheader_is_own(const struct eventheader_name *name)
{
	return name->provider_length == sizeof(EVENTHEADER_PROVIDER) - 1 &&
	       !memcmp(name->provider, EVENTHEADER_PROVIDER, name->provider_length);
}

/* ---- events of programs ---- */

/* The part after the text of an event, in parentheses: all that its header and the name of the tracepoint tell besides. */
struct tail {
	char text[1024];
	size_t length;
};

static __attribute__((format(printf, 2, 3))) void put_tail(struct tail *tail, const char *format, ...)
{
	size_t room = sizeof(tail->text) - tail->length;
	va_list args;
	int n;

	va_start(args, format);
	n = snprintf(tail->text + tail->length, room, "%s", tail->length ? ", " : " (");
	tail->length += (size_t)n;
	n = vsnprintf(tail->text + tail->length, room - (size_t)n, format, args);
	va_end(args);
	if (n > 0)
		tail->length += (size_t)n;
}

static void put_activity(struct tail *tail, const char *word, const u8 *at, const char *what)
{
	put_tail(tail, "%s %08x-%04x-%04x-%04x-%08x%04x%s", word, get32(at, true), get16(at + 4, true),
		 get16(at + 6, true), get16(at + 8, true), get32(at + 10, true), get16(at + 14, true), what);
}

static void put_opcode(struct tail *tail, u8 opcode)
{
	static const char *const words[] = {
		[EVENTHEADER_START] = "start", [EVENTHEADER_STOP] = "stop",
		[EVENTHEADER_COLLECTION_START] = "collection start", [EVENTHEADER_COLLECTION_STOP] = "collection stop",
		[EVENTHEADER_EXTENSION_OPCODE] = "extension", [EVENTHEADER_REPLY] = "reply", [EVENTHEADER_RESUME] = "resume",
		[EVENTHEADER_SUSPEND] = "suspend", [EVENTHEADER_SEND] = "send", [EVENTHEADER_RECEIVE] = "receive",
	};

	if (opcode < sizeof(words) / sizeof(words[0]) && words[opcode])
		put_tail(tail, "%s", words[opcode]);
	else if (opcode)
		put_tail(tail, "opcode %u", opcode);
}

/* The names of tracepoints have fewer than 256 bytes, so all parts fit into the tail. */
static void make_tail(struct tail *tail, const struct eventheader_name *name, const struct eventheader_event *event)
{
	bool lives = event->activity && (event->opcode == EVENTHEADER_START || event->opcode == EVENTHEADER_STOP);

	tail->length = 0;
	if (event->activity)
		put_activity(tail, "activity", event->activity,
			     !lives ? "" : event->opcode == EVENTHEADER_START ? " starts" : " stops");
	if (event->parent)
		put_activity(tail, "related activity", event->parent, "");
	if (!lives)
		put_opcode(tail, event->opcode);
	if (name->keyword)
		put_tail(tail, "keyword 0x%llx", (unsigned long long)name->keyword);
	if (*name->options)
		put_tail(tail, "options %s", name->options);
	if (event->version)
		put_tail(tail, "version %u", event->version);
	if (event->tag)
		put_tail(tail, "tag 0x%x", event->tag);
	if (tail->length)
		tail->text[tail->length++] = ')';
}

#define TEXT_MAX (BCOS_ENTRY_MAX - BCOS_GENERIC_TEXT - 3)

static int import_text(struct log_writer *log, const struct eventheader_name *name,
		       const struct eventheader_occasion *when, const struct eventheader_event *event)
{
	const struct moment moment = { when->time, 0 };
	char text[BCOS_ENTRY_MAX];
	u32 process = when->pid == 0xFFFFFFFF ? log_unknown_process(log) : when->pid;
	struct tail tail;
	size_t length;

	make_tail(&tail, name, event);
	length = bcos_utf8_clean(text, EVENTHEADER_NAME_MAX, name->provider, name->provider_length);
	text[length++] = ':';
	length += eventheader_text(event, text + length, TEXT_MAX - tail.length - length);
	memcpy(text + length, tail.text, tail.length);
	length += tail.length;
	return log_event(log, moment, BCOS_GENERIC_PROCESS, process, event->id, event_severity(event->level), text,
			 length);
}

/* ---- events of bcoslog ---- */

/* Each event of bcoslog begins with these fields: subject, precision, time. */
#define COMMON_FIELDS 3

/* An entry that is rebuilt field by field, in the order of the event's fields. */
struct rebuilt {
	union {
		struct bcos_entry header;
		u8 bytes[BCOS_ENTRY_MAX + 1];
	};
	const struct event_type *type;
	size_t size;
	unsigned int field;	/* the next field: 0 is the subject, 1 precision, 2 time, then those of the type */
	bool bad;
};

static const struct event_type *type_of(const struct eventheader_event *event)
{
	size_t i;

	for (i = 0; i < EVENT_TYPES; i++)
		if (event_types[i].type == event->id && strlen(event_types[i].name) == event->name_length &&
		    !memcmp(event_types[i].name, event->name, event->name_length))
			return &event_types[i];
	if (event->name_length == strlen(event_unknown.name) &&
	    !memcmp(event->name, event_unknown.name, event->name_length))
		return &event_unknown;
	return NULL;
}

static bool add_bytes(struct rebuilt *entry, const void *bytes, size_t size)
{
	if (entry->size + size > BCOS_ENTRY_MAX - 3) {
		entry->bad = true;
		return false;
	}
	memcpy(entry->bytes + entry->size, bytes, size);
	entry->size += size;
	return true;
}

/* Adds a number, which has the same bytes in event and entry. */
static bool add_number(struct rebuilt *entry, const struct event_field *field, const struct eventheader_value *value)
{
	static const u8 sizes[] = { [FIELD_U8] = 1, [FIELD_U16] = 2, [FIELD_U32] = 4 };
	u64 number;

	if (!eventheader_number(value, &number) || value->size != sizes[field->kind])
		return false;
	if (entry->type == &event_unknown) {
		entry->header.type = (u16)number;
		return true;
	}
	return add_bytes(entry, &number, value->size);
}

static bool on_field(struct rebuilt *entry, const struct eventheader_value *value)
{
	const struct event_field *field;
	u64 number;

	if (entry->field < COMMON_FIELDS) {
		if (!eventheader_number(value, &number))
			return false;
		if (!entry->field)
			entry->header.source = (u32)number;
		else if (entry->field == 1)
			entry->header.precision = (u32)number;
		else
			entry->header.time = number;
		return true;
	}
	if (entry->field - COMMON_FIELDS >= EVENT_FIELDS)
		return false;
	field = &entry->type->fields[entry->field - COMMON_FIELDS];
	if (!field->name)
		return false;
	return field->kind < FIELD_STRING ? add_number(entry, field, value)
					  : add_bytes(entry, value->bytes, value->size);
}

static bool on_value(void *context, const struct eventheader_value *value)
{
	struct rebuilt *entry = context;
	u64 number;

	if (entry->field == UINT32_MAX)		/* inside a list */
		return eventheader_number(value, &number) && value->size == 4 && add_bytes(entry, &number, 4);
	if (!on_field(entry, value))
		entry->bad = true;
	entry->field++;
	return !entry->bad;
}

/* Only the last field may be a list. */
static bool on_open(void *context, const char *name, size_t length, bool array)
{
	struct rebuilt *entry = context;
	unsigned int at = entry->field - COMMON_FIELDS;

	(void)name;
	(void)length;
	entry->bad |= !array || at >= EVENT_FIELDS || entry->type->fields[at].kind != FIELD_LIST;
	entry->field = UINT32_MAX;
	return !entry->bad;
}

static void on_close(void *context, bool array)
{
	(void)context;
	(void)array;
}

static void on_damage(void *context, const char *name, size_t length, enum eventheader_damage what)
{
	struct rebuilt *entry = context;

	(void)name;
	(void)length;
	(void)what;
	entry->bad = true;
}

static int import_own(struct log_writer *log, struct eventheader_origin *origin, const struct eventheader_event *event)
{
	struct rebuilt entry;
	const struct eventheader_visitor visitor = {
		.context = &entry, .value = on_value, .open = on_open, .close = on_close, .damage = on_damage,
	};

	/* Only the header is cleared: an initializer would clear all 64 KiB for each event. */
	memset(&entry.header, 0, sizeof(entry.header));
	entry.type = type_of(event);
	entry.size = sizeof(entry.header);
	entry.field = 0;
	entry.bad = false;
	if (!entry.type)
		return 1;
	entry.header.type = entry.type->type;
	eventheader_visit(event, &visitor);
	while (entry.size % 4)
		entry.bytes[entry.size++] = 0;
	entry.header.size = (u16)entry.size;
	if (entry.bad || bcos_entry_check(entry.bytes, entry.size) != BCOS_WELL_FORMED)
		return 1;
	if (!(entry.header.type & BCOS_TYPE_HISTORICAL)) {
		origin->now = entry.header.time;
		if (origin->start == ~0ull)
			origin->start = origin->now;
	}
	return bcos_type_of(entry.header.type) ?
		       log_restored(log, origin->state, &origin->missed, origin->start, &entry.header, origin->now) :
		       log_entry(log, &entry.header);
}

int eventheader_import(struct log_writer *log, struct eventheader_origin *origin, const struct eventheader_name *name,
		       const struct eventheader_occasion *when, const void *bytes, size_t size)
{
	struct eventheader_event event;

	if (!eventheader_parse(&event, bytes, size) || event.nameless || (eventheader_is_own(name) && !event.name))
		return 1;
	return eventheader_is_own(name) ? import_own(log, origin, &event) : import_text(log, name, when, &event);
}
