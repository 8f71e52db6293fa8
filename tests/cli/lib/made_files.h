/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Makes recorded files with any frames, entry by entry, in the folder of made_system.h. */
#ifndef BCOS_TESTS_CLI_MADE_FILES_H
#define BCOS_TESTS_CLI_MADE_FILES_H

#include "made_system.h"
#include "archive/format.h"
#include "made_log.h"
#include "record/store/kept.h"

static const struct archive_machine machine = { .host = "machine" };
static struct archive_header header;
static struct archive_frame frames[8];
static u8 bytes[65536];
static size_t used;
static u32 frame_count;
static struct made made;

/* Begins a file of a boot. Each of the 16 bytes of the boot's ID is @boot. */
static inline void begin_file(u8 boot, u64 number, const char *host)
{
	header = (struct archive_header){ .sequence = number };
	memset(header.boot, boot, sizeof(header.boot));
	strcpy(header.machine.host, host);
	archive_put_header(bytes, &header);
	used = ARCHIVE_HEADER_SIZE;
	frame_count = 0;
}

static inline struct archive_note *begin_frame(void)
{
	frames[frame_count].place = used + ARCHIVE_NOTE_SIZE;
	archive_note_begin(&frames[frame_count].note);
	used += ARCHIVE_NOTE_SIZE + 12;
	return &frames[frame_count].note;
}

static inline void put_entry(const struct bcos_entry *entry)
{
	memcpy(bytes + used, entry, entry->size);
	used += entry->size;
	archive_note_entry(&frames[frame_count].note, entry);
}

/* Ends the frame, which is one block of raw bytes, as RFC 8878, 3.1.1, describes a frame that is not compressed. */
static inline void end_frame(void)
{
	struct archive_frame *frame = &frames[frame_count++];
	u8 *at = bytes + frame->place;
	u32 size = (u32)(used - frame->place - 12), block = size << 3 | 1;

	memcpy(at, "\x28\xB5\x2F\xFD\xA0", 5);
	memcpy(at + 5, &size, 4);
	memcpy(at + 9, &block, 3);
	frame->note.raw = size;
	frame->note.stored = 12 + size;
	archive_put_note(at - ARCHIVE_NOTE_SIZE, &frame->note);
}

/* Puts a frame with @times entries at @first and @more entries at @last. */
static inline void put_frame(u64 first, u32 times, u64 last, u32 more)
{
	begin_frame();
	for (; times; times--)
		put_entry(made_word(&made, BCOS_ASSIGN_CPU, 0, first, 10));
	for (; more; more--)
		put_entry(made_word(&made, BCOS_ASSIGN_CPU, 0, last, 11));
	end_frame();
}

/* Puts a frame with nothing but history. */
static inline void put_history(void)
{
	begin_frame();
	put_entry(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 10, 900, "ten"));
	end_frame();
}

static inline size_t put_tail(void)
{
	struct archive_tail tail = { .frames = frame_count };

	archive_put_tail(bytes + used, &header, frames, frame_count);
	used += archive_tail_size(&tail);
	return used;
}

static inline void write_file(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "/%s.bcos.zst", name);
	made_bytes(path, bytes, used);
}

static inline off_t size_of(const char *name)
{
	char path[128];
	struct stat status;

	snprintf(path, sizeof(path), "/%s.bcos.zst", name);
	return stat(made_path(path), &status) ? -1 : status.st_size;
}

#endif
