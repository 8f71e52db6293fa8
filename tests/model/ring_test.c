// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The zoned ring and its readers in many orders (module/DESIGN.md, 9.1): a writer discards the oldest entries while a
 * reader reads them.
 *
 * Entries are numbered, and each word of an entry holds the number of the entry. So a reader knows whether it got the
 * entry that was written at this place, and whether the notice tells the right number of missed entries.
 *
 * test: rounds=8000:1000000 timeout=120:1800
 */
#include "core/ring/cursor.h"
#include "report.h"
#include "testhost.h"

#define SIZE BCOS_RING_MIN
#define BYTES 64			/* bytes of an entry */

static struct bcos_ring ring;
static void *data;
static u64 number;			/* number of the next entry */
static struct bcos_cursor cursor;

/* ---- the writer ----------------------------------------------------------------------------------------- */

static u64 word_of(u64 entry, u32 word)
{
	return entry << 8 | word;
}

static void put_entry(void)
{
	u64 *place = bcos_ring_reserve(&ring, BYTES, number);
	struct bcos_entry entry = { .size = BYTES, .source = (u32)number, .time = number };
	u64 words[BYTES / 8] = { 0 };
	u32 i;

	for (i = sizeof(entry) / 8 + 1; i < BYTES / 8; i++)
		words[i] = word_of(number, i);
	memcpy(words, &entry, sizeof(entry));
	for (i = 0; i < BYTES / 8; i++)
		place[i] = words[i];
	bcos_ring_commit(&ring, BYTES);
	number++;
}

static void put_group(void)
{
	bcos_ring_group_begin(&ring);
	put_entry();
	bcos_ring_group_end(&ring);
}

/* Discards the oldest zone, and overwrites its beginning. */
static void write_over(void)
{
	put_entry();
	put_entry();
	bcos_ring_publish(&ring);
}

/*
 * Publishes three times. The second publication overwrites the marks that were valid before the first one. The number
 * of compactions counts publications here.
 */
static void write_on(void)
{
	int i;

	for (i = 0; i < 3; i++) {
		put_entry();
		ring.now.compactions++;
		bcos_ring_publish(&ring);
	}
}

/* ---- the reader ----------------------------------------------------------------------------------------- */

static void see_entry(const struct bcos_entry *entry, u64 expected)
{
	u64 words[BYTES / 8];
	u32 i;

	if (entry->size != BYTES || entry->source != (u32)expected || entry->time != expected)
		model_fail("entry %llu is entry %u of %u bytes", (unsigned long long)expected, entry->source,
			   entry->size);
	memcpy(words, entry, sizeof(words));
	for (i = sizeof(*entry) / 8 + 1; i < BYTES / 8; i++)
		if (words[i] != word_of(expected, i))
			model_fail("word %u of entry %llu is of entry %llu", i, (unsigned long long)expected,
				   (unsigned long long)words[i] >> 8);
}

static void read_some(void)
{
	static u64 buffer[2 * BYTES / 8];
	const struct bcos_generic *notice = (const struct bcos_generic *)buffer;
	struct bcos_cursor next;
	unsigned long long missed;
	long bytes = bcos_cursor_read(&ring, &cursor, ~0ull, buffer, sizeof(buffer), &next);
	long at;

	if (bytes < 0)
		model_fail("reading fails with %ld", bytes);
	if (!bytes)
		return;
	if (notice->header.type == BCOS_GENERIC_DEVICE) {
		if (sscanf(notice->text, "missed %llu entries", &missed) != 1 ||
		    missed != next.place.entry - cursor.place.entry || next.place.offset != next.place.entry * BYTES)
			model_fail("what was missed is not what lies between");
		cursor = next;
		return;
	}
	for (at = 0; at < bytes; at += BYTES)
		see_entry((const struct bcos_entry *)((const char *)buffer + at), cursor.place.entry + (u64)at / BYTES);
	cursor = next;
}

static void read_twice(void)
{
	read_some();
	read_some();
}

/* All marks that a reader gets are of one publication, which is never older than the previous one. */
static void look_at_marks(void)
{
	struct bcos_marks marks, before = { .head = cursor.place };
	int i;

	for (i = 0; i < 3; i++, before = marks) {
		bcos_ring_marks(&ring, &marks);
		if (marks.head.offset != marks.head.entry * BYTES ||
		    marks.oldest.offset != marks.oldest.entry * BYTES ||
		    marks.group.offset != marks.group.entry * BYTES)
			model_fail("offset and number of a mark are not of one moment");
		if (marks.head.entry < before.head.entry)
			model_fail("the head goes back from entry %llu to %llu", (unsigned long long)before.head.entry,
				   (unsigned long long)marks.head.entry);
		/* Each publication in write_on() has one entry more than the previous one. */
		if (marks.compactions != marks.head.entry - cursor.place.entry)
			model_fail("the marks are of two publications");
	}
}

/* ---- programs --------------------------------------------------------------------------------------------- */

static void start_run(void)
{
	if (!data)
		data = test_ring_map(SIZE);
	memset(&ring, 0, sizeof(ring));
	memset(&cursor, 0, sizeof(cursor));
	number = 0;
	bcos_ring_init(&ring, data, SIZE);
	put_group();
}

static void share_memory(void)
{
	model_share(&ring.own, sizeof(ring.own), false);
	model_share(data, SIZE, true);
}

/* The ring is full, and the cursor stands at the oldest entry. */
static void set_up_full(void)
{
	start_run();
	while (ring.now.head.offset + BYTES <= SIZE) {
		if (bcos_ring_wants_group(&ring))
			put_group();
		else
			put_entry();
	}
	bcos_ring_publish(&ring);
	bcos_ring_publish(&ring);
	cursor.place = ring.now.oldest;
	share_memory();
}

/* The ring is nearly empty, and the cursor stands at the head. */
static void set_up_end(void)
{
	start_run();
	bcos_ring_publish(&ring);
	cursor.place = ring.now.head;
	share_memory();
}

static void finish_run(void)
{
	struct bcos_marks marks;

	bcos_ring_marks(&ring, &marks);
	if (marks.head.entry != number || marks.head.offset != number * BYTES)
		model_fail("the head that is published is not the end of what was written");
}

static const struct model_program programs[] = {
	{
		.name = "marks", .threads = 2, .setup = set_up_end, .thread = { write_on, look_at_marks },
		.finish = finish_run, .preemptions = 2, .sampled = true,
	}, {
		.name = "a reader at the end", .threads = 2, .setup = set_up_end, .thread = { write_on, read_twice },
		.finish = finish_run, .preemptions = 2, .sampled = true,
	}, {
		.name = "a reader that is overtaken", .threads = 2, .setup = set_up_full,
		.thread = { write_over, read_some }, .finish = finish_run, .preemptions = 2, .sampled = true,
	},
};

static const struct model_excuse excuses[] = {
	{ "bcos_ring_copy(): read barrier",
	  "bcos_ring_marks() has one before its second look at the generation, which orders the "
	  "copy as well; this one is the protocol that the ABI states for mappings" },
	{ NULL, NULL },
};

int main(void)
{
	static const char *const files[] = { "ring.", "cursor.", NULL };

	return model_report(programs, sizeof(programs) / sizeof(programs[0]), files, excuses,
			    test_env("ROUNDS", 20000));
}
