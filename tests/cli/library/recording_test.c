// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Tests recorded directories by the library's public calls: descriptors after errors, damaged indexes, and a file that
 * grows. The sanitizers see that all memory is freed.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "bcoslog_archive.h"
#include "descriptors.h"
#include "made_recording.h"

static const char *const names[] = { "first", "second", NULL };
static struct made_recording first, second;
static char folder[64];

static int set_up(void **state)
{
	strcpy(folder, "/tmp/recording_test.XXXXXX");
	assert_non_null(mkdtemp(folder));
	made_recording(&first, 0xB1);
	made_recording(&second, 0xB2);
	return 0;
}

static int tear_down(void **state)
{
	made_folder_remove(folder, names);
	return 0;
}

/* Return: the number of entries that are not notices, or a negative errno. */
static int count_entries(struct bcoslog *log)
{
	const struct bcos_entry *entry;
	int count = 0, r;

	while ((r = bcoslog_next(log, &entry)) > 0)
		count += !bcoslog_is_missed(entry);
	return r < 0 ? r : count;
}

static int open_fails(const char *path, unsigned int flags, const char *words)
{
	unsigned int before = count_descriptors();
	struct bcoslog_error error = { 0 };
	struct bcoslog *log;
	int r = bcoslog_open(&log, path, flags, &error);

	assert_true(r < 0);
	assert_null(log);
	assert_int_equal(error.code, -r);
	assert_non_null(strstr(error.text, words));
	assert_non_null(strstr(error.text, path));
	assert_int_equal(count_descriptors(), before);
	return r;
}

static void an_error_leaves_no_descriptor(void **state)
{
	static const u8 garbage[400] = { 1 };
	struct bcoslog_error error;
	struct bcoslog *log;
	char path[128];
	int fd;

	assert_int_equal(open_fails("/nowhere/at all", 0, "there is no file"), -ENOENT);
	assert_int_equal(open_fails(folder, 0, "is a directory without recorded files"), -ENODATA);
	made_file(folder, "first", garbage, sizeof(garbage));
	assert_int_equal(open_fails(folder, 0, "is a directory without recorded files"), -ENODATA);
	/* The file begins as a frame does, and ends before the frame is whole. */
	made_file(folder, "first", first.bytes + first.frame.place, 40);
	snprintf(path, sizeof(path), "%s/first.bcos.zst", folder);
	assert_int_equal(open_fails(path, 0, "has no whole frame of a log"), -ENODATA);
	/* A descriptor of the caller stays open after an error, even if the log was to close it. */
	fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_int_equal(bcoslog_open_fd(&log, fd, "a file", BCOSLOG_CLOSE, &error), -ENODATA);
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	close(fd);
}

/* There are ever more descriptors, until there are enough. Each error says so, and leaves no descriptor open. */
static void few_descriptors(void **state)
{
	unsigned int before = count_descriptors(), most, errors = 0;
	struct bcoslog_error error;
	struct rlimit limit, few;
	struct bcoslog *log;
	int r, count = 0;

	made_file(folder, "first", first.bytes, first.size + first.index);
	made_file(folder, "second", second.bytes, second.size);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	for (most = 0; most < 64 && count != 2 * MADE_ENTRIES; most++) {
		few = limit;
		few.rlim_cur = most;
		memset(&error, 0, sizeof(error));
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
		r = bcoslog_open(&log, folder, 0, &error);
		count = r ? 0 : count_entries(log);
		if (!r && count < 0)
			error = *bcoslog_error(log);
		bcoslog_close(log);
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
		assert_int_equal(count_descriptors(), before);
		if (!r && count >= 0)
			continue;
		errors++;
		assert_true(error.code == EMFILE || error.code == ENOMEM);
		assert_true(strstr(error.text, "descriptor") || strstr(error.text, strerror(EMFILE)));
	}
	assert_int_equal(count, 2 * MADE_ENTRIES);
	assert_true(errors >= 3);
}

/* Wherever its index is damaged, the entries of a file are found. */
static void a_damaged_index_is_left_alone(void **state)
{
	struct bcoslog_error error;
	struct bcoslog *log;
	size_t i;

	for (i = 0; i < first.index; i += 29) {
		first.bytes[first.size + i] ^= 0x20;
		made_file(folder, "first", first.bytes, first.size + first.index);
		first.bytes[first.size + i] ^= 0x20;
		assert_int_equal(bcoslog_open(&log, folder, 0, &error), 0);
		assert_int_equal(count_entries(log), MADE_ENTRIES);
		bcoslog_close(log);
	}
}

/*
 * A file ends as if it had an index, and has nothing else yet. The reader looks at it again and again until it has a
 * frame.
 */
static void a_file_that_grows_after_a_damaged_index(void **state)
{
	u8 damaged[400] = { 0 };
	struct bcoslog_error error;
	struct bcoslog *log;

	memcpy(damaged + sizeof(damaged) - first.index, first.bytes + first.size, first.index);
	/* The note in the index is damaged, too. Otherwise the reader would wait for the frame after it. */
	damaged[sizeof(damaged) - first.index + 30] ^= 1;
	damaged[sizeof(damaged) - first.index + 16 + 8 + ARCHIVE_HEADER_SIZE + 8 + 30] ^= 1;
	made_file(folder, "first", damaged, sizeof(damaged));
	assert_int_equal(bcoslog_open(&log, folder, BCOSLOG_FOLLOW, &error), 0);
	assert_int_equal(count_entries(log), 0);
	assert_int_equal(bcoslog_wait(log, 0), -ETIMEDOUT);
	assert_int_equal(bcoslog_wait(log, 0), -ETIMEDOUT);
	made_file(folder, "first", first.bytes, first.size);
	assert_int_equal(bcoslog_wait(log, 5000), 1);
	assert_int_equal(count_entries(log), MADE_ENTRIES);
	assert_int_equal(bcoslog_wait(log, 0), -ETIMEDOUT);
	bcoslog_close(log);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_error_leaves_no_descriptor), TEST(few_descriptors), TEST(a_damaged_index_is_left_alone),
		TEST(a_file_that_grows_after_a_damaged_index),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
