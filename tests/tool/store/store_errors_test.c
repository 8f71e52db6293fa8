// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The files that a recorder writes when calls fail, and what it opens and closes. */
#include <dlfcn.h>

#include "made_store.h"
#include "descriptors.h"
#include "failing_memory.h"
#include "notify.h"

/* With these errors the next calls of openat() that make a file fail; 0 ends the list. */
static const int *failures;
static bool no_truncation;
static unsigned int folder_syncs, alive;

int openat(int directory, const char *path, int flags, ...)
{
	int (*next)(int, const char *, int, ...) = (int (*)(int, const char *, int, ...))dlsym(RTLD_NEXT, "openat");
	mode_t mode = 0;
	va_list args;

	va_start(args, flags);
	if (flags & O_CREAT)
		mode = va_arg(args, mode_t);
	va_end(args);
	if (flags & O_CREAT && failures && *failures) {
		errno = *failures++;
		return -1;
	}
	return next(directory, path, flags, mode);
}

int ftruncate(int fd, off_t size)
{
	errno = EIO;
	return no_truncation ? -1 : (int)syscall(SYS_ftruncate, fd, size);
}

int fsync(int fd)
{
	struct stat status;

	assert_int_equal(fstat(fd, &status), 0);
	assert_true(S_ISDIR(status.st_mode));
	folder_syncs++;
	return 0;
}

int nanosleep(const struct timespec *time, struct timespec *left)
{
	errno = EINTR;
	return -1;
}

void notify_alive(void)
{
	alive++;
}

static int begin_errors(void **state)
{
	failures = NULL;
	no_truncation = false;
	folder_syncs = alive = failing = 0;
	note = (struct archive_note){ 0 };
	return begin_store(state);
}

static void close_store(void)
{
	store_close(store);
	store = NULL;
}

static int mode_of(const char *name)
{
	struct stat status;
	char path[300];

	snprintf(path, sizeof(path), "%s%s", folder, name);
	assert_int_equal(stat(path, &status), 0);
	return status.st_mode & 07777;
}

#define FIRST "20231114T221320Z-machine-00000000-log"

/* ---- what it opens ----------------------------------------------------------------------------------- */

/* Nobody but its user and group reads them. */
static void modes_of_files(void **state)
{
	mode_t mask = umask(0);

	open_store();
	puts_frame(5);
	umask(mask);
	assert_int_equal(mode_of(""), 0750);
	assert_int_equal(mode_of("/.machine.lock"), 0640);
	assert_int_equal(mode_of("/" FIRST ".bcos.zst"), 0640);
}

static void nothing_stays_open(void **state)
{
	unsigned int before = count_descriptors();

	open_store();
	close_store();
	assert_int_equal(count_descriptors(), before);
	open_store();
	puts_frame(5);
	/* Another lock takes the place of the first one. */
	strcpy(header.machine.host, "other");
	assert_complains("", store_begin(store, &header, NULL) == 0);
	puts_frame(6);
	assert_int_equal(count_descriptors(), before + 3);
	close_store();
	assert_int_equal(count_descriptors(), before);
	assert_complains("bcoslog: /dev/null/no cannot be made: Not a directory\n"
			 "bcoslog: /dev/null/no is no directory that can be opened: Not a directory\n",
			 !store_open("/dev/null/no", &limits));
	assert_int_equal(count_descriptors(), before);
}

/* A store that is closed closes its file, which then has its index, and its name is on the disk. */
static void a_file_gets_its_index(void **state)
{
	const struct archive_tail tail = { .frames = 2 };
	off_t size;

	open_store();
	puts_frame(5);
	puts_frame(6);
	size = size_of(FIRST);
	assert_int_equal(folder_syncs, 0);
	close_store();
	assert_int_equal(size_of(FIRST), size + (off_t)archive_tail_size(&tail));
	assert_int_equal(folder_syncs, 1);
	assert_int_equal(syncs, 1);
	assert_file(FIRST, 0, 0, TIMES(5, 6));
}

/* The note before a frame says whether the frame has columns. */
static void a_note_says_what_is_packed(void **state)
{
	u8 head[ARCHIVE_HEADER_SIZE + ARCHIVE_NOTE_SIZE];
	struct archive_note told;
	char path[300];
	int plain, fd;

	for (plain = 0; plain <= 1; plain++) {
		limits.plain = plain;
		open_store();
		puts_frame(5);
		assert_int_equal(note.flags & ARCHIVE_COLUMNS, plain ? 0 : ARCHIVE_COLUMNS);
		snprintf(path, sizeof(path), "%s/20231114T221320Z-machine-%08d-log.bcos.zst", folder, plain);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		assert_int_equal(read(fd, head, sizeof(head)), sizeof(head));
		close(fd);
		assert_true(archive_get_note(head + ARCHIVE_HEADER_SIZE, ARCHIVE_NOTE_SIZE, &told));
		assert_int_equal(told.flags & ARCHIVE_COLUMNS, plain ? 0 : ARCHIVE_COLUMNS);
		assert_int_equal(told.stored, note.stored);
		assert_int_equal(told.first, 5);
	}
}

/* More frames than there is room for at first. */
static void many_frames(void **state)
{
	struct archive_tail tail = { .frames = 200 };
	u64 times[201] = { 0 }, i;
	off_t size;

	open_store();
	for (i = 0; i < 200; i++) {
		times[i] = 5 + i;
		puts_frame(5 + i);
	}
	size = size_of(FIRST);
	close_store();
	assert_int_equal(size_of(FIRST), size + (off_t)archive_tail_size(&tail));
	assert_file(FIRST, 0, 0, times);
}

/* Files that were found twice are not counted twice. */
static void files_are_found_again(void **state)
{
	off_t size;

	open_store();
	puts_frame(5);
	store_finish(store);
	size = size_of(FIRST);
	limits.keep_size = (u64)(2 * size);
	open_store();
	assert_complains("", store_begin(store, &header, NULL) == 0);
	puts_frame(6);
	store_finish(store);
	assert_names(FIRST " 20231114T221320Z-machine-00000001-log");
}

/* ---- files that cannot be made -------------------------------------------------------------------------- */

static void assert_not_made(const char *name, const char *error, int r)
{
	char expected[400];

	snprintf(expected, sizeof(expected), "bcoslog: %s/%s.bcos.zst cannot be made: %s\n", folder, name, error);
	assert_complains(expected, put_event(7, NULL) == r);
	assert_false(store_is_open(store));
}

/* Only for want of room older files are given up. */
static void a_file_cannot_be_made(void **state)
{
	open_store();
	puts_frame(5);
	store_finish(store);
	puts_frame(6);
	store_finish(store);
	failures = (const int []){ EINTR, EACCES, 0 };
	assert_not_made("20231114T221320Z-machine-00000002-log", "Permission denied", -EACCES);
	assert_int_equal(*failures, 0);
	assert_names(FIRST " 20231114T221320Z-machine-00000001-log");
	failures = (const int []){ ENOSPC, EINTR, 0 };
	puts_frame(7);
	store_finish(store);
	assert_names("20231114T221320Z-machine-00000001-log 20231114T221320Z-machine-00000002-log");
	failures = (const int []){ EDQUOT, 0 };
	puts_frame(8);
	store_finish(store);
	assert_names("20231114T221320Z-machine-00000002-log 20231114T221320Z-machine-00000003-log");
	failures = (const int []){ ENOSPC, EDQUOT, EDQUOT, 0 };
	assert_complains("", put_event(9, NULL) == -ENOSPC);
	assert_names("");
	failures = (const int []){ ENOSPC, 0 };
	assert_complains("", put_event(9, NULL) == -ENOSPC);
}

/* A thousand names are tried. */
static void all_names_are_taken(void **state)
{
	static int taken[1001];
	size_t i;

	for (i = 0; i < 999; i++)
		taken[i] = EEXIST;
	open_store();
	failures = taken;
	puts_frame(5);
	store_finish(store);
	assert_names(FIRST ".999");
	taken[999] = EEXIST;
	failures = taken;
	assert_not_made("20231114T221320Z-machine-00000001-log.999", "File exists", -EEXIST);
	assert_int_equal(*failures, 0);
}

/* While it waits for room for its lock, the service manager knows that it is alive. */
static void it_is_alive_while_it_waits(void **state)
{
	char expected[200];

	store = store_open(folder, &limits);
	failures = (const int []){ ENOSPC, ENOSPC, 0 };
	snprintf(expected, sizeof(expected), "bcoslog: there is no room left for %s: recording begins when there is some\n",
		 folder);
	assert_complains(expected, store_begin(store, &header, NULL) == 0);
	assert_int_equal(alive, 2);
}

/* ---- writes that fail -------------------------------------------------------------------------------------- */

/* Exactly as many bytes are free as the frame needs, and one less. */
static void the_last_bytes(void **state)
{
	off_t first, second;

	open_store();
	puts_frame(5);
	first = size_of(FIRST);
	puts_frame(5);
	second = size_of(FIRST);
	strcpy(header.machine.host, "another");
	limits.spare = 10240 - (u64)(second - first);
	open_store();
	puts_frame(5);
	free_bytes = 10240;
	puts_frame(5);
	strcpy(header.machine.host, "machin3");
	limits.spare++;
	free_bytes = 1 << 20;
	open_store();
	puts_frame(5);
	free_bytes = 10240;
	assert_complains("", put_event(5, NULL) == -ENOSPC);
}

/* A piece that cannot be removed stays, and what is written next follows it. */
static void a_piece_that_stays(void **state)
{
	off_t first, second;

	open_store();
	puts_frame(5);
	first = size_of(FIRST);
	puts_frame(5);
	second = size_of(FIRST);
	writes = (const int []){ 7, -ENOSPC, 0 };
	no_truncation = true;
	assert_complains("", put_event(5, NULL) == -ENOSPC);
	assert_int_equal(size_of(FIRST), second + 7);
	puts_frame(5);
	assert_int_equal(size_of(FIRST), second + 7 + (second - first));
}

/* ---- no memory ----------------------------------------------------------------------------------------------- */

/* The n-th allocation fails, for each n. */
static void no_memory_to_open_it(void **state)
{
	unsigned int before = count_descriptors(), number;
	const char *said;
	FILE *file;
	int kept;

	for (number = 1; ; number++) {
		file = begin_complaints(&kept);
		failing = number;
		store = store_open(folder, &limits);
		failing = 0;
		said = end_complaints(file, kept);
		if (store)
			break;
		assert_string_equal(said, number < 3 ? "bcoslog: no memory\n" :
				    "bcoslog: no memory for compressing the recording\n");
		assert_int_equal(count_descriptors(), before);
	}
	assert_true(number > 3);
}

static void no_memory_to_write(void **state)
{
	unsigned int number, index = 0, packing = 0;
	const char *said;
	FILE *file;
	int kept, r;

	for (number = 1; ; number++) {
		open_store();
		file = begin_complaints(&kept);
		failing = number;
		r = put_event(5, NULL);
		failing = 0;
		said = end_complaints(file, kept);
		if (!r)
			break;
		assert_int_equal(r, -ENOMEM);
		if (!strcmp(said, "bcoslog: no memory for compressing the recording\n"))
			packing++;
		else
			index++;
		assert_non_null(strstr(said, index ? "bcoslog: no memory for the index of " : "compressing"));
		close_store();
	}
	assert_int_equal(index, 1);
	assert_true(packing > 0);
	store_finish(store);
	/* A file without an index can be read all the same. */
	puts_frame(6);
	failing = 1;
	store_finish(store);
	assert_int_equal(failing, 0);
	assert_non_null(store_newest(store));
	assert_null(strstr(store_newest(store), "-00000000-"));
}

#define errors_test(test) cmocka_unit_test_setup_teardown(test, begin_errors, end_store)

int main(void)
{
	const struct CMUnitTest tests[] = {
		errors_test(modes_of_files),
		errors_test(nothing_stays_open),
		errors_test(a_file_gets_its_index),
		errors_test(a_note_says_what_is_packed),
		errors_test(many_frames),
		errors_test(files_are_found_again),
		errors_test(a_file_cannot_be_made),
		errors_test(all_names_are_taken),
		errors_test(it_is_alive_while_it_waits),
		errors_test(the_last_bytes),
		errors_test(a_piece_that_stays),
		errors_test(no_memory_to_open_it),
		errors_test(no_memory_to_write),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
