// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The fields of an entry one after another: see fields.h. */
#include "fields.h"

static const struct bcos_type *type_of(u16 type)
{
	const struct bcos_type *known = bcos_type_of(type);

	return known ? known : &bcos_undefined;
}

/* ---- walk ------------------------------------------------------------------------- */

void bcos_walk_begin(struct bcos_walk *walk, const struct bcos_entry *entry)
{
	const struct bcos_type *type = type_of(entry->type);

	walk->entry = entry;
	walk->next = type->fields;
	walk->left = type->count;
}

static u64 number_at(const u8 *at, unsigned int width)
{
	u16 two;
	u32 four;

	switch (width) {
	case 1:
		return *at;
	case 2:
		memcpy(&two, at, sizeof(two));
		return two;
	default:
		memcpy(&four, at, sizeof(four));
		return four;
	}
}

bool bcos_walk_next(struct bcos_walk *walk)
{
	const struct bcos_entry *entry = walk->entry;
	const struct bcos_field *field = walk->next;
	size_t offset, room;

	if (!walk->left)
		return false;
	walk->left--;
	walk->next++;
	walk->field = field;
	offset = field->offset < entry->size ? field->offset : entry->size;
	room = entry->size - offset;
	walk->number = 0;
	walk->bytes = (const u8 *)entry + offset;
	walk->count = 0;
	if (field->form == BCOS_FORM_STRING)
		walk->count = bcos_string_length((const char *)walk->bytes, room);
	else if (field->form != BCOS_FORM_NUMBER)
		walk->count = room / field->width;
	else if (room >= field->width)
		walk->number = number_at(walk->bytes, field->width);
	return true;
}

/* ---- builder ---------------------------------------------------------------------- */

void bcos_build_begin(struct bcos_build *build, void *room, size_t size,
		      const struct bcos_entry *header)
{
	const struct bcos_type *type = type_of(header->type);

	/* Padding to a multiple of 4 bytes always has room. */
	size = size < BCOS_ENTRY_MAX ? size : BCOS_ENTRY_MAX;
	build->bytes = room;
	build->room = size & ~(size_t)3;
	build->size = sizeof(*header);
	build->next = type->fields;
	build->left = type->count;
	build->in_list = false;
	build->failed = build->room < sizeof(*header);
	if (!build->failed)
		memcpy(room, header, sizeof(*header));
}

/*
 * Puts the bytes of the next field, if it has this form. They follow the bytes before them, since
 * no type has holes.
 */
static bool put_field(struct bcos_build *build, enum bcos_form form, const void *bytes, size_t size)
{
	if (build->failed || !build->left || build->next->form != form ||
	    size > build->room - build->size) {
		build->failed = true;
		return false;
	}
	if (size)
		memcpy(build->bytes + build->size, bytes, size);
	build->size += size;
	build->next++;
	build->left--;
	return true;
}

bool bcos_build_number(struct bcos_build *build, u64 number)
{
	if (!build->left || number >> (8 * build->next->width)) {
		build->failed = true;
		return false;
	}
	return put_field(build, BCOS_FORM_NUMBER, &number, build->next->width);
}

bool bcos_build_list(struct bcos_build *build, const void *elements, size_t count)
{
	if (count > BCOS_ENTRY_MAX / sizeof(u32)) {
		build->failed = true;
		return false;
	}
	if (build->in_list) {
		build->next--;
		build->left++;
	}
	build->in_list = put_field(build, BCOS_FORM_LIST, elements, count * sizeof(u32));
	return build->in_list;
}

bool bcos_build_bytes(struct bcos_build *build, const void *bytes, size_t length)
{
	return put_field(build, BCOS_FORM_BYTES, bytes, length);
}

bool bcos_build_string(struct bcos_build *build, const char *text, size_t length)
{
	return put_field(build, BCOS_FORM_STRING, text, length);
}

size_t bcos_build_end(struct bcos_build *build)
{
	u16 size;

	if (build->failed || build->left)
		return 0;
	while (build->size % 4)
		build->bytes[build->size++] = 0;
	size = (u16)build->size;
	memcpy(build->bytes, &size, sizeof(size));
	return bcos_entry_check(build->bytes, size) == BCOS_WELL_FORMED ? size : 0;
}
