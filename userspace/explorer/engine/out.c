// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writing JSON: see out.h. */
#include <stdlib.h>

#include "export.h"
#include "model/model.h"
#include "out.h"

struct text {
	char *bytes;
	size_t used, room;
	bool first;		/* the next element is the first of its object or array */
};

static struct text texts[OUT_TEXTS], *out = texts;

static void put_bytes(const char *bytes, size_t size)
{
	char *larger;

	if (!size)
		return;
	if (out->used + size > out->room) {
		larger = realloc(out->bytes, 2 * (out->used + size));
		if (!larger)
			return;
		out->bytes = larger;
		out->room = 2 * (out->used + size);
	}
	memcpy(out->bytes + out->used, bytes, size);
	out->used += size;
}

void out_begin_part(enum out_text part)
{
	out = &texts[part];
	out->used = 0;
	out->first = true;
}

void out_begin(void)
{
	out_begin_part(OUT_ANSWER);
}

void out_resume_part(enum out_text part)
{
	out = &texts[part];
}

void out_open_with(enum out_text part)
{
	out_open('[');
	put_bytes(texts[part].bytes, texts[part].used);
	out->first = texts[part].first;
}

void out_raw(const char *text)
{
	put_bytes(text, strlen(text));
}

void out_next(void)
{
	if (!out->first)
		put_bytes(",", 1);
	out->first = false;
}

void out_key(const char *key)
{
	out_next();
	put_bytes("\"", 1);
	out_raw(key);
	put_bytes("\":", 2);
}

void out_open(char bracket)
{
	put_bytes(&bracket, 1);
	out->first = true;
}

void out_close(char bracket)
{
	put_bytes(&bracket, 1);
	out->first = false;
}

void out_number(u64 number)
{
	char text[24];

	put_bytes(text, (size_t)host_format(text, sizeof(text), "%llu", (unsigned long long)number));
}

void out_exact(u64 number)
{
	put_bytes("\"", 1);
	out_number(number);
	put_bytes("\"", 1);
}

void out_moment(u64 time)
{
	if (time < model.begin) {
		put_bytes("-", 1);
		out_number(model.begin - time);
	} else {
		out_number(time - model.begin);
	}
}

void out_real(double number)
{
	char text[40];

	put_bytes(text, (size_t)host_format(text, sizeof(text), "%.12g", number));
}

void out_bool(bool is)
{
	out_raw(is ? "true" : "false");
}

void out_key_number(const char *key, u64 number)
{
	out_key(key);
	out_number(number);
}

void out_key_moment(const char *key, u64 time)
{
	out_key(key);
	out_moment(time);
}

void out_key_real(const char *key, double number)
{
	out_key(key);
	out_real(number);
}

void out_key_bool(const char *key, bool is)
{
	out_key(key);
	out_bool(is);
}

void out_text(const char *text, size_t length)
{
	char escaped[8];
	size_t i, from = 0;

	if (!text) {
		out_raw("null");
		return;
	}
	put_bytes("\"", 1);
	for (i = 0; i < length; i++) {
		if ((u8)text[i] >= 0x20 && text[i] != '"' && text[i] != '\\')
			continue;
		put_bytes(text + from, i - from);
		put_bytes(escaped, (size_t)host_format(escaped, sizeof(escaped), "\\u%04x", (unsigned int)(u8)text[i]));
		from = i + 1;
	}
	put_bytes(text + from, length - from);
	put_bytes("\"", 1);
}

void out_named(const char *name, size_t length, u64 start)
{
	out_key("name");
	out_text(name, length);
	out_key_moment("start", start);
}

void out_string(const char *text)
{
	out_text(text, text ? strlen(text) : 0);
}

void out_ending(u32 status, bool device)
{
	char text[64];
	const char *signal;
	enum bcoslog_end end;
	u32 value;

	end = bcoslog_status_end(status, &value);
	signal = bcoslog_signal(value);
	if (end == BCOSLOG_END_UNKNOWN)
		host_format(text, sizeof(text), "status unknown");
	else if (end == BCOSLOG_EXITED)
		host_format(text, sizeof(text), device ? "status %u" : "exit code %u", value);
	else if (!value)
		host_format(text, sizeof(text), "ended abnormally, by %s",
			    end == BCOSLOG_OWNER ? "its owner" : "the kernel");
	else if (signal)
		host_format(text, sizeof(text), "killed by %s, sent by %s", signal,
			    end == BCOSLOG_OWNER ? "user space" : "the kernel");
	else
		host_format(text, sizeof(text), "killed by signal %u, sent by %s", value,
			    end == BCOSLOG_OWNER ? "user space" : "the kernel");
	out_key("ending");
	out_string(text);
}

EXPORT(out_bytes) const char *out_bytes(void)
{
	return texts[OUT_ANSWER].bytes;
}

EXPORT(out_size) u32 out_size(void)
{
	return (u32)texts[OUT_ANSWER].used;
}
