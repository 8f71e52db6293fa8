// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A small table of kinds: see left_out.h. */
#include <stdlib.h>

#include "../caller.h"
#include "left_out.h"

void left_out_add(struct left_out *left, const char *kind, const char *why, u64 events)
{
	unsigned int i;

	if (!events)
		return;
	for (i = 0; i < left->count; i++)
		if (left->kinds[i].why == why &&
		    !strncmp(left->kinds[i].kind, kind, sizeof(left->kinds[i].kind) - 1))
			break;
	if (i == LEFT_OUT_KINDS) {
		left->more += events;
		return;
	}
	if (i == left->count) {
		left->count++;
		snprintf(left->kinds[i].kind, sizeof(left->kinds[i].kind), "%s", kind);
		left->kinds[i].why = why;
		left->kinds[i].events = 0;
	}
	left->kinds[i].events += events;
}

static int most_events(const void *a, const void *b)
{
	const __typeof__(((struct left_out *)0)->kinds[0]) *one = a, *other = b;

	if (one->events != other->events)
		return one->events > other->events ? -1 : 1;
	return strcmp(one->kind, other->kind);
}

void left_out_complain(struct left_out *left, const char *path)
{
	unsigned int i;
	u64 events;

	qsort(left->kinds, left->count, sizeof(left->kinds[0]), most_events);
	for (i = LEFT_OUT_LINES; i < left->count; i++)
		left->more += left->kinds[i].events;
	for (i = 0; i < left->count && i < LEFT_OUT_LINES; i++) {
		events = left->kinds[i].events;
		complain("%s: %llu event%s of kind %s %s left out: %s", path, (unsigned long long)events,
			 events == 1 ? "" : "s", left->kinds[i].kind, events == 1 ? "is" : "are", left->kinds[i].why);
	}
	if (left->more)
		complain("%s: %llu event%s of more kinds %s left out", path, (unsigned long long)left->more,
			 left->more == 1 ? "" : "s", left->more == 1 ? "is" : "are");
}
