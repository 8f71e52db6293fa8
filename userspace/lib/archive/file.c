// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The list of the frames in a recorded file, from its index, or from its notes, or by unpacking its frames. */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive.h"

void archive_file_free(struct archive_file *file)
{
	free(file->name);
	free(file->frames);
}

static bool read_at(int fd, void *to, size_t size, u64 place)
{
	return archive_pread(fd, to, size, place) == (ssize_t)size;
}

static int add_frame(struct archive_file *file, u64 place, const struct archive_note *note)
{
	struct archive_frame *frames;
	u32 room = 2 * file->room + 16;

	if (file->count == ARCHIVE_FRAMES_MAX)
		return -EFBIG;
	if (file->count == file->room) {
		frames = reallocarray(file->frames, room, sizeof(*frames));
		if (!frames)
			return -ENOMEM;
		file->frames = frames;
		file->room = room;
	}
	file->frames[file->count].place = place;
	file->frames[file->count++].note = *note;
	return 0;
}

/* Take the frames from the index of a file.  Return: 1; 0 if there is no undamaged index; -ENOMEM. */
static int scan_tail(struct archive_file *file, int fd, u64 size)
{
	u8 last[ARCHIVE_SEEK_TAIL], *tail;
	struct archive_tail expected;
	size_t length;
	bool good;

	if (size < sizeof(last) || !read_at(fd, last, sizeof(last), size - sizeof(last)) ||
	    !archive_tail_expected(last, &expected))
		return 0;
	length = archive_tail_size(&expected);
	if (length > size)
		return 0;
	tail = malloc(length);
	free(file->frames);
	file->frames = calloc(expected.frames + 1, sizeof(*file->frames));
	file->count = file->room = 0;
	if (!tail || !file->frames) {
		free(tail);
		return -ENOMEM;
	}
	good = read_at(fd, tail, length, size - length) &&
	       archive_get_tail(tail, &expected, size - length, &file->header, file->frames);
	free(tail);
	if (!good)
		return 0;
	file->count = file->room = expected.frames;
	file->headed = file->closed = true;
	file->scanned = size;
	return 1;
}

const struct bcos_entry *archive_entry(const u8 *at, const u8 *end)
{
	const struct bcos_entry *entry = (const struct bcos_entry *)at;
	const struct bcos_type *type;

	if (at == end || (uintptr_t)at % 4 || bcos_entry_check(at, (size_t)(end - at)) != BCOS_WELL_FORMED)
		return NULL;
	type = bcos_type_of(entry->type);
	return type && entry->size < type->minimum ? NULL : entry;
}

/* Make the note of an unpacked frame that has none, and the header of a file that has none. */
static void learn_frame(struct archive_file *file, struct archive_note *note, const u8 *raw, size_t size)
{
	const u8 *at, *end = raw + size;
	const struct bcos_entry *entry;
	bool stated = false;

	archive_note_begin(note);
	note->raw = (u32)size;
	for (at = raw; (entry = archive_entry(at, end)); at += entry->size) {
		archive_note_entry(note, entry);
		if (!file->headed)
			stated |= archive_header_entry(&file->header, entry);
	}
	file->headed |= stated;
}

/* Add the zstd frame without a note at file->scanned.  Return: 1; 0 if the frame is not whole; a negative errno. */
static int scan_unnoted(struct archive_file *file, int fd, u64 size, struct unpacker *unpacker, u8 *scratch)
{
	struct archive_note note;
	size_t raw = 0;
	long stored;
	int r;

	stored = unpack_unnoted(unpacker, fd, file->scanned, size - file->scanned, scratch, &raw);
	if (stored <= 0)
		return (int)stored;
	learn_frame(file, &note, scratch, raw);
	note.stored = (u32)stored;
	r = add_frame(file, file->scanned, &note);
	file->scanned += (u64)stored;
	return r ? r : 1;
}

/* Search for the next note after the damage at file->scanned.  Return: 1; 0 if there is none. */
static int scan_damage(struct archive_file *file, int fd, u64 size, u8 *scratch)
{
	struct archive_note note;
	u64 place = file->scanned + 1;
	u32 magic = ARCHIVE_MAGIC;
	ssize_t n;
	u8 *found;
	size_t at;

	for (; place < size; place += (u64)n - (ARCHIVE_NOTE_SIZE - 1)) {
		n = archive_pread(fd, scratch, ARCHIVE_RAW_MAX, place);
		if (n < (ssize_t)ARCHIVE_NOTE_SIZE)
			return 0;
		for (at = 0; at + ARCHIVE_NOTE_SIZE <= (size_t)n; at = (size_t)(found - scratch) + 1) {
			found = memmem(scratch + at, (size_t)n - at, &magic, sizeof(magic));
			if (!found)
				break;
			if (!archive_get_note(found, (size_t)(scratch + n - found), &note))
				continue;
			file->scanned = place + (u64)(found - scratch);
			return 1;
		}
	}
	return 0;
}

/* Return: the size of the skippable frame that begins at @at; 0 if none does. */
static u64 skippable_size(const u8 *at)
{
	u32 magic, length;

	memcpy(&magic, at, sizeof(magic));
	memcpy(&length, at + sizeof(magic), sizeof(length));
	return (magic & 0xFFFFFFF0u) == 0x184D2A50u ? 8 + (u64)length : 0;
}

static bool is_packed(const u8 *at)
{
	u32 magic;

	memcpy(&magic, at, sizeof(magic));
	return magic == ARCHIVE_ZSTD_MAGIC;
}

/* Advance file->scanned by one frame.  Return: 1; 0 if there is no whole frame now; a negative errno. */
static int scan_step(struct archive_file *file, int fd, u64 size, struct unpacker *unpacker, u8 *scratch)
{
	u8 head[ARCHIVE_HEADER_MOST] = { 0 };
	u64 left = size - file->scanned, skip;
	struct archive_note note;
	ssize_t n;
	int r;

	n = archive_pread(fd, head, sizeof(head), file->scanned);
	if (n < 9)
		return 0;
	if (archive_get_note(head, (size_t)n, &note)) {
		if (left - ARCHIVE_NOTE_SIZE < note.stored)
			return 0;
		r = add_frame(file, file->scanned + ARCHIVE_NOTE_SIZE, &note);
		file->scanned += ARCHIVE_NOTE_SIZE + note.stored;
		return r ? r : 1;
	}
	if (!file->scanned && archive_get_header(head, (size_t)n, &file->header))
		file->headed = true;
	skip = skippable_size(head);
	if (skip && skip <= left) {
		file->scanned += skip;
		return 1;
	}
	if (is_packed(head)) {
		r = scan_unnoted(file, fd, size, unpacker, scratch);
		/* A failure of the disk counts as damage of the frame, so that the other frames can still be read. */
		if (r != -EBADMSG && r != -EIO && r)
			return r;
	}
	return scan_damage(file, fd, size, scratch);
}

int archive_file_scan(struct archive_file *file, int fd, struct unpacker *unpacker, u8 *scratch)
{
	struct stat status;
	int r;

	if (file->closed)
		return 0;
	if (fstat(fd, &status))
		return -errno;
	if ((u64)status.st_size <= file->scanned)
		return 0;
	if (!file->scanned) {
		r = scan_tail(file, fd, (u64)status.st_size);
		if (r)
			return r < 0 ? r : 0;
	}
	do
		r = scan_step(file, fd, (u64)status.st_size, unpacker, scratch);
	while (r > 0 && file->scanned < (u64)status.st_size);
	return r < 0 ? r : 0;
}
