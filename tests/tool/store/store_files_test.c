// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The files that a recorder writes: their names, when one ends and the next begins, and when they are on the disk. */
#include "made_store.h"

/* ---- names ---------------------------------------------------------------------------------------------- */

/* 1,700,000,000 s after 1970 it is 22:13:20 on the 14th of November 2023. */
static void names_by_the_clock_of_now(void **state)
{
	note = (struct archive_note){ 0 };
	open_store();
	assert_false(store_is_open(store));
	assert_null(store_newest(store));
	puts_frame(5);
	assert_true(store_is_open(store));
	assert_names("20231114T221320Z-machine-00000000-log");
	assert_null(store_newest(store));
	store_finish(store);
	assert_false(store_is_open(store));
	assert_string_equal(store_newest(store) + strlen(folder), "/20231114T221320Z-machine-00000000-log.bcos.zst");
	assert_file("20231114T221320Z-machine-00000000-log", 0, 0, TIMES(5));
	/* The next one has the next number, and the name of what happened. */
	utc += 61 * SECOND;
	assert_complains("", put_event(6, "signal-a b") == 0);
	store_finish(store);
	assert_file("20231114T221421Z-machine-00000001-signal-a_b", 1, ARCHIVE_DETACHED, TIMES(6));
	assert_string_equal(store_newest(store) + strlen(folder),
		"/20231114T221421Z-machine-00000001-signal-a_b.bcos.zst");
	/* A machine without a name, and one of a long name. */
	header.machine.host[0] = '\0';
	open_store();
	puts_frame(7);
	store_finish(store);
	assert_file("20231114T221421Z-unnamed-00000000-log", 0, 0, TIMES(7));
	memset(header.machine.host, '/', 63);
	open_store();
	puts_frame(8);
	assert_true(strstr(names_of(".bcos.zst"),
		"Z-_______________________________________________________________-0000"));
}

/* 3000 ns after the clock showed 50 s, less the 20 s by which it was set meanwhile. */
static void names_by_the_clock_of_the_log(void **state)
{
	note = (struct archive_note){ .flags = ARCHIVE_WALL, .wall = { .boot = 1000, .utc = 50 * SECOND - 3000 } };
	open_store();
	puts_frame(4000);
	store_finish(store);
	assert_names("19700101T000050Z-machine-00000000-log");
	note.set = 20 * SECOND;
	puts_frame(4000);
	store_finish(store);
	assert_names("19700101T000030Z-machine-00000001-log 19700101T000050Z-machine-00000000-log");
}

/* A file that is there already is not written to. */
static void names_that_are_taken(void **state)
{
	note = (struct archive_note){ 0 };
	open_store();
	made_text("/d/20231114T221320Z-machine-00000000-log.bcos.zst", "x");
	made_text("/d/20231114T221320Z-machine-00000000-log.1.bcos.zst", "x");
	puts_frame(5);
	store_finish(store);
	assert_file("20231114T221320Z-machine-00000000-log.2", 0, 0, TIMES(5));
	assert_int_equal(size_of("20231114T221320Z-machine-00000000-log"), 1);
	assert_int_equal(size_of("20231114T221320Z-machine-00000000-log.1"), 1);
}

static void folders_that_cannot_be(void **state)
{
	char path[100], expected[500];

	made_text("/file", "x");
	snprintf(path, sizeof(path), "%s/file", made_root);
	snprintf(expected, sizeof(expected), "bcoslog: %s is no directory that can be opened: Not a directory\n", path);
	assert_complains(expected, !store_open(path, &limits));
	snprintf(path, sizeof(path), "%s/no/where", made_root);
	snprintf(expected, sizeof(expected), "bcoslog: %s cannot be made: No such file or directory\n"
		 "bcoslog: %s is no directory that can be opened: No such file or directory\n", path, path);
	assert_complains(expected, !store_open(path, &limits));
}

/* ---- where a file ends ------------------------------------------------------------------------------------ */

static void a_file_is_full(void **state)
{
	off_t size;

	note = (struct archive_note){ 0 };
	open_store();
	assert_false(store_is_full(store));
	puts_frame(5);
	assert_false(store_is_full(store));
	size = size_of("20231114T221320Z-machine-00000000-log");
	store_finish(store);
	/* A file of exactly that size is. */
	limits.file_size = (u64)size;
	open_store();
	puts_frame(6);
	assert_true(store_is_full(store));
	store_finish(store);
	assert_false(store_is_full(store));
	limits.file_size++;
	open_store();
	puts_frame(7);
	assert_false(store_is_full(store));
	puts_frame(8);
	assert_true(store_is_full(store));
	/* One of exactly that age is. */
	limits.file_size = ~0ull;
	limits.file_age = 10 * SECOND;
	open_store();
	puts_frame(9);
	since_boot += 10 * SECOND - 1;
	assert_false(store_is_full(store));
	since_boot++;
	assert_true(store_is_full(store));
	/* A file of another machine begins another one. */
	strcpy(header.machine.host, "other");
	assert_complains("", store_begin(store, &header, NULL) == 0);
	assert_false(store_is_open(store));
	puts_frame(10);
	assert_false(store_is_full(store));
	store_finish(store);
	assert_file("20231114T221320Z-other-00000000-log", 0, 0, TIMES(10));
}

static void data_get_to_the_disk(void **state)
{
	char expected[300];

	note = (struct archive_note){ 0 };
	limits.sync = 5 * SECOND;
	open_store();
	store_sync(store, true);
	assert_int_equal(syncs, 0);
	puts_frame(5);
	since_boot += 5 * SECOND - 1;
	store_sync(store, false);
	assert_int_equal(syncs, 0);
	since_boot++;
	store_sync(store, false);
	assert_int_equal(syncs, 1);
	/* Nothing was written since. */
	since_boot += 50 * SECOND;
	store_sync(store, false);
	store_sync(store, true);
	assert_int_equal(syncs, 1);
	puts_frame(6);
	store_sync(store, false);
	assert_int_equal(syncs, 2);
	/* The next one is due 5 s after the last one, unless it is asked for. */
	puts_frame(7);
	store_sync(store, false);
	assert_int_equal(syncs, 2);
	store_sync(store, true);
	assert_int_equal(syncs, 3);
	/* Some files cannot be synced, which is no loss. */
	sync_error = EINVAL;
	puts_frame(8);
	assert_complains("", (store_sync(store, true), true));
	sync_error = EROFS;
	puts_frame(9);
	assert_complains("", (store_sync(store, true), true));
	sync_error = EIO;
	puts_frame(10);
	snprintf(expected, sizeof(expected),
		"bcoslog: %s/20231114T221320Z-machine-00000000-log.bcos.zst is not on the disk, and may "
		 "lack what was written last: Input/output error\n", folder);
	assert_complains(expected, (store_sync(store, true), true));
	assert_complains(expected, (store_finish(store), true));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		store_test(names_by_the_clock_of_now),
		store_test(names_by_the_clock_of_the_log),
		store_test(names_that_are_taken),
		store_test(folders_that_cannot_be),
		store_test(a_file_is_full),
		store_test(data_get_to_the_disk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
