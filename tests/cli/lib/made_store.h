/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Makes a store of recorded files, with a clock of the test, and a disk whose calls fail where the test says so. */
#ifndef BCOS_TESTS_CLI_MADE_STORE_H
#define BCOS_TESTS_CLI_MADE_STORE_H

#include <dirent.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <time.h>

#include "made_system.h"
#include "made_log.h"
#include "record/store/store.h"

#define SECOND 1000000000ull

/* ---- the clock, and a disk that may be full ----------------------------------------------------- */

static u64 since_boot, utc;
/* The next calls of pwrite() have these results: bytes, or a negative errno; 0 ends the list. */
static const int *writes;
static unsigned int syncs;
static int sync_error;
static u64 free_bytes;

int clock_gettime(clockid_t clock, struct timespec *time)
{
	u64 now = clock == CLOCK_REALTIME ? utc : since_boot;

	*time = (struct timespec){ .tv_sec = (time_t)(now / SECOND), .tv_nsec = (long)(now % SECOND) };
	return 0;
}

ssize_t pwrite(int fd, const void *from, size_t size, off_t place)
{
	int next = writes && *writes ? *writes++ : 0;

	if (next < 0) {
		errno = -next;
		return -1;
	}
	/* After a call that succeeds, errno says nothing. */
	next = (int)syscall(SYS_pwrite64, fd, from, next && (size_t)next < size ? (size_t)next : size, place);
	errno = EIO;
	return next;
}

int fdatasync(int fd)
{
	syncs++;
	errno = sync_error;
	return sync_error ? -1 : 0;
}

int fstatvfs(int fd, struct statvfs *room)
{
	memset(room, 0, sizeof(*room));
	room->f_bavail = (fsblkcnt_t)(free_bytes / 512);
	room->f_frsize = 512;
	return 0;
}

/* ---- a store ---------------------------------------------------------------------------------------- */

static struct store_limits limits;
static struct archive_header header;
static struct archive_note note;
static struct store *store;
static char folder[64];
static u8 raw[4096];
static struct made made;

static inline int begin_store(void **state)
{
	limits = (struct store_limits){ .file_size = ~0ull, .file_age = ~0ull, .sync = ~0ull, .level = 1 };
	header = (struct archive_header){ .machine = { .host = "machine" } };
	since_boot = 1000 * SECOND;
	utc = 1700000000 * SECOND;
	free_bytes = 1u << 20;
	writes = NULL;
	syncs = 0;
	sync_error = 0;
	if (made_begin(state))
		return -1;
	snprintf(folder, sizeof(folder), "%s/d", made_root);
	store = NULL;
	return 0;
}

static inline int end_store(void **state)
{
	if (store)
		store_close(store);
	return made_end(state);
}

static inline void open_store(void)
{
	if (store)
		store_close(store);
	store = store_open(folder, &limits);
	assert_non_null(store);
	assert_complains("", store_begin(store, &header, NULL) == 0);
}

/* Puts a frame with an event at this time. */
static inline int put_event(u64 time, const char *cause)
{
	const struct bcos_entry *entry = made_event(&made, BCOS_GENERIC_PROCESS, 10, time, 0, 0x40, "event");
	u32 flags = note.flags & ARCHIVE_WALL;
	u64 set = note.set;
	struct bcoslog_wall wall = note.wall;

	archive_note_begin(&note);
	memcpy(raw, entry, entry->size);
	archive_note_entry(&note, entry);
	note.raw = entry->size;
	note.flags |= flags;
	note.set = set;
	note.wall = wall;
	return store_frame(store, &header, raw, &note, cause);
}

#define puts_frame(time) assert_complains("", put_event(time, NULL) == 0)

/* Return: the names in the folder that end with @suffix, in their order, with blanks between. */
static inline const char *names_of(const char *suffix)
{
	static char text[2000];
	struct dirent **names;
	int count = scandir(folder, &names, NULL, alphasort), i;

	text[0] = '\0';
	for (i = 0; i < count; i++) {
		size_t length = strlen(names[i]->d_name);

		if (length > strlen(suffix) && !strcmp(names[i]->d_name + length - strlen(suffix), suffix))
			snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%.*s", *text ? " " : "",
				 (int)(length - strlen(suffix)), names[i]->d_name);
		free(names[i]);
	}
	free(names);
	return text;
}

#define assert_names(expected) assert_string_equal(names_of(".bcos.zst"), expected)

static inline off_t size_of(const char *name)
{
	char path[300];
	struct stat status;

	snprintf(path, sizeof(path), "%s/%s.bcos.zst", folder, name);
	return stat(path, &status) ? -1 : status.st_size;
}

/* Asserts that the file has an event at each of these times, and that its header says so. */
static inline void assert_file(const char *name, u64 number, u32 flags, const u64 *times)
{
	const struct bcos_entry *entry;
	struct archive_header told;
	struct bcoslog_error error;
	struct bcoslog *log;
	char path[300];
	u8 head[ARCHIVE_HEADER_SIZE];
	int fd;

	snprintf(path, sizeof(path), "%s/%s.bcos.zst", folder, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_int_equal(read(fd, head, sizeof(head)), sizeof(head));
	close(fd);
	assert_true(archive_get_header(head, sizeof(head), &told));
	assert_int_equal(told.sequence, number);
	assert_int_equal(told.flags, flags);
	assert_string_equal(told.machine.host, header.machine.host);
	assert_int_equal(bcoslog_open(&log, path, 0, &error), 0);
	for (; *times; times++) {
		assert_int_equal(bcoslog_next(log, &entry), 1);
		assert_int_equal(entry->time, *times);
	}
	assert_int_equal(bcoslog_next(log, &entry), 0);
	bcoslog_close(log);
}

#define TIMES(...) ((const u64 []){ __VA_ARGS__, 0 })

#define store_test(test) cmocka_unit_test_setup_teardown(test, begin_store, end_store)

#endif
