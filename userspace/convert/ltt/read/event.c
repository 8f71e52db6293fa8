// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Decodes events of an LTT trace. The sizes and counts in an event are never trusted. */
#include <inttypes.h>
#include <stdio.h>

#include "../../real.h"
#include "read.h"

struct walk {
	const struct ltt_facilities *facilities;
	struct ltt_cursor *cursor;
	const struct ltt_visitor *visitor;
	void *context;
	const char *field;
	unsigned int depth;
	/* How many more types may be visited: types without bytes could go on for ever. */
	u64 steps;
};

static bool walk_type(struct walk *walk, u32 number);

static void tell_value(struct walk *walk, struct ltt_value value)
{
	if (!walk->visitor)
		return;
	value.field = walk->field;
	walk->visitor->value(walk->context, &value);
}

static bool walk_number(struct walk *walk, const struct ltt_node *node)
{
	struct ltt_value value = { .kind = node->kind, .format = ltt_name(walk->facilities, node) };
	unsigned int shift = 64 - node->size * 8;

	if (!ltt_take(walk->cursor, node->size, &value.number))
		return false;
	if (node->kind == LTT_KIND_INT)
		value.number = (u64)((s64)(value.number << shift) >> shift);
	tell_value(walk, value);
	return true;
}

static bool walk_float(struct walk *walk, const struct ltt_node *node)
{
	struct ltt_value value = { .kind = LTT_KIND_FLOAT };
	float single;
	u32 bits;

	if (!ltt_take(walk->cursor, node->size, &value.number))
		return false;
	if (node->size == sizeof(single)) {
		value.single = true;
		bits = (u32)value.number;
		memcpy(&single, &bits, sizeof(single));
		value.real = (double)single;
	} else if (node->size == sizeof(value.real)) {
		memcpy(&value.real, &value.number, sizeof(value.real));
	}
	tell_value(walk, value);
	return true;
}

static bool walk_string(struct walk *walk)
{
	struct ltt_cursor *cursor = walk->cursor;
	const u8 *zero = memchr(cursor->at, 0, (size_t)(cursor->end - cursor->at));
	struct ltt_value value = { .kind = LTT_KIND_STRING, .text = (const char *)cursor->at };

	if (!zero)
		return false;
	value.length = (size_t)(zero - cursor->at);
	cursor->at = zero + 1;
	tell_value(walk, value);
	return true;
}

/* Finds the label of a number. It is empty if there are fewer labels. */
static void find_label(const char *labels, struct ltt_value *value)
{
	u64 n = value->number;

	for (;;) {
		labels += strspn(labels, " \t\r\n,");
		value->length = strcspn(labels, " \t\r\n,");
		value->text = labels;
		if (!value->length || !n--)
			return;
		labels += value->length;
	}
}

static bool walk_enum(struct walk *walk, const struct ltt_node *node)
{
	struct ltt_value value = { .kind = LTT_KIND_ENUM };

	if (!ltt_take(walk->cursor, node->size, &value.number))
		return false;
	if (walk->visitor)
		find_label(ltt_name(walk->facilities, node), &value);
	tell_value(walk, value);
	return true;
}

/* Returns the first type in an array, sequence, field or named type, which is the type of its contents. */
static u32 content_of(const struct ltt_facilities *facilities, const struct ltt_node *node)
{
	u32 child = node->child;

	while (child && ltt_node(facilities, child)->kind < LTT_KIND_INT)
		child = ltt_node(facilities, child)->next;
	return child;
}

static bool walk_array(struct walk *walk, const struct ltt_node *node)
{
	struct ltt_value value = { .kind = LTT_KIND_ARRAY, .number = node->size };
	u32 content = content_of(walk->facilities, node);
	const u8 *before;
	u64 i;

	if (node->kind == LTT_KIND_SEQUENCE && !ltt_take(walk->cursor, node->size, &value.number))
		return false;
	tell_value(walk, value);
	for (i = 0; i < value.number; i++) {
		before = walk->cursor->at;
		if (!content || !walk_type(walk, content))
			return false;
		/* Elements without bytes tell nothing, however many they are. */
		if (walk->cursor->at == before)
			break;
	}
	if (walk->visitor && walk->visitor->array_end)
		walk->visitor->array_end(walk->context);
	return true;
}

static bool walk_field(struct walk *walk, u32 number)
{
	const struct ltt_node *node = ltt_node(walk->facilities, number);
	const char *outer = walk->field;
	u32 content = content_of(walk->facilities, node);
	bool good;

	walk->field = ltt_name(walk->facilities, node);
	good = content && walk_type(walk, content);
	walk->field = outer;
	return good;
}

static bool walk_struct(struct walk *walk, const struct ltt_node *node)
{
	u32 child;

	for (child = node->child; child; child = ltt_node(walk->facilities, child)->next)
		if (ltt_node(walk->facilities, child)->kind == LTT_KIND_FIELD && !walk_field(walk, child))
			return false;
	return true;
}

static bool walk_union(struct walk *walk, const struct ltt_node *node)
{
	u32 child = node->child;
	u64 code;

	if (!ltt_take(walk->cursor, node->size, &code))
		return false;
	for (; child; child = ltt_node(walk->facilities, child)->next)
		if (ltt_node(walk->facilities, child)->kind == LTT_KIND_FIELD && !code--)
			return walk_field(walk, child);
	return false;
}

static bool walk_kind(struct walk *walk, const struct ltt_node *node)
{
	u32 content;

	switch (node->kind) {
	case LTT_KIND_INT:
	case LTT_KIND_UINT:
		return walk_number(walk, node);
	case LTT_KIND_FLOAT:
		return walk_float(walk, node);
	case LTT_KIND_STRING:
		return walk_string(walk);
	case LTT_KIND_ENUM:
		return walk_enum(walk, node);
	case LTT_KIND_ARRAY:
	case LTT_KIND_SEQUENCE:
		return walk_array(walk, node);
	case LTT_KIND_STRUCT:
		return walk_struct(walk, node);
	case LTT_KIND_UNION:
		return walk_union(walk, node);
	case LTT_KIND_TYPEREF:
		content = node->target ? content_of(walk->facilities, ltt_node(walk->facilities, node->target)) : 0;
		return content && walk_type(walk, content);
	default:
		return false;
	}
}

static bool walk_type(struct walk *walk, u32 number)
{
	bool good;

	if (walk->depth == LTT_DEPTH || !walk->steps)
		return false;
	walk->steps--;
	walk->depth++;
	good = walk_kind(walk, ltt_node(walk->facilities, number));
	walk->depth--;
	return good;
}

bool ltt_walk(const struct ltt_facilities *facilities, u32 event, struct ltt_cursor *cursor,
	      const struct ltt_visitor *visitor, void *context)
{
	struct walk walk = {
		.facilities = facilities, .cursor = cursor, .visitor = visitor, .context = context, .field = "",
		.steps = 4096 + 8 * (u64)(cursor->end - cursor->at),
	};
	u32 content = content_of(facilities, ltt_node(facilities, event));

	/* An event may have no fields. */
	return !content || walk_type(&walk, content);
}

/* ---- as text ---------------------------------------------------------------- */

struct describe {
	char *text;
	size_t length, size;
	unsigned int arrays;
};

static __attribute__((format(printf, 2, 3))) void say(struct describe *describe, const char *format, ...)
{
	size_t room = describe->size - describe->length;
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(describe->text + describe->length, room, format, args);
	va_end(args);
	if (n > 0)
		describe->length += (size_t)n < room ? (size_t)n : room ? room - 1 : 0;
}

/* Writes a number in a format that say_formatted() has made, so that no compiler can check it. */
static void say_number(struct describe *describe, const char *format, u64 number)
{
	char text[128];

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	snprintf(text, sizeof(text), format, (unsigned long long)number);
#pragma GCC diagnostic pop
	say(describe, "%s", text);
}

/*
 * Writes an integer in the format of printf() that its description gives. Returns false for a format that is not one
 * conversion of an integer with a text around it.
 */
static bool say_formatted(struct describe *describe, const struct ltt_value *value)
{
	const char *percent = strchr(value->format, '%'), *at;
	char format[64];
	int length;

	if (!percent || strlen(value->format) > 40)
		return false;
	at = percent + 1 + strspn(percent + 1, "-+ #0");
	length = (int)(at - percent);
	at += strspn(at, "0123456789");
	if (at - percent - length > 2)
		return false;
	length = (int)(at - percent);
	at += strspn(at, "hlLqjzt");
	if (!*at || !strchr("diuxXo", *at) || strchr(at, '%'))
		return false;
	snprintf(format, sizeof(format), "%.*sll%c", length, percent, *at);
	say(describe, "%.*s", (int)(percent - value->format), value->format);
	say_number(describe, format, value->number);
	say(describe, "%s", at + 1);
	return true;
}

static void describe_value(void *context, const struct ltt_value *value)
{
	struct describe *describe = context;
	char number[REAL_TEXT];

	if (describe->length + 1 >= describe->size)
		return;
	say(describe, " ");
	if (*value->field && !describe->arrays)
		say(describe, "%s=", value->field);
	if ((value->kind == LTT_KIND_INT || value->kind == LTT_KIND_UINT) && say_formatted(describe, value))
		return;
	switch (value->kind) {
	case LTT_KIND_INT:
		say(describe, "%" PRId64, (s64)value->number);
		break;
	case LTT_KIND_FLOAT:
		real_text(number, value->real, value->single);
		say(describe, "%s", number);
		break;
	case LTT_KIND_STRING:
		say(describe, "%.*s", value->length > 65535 ? 65535 : (int)value->length, value->text);
		break;
	case LTT_KIND_ENUM:
		if (value->length)
			say(describe, "%.*s", (int)value->length, value->text);
		else
			say(describe, "%" PRIu64, value->number);
		break;
	case LTT_KIND_ARRAY:
		say(describe, "(");
		describe->arrays++;
		break;
	default:
		say(describe, "%" PRIu64, value->number);
		break;
	}
}

static void describe_array_end(void *context)
{
	struct describe *describe = context;

	say(describe, " )");
	describe->arrays--;
}

size_t ltt_describe(const struct ltt_facilities *facilities, u32 facility, u32 event, struct ltt_cursor cursor,
		    char *text, size_t size)
{
	static const struct ltt_visitor visitor = { .value = describe_value, .array_end = describe_array_end };
	struct describe describe = { .text = text, .size = size };

	say(&describe, "%s.%s", ltt_name(facilities, ltt_node(facilities, facility)),
	    ltt_name(facilities, ltt_node(facilities, event)));
	ltt_walk(facilities, event, &cursor, &visitor, &describe);
	return describe.length;
}
