// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <stdlib.h>
#include <string.h>
#include "oracle_state.h"

static uint32_t read_number(const uint8_t *bytes, int size)
{
	uint32_t n = 0;

	while (size--)
		n = n << 8 | bytes[size];
	return n;
}

/* Is this UTF-8 by the table of well-formed sequences in RFC 3629? */
static bool is_utf8(const uint8_t *s, size_t n)
{
	size_t i = 0, more;
	uint8_t low, high;

	while (i < n) {
		low = 0x80;
		high = 0xBF;
		if (s[i] >= 0x01 && s[i] <= 0x7F)
			more = 0;
		else if (s[i] >= 0xC2 && s[i] <= 0xDF)
			more = 1;
		else if (s[i] >= 0xE0 && s[i] <= 0xEF)
			more = 2;
		else if (s[i] >= 0xF0 && s[i] <= 0xF4)
			more = 3;
		else
			return false;
		if (s[i] == 0xE0)
			low = 0xA0;
		if (s[i] == 0xED)
			high = 0x9F;
		if (s[i] == 0xF0)
			low = 0x90;
		if (s[i] == 0xF4)
			high = 0x8F;
		if (more >= n - i)
			return false;
		for (i++; more; more--, i++, low = 0x80, high = 0xBF)
			if (s[i] < low || s[i] > high)
				return false;
	}
	return true;
}

static const char *parse_text(struct oracle *o, const uint8_t *bytes, unsigned int offset, bool may_be_empty)
{
	unsigned int i = offset;

	while (i < o->size && bytes[i])
		i++;
	o->text = (const char *)bytes + offset;
	o->text_length = i - offset;
	if (!o->text_length && !may_be_empty)
		return "a name is empty";
	if (!is_utf8(bytes + offset, o->text_length))
		return "a string is not UTF-8";
	if (o->size - i > 3)
		return "more padding than a word";
	for (; i < o->size; i++)
		if (bytes[i])
			return "padding is not zero";
	return NULL;
}

const char *parse_entry(struct oracle *o, const uint8_t *bytes, uint64_t available)
{
	if (available < 20)
		return "less than a header is left";
	o->size = read_number(bytes, 2);
	o->type = read_number(bytes + 2, 2);
	o->source = read_number(bytes + 4, 4);
	o->time = read_number(bytes + 8, 4) | (uint64_t)read_number(bytes + 12, 4) << 32;
	o->precision = read_number(bytes + 16, 4);
	o->value = 0;
	o->text = "";
	o->text_length = 0;
	if (o->size < 20 || o->size % 4 || o->size > available)
		return "a size that cannot be";
	if (o->time > UINT64_MAX - o->precision)
		return "its latest time is beyond 64 bits";
	switch (o->type) {
	case 0x0000: case 0x8000:
		return parse_text(o, bytes, 0x14, false);
	case 0x2001: case 0x4001:
		return o->size == 20 ? NULL : "not 20 bytes";
	case 0x0001: case 0x4000: case 0xC000: case 0x4002: case 0xC002:
	case 0x6001: case 0x6002: case 0x6003: case 0x6011:
		if (o->size != 24)
			return "not 24 bytes";
		o->value = read_number(bytes + 0x14, 4);
		return NULL;
	case 0x0010: case 0x2010: case 0x4010: case 0x6010:
		if (o->size < 28)
			return "too short for a generic event";
		o->value = read_number(bytes + 0x14, 4);
		return parse_text(o, bytes, 0x19, true);
	case 0x2000: case 0xA000:
		if (o->size < 24)
			return "too short for a core";
		o->value = (o->size - 24) / 4;
		return NULL;
	case 0x6000: case 0xE000:
		if (o->size < 24)
			return "too short for a device";
		o->value = read_number(bytes + 0x14, 4);
		return parse_text(o, bytes, 0x18, false);
	case 0x0011:
		return NULL;
	default:
		return "a type that the specification does not define";
	}
}

struct item *find_item(const struct oracle *o, enum table table, uint32_t id)
{
	struct item *item = o->tables[table][id % BUCKETS];

	while (item && item->id != id)
		item = item->next;
	return item;
}

struct item *add_item(struct oracle *o, enum table table, uint32_t id)
{
	struct item *item = calloc(1, sizeof(*item));

	if (!item)
		return NULL;
	item->id = id;
	item->next = o->tables[table][id % BUCKETS];
	o->tables[table][id % BUCKETS] = item;
	return item;
}

void take_out(struct oracle *o, enum table table, struct item *item)
{
	struct item **at = &o->tables[table][item->id % BUCKETS], *core;

	while (*at != item)
		at = &(*at)->next;
	*at = item->next;
	core = table == CPUS ? find_item(o, CORES, item->value) : NULL;
	if (core)
		core->users--;
	item->next = o->gone[table][item->id % BUCKETS];
	o->gone[table][item->id % BUCKETS] = item;
}

struct item *find_gone(const struct oracle *o, enum table table, uint32_t id)
{
	struct item *item = o->gone[table][id % BUCKETS];

	while (item && item->id != id)
		item = item->next;
	return item;
}

void set_item(struct oracle *o, struct item *item)
{
	struct item *core = (o->type & 0x7FFF) == 0x4000 ? find_item(o, CORES, o->value) : NULL;

	if (core)
		core->users++;
	if (!item->named) {
		item->start = o->time;
		item->precision = o->precision;
	}
	item->named = true;
	item->value = o->value;
	item->length = o->text_length < sizeof(item->name) ? o->text_length : sizeof(item->name);
	memcpy(item->name, o->text, item->length);
}

void free_items(struct oracle *o)
{
	struct item *item;
	int table;
	size_t i;

	for (table = 0; table < TABLES; table++)
		for (i = 0; i < BUCKETS; i++) {
			while ((item = o->tables[table][i])) {
				o->tables[table][i] = item->next;
				free(item);
			}
			while ((item = o->gone[table][i])) {
				o->gone[table][i] = item->next;
				free(item);
			}
		}
}
