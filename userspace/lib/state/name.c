// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Names: see name.h. */
#include <stdlib.h>

#include "name.h"
#include "table.h"

int name_set(struct name *name, u64 *memory, const char *text, size_t length)
{
	char *room;

	if (!name->text) {
		name->text = name->small;
		name->room = sizeof(name->small);
	}
	if (length > name->room) {
		if (*memory + length - name->room > ITEMS_MEMORY_MAX)
			return -ENOMEM;
		room = malloc(length);
		if (!room)
			return -ENOMEM;
		if (name->text != name->small)
			free(name->text);
		*memory += length - name->room;
		name->text = room;
		name->room = (u32)length;
	}
	memmove(name->text, text, length);
	name->length = (u32)length;
	return 0;
}

void name_free(struct name *name, u64 *memory)
{
	if (name->text && name->text != name->small) {
		*memory -= name->room - sizeof(name->small);
		free(name->text);
	}
}
