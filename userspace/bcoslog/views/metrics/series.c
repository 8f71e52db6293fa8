// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Counters by name: see series.h. */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "entry/text.h"
#include "series.h"

static int compare_names(const void *left, const void *right)
{
	const struct series *a = left, *b = right;
	int order = memcmp(a->name, b->name, a->length < b->length ? a->length : b->length);

	if (order)
		return order;
	if (a->length != b->length)
		return a->length < b->length ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

/* The shown ones first, then the greatest. */
static int compare_values(const void *left, const void *right)
{
	const struct series *a = *(struct series *const *)left, *b = *(struct series *const *)right;
	int i;

	if (a->shown != b->shown)
		return a->shown ? -1 : 1;
	if (!a->shown)
		for (i = 0; i < SERIES_VALUES; i++)
			if (a->value[i] != b->value[i])
				return a->value[i] > b->value[i] ? -1 : 1;
	return compare_names(a, b);
}

/* Fills in what is searched for. @room has space for a name of SERIES_NAME bytes. */
static struct series *make_key(void *room, const char *name, size_t length, u32 number)
{
	struct series *key = room;

	memset(key, 0, sizeof(*key));
	key->length = length > SERIES_NAME ? utf8_fit(name, length, SERIES_NAME) : length;
	key->number = number;
	memcpy(key->name, name, key->length);
	return key;
}

static bool grow_list(struct series_table *table)
{
	size_t room = table->count < table->room ? table->room : 2 * table->room + 64;
	struct series **larger = room == table->room ? table->list : reallocarray(table->list, room, sizeof(struct series *));

	if (!larger)
		return false;
	table->list = larger;
	table->room = room;
	return true;
}

/* Return: a new series with this key; NULL if there is no memory. */
static struct series *add_series(struct series_table *table, const struct series *key)
{
	size_t size = sizeof(*key) + key->length;
	struct series *series = malloc(size);

	if (!series)
		return NULL;
	memcpy(series, key, size);
	if (!grow_list(table) || !tsearch(series, &table->tree, compare_names)) {
		free(series);
		return NULL;
	}
	table->list[table->count++] = series;
	return series;
}

u64 *series_of(struct series_table *table, const char *name, size_t length, u32 number)
{
	_Alignas(struct series) char room[sizeof(struct series) + SERIES_NAME];
	struct series *key = make_key(room, name, length, number), *series;
	void *found = tfind(key, &table->tree, compare_names);

	/* A label without a value is that of the others, unless a number tells them apart. */
	if (!length && !number)
		return table->unkept;
	if (found)
		return (*(struct series **)found)->value;
	if (table->closed || table->count == SERIES_KEPT)
		return table->unkept;
	series = add_series(table, key);
	table->failed |= !series;
	return series ? series->value : table->unkept;
}

const struct series *series_find(const struct series_table *table, const char *name, size_t length, u32 number)
{
	_Alignas(struct series) char room[sizeof(struct series) + SERIES_NAME];
	void *found = tfind(make_key(room, name, length, number), &table->tree, compare_names);

	return found ? *(struct series **)found : NULL;
}

void series_choose(struct series_table *table)
{
	size_t i;
	int value;

	if (table->count)
		qsort(table->list, table->count, sizeof(struct series *), compare_values);
	memcpy(table->others, table->unkept, sizeof(table->others));
	for (i = 0; i < table->count; i++) {
		if (table->list[i]->shown)
			continue;
		if (table->shown < table->most) {
			table->list[i]->shown = true;
			table->shown++;
			continue;
		}
		for (value = 0; value < SERIES_VALUES; value++)
			table->others[value] += table->list[i]->value[value];
	}
	table->closed = table->shown == table->most;
	/* Each text has the same order, whatever was greatest when the series were chosen. */
	if (table->count)
		qsort(table->list, table->count, sizeof(struct series *), compare_values);
}

static void keep_node(void *node)
{
	(void)node;
}

void series_free(struct series_table *table)
{
	size_t i;

	tdestroy(table->tree, keep_node);
	for (i = 0; i < table->count; i++)
		free(table->list[i]);
	free(table->list);
}
