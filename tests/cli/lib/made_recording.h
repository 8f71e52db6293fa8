/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Makes a recorded file by hand: a header, and a frame of a whole log with its note. The frame is a frame of zstd(1)
 * that is not compressed: RFC 8878, 3.1.1.
 */
#ifndef BCOS_TESTS_CLI_MADE_RECORDING_H
#define BCOS_TESTS_CLI_MADE_RECORDING_H

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "archive/format/format.h"
#include "made_log.h"

#define MADE_ENTRIES 7

struct made_recording {
	u8 bytes[2048];
	size_t size, index;		/* bytes without index and seek table, and bytes of these */
	struct archive_frame frame;
};

/* Returns an entry of a log that begins with a group. The last one assigns CPU 0 to process 10 at 2000. */
static inline const struct bcos_entry *made_entry_of(struct made *made, unsigned int number)
{
	static const uint32_t performance[] = { 1000 };

	switch (number) {
	case 0:
		return made_core(made, BCOS_HIST_CORE_ONLINE, 0, 5, 100, 300, performance, 1);
	case 1:
		return made_word(made, BCOS_HIST_CPU_ONLINE, 0, 6, 0);
	case 2:
		return made_name(made, BCOS_HIST_SET_PROCESS_NAME, 0, 0, "kernel");
	case 3:
		return made_name(made, BCOS_HIST_SET_PROCESS_NAME, 10, 50, "ten");
	case 4:
		return made_device(made, BCOS_HIST_SET_DEVICE_NAME, 3, 60, 10, "sda");
	case 5:
		return made_event(made, BCOS_GENERIC_PROCESS, 0, 1000, BCOS_EVENT_CLOCK, 0x40,
				  "wall clock 50.000000000");
	default:
		return made_word(made, BCOS_ASSIGN_CPU, 0, 2000, 10);
	}
}

/* Makes the file of a boot whose ID has the byte @boot 16 times. The file has an index. */
static inline void made_recording(struct made_recording *file, u8 boot)
{
	struct archive_header header = { .sequence = 1, .machine = { .host = "machine" } };
	struct archive_tail tail = { .frames = 1 };
	u8 *frame, *raw, *at = file->bytes;
	struct made made;
	unsigned int i;
	u32 size = 0, block;

	memset(header.boot, boot, sizeof(header.boot));
	archive_put_header(at, &header);
	frame = at + ARCHIVE_HEADER_SIZE + ARCHIVE_NOTE_SIZE;
	/* The frame has the magic number, one segment whose size has 4 bytes, and a last block, which is raw. */
	memcpy(frame, "\x28\xB5\x2F\xFD\xA0", 5);
	raw = frame + 12;
	archive_note_begin(&file->frame.note);
	for (i = 0; i < MADE_ENTRIES; i++) {
		const struct bcos_entry *entry = made_entry_of(&made, i);

		memcpy(raw + size, entry, entry->size);
		size += entry->size;
		archive_note_entry(&file->frame.note, entry);
	}
	memcpy(frame + 5, &size, 4);
	block = size << 3 | 1;
	memcpy(frame + 9, &block, 3);
	file->frame.note.raw = size;
	file->frame.note.stored = 12 + size;
	file->frame.place = (u64)(frame - at);
	archive_put_note(frame - ARCHIVE_NOTE_SIZE, &file->frame.note);
	file->size = (size_t)(raw + size - at);
	archive_put_tail(at + file->size, &header, &file->frame, 1);
	file->index = archive_tail_size(&tail);
}

/* Writes bytes to the file NAME.bcos.zst in this folder. */
static inline void made_file(const char *folder, const char *name, const u8 *bytes, size_t size)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "%s/%s.bcos.zst", folder, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, size), size);
	close(fd);
}

static inline void made_folder_remove(const char *folder, const char *const *names)
{
	char path[256];

	for (; *names; names++) {
		snprintf(path, sizeof(path), "%s/%s.bcos.zst", folder, *names);
		unlink(path);
	}
	assert_int_equal(rmdir(folder), 0);
}

#endif
