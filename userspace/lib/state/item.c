// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Items of a state: their memory, within a limit, and their names. */
#include <stdlib.h>

#include "state.h"

void *item_add(struct bcoslog_state *state, struct table *table, u32 id, size_t size)
{
	struct node *node;

	if (state->memory + size > STATE_MEMORY_MAX)
		return NULL;
	node = calloc(1, size);
	if (!node)
		return NULL;
	node->id = id;
	if (table_add(table, node)) {
		free(node);
		return NULL;
	}
	state->memory += size;
	return node;
}

void item_free(struct bcoslog_state *state, void *item, size_t size)
{
	state->memory -= size;
	free(item);
}

int name_set(struct bcoslog_state *state, struct name *name, const char *text, size_t length)
{
	char *room;

	if (!name->text) {
		name->text = name->small;
		name->room = sizeof(name->small);
	}
	if (length > name->room) {
		if (state->memory + length - name->room > STATE_MEMORY_MAX)
			return -ENOMEM;
		room = malloc(length);
		if (!room)
			return -ENOMEM;
		if (name->text != name->small)
			free(name->text);
		state->memory += length - name->room;
		name->text = room;
		name->room = (u32)length;
	}
	memcpy(name->text, text, length);
	name->length = (u32)length;
	return 0;
}

void name_free(struct bcoslog_state *state, struct name *name)
{
	if (name->text && name->text != name->small) {
		state->memory -= name->room - sizeof(name->small);
		free(name->text);
	}
}
