// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The files that a recorder writes on a disk that is full, or fails, and within the limits of what is kept. */
#include "made_store.h"

/* ---- a full disk ------------------------------------------------------------------------------------------ */

static void writes_in_several_pieces(void **state)
{
	static const int pieces[] = { 3, -EINTR, 1, 1, -EINTR, 50, 0 };
	off_t size;

	note = (struct archive_note){ 0 };
	open_store();
	writes = pieces;
	puts_frame(5);
	writes = pieces;
	puts_frame(6);
	writes = pieces;
	store_finish(store);
	assert_file("20231114T221320Z-machine-00000000-log", 0, 0, TIMES(5, 6));
	/* It is as large as one that is written in whole pieces. */
	size = size_of("20231114T221320Z-machine-00000000-log");
	puts_frame(5);
	puts_frame(6);
	store_finish(store);
	assert_int_equal(size_of("20231114T221320Z-machine-00000001-log"), size);
}

/* Nothing of a frame stays for which there was no room, and a later one follows the one before it. */
static void a_frame_without_room(void **state)
{
	static const int errors[] = { ENOSPC, EDQUOT, EFBIG };
	int list[3] = { 7, 0, 0 };
	off_t size;
	size_t i;

	note = (struct archive_note){ 0 };
	open_store();
	puts_frame(5);
	size = size_of("20231114T221320Z-machine-00000000-log");
	for (i = 0; i < 3; i++) {
		list[1] = -errors[i];
		writes = list;
		assert_complains("", put_event(6, NULL) == -ENOSPC);
		assert_int_equal(size_of("20231114T221320Z-machine-00000000-log"), size);
	}
	puts_frame(7);
	store_finish(store);
	assert_file("20231114T221320Z-machine-00000000-log", 0, 0, TIMES(5, 7));
}

static void a_disk_that_fails(void **state)
{
	static const int fails[] = { -EIO, 0 };
	char expected[300];

	note = (struct archive_note){ 0 };
	open_store();
	puts_frame(5);
	writes = fails;
	snprintf(expected, sizeof(expected), "bcoslog: %s/20231114T221320Z-machine-00000000-log.bcos.zst cannot be written: "
		 "Input/output error\n", folder);
	assert_complains(expected, put_event(6, NULL) == -EIO);
}

/* The header of a new file has no room: the file goes, and its number is given to the next one. */
static void a_file_without_room(void **state)
{
	static const int fails[] = { -ENOSPC, 0 }, later[] = { 500, -ENOSPC, 0 };
	int before, after;

	note = (struct archive_note){ 0 };
	open_store();
	writes = fails;
	before = dup(STDIN_FILENO);
	close(before);
	assert_complains("", put_event(5, NULL) == -ENOSPC);
	after = dup(STDIN_FILENO);
	close(after);
	assert_int_equal(before, after);
	assert_false(store_is_open(store));
	assert_names("");
	puts_frame(6);
	store_finish(store);
	assert_file("20231114T221320Z-machine-00000000-log", 0, 0, TIMES(6));
	/* The first frame has none: the file goes when it is closed. */
	strcpy(header.machine.host, "other");
	open_store();
	writes = later;
	assert_complains("", put_event(7, NULL) == -ENOSPC);
	assert_true(store_is_open(store));
	store_finish(store);
	assert_names("20231114T221320Z-machine-00000000-log");
	assert_null(store_newest(store));
}

/* The oldest files are given up, one after the other, until there is room. */
static void old_files_make_room(void **state)
{
	static const int fails[] = { -ENOSPC, -EDQUOT, 0 };
	u64 i;

	note = (struct archive_note){ 0 };
	open_store();
	for (i = 0; i < 3; i++) {
		puts_frame(5 + i);
		store_finish(store);
	}
	puts_frame(8);
	writes = fails;
	puts_frame(9);
	store_finish(store);
	assert_names("20231114T221320Z-machine-00000002-log 20231114T221320Z-machine-00000003-log");
	assert_file("20231114T221320Z-machine-00000003-log", 3, 0, TIMES(8, 9));
}

/* So many bytes stay free: a frame needs them and its own. */
static void some_of_the_disk_stays_free(void **state)
{
	note = (struct archive_note){ 0 };
	limits.spare = 10240;
	free_bytes = 10240;
	open_store();
	assert_complains("", put_event(5, NULL) == -ENOSPC);
	free_bytes = 10240 + 512;
	puts_frame(6);
	free_bytes = 10240;
	assert_complains("", put_event(7, NULL) == -ENOSPC);
	limits.spare = 0;
	free_bytes = 0;
	store_finish(store);
	open_store();
	puts_frame(8);
}

/* With the file that is open, all of them have no more than the limit, or the open one is the only one. */
static void limits_hold_while_a_file_grows(void **state)
{
	off_t size;

	note = (struct archive_note){ 0 };
	open_store();
	puts_frame(5);
	store_finish(store);
	size = size_of("20231114T221320Z-machine-00000000-log");
	limits.keep_size = (u64)size + 100;
	open_store();
	puts_frame(6);
	assert_names("20231114T221320Z-machine-00000001-log");
	/* So old a file is removed when the next one begins. */
	limits.keep_size = 0;
	limits.keep_age = 10 * SECOND;
	strcpy(header.machine.host, "other");
	open_store();
	puts_frame(7);
	store_finish(store);
	since_boot += 10 * SECOND;
	puts_frame(8);
	assert_non_null(strstr(names_of(".bcos.zst"), "-other-00000000-"));
	since_boot += 1;
	puts_frame(9);
	assert_null(strstr(names_of(".bcos.zst"), "-other-00000000-"));
	assert_non_null(strstr(names_of(".bcos.zst"), "-other-00000001-"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		store_test(writes_in_several_pieces),
		store_test(a_frame_without_room),
		store_test(a_disk_that_fails),
		store_test(a_file_without_room),
		store_test(old_files_make_room),
		store_test(some_of_the_disk_stays_free),
		store_test(limits_hold_while_a_file_grows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
