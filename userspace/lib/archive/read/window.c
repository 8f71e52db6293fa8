// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The frames at which reading of a recording begins and ends. */
#include "archive.h"

/*
 * Return: @time by the wall clock @wall at the end of the frame, or by the clock as it was before somebody set it
 * within the frame, whichever is later.
 */
static u64 latest_time(const struct archive_note *note, const struct bcoslog_wall *wall, u64 time)
{
	u64 utc = bcoslog_wall_time(wall, time);

	return (s64)note->set < 0 ? utc - note->set : utc;
}

/* Return: likewise the earlier of the two. */
static u64 earliest_time(const struct archive_note *note, const struct bcoslog_wall *wall, u64 time)
{
	u64 utc = bcoslog_wall_time(wall, time);

	return (s64)note->set > 0 ? utc - note->set : utc;
}

/* Return: true if the frame has a normal entry at the moment @ns or later. */
static bool reaches_time(const struct archive_note *note, const struct bcoslog_wall *wall, u32 kind, u64 ns)
{
	if (note->first > note->last)
		return false;
	if (kind == BCOSLOG_MOMENT_WALL)
		return wall->utc && latest_time(note, wall, note->last) >= ns;
	return note->last >= ns;
}

static bool begins_after(const struct archive_note *note, const struct bcoslog_wall *wall, u32 kind, u64 ns)
{
	if (note->first > note->last)
		return false;
	if (kind == BCOSLOG_MOMENT_WALL)
		return wall->utc && earliest_time(note, wall, note->first) > ns;
	return note->first > ns;
}

/* An iteration over the frames of the boots from @boot on. */
struct walk {
	const struct archive *archive;
	u32 boot;
	struct archive_place at;	/* the next frame; its file is counted from the first file of the boot */
	struct bcoslog_wall wall;	/* the newest reading of the wall clock up to the end of the frame */
	const struct archive_note *note;	/* the note of the frame that walk_next() found last */
};

static bool walk_next(struct walk *walk)
{
	const struct archive_boot *boot;
	const struct archive_file *file;

	for (; walk->boot < walk->archive->boot_count; walk->boot++, walk->at.file = walk->at.frame = 0) {
		boot = walk->archive->boots + walk->boot;
		if (!walk->at.file && !walk->at.frame)
			walk->wall = boot->begin;
		for (; walk->at.file < boot->files; walk->at.file++, walk->at.frame = 0) {
			file = walk->archive->files + boot->first_file + walk->at.file;
			if (walk->at.frame >= file->count)
				continue;
			walk->note = &file->frames[walk->at.frame++].note;
			if (walk->note->flags & ARCHIVE_WALL)
				walk->wall = walk->note->wall;
			return true;
		}
	}
	return false;
}

/* Return: the place of the frame that walk_next() found last. */
static struct archive_place walk_place(const struct walk *walk)
{
	return (struct archive_place){ walk->archive->boots[walk->boot].first_file + walk->at.file,
				       walk->at.frame - 1 };
}

/* Return: the newest frame of the file, up to @place, that begins with a group; the first frame if none does. */
static struct archive_place key_before(const struct archive *archive, struct archive_place place)
{
	const struct archive_file *file = archive->files + place.file;

	while (place.frame && !(file->frames[place.frame].note.flags & ARCHIVE_KEY))
		place.frame--;
	return place;
}

static struct archive_place first_place(const struct archive *archive)
{
	return (struct archive_place){ archive->boot_count ? archive->boots[0].first_file : archive->count, 0 };
}

/* Return: the end of the recording. */
static struct archive_place last_place(const struct archive *archive)
{
	const struct archive_boot *last = archive->boots + archive->boot_count - 1;

	return (struct archive_place){ archive->boot_count ? last->first_file + last->files : archive->count, 0 };
}

struct archive_place archive_find_begin(const struct archive *archive)
{
	const struct bcoslog_window *window = &archive->window;
	struct walk walk = { .archive = archive };
	struct archive_place last = first_place(archive);

	/* Times since boot are times since the latest boot. */
	if (window->since == BCOSLOG_MOMENT_BOOT || (!window->since && window->until == BCOSLOG_MOMENT_BOOT))
		walk.boot = archive->boot_count ? archive->boot_count - 1 : 0;
	while (walk_next(&walk)) {
		last = walk_place(&walk);
		if (!window->since || reaches_time(walk.note, &walk.wall, window->since, window->since_ns))
			break;
	}
	return archive->boot_count ? key_before(archive, last) : last;
}

struct archive_place archive_find_stop(const struct archive *archive)
{
	const struct bcoslog_window *window = &archive->window;
	struct archive_place stop = last_place(archive), place;
	struct walk walk = { .archive = archive };
	bool after = false;

	if (!window->until)
		return stop;
	if (window->until == BCOSLOG_MOMENT_BOOT)
		walk.boot = archive->boot_count ? archive->boot_count - 1 : 0;
	while (walk_next(&walk)) {
		place = walk_place(&walk);
		if (!begins_after(walk.note, &walk.wall, window->until, window->until_ns))
			after = false;
		else if (!after)
			stop = place, after = true;
	}
	return after ? stop : last_place(archive);
}
