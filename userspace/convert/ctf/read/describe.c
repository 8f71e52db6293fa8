// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes all fields of an event as text. */
#include "read.h"

/* The contents of a structure that is nested deeper than this are left out. */
#define DEPTH_MAX 8

bool ctf_field_number(const bt_field *field, u64 *number)
{
	bt_field_class_type type = bt_field_get_class_type(field);

	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER))
		*number = bt_field_integer_unsigned_get_value(field);
	else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER))
		*number = (u64)bt_field_integer_signed_get_value(field);
	else if (type == BT_FIELD_CLASS_TYPE_BOOL)
		*number = bt_field_bool_get_value(field);
	else
		return false;
	return true;
}

struct text {
	char *to;
	size_t used, size;
};

static void put_text(struct text *text, const char *bytes, size_t length)
{
	if (length > text->size - text->used)
		length = text->size - text->used;
	memcpy(text->to + text->used, bytes, length);
	text->used += length;
}

static void put_number(struct text *text, const char *format, u64 number)
{
	char digits[32];

	put_text(text, digits, (size_t)snprintf(digits, sizeof(digits), format, number));
}

static void describe_field(struct text *text, const bt_field *field, const bt_field_class *class, unsigned int depth);

static void describe_members(struct text *text, const bt_field *field, const bt_field_class *class, unsigned int depth)
{
	u64 i, count = bt_field_class_structure_get_member_count(class);
	const bt_field_class_structure_member *found;
	const char *name;

	for (i = 0; i < count && text->used < text->size; i++) {
		found = bt_field_class_structure_borrow_member_by_index_const(class, i);
		name = bt_field_class_structure_member_get_name(found);
		if (i)
			put_text(text, ", ", 2);
		put_text(text, name, strlen(name));
		put_text(text, "=", 1);
		describe_field(text, bt_field_structure_borrow_member_field_by_index_const(field, i),
			       bt_field_class_structure_member_borrow_field_class_const(found), depth);
	}
}

static void describe_elements(struct text *text, const bt_field *field, const bt_field_class *class, unsigned int depth)
{
	u64 i, count = bt_field_array_get_length(field);

	for (i = 0; i < count && text->used < text->size; i++) {
		if (i)
			put_text(text, ", ", 2);
		describe_field(text, bt_field_array_borrow_element_field_by_index_const(field, i),
			       bt_field_class_array_borrow_element_field_class_const(class), depth);
	}
}

static void describe_field(struct text *text, const bt_field *field, const bt_field_class *class, unsigned int depth)
{
	bt_field_class_type type = bt_field_get_class_type(field);
	u64 number;

	if (depth == DEPTH_MAX) {
		put_text(text, "...", 3);
	} else if (type == BT_FIELD_CLASS_TYPE_STRING) {
		put_text(text, "\"", 1);
		put_text(text, bt_field_string_get_value(field), bt_field_string_get_length(field));
		put_text(text, "\"", 1);
	} else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER)) {
		put_number(text, "%lld", (u64)bt_field_integer_signed_get_value(field));
	} else if (ctf_field_number(field, &number)) {
		put_number(text, "%llu", number);
	} else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_STRUCTURE)) {
		put_text(text, "{", 1);
		describe_members(text, field, class, depth + 1);
		put_text(text, "}", 1);
	} else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ARRAY)) {
		put_text(text, "[", 1);
		describe_elements(text, field, class, depth + 1);
		put_text(text, "]", 1);
	} else {
		put_text(text, "?", 1);
	}
}

size_t ctf_describe(const bt_event *event, char *to, size_t size)
{
	const bt_event_class *class = bt_event_borrow_class_const(event);
	const bt_field_class *payload = bt_event_class_borrow_payload_field_class_const(class);
	const char *name = bt_event_class_get_name(class);
	const bt_field *fields = bt_event_borrow_payload_field_const(event);
	struct text text = { to, 0, size };

	put_text(&text, name ? name : "?", name ? strlen(name) : 1);
	if (payload && fields && bt_field_class_structure_get_member_count(payload)) {
		put_text(&text, " ", 1);
		describe_members(&text, fields, payload, 0);
	}
	return text.used;
}
