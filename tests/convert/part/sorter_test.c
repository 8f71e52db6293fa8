// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Tests the external sort of entries: it gives all of them, by time, and those of equal times in the order in which
 * they were added, whether they fit into memory or need runs of several levels. It also tests the temporary file, on
 * file systems with and without files that have no name.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../../userspace/convert/log/sorter.h"

/* ---- a file system with faults -------------------------------------------------- */

static int unnamed_error;	/* the errno with which opening a file without a name fails; 0: it succeeds */
static unsigned int unnamed_opens, named_opens;

/* This takes the place of the C library's function in the program. */
int open(const char *path, int flags, ...)
{
	mode_t mode;
	va_list arguments;

	va_start(arguments, flags);
	mode = va_arg(arguments, mode_t);
	va_end(arguments);
	if ((flags & O_TMPFILE) == O_TMPFILE) {
		unnamed_opens++;
		if (unnamed_error) {
			errno = unnamed_error;
			return -1;
		}
	}
	return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int mkostemp(char *name, int flags)
{
	named_opens++;
	return (int)syscall(SYS_openat, AT_FDCWD, name, O_CREAT | O_EXCL | O_RDWR | flags, 0600);
}

static unsigned int files_in(const char *folder)
{
	DIR *entries = opendir(folder);
	unsigned int count = 0;

	assert_non_null(entries);
	while (readdir(entries))
		count++;
	closedir(entries);
	return count - 2;
}

/* ---- entries with numbers --------------------------------------------------------- */

#define TIMES 1000

struct expected {
	u64 time;		/* of the newest entry, in ns */
	u64 entries;
	u32 next[TIMES];	/* for each time, the least number that may come */
};

static u64 random_state = 1;

static u32 random_below(u32 limit)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (u32)(random_state >> 33) % limit;
}

static void add_entry(struct sorter *sorter, u64 time, u32 number)
{
	struct bcos_assign_cpu entry = {
		.header = { .size = sizeof(entry), .type = BCOS_ASSIGN_CPU, .time = time },
		.process = number,
	};

	assert_int_equal(sorter_add(sorter, &entry.header), 0);
}

static int take_entry(void *context, const struct bcos_entry *entry)
{
	struct expected *expected = context;
	u32 number = ((const struct bcos_assign_cpu *)entry)->process;

	assert_int_equal(entry->size, sizeof(struct bcos_assign_cpu));
	assert_true(entry->time >= expected->time);
	expected->time = entry->time;
	assert_true(number >= expected->next[entry->time]);
	expected->next[entry->time] = number + 1;
	expected->entries++;
	return 0;
}

static void sort_entries(const char *folder, u32 count)
{
	struct sorter *sorter = sorter_new(folder, SORTER_MEMORY_MIN);
	struct expected expected = { 0 };
	u32 i;

	assert_non_null(sorter);
	for (i = 0; i < count; i++)
		add_entry(sorter, random_below(TIMES), i);
	assert_int_equal(sorter_bytes(sorter), count * sizeof(struct bcos_assign_cpu));
	assert_int_equal(sorter_each(sorter, take_entry, &expected), 0);
	assert_int_equal(expected.entries, count);
	assert_int_equal(files_in(folder), 0);
	sorter_free(sorter);
}

static char folder[] = "/tmp/sorter.XXXXXX";

/* The numbers of entries are around that at which the memory is full, and far beyond it. */
static void all_in_order(void **state)
{
	const u32 full = SORTER_MEMORY_MIN / (sizeof(struct bcos_assign_cpu) + 2 * sizeof(u64));
	u32 i;

	(void)state;
	unnamed_error = 0;
	unnamed_opens = named_opens = 0;
	sort_entries(folder, 0);
	sort_entries(folder, full);
	assert_int_equal(unnamed_opens, 0);
	for (i = 0; i < 3; i++)
		sort_entries(folder, full + 1 + i);
	for (i = 2; i <= 9; i++)
		sort_entries(folder, i * full + i);
	assert_int_equal(unnamed_opens, 11);
	assert_int_equal(named_opens, 0);
}

static void without_unnamed_files(void **state)
{
	(void)state;
	unnamed_error = EOPNOTSUPP;
	named_opens = 0;
	sort_entries(folder, 40000);
	assert_int_equal(named_opens, 1);
}

/* After a full disk, the sorter does not try the same with a name. */
static void no_space(void **state)
{
	struct sorter *sorter = sorter_new(folder, SORTER_MEMORY_MIN);
	struct bcos_entry entry = { .size = sizeof(entry), .type = BCOS_CORE_OFFLINE };
	int r = 0;

	(void)state;
	unnamed_error = ENOSPC;
	named_opens = 0;
	while (!r)
		r = sorter_add(sorter, &entry);
	assert_int_equal(r, -ENOSPC);
	assert_int_equal(named_opens, 0);
	sorter_free(sorter);
}

static int stop_taking(void *context, const struct bcos_entry *entry)
{
	(void)context;
	(void)entry;
	return -EINTR;
}

static void the_taker_ends_it(void **state)
{
	u32 count;

	(void)state;
	unnamed_error = 0;
	for (count = 1; count <= 40000; count += 39999) {
		struct sorter *sorter = sorter_new(folder, SORTER_MEMORY_MIN);
		u32 i;

		for (i = 0; i < count; i++)
			add_entry(sorter, 1, i);
		assert_int_equal(sorter_each(sorter, stop_taking, NULL), -EINTR);
		sorter_free(sorter);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_in_order),
		cmocka_unit_test(without_unnamed_files),
		cmocka_unit_test(no_space),
		cmocka_unit_test(the_taker_ends_it),
	};
	int failed;

	if (!mkdtemp(folder))
		return 1;
	failed = cmocka_run_group_tests_name("sorter", tests, NULL, NULL);
	rmdir(folder);
	return failed;
}
