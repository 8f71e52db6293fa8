// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The list of the frames in a recorded file, from its index, or from its notes, or by unpacking its frames.
 *
 * The work is at most a multiple of the file's size, whatever the file contains:
 * - A step that finds a note, a skippable frame or a frame without a note reads at most HEAD bytes, and twice the bytes
 *   that it passes. A frame has at least 8 bytes, so that makes at most 22 bytes for each byte of the file.
 * - A step that finds nothing whole searches for the next note. It reads at most 4 bytes for each byte up to the note,
 *   and SEARCH_FIRST. A note has 96 bytes, so that makes at most 7 bytes for each byte of the file. Bytes that were
 *   searched in vain up to the end of the file are not searched again, and holes are not read at all.
 * - What is read of frames without notes that turn out to be damaged is at most spent_limit(), and what frames without
 *   notes unpack to is at most unpacked_limit(). Beyond these limits such frames count as damaged.
 * - Beyond DAMAGE_MAX bytes of damage, the rest of the file is not searched.
 */
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
	file->frames[file->count++] = (struct archive_frame){ .place = place, .note = *note };
	return 0;
}

/* Take the frames from the index of a file.  Return: 1; 0 if there is no undamaged index; -ENOMEM. */
static int scan_tail(struct archive_file *file, int fd, u64 size)
{
	struct archive_header header;
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
	file->tail = size - length;
	file->tail_frames = expected.frames;
	tail = malloc(length);
	free(file->frames);
	file->frames = calloc(expected.frames + 1, sizeof(*file->frames));
	file->count = file->room = 0;
	if (!tail || !file->frames) {
		free(tail);
		return -ENOMEM;
	}
	good = read_at(fd, tail, length, size - length) &&
	       archive_get_tail(tail, &expected, size - length, &header, file->frames);
	free(tail);
	if (!good)
		return 0;
	file->count = file->room = expected.frames;
	file->header = header;
	file->head = archive_header_size(&header);
	file->headed = file->framed = file->closed = true;
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

/* The bytes that one step reads first. */
#define HEAD ARCHIVE_HEADER_MOST
/* The bytes in which a search for a note begins; it goes on with more each time. */
#define SEARCH_FIRST 256u
/* The bytes of damage for which a file is searched at most. */
#define DAMAGE_MAX ((u64)1 << 30)

int (*archive_patience)(void);

static u64 spent_limit(const struct archive_file *file)
{
	return 4 * file->size;
}

/* Logs become about ten times smaller, and very regular ones a thousand times. */
static u64 unpacked_limit(const struct archive_file *file)
{
	return 4 * (u64)ARCHIVE_RAW_MAX + 1024 * file->scanned;
}

/* Add the zstd frame without a note at file->scanned.  Return: 1; 0 if the frame is not whole; a negative errno. */
static int scan_unnoted(struct archive_file *file, int fd, u64 size, struct unpacker *unpacker, u8 *scratch)
{
	struct archive_note note;
	u64 taken = 0;
	size_t raw = 0;
	long stored;
	int r;

	if (file->spent > spent_limit(file) || file->unpacked > unpacked_limit(file))
		return -EBADMSG;
	stored = unpack_unnoted(unpacker, fd, file->scanned, size - file->scanned, scratch, &raw, &taken);
	if (stored <= 0) {
		file->spent += taken;
		file->unpacked += raw;
		return (int)stored;
	}
	file->unpacked += raw;
	learn_frame(file, &note, scratch, raw);
	note.stored = (u32)stored;
	r = add_frame(file, file->scanned, &note);
	if (!r)
		file->frames[file->count - 1].learned = true;
	file->scanned += (u64)stored;
	return r ? r : 1;
}

/* Search for a note in @n bytes at @bytes.  Return: the note; NULL if there is none. */
static const u8 *find_note(const u8 *bytes, size_t n)
{
	const u8 *at = bytes, *end = bytes + n;
	struct archive_note note;
	u32 magic = ARCHIVE_MAGIC;

	for (; (size_t)(end - at) >= ARCHIVE_NOTE_SIZE; at++) {
		at = memmem(at, (size_t)(end - at), &magic, sizeof(magic));
		if (!at)
			break;
		if (archive_get_note(at, (size_t)(end - at), &note))
			return at;
	}
	return NULL;
}

/* Search for the next note after the damage at file->scanned.  Return: 1; 0 if there is none; -EINTR. */
static int scan_damage(struct archive_file *file, int fd, u64 size, u8 *scratch)
{
	u64 place = file->scanned + 1 > file->searched ? file->scanned + 1 : file->searched;
	size_t part = SEARCH_FIRST;
	const u8 *found;
	ssize_t n;
	int r;

	for (;;) {
		place = archive_skip_hole(fd, place);
		if (place >= size || size - place < ARCHIVE_NOTE_SIZE || file->damage > DAMAGE_MAX)
			break;
		r = archive_ask_patience();
		if (r)
			return r;
		n = archive_pread(fd, scratch, part, place);
		if (n < (ssize_t)ARCHIVE_NOTE_SIZE)
			break;
		file->damage += (u64)n;
		found = find_note(scratch, (size_t)n);
		if (found) {
			file->scanned = place + (u64)(found - scratch);
			return 1;
		}
		/* The next part may begin with the end of a note. */
		place += (u64)n - (ARCHIVE_NOTE_SIZE - 1);
		part = part < ARCHIVE_RAW_MAX / 2 ? 2 * part : ARCHIVE_RAW_MAX;
	}
	file->searched = place < size ? place : size - (ARCHIVE_NOTE_SIZE - 1);
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

/*
 * Compare the first @size bytes of an index of @whole bytes with the frames that were found.
 * Return: 0 or -ENOMEM.
 */
static int scan_index(struct archive_file *file, int fd, u64 size, u64 whole)
{
	bool fits = size <= HEAD + 32 + (u64)ARCHIVE_FRAMES_MAX * (8 + ARCHIVE_NOTE_SIZE);
	u8 *index = fits ? malloc(size) : NULL;

	if (fits && !index)
		return -ENOMEM;
	file->closed = fits && read_at(fd, index, size, file->scanned) &&
		       archive_match_index(index, size, whole, file->frames, file->count);
	free(index);
	return 0;
}

/* Return: true if the bytes begin a seek table, of which nothing depends. */
static bool is_seek_table(const u8 *at)
{
	u32 magic;

	memcpy(&magic, at, sizeof(magic));
	return magic == ARCHIVE_SEEK_MAGIC;
}

/*
 * Pass an index or a seek table that is damaged, or not whole because the file was cut there: if the index lists all
 * frames, nothing is missing.  Return: 1; 0 if there is none; -ENOMEM.
 */
static int scan_cut_tail(struct archive_file *file, int fd, const u8 *head, size_t n, u64 left)
{
	const struct archive_tail all = { .frames = file->count, .machine = archive_has_id(&file->header.machine) };
	u64 most = archive_tail_size(&all);
	int r = 0;

	if (file->written)
		return 0;
	if (archive_is_index(head, n) && !file->closed)
		r = scan_index(file, fd, n, 0);
	else if (!is_seek_table(head))
		return 0;
	if (r || !file->closed)
		return r;
	file->scanned += left < most ? left : most;
	return 1;
}

/* Pass a skippable frame of @size bytes.  Return: 1 or -ENOMEM. */
static int scan_skippable(struct archive_file *file, int fd, const u8 *head, size_t n, u64 size)
{
	struct archive_header header;
	int r = 0;

	if (!file->scanned && archive_get_header(head, n, &header)) {
		file->header = header;
		file->headed = file->framed = true;
	}
	if (archive_is_index(head, n) && !file->closed)
		r = scan_index(file, fd, size, size);
	/* Nothing but such frames came before. */
	if (file->head == file->scanned)
		file->head += size;
	file->scanned += size;
	return r ? r : 1;
}

/* Advance file->scanned by one frame.  Return: 1; 0 if there is no whole frame now; a negative errno. */
static int scan_step(struct archive_file *file, int fd, u64 size, struct unpacker *unpacker, u8 *scratch)
{
	u64 left = size - file->scanned, skip;
	struct archive_note note;
	u8 head[HEAD] = { 0 };
	ssize_t n;
	int r;

	/* The index is damaged, but by the seek table after it no frame is missing. */
	if (file->scanned == file->tail && file->count && file->count == file->tail_frames) {
		file->scanned = size;
		file->closed = true;
		return 1;
	}
	n = archive_pread(fd, head, sizeof(head), file->scanned);
	if (n < 8)
		return 0;
	if (archive_get_note(head, (size_t)n, &note)) {
		if (left - ARCHIVE_NOTE_SIZE >= note.stored) {
			r = add_frame(file, file->scanned + ARCHIVE_NOTE_SIZE, &note);
			file->scanned += ARCHIVE_NOTE_SIZE + note.stored;
			return r ? r : 1;
		}
		/* The rest of the frame may be being written. */
		return file->written ? 0 : scan_damage(file, fd, size, scratch);
	}
	skip = skippable_size(head);
	if (skip && skip <= left)
		return scan_skippable(file, fd, head, (size_t)n, skip);
	r = scan_cut_tail(file, fd, head, (size_t)n, left);
	if (r)
		return r;
	if (is_packed(head)) {
		r = scan_unnoted(file, fd, size, unpacker, scratch);
		/* A failure of the disk counts as damage of the frame, so that the other frames can still be read. */
		if (r && r != -EBADMSG && r != -EIO)
			return r;
	}
	return scan_damage(file, fd, size, scratch);
}

/* Find the frames up to @size.  Return: 0 or a negative errno. */
static int scan_frames(struct archive_file *file, int fd, u64 size, struct unpacker *unpacker, u8 *scratch)
{
	int r;

	do {
		r = archive_ask_patience();
		r = r ? r : scan_step(file, fd, size, unpacker, scratch);
	} while (r > 0 && file->scanned < size);
	return r < 0 ? r : 0;
}

int archive_file_scan(struct archive_file *file, int fd, struct unpacker *unpacker, u8 *scratch)
{
	struct stat status;
	int r;

	if (file->closed || file->left_out)
		return 0;
	/* This comes first: a recorder that has unlocked the file has written all of it. */
	file->written = archive_is_written(fd);
	if (fstat(fd, &status))
		return -errno;
	if (!S_ISREG(status.st_mode))
		return 0;
	file->size = (u64)status.st_size;
	if (file->size <= file->scanned)
		return 0;
	if (!file->scanned) {
		r = scan_tail(file, fd, file->size);
		if (r)
			return r < 0 ? r : 0;
	}
	return scan_frames(file, fd, file->size, unpacker, scratch);
}
