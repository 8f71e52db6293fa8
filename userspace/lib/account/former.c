// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The account: the former names of processes and devices. */
#include <stdlib.h>

#include "account.h"

#define FORMER_SIZE (ACCOUNT_FORMER * sizeof(struct name))

static const struct name *former_of(const struct formers *formers, size_t index)
{
	return &formers->of[(formers->newest + ACCOUNT_FORMER - index) % ACCOUNT_FORMER];
}

static int formers_begin(struct bcoslog_account *account, struct formers *formers)
{
	if (account->memory + FORMER_SIZE > ITEMS_MEMORY_MAX)
		return -ENOMEM;
	formers->of = calloc(1, FORMER_SIZE);
	if (!formers->of)
		return -ENOMEM;
	account->memory += FORMER_SIZE;
	return 0;
}

int formers_keep(struct bcoslog_account *account, struct formers *formers, const struct name *name,
		 const struct name **kept)
{
	const struct name *former;
	u32 i;

	if (!formers->of && formers_begin(account, formers))
		return -ENOMEM;
	for (i = 0; i < formers->count; i++) {
		former = former_of(formers, i);
		if (former->length == name->length && !memcmp(former->text, name->text, former->length))
			break;
	}
	if (i == formers->count) {
		formers->newest = (formers->newest + 1) % ACCOUNT_FORMER;
		if (name_set(&formers->of[formers->newest], &account->memory, name->text, name->length))
			return -ENOMEM;
		formers->count += formers->count < ACCOUNT_FORMER;
		i = 0;
	}
	if (kept)
		*kept = former_of(formers, i);
	return 0;
}

const char *formers_get(const struct formers *formers, size_t index, size_t *length)
{
	if (index >= formers->count)
		return NULL;
	*length = former_of(formers, index)->length;
	return former_of(formers, index)->text;
}

void formers_free(struct formers *formers, u64 *memory)
{
	u32 i;

	if (!formers->of)
		return;
	for (i = 0; i < ACCOUNT_FORMER; i++)
		name_free(&formers->of[i], memory);
	free(formers->of);
	*memory -= FORMER_SIZE;
}
