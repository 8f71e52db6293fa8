/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The descriptions of a trace: the files in eventdefs/ describe facilities, their events, and the layout of each event.
 */
#ifndef CONVERT_LTT_FACILITY_H
#define CONVERT_LTT_FACILITY_H

#include "../format.h"

/* Limits on what is kept of the descriptions, which may be hostile. */
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

/* Sizes of the integers and longs of a machine, by its model: LP32, ILP32, LP64 or ILP64. */
struct ltt_sizes {
	u32 medium, large;
};

/* Returns false if @name is none of these models. */
bool ltt_sizes_by_name(struct ltt_sizes *sizes, const char *name);

/**
 * struct ltt_node - an element of a description
 * @kind: LTT_KIND_*
 * @name: offset in the texts of the name of a facility, event, type, field or reference; for an enum, of its labels;
 *   for an integer, of its format of printf()
 * @size: bytes of a number, of a length, or of a union's code; for an array the count of its elements; for a facility
 *   its checksum
 * @child: the first element in it; 0: none
 * @next: the next element with the same parent; 0: none
 * @count: how many elements are in it
 * @target: for a reference, the type; 0 until that is known
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
 * @nodes: the nodes; node 0 stands for none
 * @count: how many nodes there are
 * @room: how many nodes have memory
 * @first: the first facility
 * @last: the last facility
 * @texts: names, each with a terminating zero; offset 0 is ""
 * @texts_size: bytes of the texts
 * @texts_room: bytes that have memory
 * @sizes: sizes of integers on the traced machine
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
 * ltt_facilities_read() - add the descriptions of one file
 * @facilities: the descriptions of the trace
 * @bytes: the file; the function changes the bytes
 * @size: size of the file
 *
 * Return: 0, -ENOMEM, or -E2BIG if the descriptions exceed the limits.
 */
int ltt_facilities_read(struct ltt_facilities *facilities, char *bytes, size_t size);

/**
 * ltt_facilities_find() - find the facility that was loaded
 * @facilities: the descriptions of the trace
 * @name: name of the facility
 * @checksum: checksum of the facility
 * @nth: how many other checksums with this name were loaded before
 *
 * The description of the format does not say how a checksum is computed. So only facilities of bcoslog are recognised
 * by their checksum. Among several other facilities of one name, the order of the descriptions is taken for the order
 * of loading.
 *
 * Return: the node of the facility, or 0.
 */
u32 ltt_facilities_find(const struct ltt_facilities *facilities, const char *name, u32 checksum, u32 nth);

/* Returns the node of the event with this number in the facility, or 0. */
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
