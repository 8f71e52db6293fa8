// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Tests reading by the library's public calls, as bcoslog.h describes them: a log that arrives in parts, a file that
 * grows, batches and damage. The sanitizers see that all memory is freed.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cmocka.h>
#include "bcoslog.h"
#include "descriptors.h"
#include "reader/reader.h"
#include "made_log.h"

static struct made made;

static size_t write_entry(int fd, const struct bcos_entry *entry, size_t bytes)
{
	assert_int_equal(write(fd, entry, bytes), bytes);
	return bytes;
}

/* A pipe gives entries as soon as they are complete, and a reader that waits for the end gets it. */
static void a_log_that_arrives_in_parts(void **state)
{
	const struct bcos_entry *entry;
	struct bcoslog_error error;
	struct bcoslog *log;
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	write_entry(ends[1], made_name(&made, BCOS_SET_PROCESS_NAME, 10, 50, "ten"), 24);
	assert_int_equal(bcoslog_open_fd(&log, ends[0], "a pipe", 0, &error), 0);
	assert_int_equal(bcoslog_kind(log), BCOSLOG_STREAM);
	assert_int_equal(bcoslog_next(log, &entry), 1);
	assert_int_equal(entry->source, 10);
	assert_int_equal(bcoslog_offset(log), 0);
	write_entry(ends[1], made_name(&made, BCOS_SET_PROCESS_NAME, 11, 60, "eleven"), 20);
	assert_int_equal(bcoslog_next(log, &entry), 0);
	assert_int_equal(bcoslog_wait(log, 10), -ETIMEDOUT);
	write_entry(ends[1], (const struct bcos_entry *)((const char *)made.word + 20), 8);
	assert_int_equal(bcoslog_wait(log, 5000), 1);
	assert_int_equal(bcoslog_next(log, &entry), 1);
	assert_int_equal(entry->source, 11);
	assert_int_equal(entry->size, 28);
	assert_int_equal(bcoslog_offset(log), 24);
	assert_int_equal(bcoslog_next(log, &entry), 0);
	close(ends[1]);
	while (bcoslog_wait(log, 5000) == 1)
		assert_int_equal(bcoslog_next(log, &entry), 0);
	assert_int_equal(bcoslog_wait(log, 0), 0);
	bcoslog_close(log);
	/* The descriptor stays the caller's, */
	assert_int_equal(fcntl(ends[0], F_GETFD), 0);
	/* unless the caller gives it away. */
	assert_int_equal(bcoslog_open_fd(&log, ends[0], "a pipe", BCOSLOG_CLOSE, &error), 0);
	bcoslog_close(log);
	assert_int_equal(fcntl(ends[0], F_GETFD), -1);
	bcoslog_close(NULL);
}

/* A wait for a file that grows opens a descriptor, and the end of the log closes it. */
static void a_file_that_grows(void **state)
{
	unsigned int before = count_descriptors(), opened;
	char path[] = "/tmp/library_test.XXXXXX";
	const struct bcos_entry *entry;
	struct bcoslog_error error;
	int fd = mkstemp(path);
	struct bcoslog *log;

	assert_true(fd >= 0);
	write_entry(fd, made_name(&made, BCOS_SET_PROCESS_NAME, 10, 50, "ten"), 24);
	assert_int_equal(bcoslog_open(&log, path, BCOSLOG_FOLLOW, &error), 0);
	assert_int_equal(bcoslog_next(log, &entry), 1);
	assert_int_equal(bcoslog_next(log, &entry), 0);
	opened = count_descriptors();
	assert_int_equal(bcoslog_wait(log, 10), -ETIMEDOUT);
	write_entry(fd, made_name(&made, BCOS_SET_PROCESS_NAME, 11, 60, "eleven"), 28);
	assert_int_equal(bcoslog_wait(log, 5000), 1);
	assert_int_equal(bcoslog_next(log, &entry), 1);
	assert_int_equal(entry->source, 11);
	assert_int_equal(count_descriptors(), opened + 1);
	bcoslog_close(log);
	close(fd);
	unlink(path);
	assert_int_equal(count_descriptors(), before);
}

/* Does the user have as many watches as are allowed already? */
static bool unwatched;

int inotify_add_watch(int fd, const char *path, uint32_t mask)
{
	if (!unwatched)
		return (int)syscall(SYS_inotify_add_watch, fd, path, mask);
	errno = ENOSPC;
	return -1;
}

/* Without a watch, a wait looks at the file at intervals, and leaves no descriptor behind. */
static void a_file_that_nobody_may_watch(void **state)
{
	unsigned int before = count_descriptors(), opened;
	char path[] = "/tmp/library_test.XXXXXX";
	const struct bcos_entry *entry;
	struct bcoslog_error error;
	int fd = mkstemp(path);
	struct bcoslog *log;

	assert_true(fd >= 0);
	assert_int_equal(bcoslog_open(&log, path, BCOSLOG_FOLLOW, &error), 0);
	assert_int_equal(bcoslog_next(log, &entry), 0);
	opened = count_descriptors();
	unwatched = true;
	assert_int_equal(bcoslog_wait(log, 10), -ETIMEDOUT);
	assert_int_equal(bcoslog_wait(log, 10), -ETIMEDOUT);
	write_entry(fd, made_name(&made, BCOS_SET_PROCESS_NAME, 10, 50, "ten"), 24);
	assert_int_equal(bcoslog_wait(log, 5000), 1);
	unwatched = false;
	assert_int_equal(bcoslog_next(log, &entry), 1);
	assert_int_equal(count_descriptors(), opened);
	bcoslog_close(log);
	close(fd);
	unlink(path);
	assert_int_equal(count_descriptors(), before);
}

static void a_batch_has_an_index(void **state)
{
	struct bcoslog_batch batch = { 0 };
	const struct bcos_entry *entry;
	struct bcoslog_error error;
	struct bcoslog *log;
	uint32_t index[3] = { 7, 7, 7 }, count = 0;
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	write_entry(ends[1], made_name(&made, BCOS_SET_PROCESS_NAME, 10, 50, "ten"), 24);
	write_entry(ends[1], made_name(&made, BCOS_SET_PROCESS_NAME, 11, 60, "eleven"), 28);
	write_entry(ends[1], made_word(&made, BCOS_ASSIGN_CPU, 0, 70, 10), 24);
	close(ends[1]);
	assert_int_equal(bcoslog_open_fd(&log, ends[0], "a pipe", 0, &error), 0);
	assert_int_equal(bcoslog_batch(log, &batch), 1);
	assert_int_equal(batch.offset, 0);
	bcoslog_each(entry, &batch)
		assert_int_equal(bcoslog_batch_offset(&batch, entry), count++ == 0 ? 0 : count == 2 ? 24 : 52);
	assert_int_equal(count, 3);
	assert_int_equal(bcoslog_batch_index(&batch, NULL, 0), 3);
	assert_int_equal(bcoslog_batch_index(&batch, index, 2), 3);
	assert_true(index[0] == 0 && index[1] == 24 && index[2] == 7);
	assert_int_equal(bcoslog_batch_index(&batch, index, 3), 3);
	assert_int_equal(index[2], 52);
	bcoslog_close(log);
	close(ends[0]);
}

/*
 * If the size of a damaged entry can be trusted, only this entry is left out. The error says where, how much, and why.
 */
static void damage_is_left_out(void **state)
{
	const struct bcos_entry *entry;
	struct bcoslog_error error;
	struct bcos_entry header;
	struct bcoslog *log;
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	write_entry(ends[1], made_name(&made, BCOS_SET_PROCESS_NAME, 10, 50, "ten"), 24);
	/* This assignment has 20 bytes, and so no process at all. */
	made_word(&made, BCOS_ASSIGN_CPU, 0, 70, 10);
	memcpy(&header, made.word, sizeof(header));
	header.size = 20;
	write_entry(ends[1], &header, 20);
	write_entry(ends[1], &header, 20);
	write_entry(ends[1], made_word(&made, BCOS_ASSIGN_CPU, 1, 80, 10), 24);
	close(ends[1]);
	assert_int_equal(bcoslog_open_fd(&log, ends[0], "a pipe", 0, &error), 0);
	assert_int_equal(bcoslog_next(log, &entry), 1);
	assert_int_equal(bcoslog_next(log, &entry), -EBADMSG);
	assert_true(bcoslog_error(log)->offset == 24);
	assert_int_equal(bcoslog_skip(log), 0);
	assert_true(bcoslog_error(log)->lost == 20);
	assert_true(strlen(bcoslog_error(log)->text) > 0);
	/* The next entry is damaged, too, and is left out once, however often that is asked for. */
	assert_int_equal(bcoslog_next(log, &entry), -EBADMSG);
	assert_true(bcoslog_error(log)->offset == 44);
	assert_int_equal(bcoslog_skip(log), 0);
	assert_int_equal(bcoslog_skip(log), 0);
	assert_int_equal(bcoslog_next(log, &entry), 1);
	assert_int_equal(entry->source, 1);
	assert_int_equal(bcoslog_offset(log), 64);
	bcoslog_close(log);
	close(ends[0]);
}

/* A generic event may end with its ID. Its severity is 0 then, and not the first byte of the next entry. */
static void what_is_left_out_is_zero(void **state)
{
	const struct bcos_entry *entry;
	struct bcoslog_error error;
	struct bcoslog *log;
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	write_entry(ends[1], made_name(&made, BCOS_SET_PROCESS_NAME, 10, 50, "ten"), 24);
	write_entry(ends[1], made_word(&made, BCOS_GENERIC_PROCESS, 10, 60, 7), 24);
	write_entry(ends[1], made_word(&made, BCOS_ASSIGN_CPU, 0, 70, 10), 24);
	close(ends[1]);
	assert_int_equal(bcoslog_open_fd(&log, ends[0], "a pipe", 0, &error), 0);
	assert_int_equal(bcoslog_next(log, &entry), 1);
	assert_int_equal(bcoslog_next(log, &entry), 1);
	assert_int_equal(((const struct bcos_generic *)entry)->event_id, 7);
	assert_int_equal(((const struct bcos_generic *)entry)->severity, 0);
	assert_int_equal(bcoslog_next(log, &entry), 1);
	assert_int_equal(entry->type, BCOS_ASSIGN_CPU);
	bcoslog_close(log);
	close(ends[0]);
}

/* Puts an entry of 22 bytes, a size that no log of ours has. */
static void put_odd(int fd, uint32_t source)
{
	struct bcos_entry header;

	made_name(&made, BCOS_SET_PROCESS_NAME, source, 50, "2");
	memcpy(&header, made.word, sizeof(header));
	header.size = 22;
	memcpy(made.word, &header, sizeof(header));
	write_entry(fd, (const struct bcos_entry *)made.word, 22);
}

/*
 * A reader copies an entry whose size is no multiple of 4, and all later entries that are not aligned. The offset of an
 * entry is that of its first byte in the log, whether it is read alone or in a batch.
 */
static void copies_keep_their_offsets(void **state)
{
	static const uint64_t offsets[] = { 0, 24, 48, 70, 92, 116 };
	struct bcoslog_batch batch = { 0 };
	const struct bcos_entry *entry;
	struct bcoslog_error error;
	struct bcoslog *log;
	int ends[2], in_batches;
	size_t i;

	for (in_batches = 0; in_batches < 2; in_batches++) {
		assert_int_equal(pipe(ends), 0);
		write_entry(ends[1], made_word(&made, BCOS_ASSIGN_CPU, 0, 50, 1), 24);
		write_entry(ends[1], made_word(&made, BCOS_ASSIGN_CPU, 1, 50, 1), 24);
		put_odd(ends[1], 2);
		put_odd(ends[1], 3);
		write_entry(ends[1], made_word(&made, BCOS_ASSIGN_CPU, 4, 60, 1), 24);
		write_entry(ends[1], made_word(&made, BCOS_ASSIGN_CPU, 5, 70, 1), 24);
		close(ends[1]);
		assert_int_equal(bcoslog_open_fd(&log, ends[0], "a pipe", 0, &error), 0);
		for (i = 0; i < 6;) {
			if (!in_batches) {
				assert_int_equal(bcoslog_next(log, &entry), 1);
				assert_int_equal(entry->source, i);
				assert_int_equal(bcoslog_offset(log), offsets[i++]);
				continue;
			}
			assert_int_equal(bcoslog_batch(log, &batch), 1);
			assert_int_equal(bcoslog_offset(log), offsets[i]);
			bcoslog_each(entry, &batch) {
				assert_int_equal(entry->source, i);
				assert_int_equal(bcoslog_batch_offset(&batch, entry), offsets[i++]);
			}
		}
		assert_int_equal(bcoslog_batch(log, &batch), 0);
		assert_int_equal(bcoslog_next(log, &entry), 0);
		bcoslog_close(log);
		close(ends[0]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_log_that_arrives_in_parts), cmocka_unit_test(a_file_that_grows),
		cmocka_unit_test(a_file_that_nobody_may_watch),
		cmocka_unit_test(a_batch_has_an_index), cmocka_unit_test(damage_is_left_out),
		cmocka_unit_test(what_is_left_out_is_zero), cmocka_unit_test(copies_keep_their_offsets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
