// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* core/model/index.c: every item is found and no other is, chains stay short, and memory is given back. */
#include "check.h"
#include "core/model/index.h"

#define FIRST 64			/* buckets of an empty index */
#define MANY 5000

struct fixture {
	struct test_host host;
	struct bcos_heap heap;
	struct bcos_index index;
	struct bcos_item items[MANY];
};

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	f->heap = (struct bcos_heap){ .host = &test_host, .context = &f->host };
	/* No field is right by chance. */
	memset(&f->index, 0xA5, sizeof(f->index));
	assert_int_equal(bcos_index_init(&f->index, &f->heap), 0);
	*state = f;
	return 0;
}

/* All memory is counted, and all is given back. */
static int tear_down(void **state)
{
	struct fixture *f = *state;

	assert_true(f->heap.bytes == f->host.bytes);
	bcos_index_destroy(&f->index, &f->heap);
	assert_null(f->index.bucket);
	assert_true(f->heap.bytes == 0);
	assert_int_equal(f->host.live, 0);
	free(f);
	return 0;
}

static void add_key(struct fixture *f, u32 at, u64 key)
{
	f->items[at].key = key;
	bcos_index_add(&f->index, &f->heap, &f->items[at]);
}

static u32 count_buckets(const struct fixture *f)
{
	return (u32)(f->host.bytes / sizeof(*f->index.bucket));
}

static u32 measure_longest(const struct fixture *f)
{
	const struct bcos_item *item;
	u32 most = 0, length, i;

	for (i = 0; i < count_buckets(f); i++) {
		for (length = 0, item = f->index.bucket[i]; item; item = item->next)
			length++;
		if (length > most)
			most = length;
	}
	return most;
}

static void test_empty(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(count_buckets(f), FIRST);
	assert_int_equal(f->index.count, 0);
	assert_null(bcos_index_find(&f->index, 0));
	/* Destroying an index that was only zeroed does nothing. */
	bcos_index_destroy(&(struct bcos_index){ 0 }, &f->heap);
}

/* The number of buckets doubles when an item is added and there is one item for each bucket already. */
static void test_growth(void **state)
{
	struct fixture *f = *state;
	u32 i, expected = FIRST;

	for (i = 0; i < MANY; i++) {
		if (i == expected)
			expected *= 2;
		add_key(f, i, 0x1000ull * i);
		assert_int_equal(count_buckets(f), expected);
		assert_int_equal(f->index.count, i + 1);
	}
	for (i = 0; i < MANY; i++)
		assert_ptr_equal(bcos_index_find(&f->index, 0x1000ull * i), &f->items[i]);
	assert_null(bcos_index_find(&f->index, 0x1000ull * MANY));
	assert_null(bcos_index_find(&f->index, 1));
	/* Keys that an allocator might choose do not share a bucket. */
	assert_true(measure_longest(f) <= 12);
}

/* The newer of two items with one key is found, and the older when that is removed. */
static void test_same_key(void **state)
{
	struct fixture *f = *state;

	add_key(f, 0, 7);
	add_key(f, 1, 7);
	add_key(f, 2, 8);
	assert_ptr_equal(bcos_index_find(&f->index, 7), &f->items[1]);
	bcos_index_remove(&f->index, &f->items[1]);
	assert_ptr_equal(bcos_index_find(&f->index, 7), &f->items[0]);
	assert_ptr_equal(bcos_index_find(&f->index, 8), &f->items[2]);
	add_key(f, 1, 7);
	bcos_index_remove(&f->index, &f->items[0]);
	assert_ptr_equal(bcos_index_find(&f->index, 7), &f->items[1]);
	assert_int_equal(f->index.count, 2);
	bcos_index_remove(&f->index, &f->items[1]);
	assert_null(bcos_index_find(&f->index, 7));
	assert_int_equal(f->index.count, 1);
}

/* Items that were removed make room: an index that never holds many items never grows. */
static void test_removed(void **state)
{
	struct fixture *f = *state;
	u32 i;

	for (i = 0; i < MANY; i++) {
		add_key(f, i, i);
		if (i >= FIRST / 2)
			bcos_index_remove(&f->index, &f->items[i - FIRST / 2]);
	}
	assert_int_equal(count_buckets(f), FIRST);
	assert_int_equal(f->index.count, FIRST / 2);
}

/* Without memory to grow every item is found all the same, and it grows when there is memory again. */
static void test_no_memory(void **state)
{
	struct fixture *f = *state;
	u32 i;

	f->host.fail_at = f->host.asked + 1;
	f->host.fail_for = 10;
	for (i = 0; i < FIRST + 10; i++)
		add_key(f, i, i);
	assert_int_equal(f->host.failed, 10);
	assert_int_equal(count_buckets(f), FIRST);
	for (i = 0; i < FIRST + 10; i++)
		assert_ptr_equal(bcos_index_find(&f->index, i), &f->items[i]);
	add_key(f, i, i);
	assert_int_equal(count_buckets(f), 2 * FIRST);
	for (i = 0; i <= FIRST + 10; i++)
		assert_ptr_equal(bcos_index_find(&f->index, i), &f->items[i]);
}

static void test_no_memory_at_all(void **state)
{
	struct test_host host = { .fail_at = 1, .fail_for = 1 };
	struct bcos_heap heap = { .host = &test_host, .context = &host };
	struct bcos_index index;

	assert_int_equal(bcos_index_init(&index, &heap), -ENOMEM);
	bcos_index_destroy(&index, &heap);
	assert_int_equal(host.live, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_empty), TEST(test_growth), TEST(test_same_key), TEST(test_removed), TEST(test_no_memory),
		cmocka_unit_test(test_no_memory_at_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
