// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The processes that lived at the end of what was shipped: see state.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

struct ship_process *ship_processes_add(struct ship_processes *processes)
{
	size_t room = processes->room ? 2 * processes->room : 64;
	struct ship_process *at;

	if (processes->count == processes->room) {
		at = reallocarray(processes->at, room, sizeof(*at));
		if (!at)
			return NULL;
		processes->at = at;
		processes->room = room;
	}
	at = &processes->at[processes->count++];
	*at = (struct ship_process){ .numbers = { -1, -1, -1, -1, -1 } };
	return at;
}

static int compare_processes(const void *a, const void *b)
{
	u64 one = ((const struct ship_process *)a)->upid, other = ((const struct ship_process *)b)->upid;

	return one < other ? -1 : one > other;
}

void ship_processes_sort(struct ship_processes *processes)
{
	if (processes->count)
		qsort(processes->at, processes->count, sizeof(*processes->at), compare_processes);
}

const struct ship_process *ship_processes_find(const struct ship_processes *processes, u64 upid)
{
	const struct ship_process key = { .upid = upid };

	if (!processes->count)
		return NULL;
	return bsearch(&key, processes->at, processes->count, sizeof(key), compare_processes);
}

void ship_process_clear(struct ship_process *process)
{
	size_t i;

	for (i = 0; i < SHIP_FACTS; i++)
		free(process->texts[i]);
}

void ship_processes_free(struct ship_processes *processes)
{
	size_t i;

	for (i = 0; i < processes->count; i++)
		ship_process_clear(&processes->at[i]);
	free(processes->at);
	*processes = (struct ship_processes){ .at = NULL };
}

int ship_process_set(struct ship_process *process, enum ship_fact fact, const char *text, size_t length)
{
	char *copy = malloc(length + 1);

	if (!copy)
		return -ENOMEM;
	memcpy(copy, text, length);
	copy[length] = '\0';
	free(process->texts[fact]);
	process->texts[fact] = copy;
	process->lengths[fact] = length;
	return 0;
}
