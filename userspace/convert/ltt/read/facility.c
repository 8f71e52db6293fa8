// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reads the descriptions of events into a tree of nodes. */
#include <stdlib.h>
#include <strings.h>

#include "read.h"
#include "markup.h"

/*
 * A file that is being read, with the nodes of its open elements. An element that does not affect the layout has node
 * 0.
 */
struct builder {
	struct ltt_facilities *facilities;
	u32 open[MARKUP_DEPTH];
	u32 last[MARKUP_DEPTH];
	unsigned int depth;
	u32 facility;
	u32 checksum;
};

static const struct {
	const char *name;
	enum ltt_kind kind;
} elements[] = {
	{ "facility", LTT_KIND_FACILITY }, { "event", LTT_KIND_EVENT }, { "type", LTT_KIND_TYPE },
	{ "field", LTT_KIND_FIELD }, { "int", LTT_KIND_INT }, { "uint", LTT_KIND_UINT },
	{ "float", LTT_KIND_FLOAT }, { "string", LTT_KIND_STRING }, { "enum", LTT_KIND_ENUM },
	{ "array", LTT_KIND_ARRAY }, { "sequence", LTT_KIND_SEQUENCE }, { "struct", LTT_KIND_STRUCT },
	{ "union", LTT_KIND_UNION }, { "typeref", LTT_KIND_TYPEREF },
};

bool ltt_sizes_by_name(struct ltt_sizes *sizes, const char *name)
{
	static const struct {
		const char *name;
		struct ltt_sizes sizes;
	} known[] = {
		{ "LP32", { 2, 4 } }, { "ILP32", { 4, 4 } }, { "LP64", { 4, 8 } }, { "ILP64", { 8, 8 } },
	};
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (strcasecmp(known[i].name, name))
			continue;
		*sizes = known[i].sizes;
		return true;
	}
	return false;
}

int ltt_facilities_init(struct ltt_facilities *facilities, struct ltt_sizes sizes)
{
	memset(facilities, 0, sizeof(*facilities));
	facilities->sizes = sizes;
	facilities->room = 64;
	facilities->texts_room = 1024;
	facilities->nodes = calloc(facilities->room, sizeof(*facilities->nodes));
	facilities->texts = calloc(facilities->texts_room, 1);
	facilities->count = 1;
	facilities->texts_size = 1;
	return facilities->nodes && facilities->texts ? 0 : -ENOMEM;
}

void ltt_facilities_free(struct ltt_facilities *facilities)
{
	free(facilities->nodes);
	free(facilities->texts);
	memset(facilities, 0, sizeof(*facilities));
}

/* Keeps a text. Returns its offset, or 0 if it is empty or does not fit. */
static u32 keep_text(struct ltt_facilities *facilities, const char *text, size_t length)
{
	u32 room = facilities->texts_room, at = facilities->texts_size;
	char *texts;

	if (!length || at + length + 1 > LTT_TEXT_MAX)
		return 0;
	while (room < at + length + 1)
		room *= 2;
	if (room != facilities->texts_room) {
		texts = realloc(facilities->texts, room);
		if (!texts)
			return 0;
		facilities->texts = texts;
		facilities->texts_room = room;
	}
	memcpy(facilities->texts + at, text, length);
	facilities->texts[at + length] = 0;
	facilities->texts_size += (u32)length + 1;
	return at;
}

/* Adds a node. Returns 0 or a negative errno. */
static int add_node(struct ltt_facilities *facilities, u32 kind, u32 *number)
{
	struct ltt_node *nodes;

	if (facilities->count == LTT_NODES_MAX)
		return -E2BIG;
	if (facilities->count == facilities->room) {
		nodes = realloc(facilities->nodes, 2ull * facilities->room * sizeof(*nodes));
		if (!nodes)
			return -ENOMEM;
		facilities->nodes = nodes;
		facilities->room *= 2;
	}
	*number = facilities->count++;
	memset(&facilities->nodes[*number], 0, sizeof(*facilities->nodes));
	facilities->nodes[*number].kind = kind;
	return 0;
}

/* Returns the bytes of an integer or float from its attribute: short, medium, long, 1, 2, 4 or 8. */
static u32 number_size(const struct ltt_facilities *facilities, u32 kind, const char *word)
{
	bool real = kind == LTT_KIND_FLOAT;
	unsigned long value;

	if (!word)
		return real ? 8 : 4;
	if (!strcasecmp(word, "short"))
		return 2;
	if (!strcasecmp(word, "medium"))
		return real ? 4 : facilities->sizes.medium;
	if (!strcasecmp(word, "long"))
		return real ? 8 : facilities->sizes.large;
	value = strtoul(word, NULL, 0);
	return value == 1 || value == 2 || value == 4 || value == 8 ? (u32)value : 4;
}

static u32 size_of(const struct ltt_facilities *facilities, u32 kind, const struct markup_element *element)
{
	unsigned long value;
	const char *word;

	switch (kind) {
	case LTT_KIND_INT:
	case LTT_KIND_UINT:
	case LTT_KIND_FLOAT:
	case LTT_KIND_ENUM:
		return number_size(facilities, kind, markup_value(element, "size"));
	case LTT_KIND_SEQUENCE:
		return number_size(facilities, kind, markup_value(element, "lengthsize"));
	case LTT_KIND_UNION:
		return number_size(facilities, kind, markup_value(element, "typecodesize"));
	case LTT_KIND_ARRAY:
		word = markup_value(element, "size");
		value = word ? strtoul(word, NULL, 0) : 0;
		return value > UINT32_MAX ? UINT32_MAX : (u32)value;
	default:
		return 0;
	}
}

/* Appends a node to the innermost open element. */
static void attach_type(struct builder *builder, u32 number)
{
	struct ltt_facilities *facilities = builder->facilities;
	unsigned int level = builder->depth;
	u32 parent;

	/* An element without a node passes its contents on to its parent. */
	while (level && !builder->open[level - 1])
		level--;
	if (!level) {
		if (facilities->last)
			facilities->nodes[facilities->last].next = number;
		else
			facilities->first = number;
		facilities->last = number;
		return;
	}
	parent = builder->open[level - 1];
	if (builder->last[level - 1])
		facilities->nodes[builder->last[level - 1]].next = number;
	else
		facilities->nodes[parent].child = number;
	builder->last[level - 1] = number;
	facilities->nodes[parent].count++;
}

static int begin_element(void *context, const struct markup_element *element)
{
	struct builder *builder = context;
	struct ltt_facilities *facilities = builder->facilities;
	const char *name = markup_value(element, "name"), *format = markup_value(element, "format");
	u32 number = 0;
	size_t i;
	int r;

	for (i = 0; i < sizeof(elements) / sizeof(elements[0]); i++) {
		if (strcmp(elements[i].name, element->name))
			continue;
		/* A facility contains all other elements, and no facility. */
		if ((elements[i].kind == LTT_KIND_FACILITY) == !!builder->facility)
			break;
		r = add_node(facilities, elements[i].kind, &number);
		if (r)
			return r;
		facilities->nodes[number].size = size_of(facilities, elements[i].kind, element);
		if (name)
			facilities->nodes[number].name = keep_text(facilities, name, strlen(name));
		else if (format && (elements[i].kind == LTT_KIND_INT || elements[i].kind == LTT_KIND_UINT))
			facilities->nodes[number].name = keep_text(facilities, format, strlen(format));
		attach_type(builder, number);
		if (elements[i].kind == LTT_KIND_FACILITY) {
			builder->facility = number;
			facilities->nodes[number].size = builder->checksum;
		}
		break;
	}
	builder->open[builder->depth] = number;
	builder->last[builder->depth++] = 0;
	return 0;
}

static int end_element(void *context)
{
	struct builder *builder = context;

	builder->depth--;
	if (builder->open[builder->depth] && builder->open[builder->depth] == builder->facility)
		builder->facility = 0;
	return 0;
}

/* Keeps the labels of an enum. If their text comes in pieces, only the first piece is kept. */
static int take_text(void *context, const char *text, size_t length)
{
	struct builder *builder = context;
	struct ltt_node *node = &builder->facilities->nodes[builder->open[builder->depth - 1]];

	if (builder->open[builder->depth - 1] && node->kind == LTT_KIND_ENUM && !node->name)
		node->name = keep_text(builder->facilities, text, length);
	return 0;
}

static bool is_empty(const char *name)
{
	static const char *const names[] = { "int", "uint", "float", "string", "typeref" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

/* Connects the references in a facility with its named types. */
static void resolve_types(struct ltt_facilities *facilities, u32 facility, u32 first, u32 end)
{
	u32 i, type;

	for (i = first; i < end; i++) {
		struct ltt_node *node = &facilities->nodes[i];

		if (node->kind != LTT_KIND_TYPEREF || node->target)
			continue;
		for (type = facilities->nodes[facility].child; type; type = facilities->nodes[type].next) {
			const struct ltt_node *candidate = &facilities->nodes[type];

			if (candidate->kind == LTT_KIND_TYPE && candidate->name && node->name &&
			    !strcmp(ltt_name(facilities, candidate), ltt_name(facilities, node)))
				node->target = type;
		}
	}
}

int ltt_facilities_read(struct ltt_facilities *facilities, char *bytes, size_t size)
{
	static const struct markup markup = {
		.empty = is_empty, .open = begin_element, .close = end_element, .text = take_text,
	};
	struct builder builder = { .facilities = facilities, .checksum = ltt_checksum(bytes, size) };
	u32 before = facilities->count, facility, end;
	int r = markup_read(bytes, size, &markup, &builder);

	/* The nodes of a facility come directly after the facility. */
	for (facility = before; facility && facility < facilities->count; facility = end) {
		end = facility + 1;
		while (end < facilities->count && facilities->nodes[end].kind != LTT_KIND_FACILITY)
			end++;
		resolve_types(facilities, facility, facility, end);
	}
	return r;
}

u32 ltt_facilities_find(const struct ltt_facilities *facilities, const char *name, u32 checksum, u32 nth)
{
	u32 facility, found = 0;

	for (facility = facilities->first; facility; facility = facilities->nodes[facility].next) {
		const struct ltt_node *node = &facilities->nodes[facility];

		if (strcmp(ltt_name(facilities, node), name))
			continue;
		if (node->size == checksum)
			return facility;
		if (!found || nth) {
			nth -= !!found;
			found = facility;
		}
	}
	return found;
}

u32 ltt_facility_event(const struct ltt_facilities *facilities, u32 facility, u32 number)
{
	u32 event;

	for (event = facilities->nodes[facility].child; event; event = facilities->nodes[event].next)
		if (facilities->nodes[event].kind == LTT_KIND_EVENT && !number--)
			return event;
	return 0;
}
