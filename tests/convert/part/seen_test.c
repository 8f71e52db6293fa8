// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tests the records of a CTF trace: one process reads what the other has written, and no bytes can do any harm. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../../userspace/convert/ctf/read/seen.h"

static const struct ctf_seen head = {
	.what = CTF_EVENT, .meaning = CTF_MEANS_TEXT, .which = 0x1234, .cpu = 0xFEDCBA98, .precision = 0x89ABCDEF,
	.time = 0x0123456789ABCDEF,
};

static struct ctf_pipe pipe_;
static char path[] = "/tmp/bcoslog-seen-XXXXXX";

static int make_pipe(void **state)
{
	strcpy(path + sizeof(path) - 7, "XXXXXX");
	memset(&pipe_, 0, sizeof(pipe_));
	pipe_.fd = mkstemp(path);
	*state = NULL;
	return pipe_.fd < 0;
}

static int remove_pipe(void **state)
{
	(void)state;
	close(pipe_.fd);
	return unlink(path);
}

/* Bytes of the form that ctf/read/seen.h states. */
struct bytes {
	u8 at[4096];
	size_t size;
};

static void put_number(struct bytes *bytes, u64 number, size_t size)
{
	memcpy(bytes->at + bytes->size, &number, size);
	bytes->size += size;
}

static void put_head(struct bytes *bytes, unsigned int what, unsigned int meaning)
{
	bytes->size = 0;
	put_number(bytes, 0, 4);
	put_number(bytes, what, 1);
	put_number(bytes, meaning, 1);
	put_number(bytes, head.which, 2);
	put_number(bytes, head.cpu, 4);
	put_number(bytes, head.precision, 4);
	put_number(bytes, head.time, 8);
}

/* Reads one record. A @size of 0 stands for its true size. */
static int read_one(struct bytes *bytes, u32 size, struct ctf_seen *seen)
{
	struct input input;
	u8 *exact = malloc(bytes->size ? bytes->size : 1);
	int r;

	if (!size)
		size = (u32)bytes->size;
	if (bytes->size >= sizeof(size))
		memcpy(bytes->at, &size, sizeof(size));
	memcpy(exact, bytes->at, bytes->size);
	input_memory(&input, exact, bytes->size);
	memset(seen, 0, sizeof(*seen));
	r = ctf_seen_read(&input, seen);
	free(exact);
	return r;
}

static void the_form_is_that_of_the_header(void **state)
{
	static const u8 text[] = "text";
	struct bytes bytes;
	u8 written[4096];

	(void)state;
	put_head(&bytes, CTF_EVENT, CTF_MEANS_TEXT);
	put_number(&bytes, CTF_ABSENT, 1);
	put_number(&bytes, CTF_NUMBER, 1);
	put_number(&bytes, 0xFEDCBA9876543210, 8);
	put_number(&bytes, CTF_STRING, 1);
	put_number(&bytes, 4, 4);
	memcpy(bytes.at + bytes.size, text, 4);
	bytes.size += 4;
	put_number(&bytes, CTF_NUMBERS, 1);
	put_number(&bytes, 2, 4);
	put_number(&bytes, 0x11223344, 4);
	put_number(&bytes, 0x55667788, 4);
	memcpy(bytes.at, &(u32){ (u32)bytes.size }, 4);

	ctf_pipe_begin(&pipe_, &head);
	ctf_pipe_absent(&pipe_);
	ctf_pipe_number(&pipe_, 0xFEDCBA9876543210);
	ctf_pipe_text(&pipe_, "text and more", 4);
	assert_int_equal(ctf_pipe_list(&pipe_, 2), 2);
	ctf_pipe_element(&pipe_, 0x11223344);
	ctf_pipe_element(&pipe_, 0x55667788);
	assert_int_equal(ctf_pipe_end(&pipe_), 0);
	/* A few bytes are kept until there are more. */
	assert_int_equal(pread(pipe_.fd, written, sizeof(written), 0), 0);
	assert_int_equal(ctf_pipe_flush(&pipe_), 0);
	assert_int_equal(pread(pipe_.fd, written, sizeof(written), 0), bytes.size);
	assert_memory_equal(written, bytes.at, bytes.size);
	assert_int_equal(ctf_pipe_flush(&pipe_), 0);
	assert_int_equal(lseek(pipe_.fd, 0, SEEK_END), bytes.size);
}

/* Returns a number of a list that was read. */
static u32 element_of(const struct ctf_value *value, u32 at)
{
	u32 number;

	memcpy(&number, value->numbers + at * sizeof(number), sizeof(number));
	return number;
}

static void is_head(const struct ctf_seen *seen)
{
	assert_int_equal(seen->what, head.what);
	assert_int_equal(seen->meaning, head.meaning);
	assert_int_equal(seen->which, head.which);
	assert_int_equal(seen->cpu, head.cpu);
	assert_int_equal(seen->precision, head.precision);
	assert_true(seen->time == head.time);
}

/* A hundred records have every kind of value, of sizes up to those at which values are cut. */
static void what_is_written_is_read(void **state)
{
	static char text[CTF_STRING_MAX + 10];
	struct ctf_seen seen = { 0 };
	struct input input;
	u32 i, k, taken;
	size_t length;
	u64 number;

	(void)state;
	for (i = 0; i < sizeof(text); i++)
		text[i] = (char)('a' + i % 26);
	for (i = 0; i < 100; i++) {
		ctf_pipe_begin(&pipe_, &head);
		ctf_pipe_number(&pipe_, i);
		ctf_pipe_text(&pipe_, text, i == 99 ? sizeof(text) : 100 * i);
		taken = ctf_pipe_list(&pipe_, i == 99 ? CTF_NUMBERS_MAX + 1 : 10 * i);
		assert_int_equal(taken, i == 99 ? CTF_NUMBERS_MAX : 10 * i);
		for (k = 0; k < taken; k++)
			ctf_pipe_element(&pipe_, k + i);
		ctf_pipe_absent(&pipe_);
		assert_int_equal(ctf_pipe_end(&pipe_), 0);
		assert_true(pipe_.used < CTF_PIPE_WRITE);
	}
	assert_int_equal(ctf_pipe_flush(&pipe_), 0);
	assert_int_equal(input_open(&input, path), 0);
	for (i = 0; i < 100; i++) {
		assert_int_equal(ctf_seen_read(&input, &seen), 1);
		is_head(&seen);
		assert_int_equal(seen.count, 4);
		assert_true(ctf_number(&seen, 0, &number));
		assert_int_equal(number, i);
		assert_false(ctf_number(&seen, 1, &number));
		assert_false(ctf_number(&seen, 3, &number));
		assert_false(ctf_number(&seen, 4, &number));
		assert_null(ctf_text(&seen, 0, &length));
		assert_null(ctf_text(&seen, 4, &length));
		assert_int_equal(length, 0);
		assert_non_null(ctf_text(&seen, 1, &length));
		assert_int_equal(length, i == 99 ? CTF_STRING_MAX : 100 * i);
		assert_memory_equal(ctf_text(&seen, 1, &length), text, length);
		assert_int_equal(seen.values[2].kind, CTF_NUMBERS);
		assert_int_equal(seen.values[2].number, i == 99 ? CTF_NUMBERS_MAX : 10 * i);
		for (k = 0; k < seen.values[2].number; k++)
			assert_int_equal(element_of(&seen.values[2], k), k + i);
		assert_int_equal(seen.values[3].kind, CTF_ABSENT);
	}
	assert_int_equal(ctf_seen_read(&input, &seen), 0);
	assert_int_equal(seen.size, 0);
	input_close(&input);
}

/* Looking ahead passes all records, and leaves them to be read. */
static void looking_ahead(void **state)
{
	static const char text[CTF_STRING_MAX];
	struct ctf_seen seen = { 0 };
	struct input input;
	size_t offset = 0;
	u64 number;
	u32 i;

	(void)state;
	for (i = 0; i < 100; i++) {
		ctf_pipe_begin(&pipe_, &head);
		ctf_pipe_number(&pipe_, i);
		/* The records have several times as many bytes as the reader reads at once. */
		ctf_pipe_text(&pipe_, text, sizeof(text));
		assert_int_equal(ctf_pipe_end(&pipe_), 0);
	}
	assert_int_equal(ctf_pipe_flush(&pipe_), 0);
	assert_int_equal(input_open(&input, path), 0);
	for (i = 0; i < 100; i++) {
		assert_int_equal(ctf_seen_ahead(&input, offset, &seen), 1);
		is_head(&seen);
		assert_true(ctf_number(&seen, 0, &number));
		assert_int_equal(number, i);
		offset += seen.size;
	}
	assert_int_equal(ctf_seen_ahead(&input, offset, &seen), 0);
	assert_int_equal(ctf_seen_ahead(&input, offset + 1, &seen), -EBADMSG);
	/* The reader keeps no more than this in memory. */
	assert_int_equal(ctf_seen_ahead(&input, INPUT_MAX, &seen), -EBADMSG);
	assert_int_equal(ctf_seen_read(&input, &seen), 1);
	assert_true(ctf_number(&seen, 0, &number));
	assert_int_equal(number, 0);
	input_close(&input);
}

static void nobody_reads(void **state)
{
	int ends[2], file = pipe_.fd;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	close(ends[0]);
	pipe_.fd = ends[1];
	ctf_pipe_begin(&pipe_, &head);
	assert_int_equal(ctf_pipe_end(&pipe_), 0);
	assert_int_equal(ctf_pipe_flush(&pipe_), -EPIPE);
	/* Nothing is written after an error. */
	pipe_.fd = file;
	ctf_pipe_begin(&pipe_, &head);
	assert_int_equal(ctf_pipe_end(&pipe_), -EPIPE);
	assert_int_equal(ctf_pipe_flush(&pipe_), -EPIPE);
	assert_int_equal(lseek(file, 0, SEEK_END), 0);
	close(ends[1]);
}

static void heads_of_events(void **state)
{
	struct ctf_seen seen;
	struct bytes bytes;
	u32 size;

	(void)state;
	bytes.size = 0;
	assert_int_equal(read_one(&bytes, 0, &seen), 0);
	put_head(&bytes, CTF_WHATS - 1, CTF_MEANINGS - 1);
	assert_int_equal(bytes.size, CTF_SEEN_HEAD);
	assert_int_equal(read_one(&bytes, 0, &seen), 1);
	assert_int_equal(seen.count, 0);
	assert_int_equal(seen.size, CTF_SEEN_HEAD);
	put_head(&bytes, CTF_WHATS, 0);
	assert_int_equal(read_one(&bytes, 0, &seen), -EBADMSG);
	put_head(&bytes, 0, CTF_MEANINGS);
	assert_int_equal(read_one(&bytes, 0, &seen), -EBADMSG);
	/* These records are too short, end early, or say so of themselves. */
	put_head(&bytes, CTF_EVENT, CTF_MEANS_TEXT);
	for (size = 1; size < CTF_SEEN_HEAD; size++)
		assert_int_equal(read_one(&bytes, size, &seen), -EBADMSG);
	assert_int_equal(read_one(&bytes, CTF_SEEN_HEAD + 1, &seen), -EBADMSG);
	assert_int_equal(read_one(&bytes, CTF_SEEN_MAX, &seen), -EBADMSG);
	assert_int_equal(read_one(&bytes, UINT32_MAX, &seen), -EBADMSG);
	for (size = 1; size < CTF_SEEN_HEAD; size++) {
		bytes.size = size;
		assert_int_equal(read_one(&bytes, CTF_SEEN_HEAD, &seen), -EBADMSG);
	}
}

static void values_of_fields(void **state)
{
	static const struct {
		unsigned int kind;
		u64 count;
		size_t of_count, more;
		int r;
	} cases[] = {
		{ CTF_ABSENT, 0, 0, 0, 1 }, { CTF_NUMBER, 7, 8, 0, 1 }, { CTF_NUMBER, 7, 7, 0, -EBADMSG },
		{ CTF_NUMBER, 7, 0, 0, -EBADMSG }, { CTF_VALUE_KINDS, 0, 0, 0, -EBADMSG }, { 255, 0, 8, 8, -EBADMSG },
		{ CTF_VALUE_KINDS, 0, 4, 0, -EBADMSG },
		{ CTF_STRING, 0, 4, 0, 1 }, { CTF_STRING, 5, 4, 5, 1 }, { CTF_STRING, 5, 4, 4, -EBADMSG },
		{ CTF_STRING, 5, 3, 0, -EBADMSG }, { CTF_NUMBERS, 0, 4, 0, 1 }, { CTF_NUMBERS, 2, 4, 8, 1 },
		{ CTF_NUMBERS, 2, 4, 7, -EBADMSG }, { CTF_NUMBERS, CTF_NUMBERS_MAX + 1, 4, 0, -EBADMSG },
		{ CTF_NUMBERS, 0x40000001, 4, 4, -EBADMSG }, { CTF_STRING, 0xFFFFFFFF, 4, 0, -EBADMSG },
	};
	struct ctf_seen seen;
	struct bytes bytes;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		put_head(&bytes, CTF_EVENT, CTF_MEANS_TEXT);
		put_number(&bytes, cases[i].kind, 1);
		put_number(&bytes, cases[i].count, cases[i].of_count);
		put_number(&bytes, 0, cases[i].more);
		assert_int_equal(read_one(&bytes, 0, &seen), cases[i].r);
		assert_int_equal(seen.size, cases[i].r == 1 ? bytes.size : 0);
	}
	/* A record has as many values as there can be, and one more. */
	put_head(&bytes, CTF_EVENT, CTF_MEANS_TEXT);
	put_number(&bytes, 0, 8);
	bytes.size = CTF_SEEN_HEAD;
	for (i = 0; i < CTF_FIELDS_MAX; i++)
		put_number(&bytes, CTF_ABSENT, 1);
	assert_int_equal(read_one(&bytes, 0, &seen), 1);
	assert_int_equal(seen.count, CTF_FIELDS_MAX);
	put_number(&bytes, CTF_ABSENT, 1);
	assert_int_equal(read_one(&bytes, 0, &seen), -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_form_is_that_of_the_header, make_pipe, remove_pipe),
		cmocka_unit_test_setup_teardown(what_is_written_is_read, make_pipe, remove_pipe),
		cmocka_unit_test_setup_teardown(looking_ahead, make_pipe, remove_pipe),
		cmocka_unit_test_setup_teardown(nobody_reads, make_pipe, remove_pipe),
		cmocka_unit_test(heads_of_events),
		cmocka_unit_test(values_of_fields),
	};

	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
