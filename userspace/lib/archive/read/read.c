// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The entries of a recording, one frame after the other, on one line of time. */
#include <unistd.h>

#include "entry/gap.h"
#include "handle/handle.h"
#include "archive.h"

static int read_error(struct archive *archive, int code)
{
	return error_set(&archive->error, code, "%s cannot be read on: %s", archive->name, strerror(code));
}

/*
 * Report that @lost bytes of the file at @place are damaged. The notice that entries are missing follows where reading
 * goes on.
 */
static int damaged_file(struct archive *archive, const struct archive_file *file, u64 place, u64 lost,
			const char *reason, enum bcoslog_resumes resumes)
{
	error_set(&archive->error, EBADMSG, archive->single ? "%s" : "%s, in %s", reason, file->name);
	archive->error.word = "bad-frame";
	archive->error.offset = place;
	archive->error.lost = lost;
	archive->error.resumes = resumes;
	return -EBADMSG;
}

/* Return: the place of the note of frame @i, or of the frame itself if it has no note. */
static u64 note_place(const struct archive_file *file, u32 i)
{
	u64 end = i ? file->frames[i - 1].place + file->frames[i - 1].note.stored : 0, place = file->frames[i].place;

	return place - end >= ARCHIVE_NOTE_SIZE ? place - ARCHIVE_NOTE_SIZE : place;
}

/* Return: true if no other file of the window comes after that of archive->next. */
static bool is_last(const struct archive *archive)
{
	return archive->next.file + 1 >= archive->stop.file && !archive->stop.frame;
}

/*
 * Report the damage of the file from @place up to frame @next, or further frames up to one that begins with a group,
 * because the state may have changed.
 */
static int damaged_frames(struct archive *archive, const struct archive_file *file, u64 place, u32 next,
			  const char *reason)
{
	const struct archive_frame *last = file->frames + file->count - 1;
	u64 end;

	while (next < file->count && !(file->frames[next].note.flags & ARCHIVE_KEY))
		next++;
	archive->next.frame = next;
	archive->need_key = archive->broken = true;
	end = next < file->count ? note_place(file, next) : last->place + last->note.stored;
	archive->place = end;
	return damaged_file(archive, file, place, end - place, reason, next < file->count || !is_last(archive) ?
			    BCOSLOG_AT_GROUP : BCOSLOG_NOWHERE);
}

/* Report the bytes at the end of the file that are no frame.  Return: -EBADMSG; 0 if there are none. */
static int damaged_end(struct archive *archive, struct archive_file *file, bool last)
{
	u64 rest = archive_file_rest(file);

	/* A file that is followed may grow. */
	if (!rest || file->told || (last && archive->follow))
		return 0;
	file->told = true;
	archive->broken |= !file->closed;
	return damaged_file(archive, file, file->scanned, rest, file->closed ? "there is no frame" :
			    "the last frame is not whole", BCOSLOG_NOWHERE);
}

static bool is_stop(const struct archive *archive)
{
	const struct archive_place *next = &archive->next, *stop = &archive->stop;

	return next->file > stop->file || (next->file == stop->file && next->frame >= stop->frame);
}

static void put_notice(struct archive *archive, u64 until, const struct gap *gap)
{
	archive->at = 0;
	archive->end = gap_put(archive->raw, archive->last, until, gap);
	archive->need_key = true;
	archive->broken = false;
}

static bool has_times(const struct archive_note *note)
{
	return note->first <= note->last;
}

/* Return: true if no entry is missing between the two files. */
static bool follows_on(const struct archive_file *before, const struct archive_file *file)
{
	return file->header.sequence == before->header.sequence + 1 &&
	       !((file->header.flags | before->header.flags) & ARCHIVE_DETACHED) &&
	       (before->closed || file->header.flags & ARCHIVE_AFTER_OPEN);
}

/*
 * Continue in the file of archive->next, which need not be the continuation of the file that was read last.
 * Return: true if archive->raw has a notice that comes before the entries of the file.
 */
static bool enter_file(struct archive *archive, const struct archive_file *file, const struct archive_note *note)
{
	const struct archive_file *before = archive->file < archive->count ? archive->files + archive->file : NULL;
	u32 boot = archive_boot_of(archive, archive->next.file);
	bool other = boot != archive->boot, follows = before && follows_on(before, file) && !archive->broken;
	struct gap gap = { .cause = GAP_FILES_GONE };
	char id[40];
	u64 first;

	archive->boot = boot;
	archive->file = archive->next.file;
	archive->place = archive_begin_place(archive);
	first = note->first + archive->boots[boot].shift;
	archive->skipping = false;
	if (note->flags & ARCHIVE_NOTICE)
		archive->broken = false;
	if (!archive->given || note->flags & ARCHIVE_NOTICE || (follows && !other && !file->apart))
		return false;
	if (other) {
		archive_id_text(id, file->header.boot);
		gap = (struct gap){ .cause = GAP_BOOT, .name = id, .name_length = strlen(id) };
	} else if (has_times(note) && first <= archive->last && !archive->broken) {
		archive->skipping = true;
		return false;
	} else if (follows) {
		return false;
	} else if (before && file->header.sequence == before->header.sequence + 1) {
		gap = (struct gap){ .cause = GAP_FILE_CUT, .name = before->name, .name_length = strlen(before->name) };
	}
	put_notice(archive, has_times(note) ? first : archive->last, &gap);
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

/* Unpack the frame into archive->raw.  Return: as take_frame(). */
static int unpack_next(struct archive *archive, const struct archive_file *file, const struct archive_frame *frame)
{
	long size;
	int r = open_file(archive);

	if (r <= 0)
		return r;
	size = unpack_frame(archive->unpacker, archive->fd, frame->place, frame->note.stored, archive->raw);
	if (size == -ENOMEM)
		return read_error(archive, ENOMEM);
	if (size < 0 || size != frame->note.raw)
		return damaged_frames(archive, file, frame->place, archive->next.frame, "the frame cannot be unpacked");
	archive->need_key = archive->broken = false;
	archive->at = 0;
	archive->end = (size_t)size;
	archive_shift(archive, archive->boots[archive->boot].shift);
	return archive_settle(archive);
}

/* Unpack the frame at archive->next.  Return: 1; 0 if the caller needs nothing of the frame; a negative errno. */
static int take_frame(struct archive *archive)
{
	const struct archive_file *file = archive->files + archive->next.file;
	const struct archive_frame *frame = file->frames + archive->next.frame;
	u64 place = archive->place;

	/* The bytes between the previous frame and the note of this frame are damaged. */
	if (place != ~0ull && frame->place > place + ARCHIVE_NOTE_SIZE && !archive->need_key)
		return damaged_frames(archive, file, place, archive->next.frame, "there is no frame");
	if (place != ~0ull && frame->torn && !archive->need_key)
		return damaged_frames(archive, file, place, archive->next.frame,
				      "frames are not there that the index lists");
	if ((archive->need_key && !(frame->note.flags & ARCHIVE_KEY)) || is_given(archive, &frame->note)) {
		archive->next.frame++;
		archive->place = frame->place + frame->note.stored;
		return 0;
	}
	if (archive->broken && archive->given && !(frame->note.flags & ARCHIVE_NOTICE)) {
		put_notice(archive, has_times(&frame->note) ? frame->note.first + archive->boots[archive->boot].shift :
			   archive->last, &(struct gap){ .cause = GAP_FILE_DAMAGED });
		return 1;
	}
	archive->next.frame++;
	archive->place = frame->place + frame->note.stored;
	return unpack_next(archive, file, frame);
}

/* Unpack the next frame that the caller needs.  Return: 1; 0 at the present end of the recording; a negative errno. */
static int next_frame(struct archive *archive)
{
	struct archive_file *file;
	bool last;
	int r;

	while (!is_stop(archive)) {
		file = archive->files + archive->next.file;
		if (archive->next.frame >= file->count) {
			last = is_last(archive);
			r = damaged_end(archive, file, last);
			/* The last file may get more frames, so archive->next stays in it. */
			if (r || last)
				return r;
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
