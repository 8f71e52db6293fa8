// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The account: memory of items and of names, within a limit. */
#include <stdlib.h>

#include "account.h"

void *account_add(struct bcoslog_account *account, struct table *table, u32 id, size_t size, struct order *list,
		  size_t order)
{
	struct order *link;
	struct node *node;

	if (account->memory + size > ACCOUNT_MEMORY_MAX)
		return NULL;
	node = calloc(1, size);
	if (!node)
		return NULL;
	node->id = id;
	if (table_add(table, node)) {
		free(node);
		return NULL;
	}
	account->memory += size;
	link = (struct order *)((char *)node + order);
	link->previous = list->previous;
	link->next = list;
	list->previous->next = link;
	list->previous = link;
	return node;
}

void account_remove(struct bcoslog_account *account, struct table *table, void *item, size_t size, size_t order)
{
	struct order *link = (struct order *)((char *)item + order);

	link->previous->next = link->next;
	link->next->previous = link->previous;
	table_remove(table, item);
	account->memory -= size;
	free(item);
}

int account_set_name(struct bcoslog_account *account, struct account_name *name, const char *text, size_t length)
{
	char *room;

	if (!name->text) {
		name->text = name->small;
		name->room = sizeof(name->small);
	}
	if (length > name->room) {
		if (account->memory + length - name->room > ACCOUNT_MEMORY_MAX)
			return -ENOMEM;
		room = malloc(length);
		if (!room)
			return -ENOMEM;
		account->memory += length - name->room;
		if (name->text != name->small)
			free(name->text);
		name->text = room;
		name->room = (u32)length;
	}
	memmove(name->text, text, length);
	name->length = (u32)length;
	return 0;
}

void account_free_name(struct bcoslog_account *account, struct account_name *name)
{
	if (!name->text || name->text == name->small)
		return;
	account->memory -= name->room - sizeof(name->small);
	free(name->text);
}
