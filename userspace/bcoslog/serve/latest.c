// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Keeps the newest part of a log in memory: see latest.h. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "bcoslog.h"
#include "latest.h"

/* Entries may exceed the limit by 1 / SLACK of it before the oldest are given up, so that entries move seldom. */
#define SLACK 4

struct latest {
	pthread_mutex_t lock;
	char *bytes;
	size_t size, room, limit;
	u64 base;			/* offset of the first byte in the log */
	u64 newest;			/* time of the newest entry, ns since boot */
	u64 *group;			/* offsets at which groups begin, oldest first */
	size_t groups, group_room;
	bool in_group, ended;
	bool full;			/* entries are left out, up to the next group */
};

struct latest *latest_new(size_t limit)
{
	struct latest *latest = calloc(1, sizeof(*latest));

	if (!latest)
		return NULL;
	latest->limit = limit;
	pthread_mutex_init(&latest->lock, NULL);
	return latest;
}

void latest_free(struct latest *latest)
{
	if (!latest)
		return;
	pthread_mutex_destroy(&latest->lock);
	free(latest->bytes);
	free(latest->group);
	free(latest);
}

static int remember_group(struct latest *latest, u64 offset)
{
	u64 *larger;

	if (latest->groups == latest->group_room) {
		larger = reallocarray(latest->group, 2 * latest->group_room + 16, sizeof(*larger));
		if (!larger)
			return -ENOMEM;
		latest->group = larger;
		latest->group_room = 2 * latest->group_room + 16;
	}
	latest->group[latest->groups++] = offset;
	return 0;
}

/* Finds the groups in the entries that will be added at @offset.  Return: 0 or -ENOMEM. */
static int find_groups(struct latest *latest, const struct bcos_entry *first, const struct bcos_entry *end, u64 offset)
{
	const struct bcos_entry *entry;
	bool historical;

	for (entry = first; entry != end; offset += entry->size, entry = bcoslog_after(entry)) {
		historical = entry->type & BCOS_TYPE_HISTORICAL;
		if (historical && !latest->in_group && remember_group(latest, offset))
			return -ENOMEM;
		latest->in_group = historical;
	}
	return 0;
}

/* Gives up the oldest entries, up to the first group after which the limit holds, or up to the newest group. */
static void give_up(struct latest *latest)
{
	u64 end = latest->base + latest->size, begin;
	size_t i;

	for (i = 0; i + 1 < latest->groups && end - latest->group[i] > latest->limit; i++)
		;
	if (!latest->groups || latest->group[i] <= latest->base)
		return;
	begin = latest->group[i];
	latest->size = (size_t)(end - begin);
	memmove(latest->bytes, latest->bytes + (begin - latest->base), latest->size);
	latest->base = begin;
	latest->groups -= i;
	memmove(latest->group, latest->group + i, latest->groups * sizeof(*latest->group));
}

static int make_room(struct latest *latest, size_t size)
{
	size_t room = latest->room ? latest->room : 1u << 20;
	char *larger;

	if (latest->size + size > latest->limit + latest->limit / SLACK)
		give_up(latest);
	if (latest->size + size > latest->limit + latest->limit / SLACK)
		return -ENOSPC;
	while (room < latest->size + size)
		room *= 2;
	if (room == latest->room)
		return 0;
	larger = realloc(latest->bytes, room);
	if (!larger)
		return -ENOSPC;
	latest->bytes = larger;
	latest->room = room;
	return 0;
}

/* Gives up all entries. The next ones are left out, up to a group, since nothing explains them. */
static void give_up_all(struct latest *latest)
{
	latest->base += latest->size;
	latest->size = latest->groups = 0;
	latest->full = true;
}

/* Return: the first entry of the batch that is kept: that of a group, if entries are being left out; @end if none is. */
static const struct bcos_entry *first_kept(struct latest *latest, const struct bcos_entry *first,
					   const struct bcos_entry *end)
{
	bool historical;

	for (; latest->full && first != end; first = bcoslog_after(first)) {
		historical = first->type & BCOS_TYPE_HISTORICAL;
		if (historical && !latest->in_group) {
			latest->full = false;
			break;
		}
		latest->in_group = historical;
	}
	return first;
}

/* Adds the entries, of which the first begins a group if none is kept.  Return: 0, or -ENOSPC if there is no room. */
static int add_entries(struct latest *latest, const struct bcos_entry *first, const struct bcos_entry *end)
{
	size_t size = (size_t)((const char *)end - (const char *)first);

	if (make_room(latest, size) || find_groups(latest, first, end, latest->base + latest->size))
		return -ENOSPC;
	memcpy(latest->bytes + latest->size, first, size);
	latest->size += size;
	return 0;
}

int latest_add(struct latest *latest, const struct bcos_entry *first, const struct bcos_entry *end)
{
	int r = 0;

	pthread_mutex_lock(&latest->lock);
	first = first_kept(latest, first, end);
	if (first != end)
		r = add_entries(latest, first, end);
	if (r)
		give_up_all(latest);
	if (latest->full)
		r = -ENOSPC;
	pthread_mutex_unlock(&latest->lock);
	return r;
}

void latest_reach(struct latest *latest, u64 time)
{
	pthread_mutex_lock(&latest->lock);
	latest->newest = time;
	pthread_mutex_unlock(&latest->lock);
}

void latest_end(struct latest *latest)
{
	pthread_mutex_lock(&latest->lock);
	latest->ended = true;
	pthread_mutex_unlock(&latest->lock);
}

/* Return: the size of the whole entries at @at that fit into @size bytes, but of at least one entry. */
static size_t whole_entries(const struct latest *latest, size_t at, size_t size)
{
	size_t done = 0;
	u16 length;

	while (at + done < latest->size) {
		memcpy(&length, latest->bytes + at + done, sizeof(length));
		if (done && done + length > size)
			break;
		done += length;
	}
	return done;
}

int latest_copy(struct latest *latest, u64 from, size_t size, struct latest_part *part)
{
	size_t at;
	int r = 0;

	memset(part, 0, sizeof(*part));
	pthread_mutex_lock(&latest->lock);
	if (from < latest->base || from > latest->base + latest->size)
		from = latest->base;
	at = (size_t)(from - latest->base);
	part->from = from;
	part->base = latest->base;
	part->newest = latest->newest;
	part->full = latest->full;
	part->size = whole_entries(latest, at, size);
	part->ended = latest->ended && at + part->size == latest->size;
	if (part->size) {
		part->bytes = malloc(part->size);
		if (part->bytes)
			memcpy(part->bytes, latest->bytes + at, part->size);
		else
			r = -ENOMEM;
	}
	pthread_mutex_unlock(&latest->lock);
	return r;
}
