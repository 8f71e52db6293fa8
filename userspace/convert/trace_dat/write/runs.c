// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A temporary file of runs: see write.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/temporary.h"
#include "../../output.h"
#include "write.h"

int runs_begin(struct runs *runs, const char *output)
{
	char *folder = temporary_beside(output);
	int fd = folder ? temporary_file(folder) : -ENOMEM;

	free(folder);
	memset(runs, 0, sizeof(*runs));
	runs->fd = fd < 0 ? -1 : fd;
	return fd < 0 ? fd : 0;
}

/* Gives the current run of a list its number, and appends it to the list. */
static void link_run(struct runs *runs, struct run_list *list)
{
	u32 room = runs->room ? runs->room * 2 : 1024, *larger;

	if (runs->count + 1 >= runs->room) {
		larger = room > runs->room ? realloc(runs->next, room * sizeof(*larger)) : NULL;
		if (!larger) {
			runs->error = -ENOMEM;
			return;
		}
		runs->next = larger;
		runs->room = room;
	}
	runs->count++;
	runs->next[runs->count] = 0;
	if (list->last)
		runs->next[list->last] = runs->count;
	else
		list->first = runs->count;
	list->last = runs->count;
}

static u64 place_of(u32 run)
{
	return (u64)(run - 1) * RUN_BYTES;
}

struct run *runs_next(struct runs *runs, struct run_list *list)
{
	if (runs->error)
		return NULL;
	if (list->run) {
		link_run(runs, list);
		if (!runs->error)
			runs->error = write_all_at(runs->fd, list->run, RUN_BYTES, place_of(runs->count));
	} else {
		list->run = calloc(1, sizeof(*list->run));
		if (!list->run)
			runs->error = -ENOMEM;
	}
	if (runs->error)
		return NULL;
	list->run->used = 0;
	return list->run;
}

static int read_run(const struct runs *runs, struct run *run, u32 number)
{
	u8 *to = (u8 *)run;
	size_t size = sizeof(*run);
	ssize_t n;

	while (size) {
		n = pread(runs->fd, to, size, (off_t)(place_of(number) + (sizeof(*run) - size)));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -EIO;
		to += n;
		size -= (size_t)n;
	}
	return 0;
}

int runs_each(const struct runs *runs, const struct run_list *list, int (*take)(void *context, const struct run *run),
	      void *context)
{
	struct run *run = malloc(sizeof(*run));
	int r = run ? 0 : -ENOMEM;
	u32 number;

	for (number = list->first; number && !r; number = runs->next[number]) {
		r = read_run(runs, run, number);
		r = r ? r : take(context, run);
	}
	if (!r && list->run)
		r = take(context, list->run);
	free(run);
	return r;
}

void runs_end(struct runs *runs)
{
	free(runs->next);
	if (runs->fd >= 0)
		close(runs->fd);
}
