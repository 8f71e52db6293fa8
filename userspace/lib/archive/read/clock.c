// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The wall clock throughout a recording, as its index and, where somebody set the clock, its entries state it. */
#include <unistd.h>

#include "handle/handle.h"
#include "archive/recording.h"
#include "archive.h"

/* Add a reading of a boot whose times get @shift.  Return: 0 or -ENOMEM. */
static int add_shifted(struct bcoslog_clock *clock, struct bcoslog_wall wall, u64 shift)
{
	wall.boot += shift;
	return bcoslog_clock_add(clock, &wall);
}

/* Add the readings in the frame.  A frame that cannot be read has none: reading it complains.  Return: 0 or -ENOMEM. */
static int add_frame(struct archive *archive, const struct archive_file *file, const struct archive_frame *frame,
		     u64 shift, struct bcoslog_clock *clock)
{
	/* The first half of archive->raw may have unread entries. */
	u8 *at = archive->raw + ARCHIVE_RAW_MAX, *end;
	const struct bcos_entry *entry;
	struct bcoslog_wall wall;
	int fd = archive_open_file(archive, file), r = 0;
	long size;

	if (fd < 0)
		return 0;
	size = unpack_frame(archive->unpacker, fd, frame->place, frame->note.stored, at);
	close(fd);
	if (size < 0)
		return size == -ENOMEM ? -ENOMEM : 0;
	end = at + size;
	for (; !r && (entry = archive_entry(at, end)); at += entry->size)
		if (bcoslog_wall_clock(entry, &wall))
			r = add_shifted(clock, wall, shift);
	return r;
}

static int add_file(struct archive *archive, const struct archive_file *file, u64 shift, struct bcoslog_clock *clock)
{
	const struct archive_note *note;
	int r = 0;
	u32 i;

	for (i = 0; !r && i < file->count; i++) {
		note = &file->frames[i].note;
		/* Where the clock was set within the frame, only the entries tell when. */
		if (note->flags & ARCHIVE_WALL && note->set + BCOSLOG_CLOCK_STEP > 2 * (u64)BCOSLOG_CLOCK_STEP)
			r = add_frame(archive, file, file->frames + i, shift, clock);
		if (!r && note->flags & ARCHIVE_WALL)
			r = add_shifted(clock, note->wall, shift);
	}
	return r;
}

int bcoslog_recording_clock(struct bcoslog *log, bool whole, struct bcoslog_clock *clock, __u64 *first, __u64 *last)
{
	struct archive *archive = log->archive;
	const struct archive_boot *boot;
	u32 base = 0, i, j;
	int r = 0;

	if (!archive)
		return error_set(&log->error, ENOTTY, "%s is no recorded directory", log->name);
	if (whole && archive->begun)
		return error_set(&log->error, EBUSY, "%s is being read already", log->name);
	if (whole) {
		archive_line_up(archive, 0);
	} else {
		if (!archive->begun)
			archive_begin(archive);
		base = archive->boot;
	}
	*first = ~0ull;
	*last = 0;
	for (i = base; i < archive->boot_count; i++) {
		boot = archive->boots + i;
		if (boot->first != ~0ull) {
			*first = *first == ~0ull ? boot->first + boot->shift : *first;
			*last = boot->last + boot->shift;
		}
		for (j = 0; !r && j < boot->files; j++)
			r = add_file(archive, archive->files + boot->first_file + j, boot->shift, clock);
	}
	if (r)
		return error_set(&log->error, -r, "there is no memory for reading %s", log->name);
	return *first != ~0ull;
}
