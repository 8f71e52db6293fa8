// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Gives any bytes to the library as recorded files: headers, notes, indexes and frames, of one file or of several in a
 * directory. The library reads them to the end, goes on after damage, finds times in them, and gives well-formed
 * entries.
 *
 * Input: an option byte, then files, each with two bytes for its length before it. With FIXED the checksums of
 * everything that looks like a header, a note or an index are made right, so that the parts after them are reached.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/read/archive.h"
#include "archive/recording.h"
#include "reader/handle_host.h"
#include "folder.h"
#include "demand.h"

#define SINGLE 1
#define FIXED 2
#define SINCE 4
#define UNTIL 8
#define WALL 16
#define FILES 8

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static u64 sum_bytes(const u8 *at, size_t size)
{
	u64 value = 0xCBF29CE484222325ull;

	while (size--)
		value = (value ^ *at++) * 0x100000001B3ull;
	return value;
}

static void fix_sums(u8 *bytes, size_t size)
{
	size_t at;
	u32 magic, length;
	u64 right;

	for (at = 0; at + 24 <= size; at++) {
		memcpy(&magic, bytes + at, 4);
		memcpy(&length, bytes + at + 4, 4);
		if (magic != ARCHIVE_MAGIC || length < 16 || length > size - at - 8)
			continue;
		right = sum_bytes(bytes + at + 8, length - 8);
		memcpy(bytes + at + length, &right, 8);
	}
}

static void put_file(const char *folder, int number, const u8 *bytes, size_t size)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/%d" BCOSLOG_RECORD_SUFFIX, folder, number);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	demand_that(fd >= 0 && write(fd, bytes, size) == (ssize_t)size);
	close(fd);
}

static void read_all(const char *path, u8 options)
{
	struct bcoslog_window window = { .size = sizeof(window), .since_ns = 1000, .until_ns = 3000000000ull };
	struct bcoslog_boot boot = { .size = sizeof(boot) };
	const struct bcos_entry *entry;
	struct bcoslog_error error;
	struct bcoslog *log;
	char machine[40];
	u32 i, count = 0;
	int r;

	if (bcoslog_open(&log, path, 0, &error)) {
		demand_that(error.text[0]);
		return;
	}
	for (i = 0; bcoslog_boot(log, i, &boot) > 0 && bcoslog_boot_machine(log, i, machine) > 0; i++)
		demand_that(strlen(boot.host) < sizeof(boot.host) && strlen(machine) < sizeof(machine));
	if (options & WALL)
		window.since_ns = 1700000000000000000ull, window.until_ns = window.since_ns + 100000000000ull;
	window.since = options & SINCE ? options & WALL ? BCOSLOG_MOMENT_WALL : BCOSLOG_MOMENT_BOOT :
		BCOSLOG_MOMENT_NONE;
	window.until = options & UNTIL ? options & WALL ? BCOSLOG_MOMENT_WALL : BCOSLOG_MOMENT_BOOT :
		BCOSLOG_MOMENT_NONE;
	bcoslog_set_window(log, &window);
	for (;;) {
		r = bcoslog_next(log, &entry);
		if (r > 0) {
			demand_that(entry->size >= BCOS_ENTRY_MIN &&
				    bcos_entry_check(entry, entry->size) == BCOS_WELL_FORMED);
			demand_that(++count < 100u << 20);
			continue;
		}
		if (r != -EBADMSG || bcoslog_skip(log))
			break;
		demand_that(++count < 100u << 20);
	}
	bcoslog_close(log);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct folder folder;
	char path[128];
	int number = 0, i;
	u8 options, *bytes;
	size_t length;

	/* The folder is removed when this process ends, however it ends. */
	if (!folder.keeper)
		demand_that(!folder_make(&folder, "archive_fuzz"));
	if (!size)
		return 0;
	options = *data++;
	size--;
	while (size >= 2 && number < FILES) {
		length = data[0] | (size_t)data[1] << 8;
		if (length > size - 2 || options & SINGLE)
			length = size - 2;
		bytes = malloc(length + 1);
		demand_that(bytes);
		memcpy(bytes, data + 2, length);
		if (options & FIXED)
			fix_sums(bytes, length);
		put_file(folder.path, number++, bytes, length);
		free(bytes);
		data += 2 + length;
		size -= 2 + length;
	}
	snprintf(path, sizeof(path), "%s/0" BCOSLOG_RECORD_SUFFIX, folder.path);
	read_all(options & SINGLE ? path : folder.path, options);
	for (i = 0; i < number; i++) {
		snprintf(path, sizeof(path), "%s/%d" BCOSLOG_RECORD_SUFFIX, folder.path, i);
		unlink(path);
	}
	return 0;
}
