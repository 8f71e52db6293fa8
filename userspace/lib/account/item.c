// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The account: adding and removing items, which are in the order in which the log first names them. */
#include "account.h"

void *account_add(struct bcoslog_account *account, struct table *table, u32 id, size_t size, struct order *list,
		  size_t order)
{
	char *item = item_add(table, &account->memory, id, size);
	struct order *link;

	if (!item)
		return NULL;
	link = (struct order *)(item + order);
	link->previous = list->previous;
	link->next = list;
	list->previous->next = link;
	list->previous = link;
	return item;
}

void account_remove(struct bcoslog_account *account, struct table *table, void *item, size_t size, size_t order)
{
	struct order *link = (struct order *)((char *)item + order);

	link->previous->next = link->next;
	link->next->previous = link->previous;
	item_free(table, &account->memory, item, size);
}
