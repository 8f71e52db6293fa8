// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* How far a boot is recorded in a directory: the newest time of its newest file, and how many entries have it. */
#include "made_files.h"
#include "descriptors.h"

static void no_directory(void **state)
{
	struct kept_end end;

	assert_complains("bcoslog: there cannot be examined: Bad file descriptor\n",
			 kept_end(-1, "there", &header, &end) == -1);
}

static struct kept_end end_of(u8 boot)
{
	struct archive_header asked = { .machine = machine };
	unsigned int before = count_descriptors();
	struct kept_end end;
	int directory;

	memset(asked.boot, boot, sizeof(asked.boot));
	memset(&end, 0xAA, sizeof(end));
	directory = open(made_root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_complains("", kept_end(directory, "there", &asked, &end) == 0);
	close(directory);
	assert_int_equal(count_descriptors(), before);
	return end;
}

#define assert_end(boot, expected_time, expected_count) do { \
		struct kept_end end_ = end_of(boot); \
		assert_true(end_.known); \
		assert_int_equal(end_.time, expected_time); \
		assert_int_equal(end_.count, expected_count); \
	} while (0)

static void assert_no_end(u8 boot)
{
	struct kept_end end = end_of(boot);

	assert_false(end.known);
	assert_int_equal(end.time, 0);
	assert_int_equal(end.count, 0);
}

static void the_newest_time_and_how_often(void **state)
{
	assert_no_end(1);
	begin_file(1, 7, "machine");
	put_frame(1000, 3, 2000, 2);
	write_file("a");
	assert_end(1, 2000, 2);
	assert_no_end(2);
	/* History and statements are recorded anew each time, and do not count. */
	put_history();
	begin_frame();
	put_entry(made_event(&made, BCOS_GENERIC_PROCESS, 0, 2000, BCOS_EVENT_CLOCK, 0x40, "wall clock 50.000000000"));
	end_frame();
	write_file("a");
	assert_end(1, 2000, 2);
	/* A time that is in several frames. */
	put_frame(2000, 1, 2000, 3);
	write_file("a");
	assert_end(1, 2000, 6);
	/* The older frame has other times: nothing before it counts. */
	put_frame(2000, 1, 2500, 1);
	put_frame(2500, 1, 2500, 1);
	write_file("a");
	assert_end(1, 2500, 3);
	/* Entries of a CPU may be late. */
	put_frame(2600, 2, 2550, 1);
	write_file("a");
	assert_end(1, 2600, 2);
}

/* The boot's file with the highest number counts. */
static void the_newest_file(void **state)
{
	begin_file(1, 8, "machine");
	put_frame(1000, 1, 3000, 3);
	write_file("b");
	begin_file(1, 7, "machine");
	put_frame(1000, 1, 2000, 2);
	write_file("a");
	begin_file(1, 6, "machine");
	put_frame(1000, 1, 2000, 1);
	write_file("c");
	assert_end(1, 3000, 3);
	/* A part of the log by itself, another boot's, another machine's, and one that is empty do not count. */
	begin_file(1, 9, "machine");
	header.flags = ARCHIVE_DETACHED;
	archive_put_header(bytes, &header);
	put_frame(1000, 1, 9000, 9);
	write_file("d");
	begin_file(2, 9, "machine");
	put_frame(1000, 1, 9000, 9);
	write_file("e");
	begin_file(1, 9, "another");
	put_frame(1000, 1, 9000, 9);
	write_file("f");
	begin_file(1, 9, "machine");
	write_file("g");
	assert_end(1, 3000, 3);
	assert_end(2, 9000, 9);
}

/* A frame that cannot be unpacked was recorded: all entries of its last time were. */
static void a_frame_that_cannot_be_unpacked(void **state)
{
	begin_file(1, 8, "machine");
	put_frame(1000, 1, 3000, 3);
	put_frame(3000, 1, 4000, 3);
	memset(bytes + frames[1].place, 0xFF, 4);
	put_tail();
	write_file("a");
	assert_end(1, 4000, ~0u);
	/* The same, but of a frame before it that has the same time alone: what is known stays. */
	begin_file(1, 8, "machine");
	put_frame(1000, 1, 4000, 3);
	put_frame(4000, 1, 4000, 3);
	memset(bytes + frames[0].place, 0xFF, 4);
	put_tail();
	write_file("a");
	assert_end(1, 4000, 4);
	/* An empty frame is no reason to end. */
	begin_file(1, 8, "machine");
	put_frame(1000, 1, 4000, 3);
	begin_frame();
	end_frame();
	put_tail();
	write_file("a");
	assert_end(1, 4000, 3);
	/* History that cannot be unpacked tells nothing, and nothing is known of what was before it. */
	begin_file(1, 8, "machine");
	put_history();
	memset(bytes + frames[0].place, 0xFF, 4);
	put_tail();
	write_file("a");
	assert_no_end(1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		made_test(no_directory),
		made_test(the_newest_time_and_how_often),
		made_test(the_newest_file),
		made_test(a_frame_that_cannot_be_unpacked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
