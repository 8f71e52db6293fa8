// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A writer that never waits and readers that take no lock run in threads of their own. A reader gets whole and right
 * entries in sequence, or learns that it was overtaken.
 *
 * test: cpus=2 rounds=400:20000 timeout=120:900
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include "feed.h"

#define SIZE BCOS_RING_MIN
#define READERS 2

static struct bcos_ring ring;
static u32 stop;

/* Writes an entry that holds its number, and bytes that follow from the number. */
static void put_entry(u32 number, u32 bytes)
{
	struct bcos_entry header = { .size = (u16)bytes, .type = BCOS_GENERIC_CPU, .source = number, .time = number };
	u8 *place = bcos_ring_reserve(&ring, bytes, number);

	if (!place)
		abort();
	memcpy(place, &header, sizeof(header));
	memset(place + sizeof(header), (int)(number * 37 & 0xFF), bytes - sizeof(header));
	bcos_ring_commit(&ring, bytes);
}

struct reader {
	pthread_t thread;
	u64 seed, restart;
	u32 copies;		/* the writer reads it */
	u64 overtaken, entries;
	u32 wrong_seen;		/* the writer stops if it is set */
	const char *wrong;
};

static const char *check_entries(const u8 *bytes, long length, u64 number, u64 entries)
{
	struct bcos_entry header;
	const u8 *at = bytes;
	u32 i;

	for (; entries; entries--, number++, at += header.size) {
		memcpy(&header, at, sizeof(header));
		if (header.source != (u32)number || header.time != (u32)number)
			return "an entry is not the one that follows";
		for (i = sizeof(header); i < header.size; i++)
			if (at[i] != (u8)(number * 37 & 0xFF))
				return "an entry is torn";
	}
	return at == bytes + length ? NULL : "not whole entries";
}

static const char *read_once(struct reader *reader, struct bcos_mark *cursor, u8 *buffer, size_t room)
{
	struct bcos_marks marks;
	u64 entries;
	const char *wrong;
	long n;

	bcos_ring_marks(&ring, &marks);
	if (marks.oldest.offset > marks.group.offset || marks.group.offset > marks.head.offset ||
	    marks.head.offset - marks.oldest.offset > SIZE || marks.oldest.entry > marks.head.entry)
		return "the marks do not belong together";
	if (cursor->offset < marks.oldest.offset)
		*cursor = marks.oldest;
	n = bcos_ring_copy(&ring, cursor, marks.head.offset, buffer, room, &entries);
	if (n == -EAGAIN) {
		reader->overtaken++;
		return NULL;
	}
	wrong = check_entries(buffer, n, cursor->entry, entries);
	cursor->offset += (u64)n;
	cursor->entry += entries;
	/* Only reads that find something count: thousands may find nothing before the writer's first turn. */
	WRITE_ONCE(reader->copies, reader->copies + (n > 0));
	reader->entries += entries;
	return wrong;
}

static void *read_all(void *argument)
{
	struct reader *reader = argument;
	struct bcos_mark cursor = { 0 };
	u8 *buffer = malloc(65536);
	u64 i;

	for (i = 0; buffer && !reader->wrong && !__atomic_load_n(&stop, __ATOMIC_RELAXED); i++) {
		/*
		 * The reader sometimes waits until it is about to be overtaken, or starts again from the oldest entry.
		 */
		if (!(i % 64))
			sched_yield();
		if (!(i % reader->restart))
			cursor = (struct bcos_mark){ 0 };
		reader->wrong = read_once(reader, &cursor, buffer, 4096u << next_random(&reader->seed) % 5);
	}
	WRITE_ONCE(reader->wrong_seen, reader->wrong != NULL);
	free(buffer);
	return NULL;
}

static void write_group(u32 *number, u64 *seed)
{
	u64 room = bcos_ring_room(&ring);
	u32 bytes = (u32)(next_random(seed) % (room < 8192 ? room : 8192));

	bcos_ring_group_begin(&ring);
	do {
		put_entry(++*number, 64);
		bytes = bytes > 64 ? bytes - 64 : 0;
	} while (bytes);
	bcos_ring_group_end(&ring);
}

int main(void)
{
	u64 compactions = test_env("ROUNDS", 400), seed = test_seed();
	struct reader readers[READERS] = { 0 };
	void *data = test_ring_map(SIZE);
	u32 number = 0, i;
	int failed = 0;

	printf("1..%d\n", READERS);
	bcos_ring_init(&ring, data, SIZE);
	/* Entries are counted from 0, and the first put_entry() makes number 0. */
	number = (u32)-1;
	for (i = 0; i < READERS; i++) {
		readers[i].seed = seed + i;
		/* The first reader always reads what is about to be overwritten. */
		readers[i].restart = i ? 97 : 1;
		if (pthread_create(&readers[i].thread, NULL, read_all, &readers[i]))
			abort();
	}
	while (ring.now.compactions < compactions || READ_ONCE(readers[0].copies) < 1000 ||
	       READ_ONCE(readers[1].copies) < 1000) {
		if (READ_ONCE(readers[0].wrong_seen) || READ_ONCE(readers[1].wrong_seen))
			break;
		if (bcos_ring_wants_group(&ring))
			write_group(&number, &seed);
		put_entry(++number, 20 + (u32)(next_random(&seed) % 200) * 4);
		if (!(next_random(&seed) % 8))
			bcos_ring_publish(&ring);
	}
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	for (i = 0; i < READERS; i++) {
		pthread_join(readers[i].thread, NULL);
		printf("# %llu copies, %llu entries, overtaken %llu times\n", (unsigned long long)readers[i].copies,
		       (unsigned long long)readers[i].entries, (unsigned long long)readers[i].overtaken);
		if (!readers[i].wrong && !readers[i].entries)
			readers[i].wrong = "it was given nothing";
		printf("%sok %u - reader\n", readers[i].wrong ? "not " : "", i + 1);
		if (readers[i].wrong)
			printf("# %s\n", readers[i].wrong);
		failed |= readers[i].wrong != NULL;
	}
	test_ring_unmap(data, SIZE);
	return failed;
}
