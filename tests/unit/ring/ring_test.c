// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * core/ring/ring.c alone: zones, marks and copies. Each entry here is a header with a size, and its source is its
 * number.
 */
#include "check.h"

#define SIZE BCOS_RING_MIN
#define ZONE (SIZE / 4)

struct fixture {
	struct bcos_ring ring;
	void *data;
	u32 number;			/* number of the next entry */
	u64 starts[64];			/* offsets of the groups */
	u32 groups;
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

static void put_entry(struct fixture *f, u32 bytes)
{
	struct bcos_entry entry = { .size = (u16)bytes, .source = f->number };
	u8 *place = bcos_ring_reserve(&f->ring, bytes, 1000 + f->number);

	assert_non_null(place);
	memset(place, (int)(f->number & 0xFF), bytes);
	memcpy(place, &entry, sizeof(entry));
	bcos_ring_commit(&f->ring, bytes);
	f->number++;
	/* These are invariants (ring.h). */
	assert_true(f->ring.now.head.offset - f->ring.now.oldest.offset <= SIZE);
	assert_int_equal(f->ring.now.head.entry, f->number);
}

/* Writes entries of 100 bytes until the next group is due. */
static void fill_zone(struct fixture *f)
{
	while (!bcos_ring_wants_group(&f->ring))
		put_entry(f, 100);
}

static void write_group(struct fixture *f, u32 bytes)
{
	u32 left = bytes;

	assert_true(bytes <= bcos_ring_room(&f->ring));
	f->starts[f->groups++] = f->ring.now.head.offset;
	bcos_ring_group_begin(&f->ring);
	while (left) {
		u32 n = left > 128 ? 64 : left;

		/* No group is due while one is being written. */
		assert_false(bcos_ring_wants_group(&f->ring));
		put_entry(f, n);
		left -= n;
	}
	bcos_ring_group_end(&f->ring);
	assert_false(bcos_ring_wants_group(&f->ring));
	assert_true(f->ring.now.group.offset == f->starts[f->groups - 1]);
}

static bool is_start(const struct fixture *f, u64 offset)
{
	u32 i;

	for (i = 0; i < f->groups; i++)
		if (f->starts[i] == offset)
			return true;
	return false;
}

/* Reads everything from the oldest entry on, and checks that it is what was written. */
static void read_all(struct fixture *f)
{
	static u8 buffer[SIZE];
	struct bcos_entry *entry;
	struct bcos_marks marks;
	u64 entries, number;
	long n, at;

	bcos_ring_publish(&f->ring);
	bcos_ring_marks(&f->ring, &marks);
	n = bcos_ring_copy(&f->ring, &marks.oldest, marks.head.offset, buffer, sizeof(buffer), &entries);
	assert_true((u64)n == marks.head.offset - marks.oldest.offset);
	assert_int_equal(entries, marks.head.entry - marks.oldest.entry);
	number = marks.oldest.entry;
	for (at = 0; at < n; at += entry->size) {
		entry = (struct bcos_entry *)(buffer + at);
		assert_int_equal(entry->source, number);
		number++;
	}
	assert_int_equal(number, marks.head.entry);
}

/* The control page of a mapping tells where everything is. */
static void test_share(void **state)
{
	struct fixture *f = *state;
	struct bcos_control control = { 0 };
	struct bcos_marks marks;

	assert_int_equal(f->ring.own.abi_version, BCOS_ABI_VERSION);
	assert_int_equal(f->ring.own.data, 0);
	bcos_ring_share(&f->ring, &control, 4096);
	assert_int_equal(control.abi_version, BCOS_ABI_VERSION);
	assert_int_equal(control.size, sizeof(control));
	assert_int_equal(control.data, 4096);
	assert_int_equal(control.ring_size, SIZE);
	/* From now on the ring publishes its marks in @control. */
	put_entry(f, 100);
	bcos_ring_publish(&f->ring);
	assert_int_equal(control.marks[control.generation & 1].head.offset, 100);
	bcos_ring_marks(&f->ring, &marks);
	assert_int_equal(marks.head.offset, 100);
	assert_int_equal(f->ring.own.marks[0].head.offset + f->ring.own.marks[1].head.offset, 0);
}

static void test_empty(void **state)
{
	struct fixture *f = *state;
	struct bcos_marks marks;
	u64 entries = 7;
	u8 buffer[64];

	assert_true(bcos_ring_wants_group(&f->ring));
	assert_true(bcos_ring_room(&f->ring) == 2 * ZONE);
	bcos_ring_marks(&f->ring, &marks);
	assert_int_equal(marks.head.offset, 0);
	assert_int_equal(bcos_ring_copy(&f->ring, &marks.oldest, 0, buffer, sizeof(buffer), &entries), 0);
	assert_int_equal(entries, 0);
}

/*
 * Each zone that the writer enters gets a group. The ring discards the oldest entries only when it needs their space,
 * up to the next group.
 */
static void test_zones(void **state)
{
	struct fixture *f = *state;
	int zone;

	write_group(f, 1000);
	for (zone = 1; zone < 4; zone++) {
		fill_zone(f);
		assert_true(f->ring.now.head.offset / ZONE == (u64)zone);
		write_group(f, 1000);
		assert_int_equal(f->ring.now.compactions, 0);
		assert_int_equal(f->ring.now.oldest.offset, 0);
	}
	read_all(f);
	fill_zone(f);
	/* The first entry of the fifth zone has overwritten that of the first zone. */
	assert_int_equal(f->ring.now.compactions, 1);
	assert_true(f->ring.now.oldest.offset == f->starts[1]);
	read_all(f);
}

static void test_wrap(void **state)
{
	struct fixture *f = *state;
	u64 before = 0;
	u32 i;

	write_group(f, 2000);
	for (i = 0; i < 40; i++) {
		fill_zone(f);
		write_group(f, 2000);
		assert_true(is_start(f, f->ring.now.oldest.offset));
		assert_true(f->ring.now.oldest.offset >= before);
		before = f->ring.now.oldest.offset;
		read_all(f);
	}
	assert_true(f->ring.now.head.offset > 10 * SIZE - 2 * ZONE);
	/* The ring discards no more than it needs: at least three zones stay. */
	assert_true(f->ring.now.head.offset - f->ring.now.oldest.offset > 3 * ZONE);
}

/* A zone into which a group continues gets no group of its own, nor does the zone in which the group ends. */
static void test_large_groups(void **state)
{
	struct fixture *f = *state;
	u32 i, size;

	write_group(f, 2 * ZONE);
	assert_true(f->ring.now.head.offset == 2 * ZONE);
	for (i = 0; i < 40; i++) {
		fill_zone(f);
		size = (u32)bcos_ring_room(&f->ring);
		assert_true(size <= 2 * ZONE);
		/* The newest complete group stays, however much the next group takes. */
		assert_true(size + f->ring.now.head.offset - f->ring.now.group.offset <= SIZE);
		/* Even in the worst place there is room for what cannot be left out: a quarter of a zone. */
		assert_true(size >= ZONE / 4);
		write_group(f, size & ~3u);
		assert_true(is_start(f, f->ring.now.oldest.offset));
		read_all(f);
	}
}

static void test_random(void **state)
{
	u64 seed = test_seed(), rounds = test_env("ROUNDS", 20), before = 0;
	struct fixture *f = *state;
	u32 size;

	for (; rounds; rounds--) {
		f->groups = 0;
		memset(&f->ring, 0, sizeof(f->ring));
		bcos_ring_init(&f->ring, f->data, SIZE);
		f->number = 0;
		before = 0;
		while (f->groups < 60) {
			size = (u32)(next_random(&seed) % bcos_ring_room(&f->ring)) & ~3u;
			if (next_random(&seed) & 1)
				size %= 4096;
			write_group(f, size < 20 ? 20 : size);
			while (!bcos_ring_wants_group(&f->ring))
				put_entry(f, 20 + (u32)(next_random(&seed) % (BCOS_RING_ENTRY_MAX - 20)) / 4 * 4);
			assert_true(is_start(f, f->ring.now.oldest.offset));
			assert_true(f->ring.now.oldest.offset >= before);
			before = f->ring.now.oldest.offset;
			read_all(f);
		}
	}
}

/* An entry that crosses the end of the ring continues at the start, and is read in one piece. */
static void test_entry_over_end(void **state)
{
	struct fixture *f = *state;
	struct bcos_mark place;
	struct bcos_marks marks;
	u8 buffer[512];
	u64 entries;

	write_group(f, 1000);
	while (f->ring.now.head.offset + 500 <= SIZE) {
		if (bcos_ring_wants_group(&f->ring))
			write_group(f, 1000);
		put_entry(f, 500);
	}
	place = f->ring.now.head;
	assert_true(place.offset < SIZE);
	put_entry(f, 500);
	bcos_ring_publish(&f->ring);
	bcos_ring_marks(&f->ring, &marks);
	assert_true(marks.head.offset > SIZE);
	assert_int_equal(bcos_ring_copy(&f->ring, &place, marks.head.offset, buffer, sizeof(buffer), &entries), 500);
	assert_int_equal(entries, 1);
	assert_int_equal(((struct bcos_entry *)buffer)->source, f->number - 1);
	assert_int_equal(buffer[499], (f->number - 1) & 0xFF);
	assert_int_equal(((u8 *)f->data)[0], (f->number - 1) & 0xFF);
}

static void test_copy_small(void **state)
{
	struct fixture *f = *state;
	struct bcos_marks marks;
	u8 buffer[64];
	u64 entries;

	write_group(f, 20);
	put_entry(f, 24);
	put_entry(f, 28);
	bcos_ring_publish(&f->ring);
	bcos_ring_marks(&f->ring, &marks);
#define COPY(size) bcos_ring_copy(&f->ring, &marks.oldest, marks.head.offset, buffer, (size), &entries)
	assert_int_equal(COPY(0), 0);
	assert_int_equal(COPY(1), 0);
	assert_int_equal(COPY(19), 0);
	assert_int_equal(entries, 0);
	assert_int_equal(COPY(20), 20);
	assert_int_equal(COPY(43), 20);
	assert_int_equal(entries, 1);
	assert_int_equal(COPY(44), 44);
	assert_int_equal(entries, 2);
	/* No byte beyond the size is written. */
	memset(buffer, 0xEE, sizeof(buffer));
	assert_int_equal(COPY(30), 20);
	assert_int_equal(buffer[30], 0xEE);
	/* A head that lies between two entries hides those after it. */
	assert_int_equal(bcos_ring_copy(&f->ring, &marks.oldest, 44, buffer, 64, &entries), 44);
}

/* A reader that was overtaken learns this, even if only a few bytes are gone. */
static void test_overtaken(void **state)
{
	struct fixture *f = *state;
	struct bcos_marks before, after;
	struct bcos_mark next;
	static u8 buffer[4096];
	u64 entries;

	write_group(f, 1000);
	put_entry(f, 100);
	bcos_ring_publish(&f->ring);
	bcos_ring_marks(&f->ring, &before);
	next = before.oldest;
	while (f->ring.now.compactions == 0) {
		if (bcos_ring_wants_group(&f->ring))
			write_group(f, 1000);
		put_entry(f, 100);
	}
	/* The new oldest mark is published before anything is overwritten. */
	bcos_ring_marks(&f->ring, &after);
	assert_int_equal(after.compactions, 1);
	assert_true(after.oldest.offset == f->starts[1]);
	assert_true(after.compaction_time >= 1000);
	assert_int_equal(bcos_ring_copy(&f->ring, &next, before.head.offset, buffer, sizeof(buffer), &entries),
			 -EAGAIN);
	next.offset = after.oldest.offset - 4;
	assert_int_equal(bcos_ring_copy(&f->ring, &next, after.head.offset, buffer, sizeof(buffer), &entries), -EAGAIN);
	assert_true(bcos_ring_copy(&f->ring, &after.oldest, after.head.offset, buffer, sizeof(buffer), &entries) > 0);
}

/* Readers see only what was published, and all of it together. */
static void test_publish(void **state)
{
	struct fixture *f = *state;
	struct bcos_marks marks;

	write_group(f, 1000);
	bcos_ring_marks(&f->ring, &marks);
	assert_int_equal(marks.head.offset, 0);
	f->ring.now.last_time = 77;
	bcos_ring_publish(&f->ring);
	put_entry(f, 100);
	bcos_ring_marks(&f->ring, &marks);
	assert_int_equal(marks.head.offset, 1000);
	assert_int_equal(marks.group.offset, 0);
	assert_int_equal(marks.last_time, 77);
	bcos_ring_publish(&f->ring);
	bcos_ring_marks(&f->ring, &marks);
	assert_int_equal(marks.head.offset, 1100);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	static const struct CMUnitTest tests[] = {
		TEST(test_share), TEST(test_empty), TEST(test_zones), TEST(test_wrap), TEST(test_large_groups),
		TEST(test_random), TEST(test_entry_over_end), TEST(test_copy_small), TEST(test_overtaken),
		TEST(test_publish),
	};

	return cmocka_run_group_tests_name("ring", tests, NULL, NULL);
}
