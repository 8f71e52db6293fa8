// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Gives any bytes to bcos_entry_check(): it reads nothing beyond them, and calls an entry well-formed if and only if
 * the oracle's own reading does. A walk visits the fields of any entry without reading beyond it, and the builder makes
 * the same bytes of the fields of an entry as we write it.
 */
#include <stdlib.h>
#include "core/format/fields.h"
#include "oracle_state.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void put_value(struct bcos_build *build, const struct bcos_walk *walk)
{
	if (walk->field->form == BCOS_FORM_NUMBER)
		bcos_build_number(build, walk->number);
	else if (walk->field->form == BCOS_FORM_LIST)
		bcos_build_list(build, walk->bytes, walk->count);
	else if (walk->field->form == BCOS_FORM_STRING)
		bcos_build_string(build, (const char *)walk->bytes, walk->count);
	else
		bcos_build_bytes(build, walk->bytes, walk->count);
}

/* Visits the fields of an entry, and puts each into another entry. Returns the size of that one, or 0. */
static size_t copy_fields(const struct bcos_entry *entry, void *room, size_t size)
{
	struct bcos_build build;
	struct bcos_walk walk;
	unsigned int fields = 0;

	bcos_build_begin(&build, room, size, entry);
	for (bcos_walk_begin(&walk, entry); bcos_walk_next(&walk); fields++) {
		if (walk.count && walk.bytes + walk.count > (const u8 *)entry + entry->size)
			abort();
		put_value(&build, &walk);
	}
	if (fields != (bcos_type_of(entry->type) ? bcos_type_of(entry->type)->count : 1))
		abort();
	return bcos_build_end(&build);
}

/* Only the entry's size says how much may be read, so the copy has exactly this size. */
static void check_fields(const uint8_t *data, size_t size, bool usual)
{
	static u8 room[BCOS_ENTRY_MAX];
	struct bcos_entry header, *copy;
	size_t made;

	if (size < sizeof(header))
		return;
	memcpy(&header, data, sizeof(header));
	if (header.size < sizeof(header) || header.size > size)
		return;
	copy = malloc(header.size);
	if (!copy)
		return;
	memcpy(copy, data, header.size);
	made = copy_fields(copy, room, sizeof(room));
	if (usual && (made != header.size || memcmp(room, copy, made)))
		abort();
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct oracle oracle;
	enum bcos_malformed wrong = bcos_entry_check(data, size);
	const struct bcos_type *type;
	const char *text, *other;
	struct bcos_entry header;
	size_t length = 0;
	u32 aligned[16384];

	other = parse_entry(&oracle, data, size);
	check_fields(data, size, !other);
	if (wrong) {
		/* The oracle does not judge the sizes of kernel API entries, so any size is right. */
		if (!other)
			abort();
		return 0;
	}
	memcpy(&header, data, sizeof(header));
	if (header.size > size || header.size < 20)
		abort();
	/* bcos_entry_check() does not judge times. */
	if (header.time > UINT64_MAX - header.precision)
		return other ? 0 : (abort(), 0);
	type = bcos_type_of(header.type);
	memcpy(aligned, data, header.size);
	/* The oracle accepts only entries of defined types that are exactly as we write them. */
	if ((!type || bcos_entry_unusual((const struct bcos_entry *)aligned)) != !!other)
		abort();
	text = bcos_entry_text((const struct bcos_entry *)aligned, &length);
	if (!type)
		return text != NULL ? (abort(), 0) : 0;
	if (!other && text && (length != oracle.text_length || memcmp(text, oracle.text, length)))
		abort();
	if (text && length && text + length > (const char *)aligned + header.size)
		abort();
	return 0;
}
