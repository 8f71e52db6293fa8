// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Events become texts. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/format/fields.h"

#include "../../bytes.h"
#include "../eventheader.h"
#include "read.h"

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
	u32 process = when->pid;
	struct tail tail;
	size_t length;

	if (process == 0xFFFFFFFF)
		process = log_unknown_process(log);
	make_tail(&tail, name, event);
	length = bcos_utf8_clean(text, EVENTHEADER_NAME_MAX, name->provider, name->provider_length);
	text[length++] = ':';
	length += eventheader_text(event, text + length, TEXT_MAX - tail.length - length);
	memcpy(text + length, tail.text, tail.length);
	length += tail.length;
	return log_event(log, moment, BCOS_GENERIC_PROCESS, process, event->id, event_severity(event->level), text,
			 length);
}

int eventheader_import(struct log_writer *log, const struct eventheader_name *name,
		       const struct eventheader_occasion *when, const void *bytes, size_t size)
{
	struct eventheader_event event;

	if (!eventheader_parse(&event, bytes, size) || event.nameless)
		return 1;
	return import_text(log, name, when, &event);
}
