// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The entries of a recording, one frame after the other, on one line of time. */
#include <unistd.h>

#include "handle/handle.h"
#include "archive.h"

static int read_error(struct archive *archive, int code)
{
	return error_set(&archive->error, code, "%s cannot be read on: %s", archive->name, strerror(code));
}

/* Report a damaged frame as damage after which the log resumes at a group, because the state may have changed. */
static int damaged_file(struct archive *archive, const struct archive_file *file, u64 place, u64 lost,
			const char *reason)
{
	archive->need_key = true;
	error_set(&archive->error, EBADMSG, archive->single ? "%s" : "%s, in %s", reason, file->name);
	archive->error.word = "bad-frame";
	archive->error.offset = place;
	archive->error.lost = lost;
	archive->error.resumes = BCOSLOG_AT_GROUP;
	return -EBADMSG;
}

static bool is_stop(const struct archive *archive)
{
	const struct archive_place *next = &archive->next, *stop = &archive->stop;

	return next->file > stop->file || (next->file == stop->file && next->frame >= stop->frame);
}

static void put_notice(struct archive *archive, u64 until, const char *text)
{
	archive->at = 0;
	archive->end = archive_put_notice(archive->raw, archive->last, until, text);
	archive->need_key = true;
}

static bool has_times(const struct archive_note *note)
{
	return note->first <= note->last;
}

/*
 * Continue in the file of archive->next, which need not be the continuation of the file that was read last.
 * Return: true if archive->raw has a notice that comes before the entries of the file.
 */
static bool enter_file(struct archive *archive, const struct archive_file *file, const struct archive_note *note)
{
	const struct archive_file *before = archive->file < archive->count ? archive->files + archive->file : NULL;
	u32 boot = archive_boot_of(archive, archive->next.file);
	bool other = boot != archive->boot, follows;
	char text[128], id[40];
	u64 first;

	follows = before && file->header.sequence == before->header.sequence + 1 &&
		  !(file->header.flags & ARCHIVE_DETACHED) && !(before->header.flags & ARCHIVE_DETACHED);
	archive->boot = boot;
	archive->file = archive->next.file;
	archive->place = 0;
	first = note->first + archive->boots[boot].shift;
	archive->skipping = false;
	if (!archive->given || note->flags & ARCHIVE_NOTICE || (follows && !other))
		return false;
	if (other) {
		archive_id_text(id, file->header.boot);
		snprintf(text, sizeof(text), "another boot begins here: %s", id);
	} else if (has_times(note) && first <= archive->last) {
		archive->skipping = true;
		return false;
	} else {
		snprintf(text, sizeof(text),
			 "the recording has nothing of the time before this: its files are not there");
	}
	put_notice(archive, has_times(note) ? first : archive->last, text);
	return true;
}

/* Open the file archive->file.  Return: 1; 0 if the file is gone; a negative errno. */
static int open_file(struct archive *archive)
{
	if (archive->fd >= 0 && archive->open_file == archive->file)
		return 1;
	if (archive->fd >= 0)
		close(archive->fd);
	archive->fd = archive_open_file(archive, archive->files + archive->file);
	archive->open_file = archive->file;
	if (archive->fd >= 0)
		return 1;
	return archive->fd == -ENOENT ? 0 : read_error(archive, -archive->fd);
}

/* Return: true if another file has given all events of the frame already. */
static bool is_given(const struct archive *archive, const struct archive_note *note)
{
	return archive->skipping && has_times(note) &&
	       note->last + archive->boots[archive->boot].shift < archive->last;
}

/* Unpack the frame at archive->next.  Return: 1; 0 if the caller needs nothing of the frame; a negative errno. */
static int take_frame(struct archive *archive)
{
	const struct archive_file *file = archive->files + archive->next.file;
	const struct archive_frame *frame = file->frames + archive->next.frame;
	u64 place = archive->place;
	long size;
	int r;

	archive->place = frame->place + frame->note.stored;
	archive->next.frame++;
	/* The bytes between the previous frame and the note of this frame are damaged. */
	if (place && frame->place > place + ARCHIVE_NOTE_SIZE && !archive->need_key) {
		archive->next.frame--;
		archive->place = frame->place - ARCHIVE_NOTE_SIZE;
		return damaged_file(archive, file, place, frame->place - ARCHIVE_NOTE_SIZE - place,
				    "there is no frame");
	}
	if ((archive->need_key && !(frame->note.flags & ARCHIVE_KEY)) || is_given(archive, &frame->note))
		return 0;
	r = open_file(archive);
	if (r <= 0)
		return r;
	size = unpack_frame(archive->unpacker, archive->fd, frame->place, frame->note.stored, archive->raw);
	if (size == -ENOMEM)
		return read_error(archive, ENOMEM);
	if (size < 0 || size != frame->note.raw)
		return damaged_file(archive, file, frame->place, frame->note.raw, "the frame cannot be unpacked");
	archive->need_key = false;
	archive->at = 0;
	archive->end = (size_t)size;
	archive_shift(archive, archive->boots[archive->boot].shift);
	return archive_settle(archive);
}

/* Unpack the next frame that the caller needs.  Return: 1; 0 at the present end of the recording; a negative errno. */
static int next_frame(struct archive *archive)
{
	const struct archive_file *file;
	int r;

	while (!is_stop(archive)) {
		file = archive->files + archive->next.file;
		if (archive->next.frame >= file->count) {
			/* The last file may get more frames, so archive->next stays in it. */
			if (archive->next.file + 1 >= archive->stop.file && !archive->stop.frame)
				return 0;
			archive->next.file++;
			archive->next.frame = 0;
			continue;
		}
		if (archive->file != archive->next.file &&
		    enter_file(archive, file, &file->frames[archive->next.frame].note))
			return 1;
		r = take_frame(archive);
		if (r)
			return r;
	}
	return 0;
}

/* Return: true if the window ends before the end of the recording, so that nothing of the running log belongs to it. */
static bool is_cut(const struct archive *archive)
{
	return archive->boot_count &&
	       (archive->stop.frame || archive->stop.file < archive->boots[archive->boot_count - 1].first_file +
				       archive->boots[archive->boot_count - 1].files);
}

long archive_read(struct archive *archive, void *to, size_t room)
{
	size_t part;
	int r;

	if (!archive->begun)
		archive_begin(archive);
	if (archive->at == archive->end) {
		r = next_frame(archive);
		if (!r && archive->live && !is_cut(archive))
			r = archive_live(archive);
		if (r <= 0)
			return r;
	}
	part = archive->end - archive->at < room ? archive->end - archive->at : room;
	memcpy(to, archive->raw + archive->at, part);
	archive->at += part;
	return (long)part;
}
