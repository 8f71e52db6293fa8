// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The account: adding and removing items, which are in the order in which the log first names them. */
#include "account.h"

void *account_add(struct bcoslog_account *account, struct table *table, u32 id, size_t size, struct order *list,
		  size_t order)
{
	char *item = item_add(table, &account->memory, id, size);

	if (item)
		order_add(list, (struct order *)(item + order));
	return item;
}

void account_remove(struct bcoslog_account *account, struct table *table, void *item, size_t size, size_t order)
{
	order_remove((struct order *)((char *)item + order));
	item_free(table, &account->memory, item, size);
}
