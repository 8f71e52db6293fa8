// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The CPU time of names in steps of time: see usage.h. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "usage.h"

/* Return: the place of a sum, or the free one where it belongs. */
static struct usage_sum *find_place(struct usage_sum *at, size_t room, const struct usage_sum *what)
{
	u64 hash = (what->step + 1) * 0x9E3779B97F4A7C15ull;
	size_t i;

	hash = (hash ^ (uintptr_t)what->name) * 0xC2B2AE3D27D4EB4Full;
	hash = (hash ^ (uintptr_t)what->use) * 0x9E3779B97F4A7C15ull;
	for (i = (size_t)(hash >> 20) & (room - 1); at[i].use; i = (i + 1) & (room - 1))
		if (at[i].step == what->step && at[i].name == what->name && at[i].use == what->use)
			break;
	return &at[i];
}

static int make_room(struct usage_sums *sums)
{
	size_t room = sums->room ? 2 * sums->room : 1024, i;
	struct usage_sum *at;

	if (2 * sums->count < sums->room)
		return 0;
	at = calloc(room, sizeof(*at));
	if (!at)
		return -ENOMEM;
	for (i = 0; i < sums->room; i++)
		if (sums->at[i].use)
			*find_place(at, room, &sums->at[i]) = sums->at[i];
	free(sums->at);
	sums->at = at;
	sums->room = room;
	return 0;
}

int usage_add(struct usage_sums *sums, const struct usage_sum *what, u64 begin, u64 end)
{
	struct usage_sum key = *what, *sum;
	u64 next;

	for (; begin < end; begin = next) {
		key.step = begin / SHIP_STEP;
		/* The end of the last step there is has no room in 64 bits. */
		next = SHIP_STEP - begin % SHIP_STEP < end - begin ? begin + (SHIP_STEP - begin % SHIP_STEP) : end;
		if (make_room(sums))
			return -ENOMEM;
		sum = find_place(sums->at, sums->room, &key);
		if (!sum->use) {
			key.cpu = 0;
			*sum = key;
			sums->count++;
		}
		sum->cpu += next - begin;
	}
	return 0;
}

void usage_free(struct usage_sums *sums)
{
	free(sums->at);
	*sums = (struct usage_sums){ .at = NULL };
}
