// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * core/ring/cursor.c: a reader's steps through the ring, and each byte of the notice that it gets when it was
 * overtaken.
 */
#include "check.h"
#include "core/ring/cursor.h"
#include "core/format/entry.h"

#define SIZE BCOS_RING_MIN
#define BYTES 64
#define ROOM (4 * BYTES)

struct fixture {
	struct bcos_ring ring;
	void *data;
	struct bcos_cursor cursor, next;
	u8 to[ROOM];
};

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	f->data = test_ring_map(SIZE);
	bcos_ring_init(&f->ring, f->data, SIZE);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	test_ring_unmap(f->data, SIZE);
	free(f);
	return 0;
}

/* Writes an entry of BYTES bytes. */
static void put_entry(struct fixture *f, u16 type, u64 time)
{
	struct bcos_entry entry = { .size = BYTES, .type = type, .source = (u32)f->ring.now.head.entry, .time = time };
	u8 *place = bcos_ring_reserve(&f->ring, BYTES, time);

	memset(place, 0, BYTES);
	memcpy(place, &entry, sizeof(entry));
	bcos_ring_commit(&f->ring, BYTES);
	bcos_ring_publish(&f->ring);
}

static void put_events(struct fixture *f, u32 count, u64 time)
{
	while (count--)
		put_entry(f, BCOS_IRQ, time++);
}

/* Writes a group of one entry. */
static void put_group(struct fixture *f)
{
	bcos_ring_group_begin(&f->ring);
	put_entry(f, BCOS_HIST_SET_PROCESS_NAME, 1);
	bcos_ring_group_end(&f->ring);
	bcos_ring_publish(&f->ring);
}

/* Writes entries, and a group in each zone, until the ring has discarded entries @times times. */
static void overtake_reader(struct fixture *f, u32 times)
{
	u64 oldest = f->ring.now.oldest.offset;

	while (times) {
		if (bcos_ring_wants_group(&f->ring))
			put_group(f);
		put_entry(f, BCOS_IRQ, 5000);
		if (f->ring.now.oldest.offset == oldest)
			continue;
		oldest = f->ring.now.oldest.offset;
		times--;
	}
}

static long read_until(struct fixture *f, u64 end, size_t room)
{
	memset(f->to, 0xAA, sizeof(f->to));
	return bcos_cursor_read(&f->ring, &f->cursor, end, f->to, room, &f->next);
}

static void expect_place(const struct bcos_cursor *cursor, u64 offset, u64 entry, u64 time)
{
	assert_true(cursor->place.offset == offset);
	assert_true(cursor->place.entry == entry);
	assert_true(cursor->time == time);
}

/* A read returns whole entries, as many as there is room for, and the place where the next read begins. */
static void test_steps(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(read_until(f, ~0ull, ROOM), 0);
	put_events(f, 5, 100);
	assert_int_equal(read_until(f, ~0ull, 2 * BYTES + 1), 2 * BYTES);
	assert_int_equal(((struct bcos_entry *)f->to)->source, 0);
	assert_int_equal(((struct bcos_entry *)(f->to + BYTES))->source, 1);
	/* Nothing is written past the buffer. */
	assert_int_equal(f->to[2 * BYTES + 1], 0xAA);
	expect_place(&f->next, 2 * BYTES, 2, 101);
	f->cursor = f->next;
	assert_int_equal(read_until(f, ~0ull, ROOM), 3 * BYTES);
	assert_int_equal(((struct bcos_entry *)f->to)->source, 2);
	expect_place(&f->next, 5 * BYTES, 5, 104);
	f->cursor = f->next;
	assert_int_equal(read_until(f, ~0ull, ROOM), 0);
	/* After another entry the reader goes on. */
	put_events(f, 1, 200);
	assert_int_equal(read_until(f, ~0ull, ROOM), BYTES);
	expect_place(&f->next, 6 * BYTES, 6, 200);
}

/* A snapshot ends at the given offset or at the head, whichever comes first. */
static void test_end(void **state)
{
	struct fixture *f = *state;

	put_events(f, 3, 100);
	assert_int_equal(read_until(f, 0, ROOM), 0);
	assert_int_equal(read_until(f, 2 * BYTES, ROOM), 2 * BYTES);
	expect_place(&f->next, 2 * BYTES, 2, 101);
	f->cursor = f->next;
	assert_int_equal(read_until(f, 2 * BYTES, ROOM), 0);
	assert_int_equal(read_until(f, 2 * BYTES - 1, ROOM), 0);
	assert_int_equal(read_until(f, 100 * BYTES, ROOM), BYTES);
	expect_place(&f->next, 3 * BYTES, 3, 102);
}

static void test_too_small(void **state)
{
	struct fixture *f = *state;

	put_events(f, 2, 100);
	assert_int_equal(read_until(f, ~0ull, BYTES - 1), -EMSGSIZE);
	assert_int_equal(f->to[BYTES - 1], 0xAA);
	assert_int_equal(read_until(f, ~0ull, BYTES), BYTES);
	expect_place(&f->next, BYTES, 1, 100);
}

/* Historical entries are older than the entries before them, but the reader's time does not go back. */
static void test_time(void **state)
{
	struct fixture *f = *state;

	put_events(f, 1, 700);
	put_entry(f, BCOS_HIST_SET_PROCESS_NAME, 30);
	put_entry(f, BCOS_HIST_SET_PROCESS_NAME, 40);
	assert_int_equal(read_until(f, ~0ull, ROOM), 3 * BYTES);
	assert_true(f->next.time == 700);
	f->cursor.time = 900;
	assert_int_equal(read_until(f, ~0ull, ROOM), 3 * BYTES);
	assert_true(f->next.time == 900);
}

/* Checks each byte of the notice (5.16), which says that all entries up to the oldest one were missed. */
static void expect_notice(struct fixture *f, long size, u64 time)
{
	const struct bcos_generic *notice = (const struct bcos_generic *)f->to;
	u64 entries = f->ring.now.oldest.entry - f->cursor.place.entry;
	char text[100];
	size_t length = (size_t)snprintf(text, sizeof(text), "missed %llu entries, %llu bytes",
					 (unsigned long long)entries,
					 (unsigned long long)(entries * BYTES)), i;

	assert_true(f->cursor.place.entry < f->ring.now.oldest.entry);
	/* The text begins at byte 25 of the entry, whose size is padded to a multiple of 4. */
	assert_int_equal(size, (25 + length + 3) / 4 * 4);
	assert_int_equal(notice->header.size, size);
	assert_int_equal(notice->header.type, 0x6010);
	assert_int_equal(notice->header.source, 0xC0000000);
	assert_true(notice->header.time == time);
	assert_int_equal(notice->header.precision, 0);
	assert_int_equal(notice->event_id, 0x80000002);
	assert_true(notice->severity >= 0x80 && notice->severity < 0xC0);
	assert_memory_equal(f->to + 25, text, length);
	for (i = 25 + length; i < (size_t)size; i++)
		assert_int_equal(f->to[i], 0);
	assert_int_equal(f->to[size], 0xAA);
	expect_place(&f->next, f->ring.now.oldest.offset, f->ring.now.oldest.entry, time);
}

static void test_overtaken(void **state)
{
	struct fixture *f = *state;
	long size;

	put_group(f);
	put_events(f, 10, 100);
	assert_int_equal(read_until(f, ~0ull, 3 * BYTES), 3 * BYTES);
	f->cursor = f->next;
	overtake_reader(f, 1);
	size = read_until(f, ~0ull, ROOM);
	expect_notice(f, size, 101);
	/* The reader goes on at the oldest entry, which begins a group, and gets no second notice. */
	f->cursor = f->next;
	assert_int_equal(read_until(f, ~0ull, BYTES), BYTES);
	assert_int_equal(((struct bcos_entry *)f->to)->type, BCOS_HIST_SET_PROCESS_NAME);
	assert_true(((struct bcos_entry *)f->to)->source == f->ring.now.oldest.entry);
	/* When the reader is overtaken again, the notice tells what it has missed since then. */
	f->cursor = f->next;
	overtake_reader(f, 2);
	size = read_until(f, ~0ull, ROOM);
	expect_notice(f, size, 101);
}

/*
 * A reader at the oldest entry was not overtaken. A reader before the oldest entry was, even if its snapshot has ended.
 */
static void test_edges(void **state)
{
	struct fixture *f = *state;
	long size;

	put_group(f);
	overtake_reader(f, 1);
	f->cursor.place = f->ring.now.oldest;
	assert_int_equal(read_until(f, ~0ull, BYTES), BYTES);
	assert_true(((struct bcos_entry *)f->to)->source == f->ring.now.oldest.entry);
	f->cursor.place.offset -= BYTES;
	f->cursor.place.entry -= 1;
	size = read_until(f, BYTES, ROOM);
	expect_notice(f, size, 0);
	assert_memory_equal(f->to + 25, "missed 1 entries, 64 bytes", 27);
	/* The size is 25 bytes, 26 bytes of text, and one byte of padding. */
	assert_int_equal(size, 52);
	assert_int_equal(read_until(f, ~0ull, 52), 52);
	assert_int_equal(read_until(f, ~0ull, 51), -EMSGSIZE);
	assert_int_equal(f->to[0], 0xAA);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_steps), TEST(test_end), TEST(test_too_small), TEST(test_time), TEST(test_overtaken),
		TEST(test_edges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
