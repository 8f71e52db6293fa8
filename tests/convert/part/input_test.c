// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tests the input of a conversion: memory, a file and a pipe give the same bytes, however they are asked for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../../userspace/convert/input.h"

#define SIZE 3000000u

static char folder[] = "/tmp/bcoslog-input-XXXXXX";
static char path[64];
static u8 *all;

static int make_file(void **state)
{
	FILE *file;
	u32 i;

	(void)state;
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof(path), "%s/file", folder);
	all = malloc(SIZE);
	for (i = 0; i < SIZE; i++)
		all[i] = (u8)(i * 2654435761u >> 24);
	file = fopen(path, "w");
	fwrite(all, 1, SIZE, file);
	return fclose(file);
}

static int remove_file(void **state)
{
	(void)state;
	free(all);
	unlink(path);
	return rmdir(folder);
}

/* Looks at pieces of many sizes, goes on by as many bytes or fewer, and leaves bytes out. */
static void reads_all(struct input *input)
{
	u64 at = 0;
	const u8 *bytes;
	size_t there, size, skip;
	u32 turn;

	for (turn = 0; at < SIZE; turn++) {
		size = turn % 7 == 6 ? 700000 : turn * 37 % 5000;
		there = input_peek(input, &bytes, size);
		assert_true(there >= size || there == SIZE - at);
		assert_true(there <= SIZE - at);
		assert_memory_equal(bytes, all + at, there < size ? there : size);
		skip = (there < size ? there : size) / (turn % 2 + 1);
		input_skip(input, skip);
		at += skip;
		assert_true(input->offset == at);
		size = turn * 1237 % 100000;
		if (size < SIZE - at) {
			assert_true(input_discard(input, size));
			at += size;
		} else {
			assert_true(input_discard(input, SIZE - at));
			at = SIZE;
		}
		assert_true(input->offset == at);
	}
	assert_int_equal(input_peek(input, &bytes, 1), 0);
	assert_int_equal(input_peek(input, &bytes, 100), 0);
	assert_true(input_discard(input, 0));
	assert_false(input_discard(input, 1));
	assert_int_equal(input->error, 0);
}

/* Reads from any place, and goes on from there, without a change in between. */
static void read_from_places(struct input *input)
{
	static const u64 places[] = { 0, 1, SIZE - 1, 70000, 70001, 69999, 2000000, 10, SIZE - 65536, SIZE, 5 };
	const u8 *bytes;
	u8 some[2000];
	size_t i, size;

	assert_true(input_is_seekable(input));
	assert_true(input->size == SIZE);
	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		size = SIZE - places[i] < sizeof(some) ? SIZE - places[i] : sizeof(some);
		assert_true(input_at(input, places[i], some, size));
		assert_memory_equal(some, all + places[i], size);
		assert_false(input_at(input, places[i], some, SIZE - places[i] + 1));
		assert_true(input_seek(input, places[i]));
		assert_true(input->offset == places[i]);
		assert_true(input_peek(input, &bytes, size) >= size);
		assert_memory_equal(bytes, all + places[i], size);
		input_skip(input, size / 2);
		assert_true(input_at(input, 17, some, 3));
		assert_true(input_peek(input, &bytes, size - size / 2) >= size - size / 2);
		assert_memory_equal(bytes, all + places[i] + size / 2, size - size / 2);
	}
	/* Bytes that have been read ahead are not read again. */
	assert_true(input_seek(input, 100));
	input_peek(input, &bytes, 1000);
	input_skip(input, 1000);
	assert_true(input_seek(input, 100));
	assert_true(input->end - input->at >= 1000);
	assert_true(input_seek(input, 100 + (input->end - input->at)));
	assert_int_equal(input->end, input->at);
	assert_false(input_seek(input, SIZE + 1));
	assert_false(input_at(input, SIZE + 1, some, 0));
	assert_false(input_at(input, UINT64_MAX, some, 1));
	assert_true(input_at(input, SIZE, some, 0));
	assert_true(input_seek(input, 0));
	reads_all(input);
}

static void from_memory(void **state)
{
	struct input input;

	(void)state;
	input_memory(&input, all, SIZE);
	reads_all(&input);
	read_from_places(&input);
	input_close(&input);
	assert_null(input.buffer);
	assert_int_equal(all[1], (u8)(2654435761u >> 24));
}

static void from_a_file(void **state)
{
	struct input input;
	int fd;

	(void)state;
	assert_int_equal(input_open(&input, path), 0);
	assert_string_equal(input.path, path);
	assert_false(input.directory);
	reads_all(&input);
	read_from_places(&input);
	fd = input.fd;
	input_close(&input);
	assert_int_equal(input.fd, -1);
	assert_int_equal(close(fd), -1);
	input_close(&input);

	assert_int_equal(input_open_in(&input, folder, "file"), 0);
	assert_string_equal(input.path, "file");
	reads_all(&input);
	input_close(&input);
}

static void a_file_that_shrinks(void **state)
{
	struct input input;
	u8 byte;

	(void)state;
	assert_int_equal(input_open(&input, path), 0);
	assert_int_equal(truncate(path, 1000), 0);
	/* An old EINTR does not matter, since nothing has interrupted this call. */
	errno = EINTR;
	assert_false(input_at(&input, 1000, &byte, 1));
	assert_true(input_at(&input, 999, &byte, 1));
	assert_int_equal(byte, all[999]);
	input_close(&input);
}

/* A pipe that gets its bytes in small pieces. */
static void from_a_pipe(void **state)
{
	int ends[2], status, input_fd = dup(STDIN_FILENO);
	struct input input;
	u32 at, piece;
	pid_t child;
	u8 byte;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	child = fork();
	if (!child) {
		close(ends[0]);
		for (at = 0; at < SIZE; at += piece) {
			piece = SIZE - at < 40001 ? SIZE - at : 40001;
			if (write(ends[1], all + at, piece) != (ssize_t)piece)
				_exit(1);
		}
		_exit(0);
	}
	close(ends[1]);
	dup2(ends[0], STDIN_FILENO);
	close(ends[0]);
	assert_int_equal(input_open(&input, "-"), 0);
	assert_false(input_is_seekable(&input));
	assert_false(input_at(&input, 0, &byte, 1));
	assert_false(input_seek(&input, 0));
	reads_all(&input);
	input_close(&input);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	dup2(input_fd, STDIN_FILENO);
	close(input_fd);
}

static void what_is_none(void **state)
{
	struct input input;
	const u8 *bytes;

	(void)state;
	assert_int_equal(input_open(&input, "/nonexistent/file"), -ENOENT);
	assert_int_equal(input_open_in(&input, folder, "other"), -ENOENT);
	assert_int_equal(input_open(&input, folder), 0);
	assert_true(input.directory);
	assert_false(input_is_seekable(&input));
	assert_int_equal(input_peek(&input, &bytes, 10), 0);
	assert_int_equal(input.fd, -1);
	input_close(&input);
}

/* An error looks like the end, and the input keeps it. */
static void what_fails(void **state)
{
	struct input input;
	const u8 *bytes;

	(void)state;
	assert_int_equal(input_open(&input, path), 0);
	input_peek(&input, &bytes, 10);
	close(input.fd);
	assert_true(input_discard(&input, input.end));
	assert_int_equal(input_peek(&input, &bytes, 10), 0);
	assert_int_equal(input.error, EBADF);
	input.fd = -1;
	input_close(&input);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(from_memory),
		cmocka_unit_test(from_a_file),
		cmocka_unit_test(from_a_pipe),
		cmocka_unit_test(what_is_none),
		cmocka_unit_test(what_fails),
		cmocka_unit_test(a_file_that_shrinks),
	};

	return cmocka_run_group_tests(tests, make_file, remove_file);
}
