// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Import of the Fuchsia trace format: events of providers other than bcoslog become generic events with a text. */
#include <inttypes.h>

#include "../../real.h"
#include "read.h"

struct line {
	char *text;
	size_t size, used;
};

static void put_text(struct line *line, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put_text(struct line *line, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(line->text + line->used, line->size - line->used, format, args);
	va_end(args);
	if (n > 0)
		line->used += (size_t)n < line->size - line->used ? (size_t)n : line->size - line->used - 1;
}

static void put_bytes(struct line *line, struct fxt_string string)
{
	size_t room = line->size - line->used - 1;

	if (string.length > room)
		string.length = room;
	memcpy(line->text + line->used, string.text, string.length);
	line->used += string.length;
}

static void put_argument(struct line *line, const struct fxt_value *argument)
{
	char number[REAL_TEXT];
	double real;

	put_text(line, " ");
	put_bytes(line, argument->name);
	switch (argument->type) {
	case FXT_INT32:
	case FXT_INT64:
		put_text(line, "=%" PRId64, (s64)argument->value);
		break;
	case FXT_DOUBLE:
		memcpy(&real, &argument->value, sizeof(real));
		real_text(number, real, false);
		put_text(line, "=%s", number);
		break;
	case FXT_TEXT:
		put_text(line, "=\"");
		put_bytes(line, argument->text);
		put_text(line, "\"");
		break;
	case FXT_POINTER:
		put_text(line, "=0x%" PRIx64, argument->value);
		break;
	case FXT_BOOL:
		put_text(line, argument->value ? "=true" : "=false");
		break;
	case FXT_NULL:
		break;
	default:
		put_text(line, "=%" PRIu64, argument->value);
		break;
	}
}

/* Appends a word for each type of event that is more than an instant. */
static void put_type(struct line *line, const struct fxt_happened *event)
{
	static const char *const words[] = {
		[FXT_COUNTER] = "counter", [FXT_BEGIN] = "begins", [FXT_END] = "ends", [FXT_COMPLETE] = "lasts",
		[FXT_ASYNC_BEGIN] = "async begins", [FXT_ASYNC_INSTANT] = "async", [FXT_ASYNC_END] = "async ends",
		[FXT_FLOW_BEGIN] = "flow begins", [FXT_FLOW_STEP] = "flow", [FXT_FLOW_END] = "flow ends",
	};

	if (event->type == FXT_INSTANT)
		return;
	put_text(line, " %s", words[event->type]);
	if (event->type == FXT_COMPLETE)
		put_text(line, " %" PRIu64 " ns", event->extra);
	else if (event->type != FXT_BEGIN && event->type != FXT_END)
		put_text(line, " %" PRIu64, event->extra);
}

int fxt_foreign(struct fxt_import *fxt, const struct fxt_happened *event)
{
	struct line line = { fxt->text, sizeof(fxt->text), 0 };
	struct moment when = { event->time, event->precision };
	u32 id = event->type >= FXT_ASYNC_BEGIN || event->type == FXT_COUNTER ? (u32)event->extra : 0;
	unsigned int i;

	put_bytes(&line, event->category);
	if (event->category.length)
		put_text(&line, ": ");
	put_bytes(&line, event->name);
	put_type(&line, event);
	for (i = 0; i < fxt->argument_count; i++)
		put_argument(&line, &fxt->arguments[i]);
	/* The text has the whole number. As an ID it must not be one of the log's own, which say why a process ended, and more. */
	return log_event(fxt->import->log, when, BCOS_GENERIC_PROCESS, fxt_process_id(fxt, fxt_owner_of(fxt, event->thread)),
			 id & BCOS_EVENT_OWN ? BCOS_EVENT_UNSPECIFIED : id, BCOS_SEVERITY_INFO, line.text, line.used);
}
