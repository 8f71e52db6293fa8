// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Visits the fields of an event: the metadata describes the payload. */
#include "../../bytes.h"
#include "read.h"

/* The state of a visit. */
struct walk {
	const struct eventheader_visitor *visitor;
	bool big_endian;
	const uint8_t *meta, *meta_end;
	const uint8_t *at, *end;	/* the rest of the payload */
	unsigned int values;
};

/* The description of a field. */
struct field {
	const char *name;
	size_t name_length;
	uint8_t encoding, format;
	bool array;
	unsigned int count;		/* count of elements; 1 if the field is no array */
};

/* The outcome of a field. The visit goes on after FINE only. */
enum outcome { FINE, STOP };

static enum outcome note_damage(struct walk *walk, const struct field *field, enum eventheader_damage what)
{
	walk->visitor->damage(walk->visitor->context, field->name, field->name_length, what);
	return what == EVENTHEADER_SHORT ? FINE : STOP;
}

static bool take8(struct walk *walk, uint8_t *value)
{
	if (walk->meta == walk->meta_end)
		return false;
	*value = *walk->meta++;
	return true;
}

static bool take16(struct walk *walk, unsigned int *value)
{
	if (walk->meta_end - walk->meta < 2)
		return false;
	*value = get16(walk->meta, walk->big_endian);
	walk->meta += 2;
	return true;
}

/* Takes the description of the next field. The count of a variable array is in the payload and stays 0 here. */
static bool take_field(struct walk *walk, struct field *field)
{
	const uint8_t *after;
	unsigned int tag;
	uint8_t encoding;

	memset(field, 0, sizeof(*field));
	after = eventheader_take_name(walk->meta, walk->meta_end, &field->name, &field->name_length);
	if (!after)
		return false;
	walk->meta = after;
	if (!take8(walk, &encoding))
		return false;
	if (encoding & EVENTHEADER_HAS_FORMAT && !take8(walk, &field->format))
		return false;
	if (field->format & EVENTHEADER_HAS_TAG && !take16(walk, &tag))
		return false;
	field->format &= EVENTHEADER_FORMAT_MASK;
	field->encoding = encoding & EVENTHEADER_ENCODING_MASK;
	field->array = encoding & (EVENTHEADER_CONSTANT_ARRAY | EVENTHEADER_VARIABLE_ARRAY);
	field->count = 1;
	if (encoding & EVENTHEADER_CONSTANT_ARRAY) {
		if (encoding & EVENTHEADER_VARIABLE_ARRAY || !take16(walk, &field->count) || !field->count)
			return false;
	} else if (encoding & EVENTHEADER_VARIABLE_ARRAY) {
		field->count = 0;
	}
	return field->encoding && field->encoding < EVENTHEADER_ENCODINGS;
}

/* Takes the count of a variable array from the payload. */
static bool take_count(struct walk *walk, struct field *field)
{
	if (walk->end - walk->at < 2) {
		walk->at = walk->end;
		return false;
	}
	field->count = get16(walk->at, walk->big_endian);
	walk->at += 2;
	return true;
}

static size_t character_size(uint8_t encoding)
{
	static const uint8_t sizes[EVENTHEADER_ENCODINGS] = {
		[EVENTHEADER_ZSTRING8] = 1, [EVENTHEADER_ZSTRING16] = 2, [EVENTHEADER_ZSTRING32] = 4,
		[EVENTHEADER_STRING8] = 1, [EVENTHEADER_STRING16] = 2, [EVENTHEADER_STRING32] = 4,
		[EVENTHEADER_BINARY] = 1,
	};

	return sizes[encoding];
}

/* Returns the length of a string that a zero or the end of the payload terminates. */
static size_t terminated_length(const struct walk *walk, size_t unit)
{
	static const uint8_t zero[4];
	const uint8_t *at = walk->at;

	while ((size_t)(walk->end - at) >= unit && memcmp(at, zero, unit))
		at += unit;
	return (size_t)(at - walk->at);
}

/* Takes a value from the payload.  Return: false if the payload is too short. */
static bool take_value(struct walk *walk, const struct field *field, struct eventheader_value *value)
{
	size_t left = (size_t)(walk->end - walk->at), unit = character_size(field->encoding);

	value->name = field->name;
	value->name_length = field->name_length;
	value->encoding = field->encoding;
	value->format = field->format;
	value->big_endian = walk->big_endian;
	value->bytes = walk->at;
	if (field->encoding <= EVENTHEADER_VALUE128) {
		value->size = (size_t)1 << (field->encoding - EVENTHEADER_VALUE8);
	} else if (field->encoding <= EVENTHEADER_ZSTRING32) {
		value->size = terminated_length(walk, unit);
		walk->at += value->size;
		walk->at += (size_t)(walk->end - walk->at) < unit ? (size_t)(walk->end - walk->at) : unit;
		return true;
	} else {
		if (left < 2)
			goto is_short;
		value->size = get16(walk->at, walk->big_endian) * unit;
		value->bytes = walk->at += 2;
		left -= 2;
	}
	if (left < value->size)
		goto is_short;
	walk->at += value->size;
	return true;
is_short:
	walk->at = walk->end;
	return false;
}

static enum outcome visit_fields(struct walk *walk, unsigned int count, unsigned int depth);

static enum outcome visit_element(struct walk *walk, const struct field *field, unsigned int depth)
{
	const struct eventheader_visitor *visitor = walk->visitor;
	struct eventheader_value value;
	enum outcome outcome;

	if (walk->values++ >= EVENTHEADER_VALUES)
		return note_damage(walk, field, EVENTHEADER_TOO_MUCH);
	if (field->encoding != EVENTHEADER_STRUCT) {
		if (!take_value(walk, field, &value))
			return note_damage(walk, field, EVENTHEADER_SHORT);
		return visitor->value(visitor->context, &value) ? FINE : STOP;
	}
	if (depth == EVENTHEADER_DEPTH)
		return note_damage(walk, field, EVENTHEADER_TOO_DEEP);
	if (!visitor->open(visitor->context, field->name, field->name_length, false))
		return STOP;
	outcome = visit_fields(walk, field->format, depth + 1);
	visitor->close(visitor->context, false);
	return outcome;
}

/* Skips the descriptions of a structure's fields, which the payload does not contain. */
static bool skip_fields(struct walk *walk, unsigned int count, unsigned int depth)
{
	struct field field;

	for (; count && walk->meta != walk->meta_end; count--)
		if (!take_field(walk, &field) || (field.encoding == EVENTHEADER_STRUCT &&
		    (depth == EVENTHEADER_DEPTH || !skip_fields(walk, field.format, depth + 1))))
			return false;
	return true;
}

/* Is the payload at its end, although an element takes at least one byte? */
static bool is_over(const struct walk *walk, const struct field *field)
{
	return walk->at == walk->end && (field->encoding != EVENTHEADER_STRUCT || field->format);
}

static enum outcome visit_array(struct walk *walk, const struct field *field, unsigned int depth)
{
	const struct eventheader_visitor *visitor = walk->visitor;
	const uint8_t *meta = walk->meta;
	enum outcome outcome = FINE;
	unsigned int i;

	if (!visitor->open(visitor->context, field->name, field->name_length, true))
		return STOP;
	for (i = 0; i < field->count && outcome == FINE; i++) {
		if (i && is_over(walk, field)) {
			note_damage(walk, field, EVENTHEADER_SHORT);
			break;
		}
		walk->meta = meta;
		outcome = visit_element(walk, field, depth);
	}
	visitor->close(visitor->context, true);
	return outcome;
}

/* Visits a variable array. If its count is 0, the descriptions of an element's fields still have to be skipped. */
static enum outcome visit_counted(struct walk *walk, struct field *field, unsigned int depth)
{
	const uint8_t *meta = walk->meta;
	enum outcome outcome;

	outcome =
		take_count(walk, field) ? visit_array(walk, field, depth) : note_damage(walk, field, EVENTHEADER_SHORT);
	if (outcome == FINE && !field->count && field->encoding == EVENTHEADER_STRUCT) {
		walk->meta = meta;
		if (!skip_fields(walk, field->format, depth))
			outcome = note_damage(walk, field, EVENTHEADER_INVALID);
	}
	return outcome;
}

/*
 * Visits the fields of a structure, or at depth 0 all that are described. A structure may claim more fields than the
 * metadata describe: it ends with these.
 */
static enum outcome visit_fields(struct walk *walk, unsigned int count, unsigned int depth)
{
	enum outcome outcome = FINE;
	struct field field;
	unsigned int i;

	for (i = 0; outcome == FINE && (!depth || i < count) && walk->meta != walk->meta_end; i++) {
		if (!take_field(walk, &field))
			return note_damage(walk, &field, EVENTHEADER_INVALID);
		if (!field.array)
			outcome = visit_element(walk, &field, depth);
		else if (field.count)
			outcome = visit_array(walk, &field, depth);
		else
			outcome = visit_counted(walk, &field, depth);
	}
	return outcome;
}

void eventheader_visit(const struct eventheader_event *event, const struct eventheader_visitor *visitor)
{
	struct walk walk = {
		.visitor = visitor,
		.big_endian = event->big_endian,
		.at = event->payload, .end = event->payload + event->payload_size,
	};

	if (!event->fields)
		return;
	walk.meta = event->fields;
	walk.meta_end = event->fields + event->fields_size;
	visit_fields(&walk, 0, 0);
}
