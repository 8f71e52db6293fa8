// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes an event as one line: its name, then NAME=VALUE for each field, with all nesting. */
#include <stdio.h>
#include <string.h>

#include "core/format/entry.h"

#include "read.h"

/* A value has at most this many bytes before it is escaped, since no text of a log is longer. */
#define PIECE 65536

struct line {
	char *to;
	size_t size, length;
	bool full;
	bool begun;		/* the innermost bracket is not empty */
	unsigned int depth;
	uint32_t arrays;	/* bit N is set if the bracket at depth N is an array */
};

/* Appends all of a text or nothing, so that no character is cut. */
static void put_part(struct line *line, const char *text, size_t length)
{
	if (line->full || length > line->size - line->length) {
		line->full = true;
		return;
	}
	memcpy(line->to + line->length, text, length);
	line->length += length;
}

static void put_text(struct line *line, const char *text)
{
	put_part(line, text, strlen(text));
}

/* Appends valid UTF-8 with control characters escaped, and quotes too if @quoted is true. */
static void put_escaped(struct line *line, const char *text, size_t length, bool quoted)
{
	size_t at = 0, bytes;
	char code[8];

	while (at < length && !line->full) {
		bytes = (unsigned char)text[at] < 0x80 ? 1 : bcos_utf8_character(text + at, length - at);
		bytes = bytes ? bytes : 1;
		if (quoted && (text[at] == '"' || text[at] == '\\'))
			put_text(line, "\\");
		if ((unsigned char)text[at] < 0x20 || text[at] == 0x7F) {
			snprintf(code, sizeof(code), "\\x%02x", text[at]);
			put_text(line, code);
		} else {
			put_part(line, text + at, bytes);
		}
		at += bytes;
	}
}

/* Appends a name, in which a doubled semicolon stands for one. */
static void put_name(struct line *line, const char *name, size_t length)
{
	char single[PIECE], clean[PIECE];
	size_t i, n = 0;

	for (i = 0; i < length && n < sizeof(single); i++) {
		single[n++] = name[i];
		if (name[i] == ';' && i + 1 < length && name[i + 1] == ';')
			i++;
	}
	n = utf_clean(clean, sizeof(clean), (const uint8_t *)single, n, 1, UTF_LITTLE);
	put_escaped(line, clean, n, false);
}

/* Appends the attributes after a name, "NAME;ATTRIBUTE=VALUE;...", which a zero ends. */
static void put_attributes(struct line *line, const char *name, size_t length)
{
	if (!name || name[length] != ';')
		return;
	put_text(line, "(");
	put_name(line, name + length + 1, strlen(name + length + 1));
	put_text(line, ")");
}

static bool in_array(const struct line *line)
{
	return line->depth && line->arrays & 1u << line->depth;
}

/* Appends the separator from the text before and, unless the value is an element of an array, its name. */
static void put_label(struct line *line, const char *name, size_t length)
{
	if (line->begun)
		put_text(line, in_array(line) ? ", " : " ");
	line->begun = true;
	if (!in_array(line)) {
		put_name(line, name, length);
		put_attributes(line, name, length);
		put_text(line, "=");
	}
}

static bool on_value(void *context, const struct eventheader_value *value)
{
	struct line *line = context;
	bool quoted = eventheader_is_string(value);
	char text[PIECE];

	put_label(line, value->name, value->name_length);
	if (quoted)
		put_text(line, "\"");
	put_escaped(line, text, eventheader_value_text(value, text, sizeof(text)), quoted);
	if (quoted)
		put_text(line, "\"");
	return !line->full;
}

static bool on_open(void *context, const char *name, size_t length, bool array)
{
	struct line *line = context;

	put_label(line, name, length);
	put_text(line, array ? "[" : "{");
	line->depth++;
	line->arrays = array ? line->arrays | 1u << line->depth : line->arrays & ~(1u << line->depth);
	line->begun = false;
	return !line->full;
}

static void on_close(void *context, bool array)
{
	struct line *line = context;

	put_text(line, array ? "]" : "}");
	line->depth--;
	line->begun = true;
}

static void on_damage(void *context, const char *name, size_t length, enum eventheader_damage what)
{
	static const char *const words[] = {
		[EVENTHEADER_SHORT] = "(missing)",
		[EVENTHEADER_INVALID] = "(invalid)",
		[EVENTHEADER_TOO_DEEP] = "(too deep)",
		[EVENTHEADER_TOO_MUCH] = "(too many)",
	};

	put_label(context, name, length);
	put_text(context, words[what]);
}

/* An event without metadata is known by its ID alone, and nothing describes its payload. */
static void put_undescribed(struct line *line, const struct eventheader_event *event)
{
	char text[32];
	size_t i;

	snprintf(text, sizeof(text), "event %u", event->id);
	put_text(line, text);
	if (event->payload_size)
		put_text(line, " payload=");
	for (i = 0; i < event->payload_size && !line->full; i++) {
		snprintf(text, sizeof(text), "%02x", event->payload[i]);
		put_text(line, text);
	}
}

size_t eventheader_text(const struct eventheader_event *event, char *to, size_t size)
{
	static const char cut[] = "...";
	struct line line = { .to = to, .size = size - (sizeof(cut) - 1) };
	const struct eventheader_visitor visitor = {
		.context = &line, .value = on_value, .open = on_open, .close = on_close, .damage = on_damage,
	};

	if (event->name)
		put_name(&line, event->name, event->name_length);
	else if (!event->nameless)
		put_undescribed(&line, event);
	put_attributes(&line, event->name, event->name_length);
	line.begun = line.length;
	eventheader_visit(event, &visitor);
	if (line.full) {
		memcpy(to + line.length, cut, sizeof(cut) - 1);
		line.length += sizeof(cut) - 1;
	}
	return line.length;
}
