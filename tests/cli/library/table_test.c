// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tests the hash table: nodes come, go and are sorted while it grows, and its items have a limit of memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "state/table.h"

#define MANY 1000u
#define GIBIBYTE 1073741824ull

struct item {
	struct node node;
	u32 value;
};

static unsigned int released;

static void release_node(struct node *node)
{
	released++;
	free(node);
}

static void items_come_and_go(void **state)
{
	struct table table;
	struct node **sorted;
	struct item *item;
	u64 memory = 0;
	u32 id, i;

	(void)state;
	assert_int_equal(table_init(&table), 0);
	/* The IDs are even, and the largest comes first. ID 0 is always in the first bucket. */
	for (id = 2 * MANY - 2; id < 2 * MANY; id -= 2) {
		assert_null(table_find(&table, id));
		item = item_add(&table, &memory, id, sizeof(*item));
		assert_non_null(item);
		assert_int_equal(item->value, 0);
		item->value = id + 5;
		/* The table doubles when a node comes to a table that is half full. */
		assert_int_equal(table.bits, table.count <= 32 ? 6 : table.count <= 64 ? 7 : table.bits);
	}
	assert_int_equal(table.count, MANY);
	assert_int_equal(memory, MANY * sizeof(*item));
	/* The table is at most half full, and no larger than that requires. */
	assert_int_equal(table.bits, 11);
	for (id = 0; id < 2 * MANY; id++) {
		item = table_find(&table, id);
		assert_int_equal(item ? item->value : 0, id % 2 ? 0 : id + 5);
	}
	for (id = 2; id < 2 * MANY; id += 4)
		item_free(&table, &memory, table_find(&table, id), sizeof(*item));
	assert_int_equal(table.count, MANY / 2);
	assert_int_equal(memory, MANY / 2 * sizeof(*item));
	sorted = table_sorted(&table);
	assert_non_null(sorted);
	for (i = 0; i < MANY / 2; i++)
		assert_int_equal(sorted[i]->id, 4 * i);
	free(sorted);
	released = 0;
	table_clear(&table, release_node);
	assert_int_equal(released, MANY / 2);
	assert_int_equal(table.count, 0);
	assert_int_equal(table.bits, 6);
	assert_null(table_find(&table, 4));
	memory = 0;
	assert_non_null(item_add(&table, &memory, 4, sizeof(*item)));
	table_destroy(&table, release_node);
	assert_int_equal(released, MANY / 2 + 1);
	assert_null(table.buckets);
}

/* An item may fill the limit, and one that would exceed it by a byte is not added. */
static void memory_has_a_limit(void **state)
{
	u64 memory = GIBIBYTE - sizeof(struct item) + 1;
	struct table table;

	(void)state;
	assert_int_equal(table_init(&table), 0);
	assert_null(item_add(&table, &memory, 1, sizeof(struct item)));
	assert_null(table_find(&table, 1));
	assert_int_equal(table.count, 0);
	assert_int_equal(memory, GIBIBYTE - sizeof(struct item) + 1);
	memory--;
	assert_non_null(item_add(&table, &memory, 1, sizeof(struct item)));
	assert_int_equal(memory, GIBIBYTE);
	assert_null(item_add(&table, &memory, 2, sizeof(struct item)));
	item_free(&table, &memory, table_find(&table, 1), sizeof(struct item));
	assert_int_equal(memory, GIBIBYTE - sizeof(struct item));
	assert_null(table_find(&table, 1));
	table_destroy(&table, release_node);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(items_come_and_go), cmocka_unit_test(memory_has_a_limit) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
