// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The files that a directory has of a machine: which of them a recorder finds, mends and removes. */
#include <time.h>

#include "made_files.h"
#include "descriptors.h"
#include "failing_memory.h"

#define SECOND 1000000000ull
#define STORED_MAX (17u << 20)

static struct kept kept;
static u64 sequence;
static int directory;

/* The time of each clock, ns, which no test waits for. */
static u64 since_boot, utc;

int clock_gettime(clockid_t clock, struct timespec *time)
{
	u64 now = clock == CLOCK_REALTIME ? utc : since_boot;

	*time = (struct timespec){ .tv_sec = (time_t)(now / SECOND), .tv_nsec = (long)(now % SECOND) };
	return 0;
}

static int begin_folder(void **state)
{
	since_boot = 1000 * SECOND;
	utc = 1700000000 * SECOND;
	if (made_begin(state))
		return -1;
	directory = open(made_root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return directory < 0;
}

static int end_folder(void **state)
{
	kept_free(&kept);
	close(directory);
	return made_end(state);
}

static void find_kept(void)
{
	unsigned int before = count_descriptors();

	kept_free(&kept);
	assert_complains("", kept_find(&kept, directory, "there", &machine, &sequence) == 0);
	assert_int_equal(count_descriptors(), before);
}

/* ---- names -------------------------------------------------------------------------------- */

static void assert_word(const char *text, size_t room, const char *expected)
{
	char word[32];

	memset(word, 0xAA, sizeof(word));
	kept_word(word, room, text);
	assert_string_equal(word, expected);
}

static void words_of_names(void **state)
{
	assert_word("azAZ09.-", 32, "azAZ09.-");
	assert_word("`{@[/:,", 32, "_______");
	assert_word("a b\xc3\xa4_~", 32, "a_b____");
	assert_word("", 32, "");
	assert_word("12345", 6, "12345");
	assert_word("12345", 5, "1234");
	assert_word("12345", 1, "");
}

/* The number of a file of this machine is not given again, even where the file cannot be read. */
static void numbers_of_files(void **state)
{
	static const struct {
		const char *name;
		u64 next;
	} names[] = {
		{ "20231114T221320Z-machine-00000007-log", 8 }, { "20231114T221320Z-machine-00000000-log", 1 },
		{ "20231114T221320Z-machine2-00000007-log", 0 }, { "20231114T221320Z-mach-00000007-log", 0 },
		{ "20231114T221320Zmachine-00000007-log", 0 }, { "0231114T221320Z-machine-00000007-log", 0 }, { "x",
			0 },
		{ "20231114T221320Z-machine-12345678901-log", 12345678902 },
	};
	char path[128];
	size_t i;

	find_kept();
	assert_int_equal(sequence, 0);
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "/%s.bcos.zst", names[i].name);
		made_text(path, "this is no recorded file, though long enough for the header of one, "
			  "which has one hundred and twenty bytes at the beginning of the file");
		find_kept();
		assert_int_equal(sequence, names[i].next);
		assert_int_equal(kept.count, 0);
		unlink(made_path(path));
	}
	made_text("/20231114T221320Z-machine-00000009-log.bcos.zst", "x");
	made_text("/20231114T221321Z-machine-00000004-log.bcos.zst", "x");
	find_kept();
	assert_int_equal(sequence, 10);
	/* The number in the file counts, too. */
	begin_file(1, 10, "machine");
	put_frame(1000, 1, 2000, 1);
	put_tail();
	write_file("a");
	find_kept();
	assert_int_equal(sequence, 11);
	begin_file(1, 5, "machine");
	put_frame(1000, 1, 2000, 1);
	put_tail();
	write_file("a");
	find_kept();
	assert_int_equal(sequence, 10);
}

/* A machine without a name is called so in the names of its files. */
static void a_machine_without_a_name(void **state)
{
	static const struct archive_machine unnamed;

	made_text("/20231114T221320Z-unnamed-00000007-log.bcos.zst", "x");
	made_text("/20231114T221320Z--00000009-log.bcos.zst", "x");
	assert_complains("", kept_find(&kept, directory, "there", &unnamed, &sequence) == 0);
	assert_int_equal(sequence, 8);
}

/* ---- what is found -------------------------------------------------------------------------- */

static void files_in_their_order(void **state)
{
	size_t sizes[3];

	begin_file(1, 7, "machine");
	begin_frame();
	put_entry(made_event(&made, BCOS_GENERIC_PROCESS, 0, 1000, BCOS_EVENT_CLOCK, 0x40, "wall clock 50.000000000"));
	put_entry(made_word(&made, BCOS_ASSIGN_CPU, 0, 4000, 10));
	end_frame();
	put_history();
	sizes[1] = put_tail();
	write_file("a");
	begin_file(2, 9, "machine");
	put_frame(1000, 1, 7000, 1);
	sizes[2] = put_tail();
	write_file("b");
	begin_file(3, 2, "machine");
	put_frame(1000, 1, 6000, 1);
	put_frame(6000, 1, 9000, 1);
	sizes[0] = put_tail();
	write_file("c");
	begin_file(3, 11, "another");
	put_frame(1000, 1, 6000, 1);
	put_tail();
	write_file("d");
	find_kept();
	assert_int_equal(sequence, 10);
	assert_int_equal(kept.count, 3);
	assert_int_equal(kept.bytes, sizes[0] + sizes[1] + sizes[2]);
	assert_string_equal(kept.files[0].name, "c.bcos.zst");
	assert_string_equal(kept.files[1].name, "a.bcos.zst");
	assert_string_equal(kept.files[2].name, "b.bcos.zst");
	assert_int_equal(kept.files[0].sequence, 2);
	assert_int_equal(kept.files[0].size, sizes[0]);
	assert_int_equal(kept.files[0].utc, 0);
	assert_int_equal(kept.files[0].written, 0);
	/* 3000 ns after the statement of 50 s; history has no time of its own. */
	assert_int_equal(kept.files[1].utc, 50 * SECOND + 3000);
}

/* More of them than there is room for at first. */
static void many_files(void **state)
{
	char name[16];
	u32 i;

	for (i = 0; i < 70; i++) {
		begin_file(1, 100 - i, "machine");
		put_frame(1000, 1, 2000, 1);
		put_tail();
		snprintf(name, sizeof(name), "f%u", i);
		write_file(name);
	}
	find_kept();
	assert_int_equal(kept.count, 70);
	for (i = 0; i < 70; i++)
		assert_int_equal(kept.files[i].sequence, 31 + i);
}

static void no_directory(void **state)
{
	assert_complains("bcoslog: there cannot be examined: Bad file descriptor\n",
			 kept_find(&kept, -1, "there", &machine, &sequence) == -1);
}

/* Each allocation fails once: an error is told, or all files are found. */
static void no_memory(void **state)
{
	unsigned int number, errors = 0, before;
	const char *said;
	FILE *file;
	int saved, r;

	begin_file(1, 7, "machine");
	put_frame(1000, 1, 2000, 1);
	write_file("a");
	before = count_descriptors();
	for (number = 1; ; number++) {
		kept_free(&kept);
		file = begin_complaints(&saved);
		failing = number;
		r = kept_find(&kept, directory, "there", &machine, &sequence);
		if (failing)
			break;
		said = end_complaints(file, saved);
		assert_int_equal(count_descriptors(), before);
		assert_true(!r == !*said);
		assert_true(r || kept.count == 1);
		errors += r != 0;
	}
	failing = 0;
	assert_string_equal(end_complaints(file, saved), "");
	assert_int_equal(r, 0);
	assert_true(errors > 3);
}

/* ---- what is mended --------------------------------------------------------------------------- */

/* Asserts that a file has these bytes, and after them an index. */
static void assert_sealed(const char *name, size_t body)
{
	static u8 now[sizeof(bytes)];
	struct archive_tail tail = { .frames = frame_count };
	char path[128];
	ssize_t size;
	int fd;

	snprintf(path, sizeof(path), "/%s.bcos.zst", name);
	fd = open(made_path(path), O_RDONLY | O_CLOEXEC);
	size = read(fd, now, sizeof(now));
	close(fd);
	assert_int_equal(size, body + archive_tail_size(&tail));
	assert_memory_equal(now, bytes, body);
	archive_put_tail(bytes + body, &header, frames, frame_count);
	assert_memory_equal(now, bytes, (size_t)size);
	assert_int_equal(kept.bytes, size);
	assert_int_equal(kept.files[0].size, size);
}

static void an_open_file_gets_an_index(void **state)
{
	size_t body;

	begin_file(1, 7, "machine");
	put_frame(1000, 1, 2000, 1);
	put_frame(2000, 1, 3000, 1);
	write_file("a");
	find_kept();
	assert_int_equal(kept.count, 1);
	assert_sealed("a", used);
	/* Once it has one, it stays as it is. */
	find_kept();
	assert_sealed("a", used);
	/* The beginning of another frame goes. */
	body = used;
	put_frame(3000, 1, 4000, 1);
	frame_count--;
	used -= 5;
	write_file("a");
	find_kept();
	used = body;
	assert_sealed("a", body);
	/* Rubbish after the last frame does, too. */
	memset(bytes + used, 0xFF, 3);
	used += 3;
	write_file("a");
	find_kept();
	assert_sealed("a", body);
}

/* A file that a link names is none of the recorder's. */
static void a_link_is_left_alone(void **state)
{
	begin_file(1, 7, "machine");
	made_bytes("/elsewhere", bytes, used);
	assert_int_equal(symlink("elsewhere", made_path("/a.bcos.zst")), 0);
	find_kept();
	assert_int_equal(kept.count, 0);
	assert_int_equal(kept.bytes, 0);
	assert_int_equal(size_of("a"), used);
}

/* A file that has nothing but a header, or the beginning of a frame, is removed. */
static void the_beginning_of_a_file_goes(void **state)
{
	begin_file(1, 7, "machine");
	write_file("a");
	find_kept();
	assert_int_equal(size_of("a"), -1);
	assert_int_equal(kept.count, 0);
	assert_int_equal(sequence, 8);
	put_frame(1000, 1, 2000, 1);
	used -= 1;
	write_file("a");
	find_kept();
	assert_int_equal(size_of("a"), -1);
	/* No frame is as large as more than that. */
	begin_file(1, 7, "machine");
	write_file("a");
	assert_int_equal(truncate(made_path("/a.bcos.zst"), STORED_MAX + 1), 0);
	find_kept();
	assert_int_equal(size_of("a"), STORED_MAX + 1);
	assert_int_equal(kept.count, 1);
	assert_int_equal(truncate(made_path("/a.bcos.zst"), STORED_MAX), 0);
	find_kept();
	assert_int_equal(size_of("a"), -1);
	assert_int_equal(kept.count, 0);
	/* Another machine's file is not touched, nor one of which nobody knows whose it is. */
	begin_file(1, 7, "another");
	write_file("a");
	made_bytes("/b.bcos.zst", bytes, 50);
	find_kept();
	assert_int_equal(size_of("a"), used);
	assert_int_equal(size_of("b"), 50);
	/* Nor one that was closed with nothing in it. */
	begin_file(1, 7, "machine");
	put_tail();
	write_file("a");
	find_kept();
	assert_int_equal(size_of("a"), used);
	assert_int_equal(kept.count, 1);
}

/* ---- what is removed ----------------------------------------------------------------------------- */

/* Three closed files of 1000 bytes each, and 500 bytes of one that is open. */
static void three_files(void)
{
	char name[] = "f1";
	u64 number;

	kept_free(&kept);
	for (number = 1; number <= 3; number++) {
		name[1] = (char)('0' + number);
		made_text(number == 1 ? "/f1" : number == 2 ? "/f2" : "/f3", "x");
		kept_grow(&kept, 1000);
		kept_add(&kept, name, number, 1000);
		since_boot += 10 * SECOND;
	}
	kept_grow(&kept, 500);
}

static void assert_left(size_t count, u64 left)
{
	assert_int_equal(kept.count, count);
	assert_int_equal(kept.bytes, left);
	assert_int_equal(access(made_path("/f1"), F_OK), count > 2 ? 0 : -1);
	assert_int_equal(access(made_path("/f2"), F_OK), count > 1 ? 0 : -1);
	assert_int_equal(access(made_path("/f3"), F_OK), count > 0 ? 0 : -1);
}

static void the_oldest_file_is_dropped(void **state)
{
	three_files();
	assert_int_equal(kept.files[1].sequence, 2);
	assert_int_equal(kept.files[1].size, 1000);
	assert_left(3, 3500);
	assert_true(kept_drop(&kept, directory));
	assert_left(2, 2500);
	assert_string_equal(kept.files[0].name, "f2");
	assert_true(kept_drop(&kept, directory));
	assert_true(kept_drop(&kept, directory));
	assert_left(0, 500);
	assert_false(kept_drop(&kept, directory));
	assert_left(0, 500);
}

/* A sum that is too small does not become a large one. */
static void sums_stay_above_zero(void **state)
{
	three_files();
	kept.bytes = 1500;
	kept_drop(&kept, directory);
	assert_int_equal(kept.bytes, 500);
	kept_drop(&kept, directory);
	assert_int_equal(kept.bytes, 0);
}

static void limits_of_size(void **state)
{
	three_files();
	kept_limit(&kept, directory, 0, 0);
	assert_left(3, 3500);
	kept_limit(&kept, directory, 3500, 0);
	assert_left(3, 3500);
	kept_limit(&kept, directory, 3499, 0);
	assert_left(2, 2500);
	kept_limit(&kept, directory, 1000, 0);
	assert_left(0, 500);
	kept_limit(&kept, directory, 1, 0);
	assert_left(0, 500);
}

/* The first was written 30 s ago, the others 20 and 10; the wall clock says nothing of that. */
static void limits_of_age(void **state)
{
	three_files();
	utc += 1000000 * SECOND;
	kept_limit(&kept, directory, 0, 30 * SECOND);
	assert_left(3, 3500);
	kept_limit(&kept, directory, 0, 30 * SECOND - 1);
	assert_left(2, 2500);
	kept_limit(&kept, directory, 0, 10 * SECOND);
	assert_left(1, 1500);
	since_boot += 1;
	kept_limit(&kept, directory, 9999, 10 * SECOND);
	assert_left(0, 500);
}

/* Files of an earlier recorder are as old as the wall clock says, if they tell the time, and if that is not later. */
static void ages_by_the_wall_clock(void **state)
{
	three_files();
	kept.files[0].written = kept.files[1].written = kept.files[2].written = 0;
	kept_limit(&kept, directory, 0, 1);
	assert_left(3, 3500);
	kept.files[0].utc = utc - 30 * SECOND;
	kept.files[1].utc = utc + 30 * SECOND;
	since_boot += 1000 * SECOND;
	kept_limit(&kept, directory, 0, 30 * SECOND);
	assert_left(3, 3500);
	kept_limit(&kept, directory, 0, 30 * SECOND - 1);
	assert_left(2, 2500);
	utc += 30 * SECOND;
	kept_limit(&kept, directory, 0, 1);
	assert_left(2, 2500);
}

#define kept_test(test) cmocka_unit_test_setup_teardown(test, begin_folder, end_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_of_names),
		kept_test(numbers_of_files),
		kept_test(a_machine_without_a_name),
		kept_test(files_in_their_order),
		kept_test(many_files),
		kept_test(no_directory),
		kept_test(no_memory),
		kept_test(an_open_file_gets_an_index),
		kept_test(a_link_is_left_alone),
		kept_test(the_beginning_of_a_file_goes),
		kept_test(the_oldest_file_is_dropped),
		kept_test(sums_stay_above_zero),
		kept_test(limits_of_size),
		kept_test(limits_of_age),
		kept_test(ages_by_the_wall_clock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
