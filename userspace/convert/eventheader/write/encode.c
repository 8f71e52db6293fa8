// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Makes the templates of the types, and writes the parts in which events of one type differ. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/format/entry.h"

#include "../../words.h"
#include "write.h"
#include "entry/text.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "entries are copied as they are");

/* A process, core, CPU or device that lives, and when it began. */
struct live {
	struct node node;
	u64 start;
};

/* ---- templates ---- */

static void put_bytes(struct event_template *template, const void *bytes, size_t size)
{
	memcpy(template->bytes + template->size, bytes, size);
	template->size = (u16)(template->size + size);
}

static void put8(struct event_template *template, u8 value)
{
	put_bytes(template, &value, 1);
}

static void put16(struct event_template *template, u16 value)
{
	put_bytes(template, &value, 2);
}

/* Describes a field: its name, how it is encoded, and how viewers show it. */
static void put_field(struct event_template *template, const struct bcos_field *field, const char *name)
{
	static const u8 numbers[] = {
		[1] = EVENTHEADER_VALUE8, [2] = EVENTHEADER_VALUE16, [4] = EVENTHEADER_VALUE32, [8] = EVENTHEADER_VALUE64,
	};
	u8 format = event_format(field), encoding = numbers[field->width];

	if (field->form == BCOS_FORM_LIST)
		encoding |= EVENTHEADER_VARIABLE_ARRAY;
	else if (field->form != BCOS_FORM_NUMBER)
		encoding = field->form == BCOS_FORM_STRING ? EVENTHEADER_STRING8 : EVENTHEADER_BINARY;
	put_bytes(template, name, strlen(name) + 1);
	put8(template, (u8)(encoding | (format ? EVENTHEADER_HAS_FORMAT : 0)));
	if (format)
		put8(template, format);
}

static void put_fields(struct event_template *template, const struct bcos_type *type)
{
	static const struct bcos_field source = { .width = 4, .kind = BCOS_KIND_DEVICE },
		type_field = { .width = 2, .kind = BCOS_KIND_EVENT };
	const struct bcos_field *common = bcos_common_fields(type->type), *field;
	bool undefined = type == &bcos_undefined;

	put_field(template, undefined ? &source : &common[0], undefined ? "source" : common[0].name);
	put_field(template, &common[2], common[2].name);
	put_field(template, &common[1], common[1].name);
	if (undefined)
		put_field(template, &type_field, "type");
	for (field = type->fields; field < type->fields + type->count; field++) {
		put_field(template, field, undefined ? "data" : field->name);
		if (field->form == BCOS_FORM_NUMBER)
			template->fixed = (u8)(template->fixed + field->width);
		else
			template->last = field->form;
	}
}

static void make_template(struct event_template *template, const struct bcos_type *type, u8 level)
{
	bool undefined = type == &bcos_undefined, live = !undefined && event_is_live(type->type);
	const char *name = event_name(type);
	u16 metadata;

	template->type = type->type;
	template->by_event = !undefined && !event_type_keyword(type->type);
	put8(template, EVENTHEADER_POINTER64 | EVENTHEADER_LITTLE | EVENTHEADER_EXTENSION);
	put8(template, 0);
	put16(template, type->type);
	put16(template, 0);
	put8(template, EVENTHEADER_INFO);
	put8(template, level);
	metadata = template->size;
	put16(template, 0);
	put16(template, EVENTHEADER_KIND_METADATA | (live ? EVENTHEADER_KIND_MORE : 0));
	put_bytes(template, name, strlen(name) + 1);
	put_fields(template, type);
	template->bytes[metadata] = (u8)(template->size - metadata - EVENTHEADER_EXTENSION_SIZE);
	if (!live)
		return;
	put16(template, 16);
	put16(template, EVENTHEADER_KIND_ACTIVITY);
	template->activity = template->size;
	template->size += 16;
}

/* ---- tracepoints ---- */

static u16 point_of(struct encoder *encoder, u8 level, u32 keyword)
{
	struct event_point *point;
	u16 i;

	for (i = 0; i < encoder->points_count; i++)
		if (encoder->points[i].level == level && encoder->points[i].keyword == keyword)
			return i;
	point = &encoder->points[encoder->points_count++];
	point->level = level;
	point->keyword = keyword;
	snprintf(point->name, sizeof(point->name), EVENTHEADER_PROVIDER "_L%xK%x", level, keyword);
	return i;
}

static void make_points(struct encoder *encoder)
{
	static const u32 by_severity[] = { BCOS_CLASS_USER, BCOS_CLASS_KMSG, BCOS_CLASS_IDLE, BCOS_CLASS_STATE,
					   BCOS_CLASS_WHO, BCOS_CLASS_EXEC, BCOS_CLASS_REQUEST, KEYWORD_LOG };
	size_t i;
	u16 keyword;
	u8 level;

	for (i = 0; i < BCOS_TYPES; i++) {
		keyword = event_type_keyword(bcos_types[i].type);
		if (keyword)
			encoder->templates[i].point = point_of(encoder, EVENTHEADER_INFORMATION, keyword);
	}
	encoder->templates[BCOS_TYPES].point = point_of(encoder, EVENTHEADER_VERBOSE, KEYWORD_UNKNOWN);
	for (i = 0; i < sizeof(by_severity) / sizeof(by_severity[0]); i++)
		for (level = EVENTHEADER_CRITICAL; level <= EVENTHEADER_VERBOSE; level++)
			point_of(encoder, level, by_severity[i]);
}

unsigned int encoder_point(const struct encoder *encoder, const struct bcos_entry *entry, u8 *event)
{
	const struct bcos_generic *generic = (const struct bcos_generic *)entry;
	u32 keyword = event_keyword(entry, generic->event_id);
	u8 level = event_level(generic->severity);
	unsigned int i;

	event[7] = level;
	for (i = 0; encoder->points[i].level != level || encoder->points[i].keyword != keyword; i++)
		;
	return i;
}

int encoder_init(struct encoder *encoder)
{
	size_t i;
	int r = 0;

	memset(encoder, 0, sizeof(*encoder));
	memset(encoder->by_key, BCOS_TYPES, sizeof(encoder->by_key));
	for (i = 0; i < BCOS_TYPES; i++) {
		make_template(&encoder->templates[i], &bcos_types[i], EVENTHEADER_INFORMATION);
		encoder->by_key[encoder_key(bcos_types[i].type)] = (u8)i;
	}
	make_template(&encoder->templates[BCOS_TYPES], &bcos_undefined, EVENTHEADER_VERBOSE);
	make_points(encoder);
	for (i = 0; i < 4 && !r; i++)
		r = table_init(&encoder->lives[i]);
	return r;
}

/* ---- lives ---- */

void encoder_forget(struct encoder *encoder)
{
	size_t i;

	for (i = 0; i < 4; i++)
		if (encoder->lives[i].buckets)
			table_clear(&encoder->lives[i], node_free);
}

void encoder_destroy(struct encoder *encoder)
{
	size_t i;

	for (i = 0; i < 4; i++)
		if (encoder->lives[i].buckets)
			table_destroy(&encoder->lives[i], node_free);
}

/* Writes the activity ID, which consists of subject, source and time of the beginning. */
int encoder_live(struct encoder *encoder, const struct event_template *template, const struct bcos_entry *entry,
		 u8 *event)
{
	u32 subject = (entry->type & BCOS_TYPE_SUBJECT_MASK) >> 13;
	struct table *table = &encoder->lives[subject];
	struct live *live = table_find(table, entry->source);
	struct {
		u32 subject, source;
		u64 start;
	} activity = { subject, entry->source, live ? live->start : entry->time };

	if (bcos_type_ends(entry->type)) {
		event[6] = EVENTHEADER_STOP;
		if (live) {
			table_remove(table, &live->node);
			free(live);
		}
	} else if (!live) {
		event[6] = EVENTHEADER_START;
		live = malloc(sizeof(*live));
		if (!live)
			return -ENOMEM;
		live->node.id = entry->source;
		live->start = entry->time;
		if (table_add(table, &live->node)) {
			free(live);
			return -ENOMEM;
		}
	}
	memcpy(event + template->activity, &activity, sizeof(activity));
	return 0;
}

/* ---- the last field ---- */

/* Writes the type, and all bytes after the header. */
static size_t put_unknown(const struct bcos_entry *entry, u8 *to, size_t room)
{
	size_t length = entry->size - sizeof(*entry);
	u16 count;

	length = length < room - 4 ? length : room - 4;
	count = (u16)length;
	memcpy(to, &entry->type, 2);
	memcpy(to + 2, &count, 2);
	memcpy(to + 4, entry + 1, length);
	return 4 + length;
}

size_t encoder_last(const struct event_template *template, const struct bcos_entry *entry, u8 *to, size_t room)
{
	const u8 *body = (const u8 *)(entry + 1) + template->fixed, *end = (const u8 *)entry + entry->size;
	size_t length = body < end ? (size_t)(end - body) : 0;
	struct worded worded;
	const char *text;
	u16 count;

	if (template->last == BCOS_FORM_BYTES)
		return put_unknown(entry, to, room);
	if (template->last == BCOS_FORM_LIST) {
		count = (u16)((length < room - 2 ? length : room - 2) / 4);
		memcpy(to, &count, 2);
		memcpy(to + 2, body, 4 * (size_t)count);
		return 2 + 4 * (size_t)count;
	}
	text = bcos_entry_text(entry_in_words(&worded, entry), &length);
	length = utf8_fit(text, length, room - 2);
	count = (u16)length;
	memcpy(to, &count, 2);
	memcpy(to + 2, text, length);
	return 2 + length;
}
