// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Events of programs become texts, and events of bcoslog become entries again. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/format/fields.h"

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

/* An entry that is rebuilt field by field, in the order of the event's fields. */
struct rebuilt {
	struct bcos_entry header;
	struct bcos_build build;
	unsigned int field;	/* number of the next one */
	unsigned int common;	/* number of fields that belong to the header */
	bool in_list, bad;
	u8 bytes[BCOS_ENTRY_MAX + 1] __attribute__((aligned(4)));
};

/* Returns the type that an event was made from, or NULL. */
static const struct bcos_type *type_of(const struct eventheader_event *event)
{
	const struct bcos_type *types[] = { bcos_type_of(event->id), &bcos_undefined };
	const char *name;
	int i;

	for (i = 0; i < 2; i++) {
		if (!types[i])
			continue;
		name = event_name(types[i]);
		if (strlen(name) == event->name_length && !memcmp(name, event->name, event->name_length))
			return types[i];
	}
	return NULL;
}

static bool add_common(struct rebuilt *entry, u64 number)
{
	struct bcos_entry *header = &entry->header;

	if (!entry->field)
		header->source = (u32)number;
	else if (entry->field == 1)
		header->precision = (u32)number;
	else if (entry->field == 2)
		header->time = number;
	else
		header->type = (u16)number;
	if (entry->field + 1 == entry->common)
		bcos_build_begin(&entry->build, entry->bytes, sizeof(entry->bytes), header);
	return true;
}

static bool add_field(struct rebuilt *entry, const struct eventheader_value *value)
{
	struct bcos_build *build = &entry->build;
	u64 number;

	if (entry->field < entry->common)
		return eventheader_number(value, &number) && add_common(entry, number);
	if (!build->left)
		return false;
	if (build->next->form == BCOS_FORM_STRING)
		return bcos_build_string(build, (const char *)value->bytes, value->size);
	if (build->next->form == BCOS_FORM_BYTES)
		return bcos_build_bytes(build, value->bytes, value->size);
	return eventheader_number(value, &number) && value->size == build->next->width &&
	       bcos_build_number(build, number);
}

static bool on_value(void *context, const struct eventheader_value *value)
{
	struct rebuilt *entry = context;
	u64 number;
	u32 element;

	if (entry->in_list) {
		element = eventheader_number(value, &number) ? (u32)number : 0;
		entry->bad |= value->size != sizeof(element) || !bcos_build_list(&entry->build, &element, 1);
		return !entry->bad;
	}
	entry->bad |= !add_field(entry, value);
	entry->field++;
	return !entry->bad;
}

static bool on_open(void *context, const char *name, size_t length, bool array)
{
	struct rebuilt *entry = context;

	(void)name;
	(void)length;
	entry->bad |= !array || entry->in_list || entry->field < entry->common || !bcos_build_list(&entry->build, NULL, 0);
	entry->in_list = true;
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
	const struct bcos_type *type = type_of(event);
	struct bcos_entry *made = (struct bcos_entry *)entry.bytes;

	if (!type)
		return 1;
	/* An initializer would clear all 64 KiB for each event. */
	memset(&entry, 0, offsetof(struct rebuilt, bytes));
	entry.header.type = type->type;
	entry.common = BCOS_COMMON_FIELDS + (type == &bcos_undefined);
	eventheader_visit(event, &visitor);
	if (entry.bad || entry.field < entry.common || !bcos_build_end(&entry.build))
		return 1;
	if (!(made->type & BCOS_TYPE_HISTORICAL)) {
		origin->now = made->time;
		if (origin->start == ~0ull)
			origin->start = origin->now;
	}
	return bcos_type_of(made->type) ?
		       log_restored(log, origin->state, &origin->missed, origin->start, made, origin->now) :
		       log_entry(log, made);
}

int eventheader_import(struct log_writer *log, struct eventheader_origin *origin, const struct eventheader_name *name,
		       const struct eventheader_occasion *when, const void *bytes, size_t size)
{
	struct eventheader_event event;

	if (!eventheader_parse(&event, bytes, size) || event.nameless || (eventheader_is_own(name) && !event.name))
		return 1;
	return eventheader_is_own(name) ? import_own(log, origin, &event) : import_text(log, name, when, &event);
}
