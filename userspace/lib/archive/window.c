// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Where reading of a recording begins and ends, and what it holds. */
#include <stdlib.h>
#include <string.h>

#include "reader/source.h"
#include "archive.h"

/* By the wall clock as it is at the frame's end, or as it was before it was set within the frame, whichever is later. */
static u64 latest(const struct archive_note *note, const struct bcoslog_wall *wall, u64 time)
{
	u64 utc = bcoslog_wall_time(wall, time);

	return (s64)note->set < 0 ? utc - note->set : utc;
}

static u64 earliest(const struct archive_note *note, const struct bcoslog_wall *wall, u64 time)
{
	u64 utc = bcoslog_wall_time(wall, time);

	return (s64)note->set > 0 ? utc - note->set : utc;
}

/* Does the frame reach to the moment, or beyond? */
static bool reaches(const struct archive_note *note, const struct bcoslog_wall *wall, u32 kind, u64 ns)
{
	if (note->first > note->last)
		return false;
	if (kind == BCOSLOG_MOMENT_WALL)
		return wall->utc && latest(note, wall, note->last) >= ns;
	return note->last >= ns;
}

static bool begins_after(const struct archive_note *note, const struct bcoslog_wall *wall, u32 kind, u64 ns)
{
	if (note->first > note->last)
		return false;
	if (kind == BCOSLOG_MOMENT_WALL)
		return wall->utc && earliest(note, wall, note->first) > ns;
	return note->first > ns;
}

/* Goes through the frames of the boots from @boot on. */
struct walk {
	const struct archive *archive;
	u32 boot;
	struct archive_place at;
	struct bcoslog_wall wall;	/* as of the frame */
	const struct archive_note *note;
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

/* The frame that walk_next() gave last. */
static struct archive_place walk_place(const struct walk *walk)
{
	return (struct archive_place){ walk->archive->boots[walk->boot].first_file + walk->at.file, walk->at.frame - 1 };
}

/* The nearest frame at or before it at which reading can begin. */
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

/* Behind all that is there. */
static struct archive_place last_place(const struct archive *archive)
{
	const struct archive_boot *last = archive->boots + archive->boot_count - 1;

	return (struct archive_place){ archive->boot_count ? last->first_file + last->files : archive->count, 0 };
}

static struct archive_place find_begin(const struct archive *archive)
{
	const struct bcoslog_window *window = &archive->window;
	struct walk walk = { .archive = archive };
	struct archive_place last = first_place(archive);

	/* Since boot means the latest boot. */
	if (window->since == BCOSLOG_MOMENT_BOOT || (!window->since && window->until == BCOSLOG_MOMENT_BOOT))
		walk.boot = archive->boot_count ? archive->boot_count - 1 : 0;
	while (walk_next(&walk)) {
		last = walk_place(&walk);
		if (!window->since || reaches(walk.note, &walk.wall, window->since, window->since_ns))
			break;
	}
	return archive->boot_count ? key_before(archive, last) : last;
}

/* Behind the last frame that may be wanted. */
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

void archive_begin(struct archive *archive)
{
	archive->begun = true;
	archive->next = find_begin(archive);
	archive->stop = archive_find_stop(archive);
	archive->file = archive->next.file;
	archive->boot = archive_boot_of(archive, archive->file);
	archive_line_up(archive, archive->boot);
}

/* ---- what programs ask ----------------------------------------------------------- */

static int no_recording(struct bcoslog *log)
{
	return error_set(&log->error, ENOTTY, "%s is no recorded directory", log->name);
}

int bcoslog_set_window(struct bcoslog *log, const struct bcoslog_window *window)
{
	if (!log->archive)
		return no_recording(log);
	if (window->size != sizeof(*window) || window->reserved || window->since > BCOSLOG_MOMENT_WALL ||
	    window->until > BCOSLOG_MOMENT_WALL)
		return error_set(&log->error, EINVAL, "there is no such part of a recording: build the program with this "
				 "library's headers");
	if (log->archive->begun)
		return error_set(&log->error, EBUSY, "%s is being read already", log->name);
	log->archive->window = *window;
	return 0;
}

int bcoslog_set_boot(struct bcoslog *log, const char *boot)
{
	struct archive *archive = log->archive;
	u8 id[ARCHIVE_BOOT];
	u32 i;

	if (!archive)
		return no_recording(log);
	if (archive->begun)
		return error_set(&log->error, EBUSY, "%s is being read already", log->name);
	if (!archive_id_get(id, boot, strlen(boot)))
		return error_set(&log->error, EINVAL, "\"%s\" is no ID of a boot, such as "
				 "0f8fad5b-d9cb-469f-a165-70867728950e", boot);
	for (i = 0; i < archive->count; i++)
		if (archive->chosen && !archive_machine_order(&archive->files[i].machine, &archive->machine) &&
		    !memcmp(archive->files[i].header.boot, id, sizeof(id)))
			break;
	if (i == archive->count)
		return error_set(&log->error, ENOENT, "%s has nothing of a boot %s of %s", log->name, boot,
				 archive->chosen ? archive->machine.host : "this machine");
	memcpy(archive->only_boot, id, sizeof(id));
	archive->only = true;
	return archive_arrange(archive) ? error_set(&log->error, ENOMEM, "no memory") : 0;
}

static void add_up(struct bcoslog_boot *boot, const struct archive_file *file)
{
	const struct archive_note *note;
	u32 i;

	boot->files++;
	boot->stored += file->scanned;
	for (i = 0; i < file->count; i++) {
		note = &file->frames[i].note;
		boot->entries += note->entries;
		boot->losses += note->losses;
		boot->raw += note->raw;
		if (note->flags & ARCHIVE_WALL) {
			if (!boot->begin.utc)
				boot->begin = note->wall;
			boot->end = note->wall;
		}
		if (note->first > note->last)
			continue;
		if (note->first < boot->first)
			boot->first = note->first;
		if (note->last > boot->last)
			boot->last = note->last;
	}
}

/* Adds up the files from the one at @i on that are of its boot. */
static void describe(const struct archive *archive, u32 i, struct bcoslog_boot *boot)
{
	static const u8 unknown[ARCHIVE_BOOT];
	const struct archive_file *first = archive->files + i;

	boot->first = ~0ull;
	memcpy(boot->host, first->machine.host, ARCHIVE_HOST);
	if (memcmp(first->header.boot, unknown, ARCHIVE_BOOT))
		archive_id_text(boot->boot, first->header.boot);
	if (archive->chosen && !archive_machine_order(&first->machine, &archive->machine) &&
	    (!archive->only || !memcmp(first->header.boot, archive->only_boot, ARCHIVE_BOOT)))
		boot->flags |= BCOSLOG_BOOT_READ;
	for (; i < archive->count && archive_same_boot(archive->files + i, first); i++)
		add_up(boot, archive->files + i);
	if (boot->first == ~0ull)
		boot->first = 0;
}

/* Returns the index of the first file of the boot with this number; if there is none, that after the last file. */
static u32 find_boot(const struct archive *archive, u32 number)
{
	const struct archive_file *first = NULL;
	u32 i;

	for (i = 0; i < archive->count; i++) {
		if (!archive->files[i].count || (first && archive_same_boot(archive->files + i, first)))
			continue;
		first = archive->files + i;
		if (!number--)
			break;
	}
	return i;
}

int bcoslog_boot_machine(struct bcoslog *log, __u32 index, char machine[40])
{
	struct archive *archive = log->archive;
	u32 first;

	if (!archive)
		return no_recording(log);
	first = find_boot(archive, index);
	if (first == archive->count)
		return 0;
	*machine = 0;
	if (archive_has_id(&archive->files[first].machine))
		archive_id_text(machine, archive->files[first].machine.id);
	return 1;
}

int bcoslog_boot(struct bcoslog *log, __u32 index, struct bcoslog_boot *boot)
{
	struct archive *archive = log->archive;
	u32 first;

	if (!archive)
		return no_recording(log);
	if (boot->size != sizeof(*boot))
		return error_set(&log->error, EINVAL, "a boot has another size: build the program with this library's headers");
	first = find_boot(archive, index);
	if (first == archive->count)
		return 0;
	memset(boot, 0, sizeof(*boot));
	boot->size = sizeof(*boot);
	describe(archive, first, boot);
	return 1;
}
