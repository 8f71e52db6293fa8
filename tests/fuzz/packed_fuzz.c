// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Any headers, maps, descriptors and pages of a compressed dump: the search and all reads end, stay within the file and
 * within what they were asked for, and what a search finds can be read.
 *
 * Input: 20 bytes of what the headers say, 16 bytes of the map, and then descriptors and packed pages, one after another.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "bcoslog.h"
#include "image/gather.h"
#include "image/memory.h"
#include "demand.h"

#define PAGE 4096
#define MAP_BYTES 16
#define HEADERS 20

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void put_at(int fd, u64 offset, const void *bytes, size_t size)
{
	demand_that(pwrite(fd, bytes, size, (off_t)offset) == (ssize_t)size);
}

/* Writes the file.  The headers are right but for what @data says. */
static int write_dump(const uint8_t *data, size_t size)
{
	u32 words[] = { data[0] % 8, data[1] & 0x80 ? data[1] : PAGE, data[2] % 4, data[3] % 4 ?: 2, data[4] };
	u64 frames = data[5] & 1 ? MAP_BYTES * 8 : data[6] | (u64)data[7] << 8 | (u64)data[8] << (data[9] % 56);
	int fd = memfd_create("dump", MFD_CLOEXEC);
	u64 map = PAGE * (1ull + words[2]), table = map + words[3] * PAGE;
	u32 is_part = data[10] == 1, few = (u32)frames;

	put_at(fd, 0, "KDUMP   ", 8);
	put_at(fd, 8, &words[0], 4);
	put_at(fd, 424, &words[4], 4);
	put_at(fd, 428, &words[1], 4);
	put_at(fd, 432, &words[2], 4);
	put_at(fd, 436, &words[3], 4);
	put_at(fd, 440, &few, 4);
	put_at(fd, PAGE + 12, &is_part, 4);
	put_at(fd, PAGE + 96, &frames, 8);
	put_at(fd, map, data + HEADERS, MAP_BYTES);
	put_at(fd, map + words[3] / 2 * PAGE, data + HEADERS, MAP_BYTES);
	put_at(fd, table, data + HEADERS + MAP_BYTES, size - HEADERS - MAP_BYTES);
	return fd;
}

/* Reads all that there is, and beyond. */
static void read_memory(struct memory *memory)
{
	static const u64 far[] = { 0, 1ull << 20, 1ull << 40, ~0ull - 2 * PAGE };
	u8 bytes[3 * PAGE], again[16];
	u64 at, from, i;

	for (i = 0; i < MAP_BYTES * 8; i++) {
		memory_read(memory, i * PAGE + 5, bytes, 2 * PAGE);
		if (!memory_has(memory, i * PAGE, PAGE)) {
			memory_read(memory, i * PAGE, bytes, PAGE);
			demand_that(!bytes[0] && !memcmp(bytes, bytes + 1, PAGE - 1));
		}
	}
	for (i = 0; i < sizeof(far) / sizeof(far[0]); i++)
		memory_read(memory, far[i], bytes, sizeof(bytes));
	for (from = 0; memory_find(memory, "\1\2\3", 3, from, &at) > 0; from = at + PAGE) {
		demand_that(at >= from && memory_has(memory, at, PAGE));
		memory_read(memory, at, again, 3);
		/* A page of which only the beginning can be unpacked is damaged. */
		demand_that(!memcmp(again, "\1\2\3", 3) || memory->broken);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bcoslog_error error;
	struct gathered gathered;
	struct memory memory;
	int fd;

	if (size < HEADERS + MAP_BYTES)
		return 0;
	fd = write_dump(data, size);
	if (!memory_open(&memory, fd, "dump", &error))
		read_memory(&memory);
	memory_close(&memory);
	demand_that(gather_image(&gathered, fd, "dump", &error) <= 0);
	gather_free(&gathered);
	close(fd);
	return 0;
}
