// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The lock of the newest part of a log, which one thread adds to and others read. The test has a lock of its own:
 * nothing changes where it is not held, and others come just before it is taken, and just after it is given back.
 */
#include <malloc.h>
#include <pthread.h>

#include "printed.h"
#include "made_log.h"
#include "serve/latest.h"

static struct latest *latest;
static u8 seen[4096];
static size_t size;
static int held, locks;
static void (*before_lock)(void), (*after_unlock)(void);

static void call_other(void (**other)(void))
{
	void (*call)(void) = *other;

	*other = NULL;
	if (call)
		call();
}

int pthread_mutex_lock(pthread_mutex_t *lock)
{
	call_other(&before_lock);
	assert_int_equal(held, 0);
	assert_memory_equal(latest, seen, size);
	held = 1;
	return 0;
}

int pthread_mutex_unlock(pthread_mutex_t *lock)
{
	assert_int_equal(held, 1);
	memcpy(seen, latest, size);
	held = 0;
	locks++;
	call_other(&after_unlock);
	return 0;
}

/* Asserts that this took the lock once, and changed nothing without it. */
#define assert_locked(condition) do { \
		locks = 0; \
		assert_true(condition); \
		assert_int_equal(locks, 1); \
		assert_int_equal(held, 0); \
		assert_memory_equal(latest, seen, size); \
	} while (0)

static int begin_latest(void **state)
{
	latest = latest_new(4096);
	size = malloc_usable_size(latest);
	assert_true(size <= sizeof(seen));
	memcpy(seen, latest, size);
	return 0;
}

static int end_latest(void **state)
{
	latest_free(latest);
	return 0;
}

/* An entry of 24 bytes: of a group, or of none. */
static int add_entry(u16 type)
{
	struct made made;
	const struct bcos_entry *entry = made_word(&made, type, 0, 1, 5);

	return latest_add(latest, entry, bcoslog_after(entry));
}

static void add_group(void)
{
	add_entry(BCOS_HIST_CPU_ONLINE);
}

static void add_event(void)
{
	add_entry(BCOS_ASSIGN_CPU);
}

static void end_log(void)
{
	latest_end(latest);
}

static bool copy_has(u64 from, u64 base, size_t bytes, bool ended)
{
	struct latest_part part;
	int r = latest_copy(latest, from, 1000000, &part);

	free(part.bytes);
	return !r && part.base == base && part.size == bytes && part.ended == ended && !part.full;
}

static void nothing_changes_without_the_lock(void **state)
{
	int i;

	assert_locked(add_entry(BCOS_HIST_CPU_ONLINE) == 0);
	assert_locked(copy_has(0, 0, 24, false));
	/* Until it is full, and then. */
	for (i = 1; i < 5120 / 24; i++)
		assert_locked(add_entry(BCOS_ASSIGN_CPU) == 0);
	assert_locked(add_entry(BCOS_ASSIGN_CPU) != 0);
	assert_locked(add_entry(BCOS_ASSIGN_CPU) != 0);
	assert_locked((latest_end(latest), true));
}

/* All that others did before the lock is taken counts. */
static void others_come_before(void **state)
{
	add_group();
	before_lock = add_event;
	assert_true(copy_has(0, 0, 48, false));
	before_lock = end_log;
	assert_true(copy_has(0, 0, 48, true));
	before_lock = add_event;
	add_event();
	assert_true(copy_has(0, 0, 96, true));
}

/* Another one fills it up to its limit, and one more gives up what is old. */
static void fill_up(void)
{
	int i;

	add_group();
	for (i = 0; i < 170; i++)
		add_event();
	add_group();
	for (i = 0; i < 50; i++)
		add_event();
}

static void much_comes_before(void **state)
{
	fill_up();
	assert_true(copy_has(0, 171 * 24, 51 * 24, false));
	add_group();
	before_lock = fill_up;
	/* Nothing of before is left. */
	assert_true(copy_has(0, (171 + 51 + 1 + 171) * 24, 51 * 24, false));
}

/* Nothing that others do after that counts. */
static void others_come_after(void **state)
{
	add_group();
	after_unlock = fill_up;
	assert_true(copy_has(0, 0, 24, false));
	after_unlock = end_log;
	assert_true(copy_has(0, (1 + 171) * 24, 51 * 24, false));
	assert_true(copy_has(0, (1 + 171) * 24, 51 * 24, true));
}

#define latest_test(test) cmocka_unit_test_setup_teardown(test, begin_latest, end_latest)

int main(void)
{
	const struct CMUnitTest tests[] = {
		latest_test(nothing_changes_without_the_lock),
		latest_test(others_come_before),
		latest_test(much_comes_before),
		latest_test(others_come_after),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
