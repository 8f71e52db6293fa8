/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The files in eventdefs/ describe the facilities, their events, and how each is laid out. */
#ifndef CONVERT_LTT_FACILITY_H
#define CONVERT_LTT_FACILITY_H

#include "../format.h"

/* Bounds of what hostile descriptions can make us keep. */
#define LTT_NODES_MAX (1u << 15)
#define LTT_TEXT_MAX (1u << 20)

enum ltt_kind {
	LTT_KIND_FACILITY,
	LTT_KIND_EVENT,
	LTT_KIND_TYPE,
	LTT_KIND_FIELD,
	LTT_KIND_INT,
	LTT_KIND_UINT,
	LTT_KIND_FLOAT,
	LTT_KIND_STRING,
	LTT_KIND_ENUM,
	LTT_KIND_ARRAY,
	LTT_KIND_SEQUENCE,
	LTT_KIND_STRUCT,
	LTT_KIND_UNION,
	LTT_KIND_TYPEREF,
};

/* How long the integers and longs of a machine are: LP32, ILP32, LP64 or ILP64. */
struct ltt_sizes {
	u32 medium, large;
};

/* Returns false for a word that is none of them. */
bool ltt_sizes_by_name(struct ltt_sizes *sizes, const char *name);

/**
 * struct ltt_node - an element of a description
 * @kind: LTT_KIND_*
 * @name: offset in the texts; of a facility, event, type, field or reference; of an enum, its labels
 * @size: bytes of a number, a length or a union's code; elements of an array; of a facility, its checksum
 * @child: the first element within, 0 if there is none
 * @next: the next element beside it, 0 if there is none
 * @count: of the elements within
 * @target: of a reference, the type; 0 until it is known
 */
struct ltt_node {
	u32 kind;
	u32 name;
	u32 size;
	u32 child, next;
	u32 count;
	u32 target;
};

/**
 * struct ltt_facilities - all descriptions of a trace
 * @nodes: node 0 is none
 * @count: of them
 * @room: for so many there is memory
 * @first: the first facility
 * @last: the last one
 * @texts: names, zero terminated; offset 0 is ""
 * @texts_size: bytes of them
 * @texts_room: for so many there is memory
 * @sizes: of the traced machine
 */
struct ltt_facilities {
	struct ltt_node *nodes;
	u32 count, room;
	u32 first, last;
	char *texts;
	u32 texts_size, texts_room;
	struct ltt_sizes sizes;
};

int ltt_facilities_init(struct ltt_facilities *facilities, struct ltt_sizes sizes);
void ltt_facilities_free(struct ltt_facilities *facilities);

/**
 * ltt_facilities_read() - add what one file describes
 * @facilities: of the trace
 * @bytes: the file; they are changed
 * @size: of it
 *
 * Return: 0, -ENOMEM, or -E2BIG if there is more than anybody would describe.
 */
int ltt_facilities_read(struct ltt_facilities *facilities, char *bytes, size_t size);

/**
 * ltt_facilities_find() - the facility that was loaded
 * @facilities: of the trace
 * @name: of it
 * @checksum: of it
 * @nth: how many other checksums of that name were loaded before
 *
 * The page of the format does not say how a checksum is reckoned. So one of ours is known by it, and of several
 * facilities of one name the one described first is the one that was loaded first.
 *
 * Return: its node, or 0.
 */
u32 ltt_facilities_find(const struct ltt_facilities *facilities, const char *name, u32 checksum, u32 nth);

/* The event of a facility by its number, or 0. */
u32 ltt_facility_event(const struct ltt_facilities *facilities, u32 facility, u32 number);

static inline const struct ltt_node *ltt_node(const struct ltt_facilities *facilities, u32 node)
{
	return &facilities->nodes[node];
}

static inline const char *ltt_name(const struct ltt_facilities *facilities, const struct ltt_node *node)
{
	return facilities->texts + node->name;
}

#endif
