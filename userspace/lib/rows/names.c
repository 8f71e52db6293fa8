// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Texts that stay: see names.h. */
#include <stdlib.h>
#include <string.h>

#include "names.h"

/* FNV-1a. */
static u32 hash_text(const char *text, size_t length)
{
	u32 hash = 2166136261u;
	size_t i;

	for (i = 0; i < length; i++)
		hash = (hash ^ (u8)text[i]) * 16777619u;
	return hash;
}

/* Return: whether there is room for one name more. */
static bool make_room(struct names *names)
{
	size_t room = names->room ? 2 * names->room : 256, i;
	struct kept_name **slots, *name, *next;

	if (names->count < names->room)
		return true;
	slots = calloc(room, sizeof(struct kept_name *));
	if (!slots)
		return names->room;
	for (i = 0; i < names->room; i++) {
		for (name = names->slots[i]; name; name = next) {
			next = name->next;
			name->next = slots[name->hash % room];
			slots[name->hash % room] = name;
		}
	}
	free(names->slots);
	names->slots = slots;
	names->room = room;
	return true;
}

const struct kept_name *names_keep(struct names *names, const char *text, size_t length)
{
	u32 hash = hash_text(text, length);
	struct kept_name *name;

	for (name = names->room ? names->slots[hash % names->room] : NULL; name; name = name->next)
		if (name->hash == hash && name->length == length && !memcmp(name->text, text, length))
			return name;
	if (!make_room(names))
		return NULL;
	name = malloc(sizeof(*name) + length + 1);
	if (!name)
		return NULL;
	name->next = names->slots[hash % names->room];
	name->hash = hash;
	name->length = (u32)length;
	memcpy(name->text, text, length);
	name->text[length] = 0;
	names->slots[hash % names->room] = name;
	names->count++;
	return name;
}

void names_free(struct names *names)
{
	struct kept_name *name, *next;
	size_t i;

	for (i = 0; i < names->room; i++) {
		for (name = names->slots[i]; name; name = next) {
			next = name->next;
			free(name);
		}
	}
	free(names->slots);
	*names = (struct names){ 0 };
}
