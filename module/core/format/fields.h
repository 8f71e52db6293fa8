/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The fields of an entry one after another: a walk visits them, and a builder puts them. Both
 * follow bcos_types (core/format/entry.h), so a format of other programs needs no list of types:
 *
 *	for (i = 0; i < BCOS_TYPES; i++)
 *		describe bcos_types[i].name with bcos_common_fields(bcos_types[i].type) and its
 *		fields: the form and width say how a value is stored, the kind what it means
 *
 *	bcos_walk_begin(&walk, entry);
 *	while (bcos_walk_next(&walk))
 *		write the value of walk.field: walk.number, or walk.count elements or bytes
 *
 * and to come back
 *
 *	bcos_build_begin(&build, room, sizeof(room), &header);
 *	while (build.left)
 *		read a value for build.next, and put it
 *	if (bcos_build_end(&build))
 *		the entry in room is well-formed
 *
 * A format that has another name for a field keeps this name beside its own description of the
 * types, by the kind of the field.
 */
#ifndef BCOS_CORE_FIELDS_H
#define BCOS_CORE_FIELDS_H

#include "entry.h"

/**
 * struct bcos_walk - the fields of an entry, of which one is the current one
 * @entry: the entry
 * @field: the current field
 * @next: the field after it
 * @left: number of fields after @field
 * @number: value of a number; 0 if the entry ends before it
 * @bytes: the first byte of a list, whose elements need not be aligned, of a string, or of bytes
 * @count: elements of a list; bytes of a string, without padding; or bytes
 */
struct bcos_walk {
	const struct bcos_entry *entry;
	const struct bcos_field *field;
	const struct bcos_field *next;
	unsigned int left;
	u64 number;
	const u8 *bytes;
	size_t count;
};

/**
 * bcos_walk_begin() - begin before the first field after the header
 * @walk: the walk
 * @entry: any bytes with a size of 20 or more, of which the entry's size can be read. The entry
 *   need not be well-formed: the walk visits all fields of its type, and those that are cut off
 *   have the value 0, or no elements. What follows the header of an undefined type is one field.
 *
 * Context: any.
 */
void bcos_walk_begin(struct bcos_walk *walk, const struct bcos_entry *entry);

/**
 * bcos_walk_next() - go on to the next field
 * @walk: the walk, which then has the value of the field
 *
 * Context: any.
 * Return: false after the last field.
 */
bool bcos_walk_next(struct bcos_walk *walk);

/* Returns element @index of the current field, which is a list with more elements than that. */
static inline u32 bcos_walk_element(const struct bcos_walk *walk, size_t index)
{
	u32 element;

	memcpy(&element, walk->bytes + index * sizeof(element), sizeof(element));
	return element;
}

/**
 * struct bcos_build - an entry that is being built
 * @bytes: the entry
 * @room: size of @bytes
 * @size: bytes of the entry so far
 * @next: the field that is put next
 * @left: number of fields that are not put yet
 * @in_list: the last field, a list, has its first elements
 * @failed: a value did not suit its field, or there was no room
 */
struct bcos_build {
	u8 *bytes;
	size_t room;
	size_t size;
	const struct bcos_field *next;
	unsigned int left;
	bool in_list;
	bool failed;
};

/**
 * bcos_build_begin() - begin an entry
 * @build: the builder
 * @room: the entry is built here
 * @size: size of @room in bytes; more than BCOS_ENTRY_MAX is not used, and nothing fits into less
 *   than the size of @header
 * @header: type, source, time and precision of the entry; a copy is taken
 *
 * Context: any.
 */
void bcos_build_begin(struct bcos_build *build, void *room, size_t size,
		      const struct bcos_entry *header);

/**
 * bcos_build_number() - put the next field, which has to be a number
 * @build: the builder
 * @number: the value; one that needs more than the width of the field is not put
 *
 * Context: any.
 * Return: true, or false if the builder has failed.
 */
bool bcos_build_number(struct bcos_build *build, u64 number);

/**
 * bcos_build_list() - put the next field, which has to be a list
 * @build: the builder
 * @elements: 32 bits each; need not be aligned
 * @count: number of @elements, may be 0
 *
 * A list is the last field, so further calls add elements to it.
 *
 * Context: any.
 * Return: true, or false if the builder has failed.
 */
bool bcos_build_list(struct bcos_build *build, const void *elements, size_t count);

/**
 * bcos_build_string() - put the next field, which has to be a string
 * @build: the builder
 * @text: the string
 * @length: bytes of @text
 *
 * Context: any.
 * Return: true, or false if the builder has failed.
 */
bool bcos_build_string(struct bcos_build *build, const char *text, size_t length);

/**
 * bcos_build_bytes() - put the next field, which has to be bytes
 * @build: the builder
 * @bytes: the bytes
 * @length: number of @bytes
 *
 * Context: any.
 * Return: true, or false if the builder has failed.
 */
bool bcos_build_bytes(struct bcos_build *build, const void *bytes, size_t length);

/**
 * bcos_build_end() - complete the entry
 * @build: the builder
 *
 * Zeros pad a string, or bytes, to a multiple of 4.
 *
 * Context: any.
 * Return: size of the entry, or 0 if a field is missing, the builder has failed, or the entry is
 *   not well-formed, as with a string that is not UTF-8.
 */
size_t bcos_build_end(struct bcos_build *build);

#endif
