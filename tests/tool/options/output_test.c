// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The buffer of standard output: writes that are cut short or fail, and texts with escapes, wherever the buffer ends. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "output/output.h"
#include "printed.h"

/* ---- writes ------------------------------------------------------------------------------------------ */

/* The next writes take so many bytes at most, or fail by -errno; after these there is no limit. */
static const ssize_t *limits;
static size_t limit_count;
static size_t writes;

ssize_t write(int fd, const void *bytes, size_t size)
{
	ssize_t limit;

	if (fd == STDOUT_FILENO) {
		writes++;
		if (limit_count) {
			limit_count--;
			limit = *limits++;
			if (limit < 0)
				return errno = (int)-limit, -1;
			size = size < (size_t)limit ? size : (size_t)limit;
		}
	}
	return syscall(SYS_write, fd, bytes, size);
}

#define set_limits(...) do { \
		static const ssize_t limits_[] = { __VA_ARGS__ }; \
		limits = limits_; \
		limit_count = sizeof(limits_) / sizeof(limits_[0]); \
	} while (0)

static FILE *file;
static int usual;

static int begin_file(void **state)
{
	file = tmpfile();
	fflush(stdout);
	usual = dup(STDOUT_FILENO);
	memset(&output, 0, sizeof(output));
	writes = limit_count = 0;
	return !file || usual < 0 || dup2(fileno(file), STDOUT_FILENO) < 0;
}

static int end_file(void **state)
{
	dup2(usual, STDOUT_FILENO);
	close(usual);
	fclose(file);
	memset(&output, 0, sizeof(output));
	limit_count = 0;
	return 0;
}

/* Return: the bytes of the file, and their number in @size. */
static const char *read_file(size_t *size)
{
	static char text[4 * OUTPUT_SIZE + 1];
	ssize_t n = pread(fileno(file), text, sizeof(text) - 1, 0);

	assert_true(n >= 0);
	text[n] = '\0';
	*size = (size_t)n;
	return text;
}

static void assert_file(const char *expected)
{
	size_t size;

	assert_string_equal(read_file(&size), expected);
}

static void the_buffer_is_full(void **state)
{
	static char many[OUTPUT_SIZE + 1];
	size_t size, i;
	const char *text;

	memset(many, 'm', sizeof(many));
	output_bytes("a", 1);
	output_bytes(many, OUTPUT_SIZE - 1);
	assert_int_equal(writes, 0);
	assert_int_equal(output.used, OUTPUT_SIZE);
	output_bytes("b", 1);
	assert_int_equal(writes, 1);
	assert_int_equal(output.used, 1);
	output_bytes(many, OUTPUT_SIZE + 1);
	assert_int_equal(writes, 3);
	assert_int_equal(output.used, 0);
	output_bytes("c", 1);
	output_flush();
	text = read_file(&size);
	assert_int_equal(size, 2 * OUTPUT_SIZE + 3);
	for (i = 0; i < size; i++)
		assert_int_equal(text[i], i == 0 ? 'a' : i == OUTPUT_SIZE ? 'b' : i == size - 1 ? 'c' : 'm');
}

/* Writes that are cut short or interrupted go on. */
static void writes_in_parts(void **state)
{
	set_limits(2, -EINTR, 0, 3, -EINTR);
	output_bytes("abcdefgh", 8);
	assert_int_equal(output_flush(), 0);
	assert_file("abcdefgh");
	assert_int_equal(writes, 6);
	assert_int_equal(output.error, 0);
}

static size_t last_whole(const char *bytes, size_t size)
{
	while (size && bytes[size - 1] != ';')
		size--;
	return size;
}

static void assert_position(off_t expected)
{
	assert_int_equal(lseek(fileno(file), 0, SEEK_CUR), expected);
}

/* A file ends after its last whole part, also if something was there before. */
static void a_file_that_cannot_take_more(void **state)
{
	output.whole = last_whole;
	output_bytes("be;", 3);
	output_flush();
	set_limits(5, -ENOSPC);
	output_bytes("abc;defg;h", 10);
	assert_int_equal(output_flush(), -ENOSPC);
	assert_file("be;abc;");
	assert_position(7);
	/* Nothing is written after it. */
	writes = 0;
	output_bytes("more", 4);
	assert_int_equal(output_flush(), -ENOSPC);
	assert_int_equal(writes, 0);
	assert_file("be;abc;");
}

static void nothing_is_cut(void **state)
{
	/* All parts are whole, or nobody says which are. */
	set_limits(4, -ENOSPC);
	output.whole = last_whole;
	output_bytes("abc;d", 5);
	assert_int_equal(output_flush(), -ENOSPC);
	assert_file("abc;");
	output.error = 0;
	output.whole = NULL;
	set_limits(2, -EIO);
	output_bytes("def", 3);
	assert_int_equal(output_flush(), -EIO);
	assert_file("abc;de");
}

/* Somebody else's bytes follow, or the position is not at the end. */
static void what_others_wrote_is_not_cut(void **state)
{
	output.whole = last_whole;
	assert_int_equal(pwrite(fileno(file), "0123456789", 10, 0), 10);
	set_limits(2, -ENOSPC);
	output_bytes("ab;", 3);
	assert_int_equal(output_flush(), -ENOSPC);
	assert_file("ab23456789");
	assert_position(2);
}

static void a_pipe_is_not_cut(void **state)
{
	char text[16] = "";
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	assert_true(dup2(ends[1], STDOUT_FILENO) >= 0);
	output.whole = last_whole;
	set_limits(2, -EAGAIN);
	output_bytes("ab;", 3);
	assert_int_equal(output_flush(), -EAGAIN);
	assert_int_equal(read(ends[0], text, sizeof(text) - 1), 2);
	assert_string_equal(text, "ab");
	close(ends[0]);
	close(ends[1]);
}

/* ---- what is put ---------------------------------------------------------------------------------------- */

static void digits_and_widths(void **state)
{
	put_hex(0x89ABCDEF, 8);
	assert_printed("0x89ABCDEF");
	put_hex(0x12345, 4);
	assert_printed("0x2345");
	put_hex(0, 1);
	assert_printed("0x0");
	put_left("ab", 2, 5);
	put_left("abc", 3, 3);
	put_left("abcd", 4, 3);
	assert_printed("ab   abcabcd");
}

static const struct {
	const char *text;
	size_t length;
	char quote;
	const char *expected;
} texts[] = {
	{ "", 0, 0, "" }, { "a ~", 3, 0, "a ~" }, { "\t\n\r\\", 4, 0, "\\t\\n\\r\\\\" },
	{ "\0\x1F\x7F\x1B[m", 6, 0, "\\x00\\x1F\\x7F\\x1B[m" },
	{ "a\"b'", 4, '"', "a\\\"b'" }, { "a\"b'", 4, '\'', "a\"b\\'" }, { "a\"b'", 4, 0, "a\"b'" },
	/* U+0080 to U+009F control a terminal, too. */
	{ "\xC2\x80\xC2\x9F\xC2\xA0\xC2", 7, 0, "\\u0080\\u009F\xC2\xA0\xC2" },
	{ "\xC3\xA4\xF0\x9F\x98\x80", 6, 0, "\xC3\xA4\xF0\x9F\x98\x80" },
	/* U+200D to U+2010, U+2027 to U+202F, U+2065 to U+206A. */
	{ "\xE2\x80\x8D\xE2\x80\x8E\xE2\x80\x8F\xE2\x80\x90", 12, 0, "\xE2\x80\x8D\\u200E\\u200F\xE2\x80\x90" },
	{ "\xE2\x80\xA7\xE2\x80\xA8\xE2\x80\xAE\xE2\x80\xAF", 12, 0, "\xE2\x80\xA7\\u2028\\u202E\xE2\x80\xAF" },
	{ "\xE2\x81\xA5\xE2\x81\xA6\xE2\x81\xA9\xE2\x81\xAA", 12, 0, "\xE2\x81\xA5\\u2066\\u2069\xE2\x81\xAA" },
	/* An incomplete character at the end is nothing that is escaped. */
	{ "\xE2\x80\xA8", 2, 0, "\xE2\x80" }, { "\xC2\x85", 1, 0, "\xC2" },
};

static void escaped_characters(void **state)
{
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		put_text(texts[i].text, texts[i].length, texts[i].quote);
		assert_printed(texts[i].expected);
	}
}

/* A text of any length may begin anywhere in the buffer, and leaves room after it. */
static void texts_where_the_buffer_ends(void **state)
{
	static char many[3 * OUTPUT_SIZE / 4], expected[3 * OUTPUT_SIZE + 1];
	size_t used, size, i;

	for (i = 0; i < sizeof(many); i++) {
		many[i] = 1;
		memcpy(expected + 4 * i, "\\x01", 4);
	}
	for (used = OUTPUT_SIZE - OUTPUT_ROOM - 1; used <= OUTPUT_SIZE; used += used < OUTPUT_SIZE - OUTPUT_ROOM + 2 ? 1 : 97) {
		assert_int_equal(ftruncate(fileno(file), 0), 0);
		assert_int_equal(lseek(fileno(file), 0, SEEK_SET), 0);
		memset(output.buffer, 'f', used);
		output.used = used;
		put_text("", 0, 0);
		assert_true(output.used <= OUTPUT_SIZE - OUTPUT_ROOM);
		put_text(many, sizeof(many), '"');
		assert_true(output.used <= OUTPUT_SIZE - OUTPUT_ROOM);
		output_flush();
		assert_string_equal(read_file(&size) + used, expected);
	}
	/* A short text fills the last bytes before the room. */
	output.used = OUTPUT_SIZE - OUTPUT_ROOM;
	put_text("abc", 3, 0);
	assert_int_equal(output.used, 0);
	output.used = OUTPUT_SIZE - OUTPUT_ROOM - 3;
	put_text("abc", 3, 0);
	assert_int_equal(output.used, OUTPUT_SIZE - OUTPUT_ROOM);
}

#define file_test(test) cmocka_unit_test_setup_teardown(test, begin_file, end_file)

int main(void)
{
	const struct CMUnitTest tests[] = {
		file_test(the_buffer_is_full),
		file_test(writes_in_parts),
		file_test(a_file_that_cannot_take_more),
		file_test(nothing_is_cut),
		file_test(what_others_wrote_is_not_cut),
		file_test(a_pipe_is_not_cut),
		cmocka_unit_test(digits_and_widths),
		cmocka_unit_test(escaped_characters),
		file_test(texts_where_the_buffer_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
