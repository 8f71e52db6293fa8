// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* JSON objects on lines of their own: see object.h. */
#include <stdlib.h>

#include "object.h"
#include "output.h"
#include "complain/complain.h"
#include "times.h"

void object_add(struct object *object, const char *key, json_t *value)
{
	object->failed |= json_object_set_new_nocheck(object->json, key, value);
}

void object_status(struct object *object, u32 status)
{
	object_add(object, "status", status == BCOS_STATUS_UNKNOWN ? json_null() : json_integer(status));
}

void object_number(struct object *object, const char *key, u64 value)
{
	/* jansson's integers end at 2^63 - 1. A greater number, such as an absurd time, is rounded to a real. */
	object_add(object, key, value <= INT64_MAX ? json_integer((json_int_t)value) : json_real((double)value));
}

void object_time(struct object *object, struct clock *clock, const char *key, u64 time)
{
	char name[64], text[WALL_TEXT];

	object_number(object, key, time);
	if (clock->mode != TIME_WALL)
		return;
	snprintf(name, sizeof(name), "%s_wall", key);
	object_text(object, name, text, wall_text(clock, text, time));
}

void object_text(struct object *object, const char *key, const char *text, size_t length)
{
	object_add(object, key, json_stringn_nocheck(text, length));
}

void object_word(struct object *object, const char *key, const char *word)
{
	object_add(object, key, word ? json_string_nocheck(word) : json_null());
}

json_t *object_uncertain(struct object *object, json_t *inner)
{
	struct object outer = { .json = json_object() };

	object_add(&outer, "interrupt_or", inner);
	object->failed |= outer.failed;
	return outer.json;
}

/*
 * Outputs JSON, in which the characters that a terminal is not safe from are escaped as JSON escapes them. jansson
 * escapes those below a space alone. All of them stand in strings.
 */
static void print_escaped(const char *text, size_t length)
{
	size_t from = 0, at = 0, size;
	char escape[8];
	u32 code;

	while (at < length) {
		size = escape_code(text + at, length - at, &code);
		if (!size) {
			at++;
			continue;
		}
		output_bytes(text + from, at - from);
		snprintf(escape, sizeof(escape), "\\u%04x", code);
		output_bytes(escape, strlen(escape));
		at += size;
		from = at;
	}
	output_bytes(text + from, length - from);
}

void object_string(const char *text)
{
	json_t *string = json_string_nocheck(text);
	char *dump = string ? json_dumps(string, JSON_ENCODE_ANY) : NULL;

	if (dump)
		print_escaped(dump, strlen(dump));
	else
		put_literal("\"\"");
	free(dump);
	json_decref(string);
}

static bool is_ascii(const char *text, size_t length)
{
	while (length && (u8)*text < 0x7F) {
		text++;
		length--;
	}
	return !length;
}

/* Return: 0, or -1 if there is no memory and nothing was printed. */
static int print_json(const json_t *json)
{
	size_t size;
	char *text;

	output_room();
	/* Bytes after output.used do not count before the object is known to be whole. */
	size = json_dumpb(json, output.buffer + output.used, OUTPUT_SIZE - output.used, JSON_COMPACT);
	if (size && size < OUTPUT_SIZE - output.used && is_ascii(output.buffer + output.used, size)) {
		output.used += size;
	} else {
		text = json_dumps(json, JSON_COMPACT);
		if (!text)
			return -1;
		print_escaped(text, strlen(text));
		free(text);
	}
	output_bytes("\n", 1);
	return 0;
}

int object_print(struct object *object, const char *what)
{
	int failed = !object->json || object->failed || print_json(object->json);

	json_decref(object->json);
	if (!failed)
		return 0;
	complain("no memory for %s as JSON", what);
	return -ENOMEM;
}
