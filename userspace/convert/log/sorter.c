// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * An external merge sort of entries: see sorter.h. Entries fill the memory from its beginning, and the index of their
 * times fills it from its end. When the two meet, the entries are sorted and written as a run to the temporary file. As
 * soon as the last runs of one level are as many as can be merged at a time, they are merged into one run of the next
 * level.
 */
#include <stdlib.h>
#include <unistd.h>

#include "../output.h"
#include "sorter.h"
#include "host/temporary.h"

/* A buffer has room for two entries of any size, so it always holds a whole one after a refill. */
#define RUN_BUFFER (128u << 10)
#define FAN_MAX 64u
#define RUNS_MAX (8 * FAN_MAX)

struct place {
	u64 time;
	u64 offset;		/* of the entry in the memory */
};

struct run {
	u64 offset, size;	/* position in the temporary file */
	unsigned int level;
};

/* Reads a run that is being merged. */
struct reader {
	u64 offset, left;	/* position of the bytes that are not in the buffer yet, and their count */
	u8 *buffer;
	size_t at, end;
	unsigned int number;	/* decides between equal times: the lower number comes first */
};

struct sorter {
	u8 *memory;
	size_t size, used, places;
	bool sorted;		/* the entries lie in memory in the order of time */
	u64 last, bytes;
	unsigned int fan;
	char *folder;
	struct outfile file;	/* its descriptor is -1 until the file is needed */
	struct run runs[RUNS_MAX];
	unsigned int count;
	struct reader readers[FAN_MAX];
};

typedef int (*take_entry)(void *context, const struct bcos_entry *entry);

struct sorter *sorter_new(const char *folder, size_t memory)
{
	struct sorter *sorter = calloc(1, sizeof(*sorter));

	if (!sorter)
		return NULL;
	if (memory < SORTER_MEMORY_MIN)
		memory = SORTER_MEMORY_MIN;
	sorter->size = memory / RUN_BUFFER * RUN_BUFFER;
	sorter->fan = (unsigned int)(sorter->size / RUN_BUFFER);
	if (sorter->fan > FAN_MAX)
		sorter->fan = FAN_MAX;
	sorter->file.fd = -1;
	sorter->sorted = true;
	sorter->folder = strdup(folder);
	sorter->memory = aligned_alloc(64, sorter->size);
	if (sorter->folder && sorter->memory)
		return sorter;
	sorter_free(sorter);
	return NULL;
}

void sorter_free(struct sorter *sorter)
{
	if (!sorter)
		return;
	sorter->file.used = 0;
	outfile_close(&sorter->file);
	free(sorter->folder);
	free(sorter->memory);
	free(sorter);
}

u64 sorter_bytes(const struct sorter *sorter)
{
	return sorter->bytes;
}

/* ---- in memory ------------------------------------------------------------ */

/* Returns the index, whose items grow downwards: the item that was added first is the last one. */
static struct place *places_of(const struct sorter *sorter)
{
	return (struct place *)(sorter->memory + sorter->size) - sorter->places;
}

static int by_time(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->offset < b->offset ? -1 : a->offset > b->offset;
}

/* Gives all entries in memory in the order of time, and empties the memory. */
static int give_memory(struct sorter *sorter, take_entry take, void *context)
{
	struct place *places = places_of(sorter);
	size_t i, at;
	int r = 0;

	if (sorter->sorted) {
		for (at = 0; !r && at < sorter->used; at += ((const struct bcos_entry *)(sorter->memory + at))->size)
			r = take(context, (const struct bcos_entry *)(sorter->memory + at));
	} else {
		qsort(places, sorter->places, sizeof(*places), by_time);
		for (i = 0; !r && i < sorter->places; i++)
			r = take(context, (const struct bcos_entry *)(sorter->memory + places[i].offset));
	}
	sorter->used = sorter->places = 0;
	sorter->sorted = true;
	sorter->last = 0;
	return r;
}

/* ---- the temporary file --------------------------------------------------- */

static int open_file(struct sorter *sorter)
{
	int fd = temporary_file(sorter->folder);

	return fd < 0 ? fd : outfile_open_fd(&sorter->file, fd);
}

static int write_entry(void *context, const struct bcos_entry *entry)
{
	struct outfile *file = context;

	outfile_bytes(file, entry, entry->size);
	return -file->error;
}

static bool refill_reader(struct sorter *sorter, struct reader *reader)
{
	size_t there = reader->end - reader->at, size;
	ssize_t n;

	if (there >= BCOS_ENTRY_MAX || !reader->left)
		return true;
	memmove(reader->buffer, reader->buffer + reader->at, there);
	reader->at = 0;
	reader->end = there;
	while (reader->left && reader->end < RUN_BUFFER) {
		size = RUN_BUFFER - reader->end;
		if (size > reader->left)
			size = (size_t)reader->left;
		n = pread(sorter->file.fd, reader->buffer + reader->end, size, (off_t)reader->offset);
		if (n <= 0) {
			if (n < 0 && errno == EINTR)
				continue;
			return false;
		}
		reader->offset += (u64)n;
		reader->left -= (u64)n;
		reader->end += (size_t)n;
	}
	return true;
}

static const struct bcos_entry *entry_of(const struct reader *reader)
{
	return (const struct bcos_entry *)(reader->buffer + reader->at);
}

static bool is_before(const struct reader *a, const struct reader *b)
{
	u64 left = entry_of(a)->time, right = entry_of(b)->time;

	return left != right ? left < right : a->number < b->number;
}

/* Moves the item @at of a heap down to its place. */
static void sift_down(struct reader **heap, unsigned int count, unsigned int at)
{
	struct reader *reader = heap[at];
	unsigned int child;

	while ((child = 2 * at + 1) < count) {
		if (child + 1 < count && is_before(heap[child + 1], heap[child]))
			child++;
		if (is_before(reader, heap[child]))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = reader;
}

/* Merges the last @count runs and gives their entries. The buffers take the memory, which is empty at this time. */
static int merge_runs(struct sorter *sorter, unsigned int count, take_entry take, void *context)
{
	const struct run *run = sorter->runs + sorter->count - count;
	struct reader *heap[FAN_MAX], *reader;
	unsigned int i, live = 0;
	int r = outfile_flush(&sorter->file);

	for (i = 0; !r && i < count; i++) {
		reader = &sorter->readers[i];
		*reader = (struct reader){ .offset = run[i].offset, .left = run[i].size, .number = i };
		reader->buffer = sorter->memory + (size_t)i * RUN_BUFFER;
		r = refill_reader(sorter, reader) ? 0 : -EIO;
		heap[live++] = reader;
	}
	for (i = live / 2; !r && i-- > 0;)
		sift_down(heap, live, i);
	while (!r && live) {
		reader = heap[0];
		r = take(context, entry_of(reader));
		reader->at += entry_of(reader)->size;
		if (!r && !refill_reader(sorter, reader))
			r = -EIO;
		if (reader->at == reader->end)
			heap[0] = heap[--live];
		if (live)
			sift_down(heap, live, 0);
	}
	return r;
}

/* Merges the last @count runs into one run. */
static int merge_to_run(struct sorter *sorter, unsigned int count)
{
	struct run *first = sorter->runs + sorter->count - count;
	u64 begin = outfile_offset(&sorter->file);
	int r = merge_runs(sorter, count, write_entry, &sorter->file);

	first->level++;
	first->offset = begin;
	first->size = outfile_offset(&sorter->file) - begin;
	sorter->count -= count - 1;
	return r;
}

/* Returns how many of the last runs in a row have the level of the last run. */
static unsigned int count_equals(const struct sorter *sorter)
{
	const struct run *last = sorter->runs + sorter->count - 1;
	unsigned int n = 0;

	while (n < sorter->count && (last - n)->level == last->level)
		n++;
	return n;
}

static int spill_run(struct sorter *sorter)
{
	struct run *run = &sorter->runs[sorter->count];
	int r = sorter->file.fd < 0 ? open_file(sorter) : 0;

	if (r)
		return r;
	if (sorter->count == RUNS_MAX)
		return -EFBIG;
	*run = (struct run){ .offset = outfile_offset(&sorter->file) };
	r = give_memory(sorter, write_entry, &sorter->file);
	run->size = outfile_offset(&sorter->file) - run->offset;
	sorter->count++;
	while (!r && count_equals(sorter) == sorter->fan)
		r = merge_to_run(sorter, sorter->fan);
	return r;
}

int sorter_add(struct sorter *sorter, const struct bcos_entry *entry)
{
	struct place *place;
	int r;

	if (sorter->used + entry->size + (sorter->places + 1) * sizeof(*place) > sorter->size) {
		r = spill_run(sorter);
		if (r)
			return r;
	}
	memcpy(sorter->memory + sorter->used, entry, entry->size);
	sorter->places++;
	place = places_of(sorter);
	place->time = entry->time;
	place->offset = sorter->used;
	if (entry->time < sorter->last)
		sorter->sorted = false;
	else
		sorter->last = entry->time;
	sorter->used += entry->size;
	sorter->bytes += entry->size;
	return 0;
}

int sorter_each(struct sorter *sorter, take_entry take, void *context)
{
	int r = 0;

	if (!sorter->count)
		return give_memory(sorter, take, context);
	if (sorter->places)
		r = spill_run(sorter);
	/* The last runs are the shortest, so merging them costs the least. */
	while (!r && sorter->count > sorter->fan)
		r = merge_to_run(sorter, sorter->count - sorter->fan + 1 < sorter->fan ?
						 sorter->count - sorter->fan + 1 :
						 sorter->fan);
	return r ? r : merge_runs(sorter, sorter->count, take, context);
}
