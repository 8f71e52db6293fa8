// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The order of the files of a recording by machine and boot, and the common line of time of the boots of a machine. */
#include <stdlib.h>

#include "archive.h"

/* Return: the time of the first normal entry of a file; 2^64 - 1 if there is none. */
static u64 first_time(const struct archive_file *file)
{
	u32 i;

	for (i = 0; i < file->count; i++)
		if (file->frames[i].note.first <= file->frames[i].note.last)
			return file->frames[i].note.first;
	return ~0ull;
}

static u64 last_time(const struct archive_file *file)
{
	u32 i;

	for (i = file->count; i; i--)
		if (file->frames[i - 1].note.first <= file->frames[i - 1].note.last)
			return file->frames[i - 1].note.last;
	return 0;
}

/* Find the first reading of the wall clock in a file.  Return: true if there is one. */
static bool boot_wall(const struct archive_file *file, struct bcoslog_wall *wall)
{
	u32 i;

	for (i = 0; i < file->count; i++) {
		if (!(file->frames[i].note.flags & ARCHIVE_WALL))
			continue;
		*wall = file->frames[i].note.wall;
		return true;
	}
	return false;
}

static u64 boot_time(const struct archive_file *file)
{
	struct bcoslog_wall wall;

	return boot_wall(file, &wall) ? bcoslog_wall_time(&wall, 0) : 0;
}

static int by_number(u64 one, u64 other)
{
	return one < other ? -1 : one > other;
}

/* Compare files by machine and boot, then by number and time. */
static int by_boot(const void *a, const void *b)
{
	const struct archive_file *one = a, *other = b;
	int r = archive_machine_order(&one->machine, &other->machine);

	if (!r)
		r = memcmp(one->header.boot, other->header.boot, ARCHIVE_BOOT);
	if (!r)
		r = by_number(one->header.sequence, other->header.sequence);
	if (!r)
		r = by_number(first_time(one), first_time(other));
	return r ? r : strcmp(one->name, other->name);
}

/* A file with the keys by which by_key() sorts files: all files of a boot have one key @boot, so they stay together. */
struct key {
	struct archive_file file;
	u64 boot;		/* time of the file's boot by the wall clock */
	bool detached;
	u64 first;		/* time of the first normal entry */
};

static int by_key(const void *a, const void *b)
{
	const struct key *one = a, *other = b;
	int r = archive_machine_order(&one->file.machine, &other->file.machine);

	if (!r)
		r = by_number(one->boot, other->boot);
	if (!r)
		r = memcmp(one->file.header.boot, other->file.header.boot, ARCHIVE_BOOT);
	if (!r && (one->detached || other->detached))
		r = by_number(one->first, other->first);
	if (!r)
		r = by_number(one->file.header.sequence, other->file.header.sequence);
	if (!r)
		r = by_number(one->first, other->first);
	return r ? r : strcmp(one->file.name, other->file.name);
}

/* Order all files of a boot by their times if some have the same number, and so are not of one recording. */
static void detach_apart(const struct archive *archive, struct key *keys)
{
	u32 i, first = 0, last;

	for (; first < archive->count; first = last) {
		bool apart = false;

		for (last = first; last < archive->count && keys[last].boot == keys[first].boot &&
		     archive_same_boot(&keys[last].file, &keys[first].file); last++)
			apart |= keys[last].file.apart;
		for (i = first; i < last && apart; i++)
			keys[i].detached = true;
	}
}

static int order_files(struct archive *archive)
{
	struct key *keys;
	u32 i, first = 0;

	if (archive->count > 1)
		qsort(archive->files, archive->count, sizeof(*archive->files), by_boot);
	archive_leave_out_copies(archive);
	if (archive->count < 2)
		return 0;
	keys = calloc(archive->count, sizeof(*keys));
	if (!keys)
		return -ENOMEM;
	for (i = 0; i < archive->count; i++) {
		if (i && !archive_same_boot(archive->files + i, archive->files + first))
			first = i;
		keys[i].file = archive->files[i];
		keys[i].boot = i == first ? boot_time(archive->files + i) : keys[first].boot;
		keys[i].detached = archive->files[i].header.flags & ARCHIVE_DETACHED;
		keys[i].first = first_time(archive->files + i);
	}
	detach_apart(archive, keys);
	qsort(keys, archive->count, sizeof(*keys), by_key);
	for (i = 0; i < archive->count; i++)
		archive->files[i] = keys[i].file;
	free(keys);
	return 0;
}

static void learn_file(struct archive_boot *boot, const struct archive_file *file)
{
	const struct archive_note *note;
	u32 i;

	if (first_time(file) < boot->first)
		boot->first = first_time(file);
	if (last_time(file) > boot->last)
		boot->last = last_time(file);
	for (i = 0; i < file->count; i++) {
		note = &file->frames[i].note;
		if (!(note->flags & ARCHIVE_WALL))
			continue;
		if (!boot->walled)
			boot->begin = note->wall;
		boot->end = note->wall;
		boot->walled = true;
	}
}

/* Choose the machine to read, unless it is chosen: this machine if it has a file, else the one that recorded last. */
static void choose_machine(struct archive *archive)
{
	const struct archive_machine *newest = NULL;
	struct archive_machine own;
	struct bcoslog_wall wall;
	u64 time, latest = 0;
	u32 i;

	if (archive->chosen || !archive->count)
		return;
	archive_this_machine(&own);
	for (i = 0; i < archive->count; i++) {
		if (!archive->files[i].count)
			continue;
		time = boot_wall(archive->files + i, &wall) ?
		       bcoslog_wall_time(&wall, last_time(archive->files + i)) : 0;
		if (archive_is_machine(&archive->files[i].machine, &own))
			time = ~0ull;
		if (newest && time < latest)
			continue;
		newest = &archive->files[i].machine;
		latest = time;
	}
	if (!newest)
		return;
	archive->machine = *newest;
	archive->chosen = true;
}

static int list_boots(struct archive *archive)
{
	struct archive_boot *boot = NULL, *boots;
	u32 i;

	boots = calloc(archive->count + 1, sizeof(*boots));
	if (!boots)
		return -ENOMEM;
	free(archive->boots);
	archive->boots = boots;
	archive->boot_count = 0;
	for (i = 0; archive->chosen && i < archive->count; i++) {
		const struct archive_file *file = archive->files + i;

		if (archive_machine_order(&file->machine, &archive->machine) ||
		    (archive->only && memcmp(file->header.boot, archive->only_boot, ARCHIVE_BOOT)))
			continue;
		if (!boot || !archive_same_boot(file, archive->files + boot->first_file)) {
			boot = boots + archive->boot_count++;
			boot->header = file->header;
			boot->machine = file->machine;
			boot->first_file = i;
			boot->first = ~0ull;
		}
		boot->files++;
		learn_file(boot, file);
	}
	return 0;
}

u32 archive_boot_of(const struct archive *archive, u32 file)
{
	u32 i;

	for (i = 0; i < archive->boot_count; i++)
		if (file >= archive->boots[i].first_file &&
		    file - archive->boots[i].first_file < archive->boots[i].files)
			break;
	return i;
}

/* Return: the time of the wall clock at boot. */
static u64 wall_offset(const struct bcoslog_wall *wall)
{
	return wall->utc - wall->boot;
}

void archive_line_up(struct archive *archive, u32 base)
{
	struct archive_boot *boot, *before;
	u64 end;
	u32 i;

	for (i = base; i < archive->boot_count; i++) {
		boot = archive->boots + i;
		boot->shift = 0;
		if (i == base)
			continue;
		before = boot - 1;
		if (boot->walled && before->walled)
			boot->shift = before->shift + wall_offset(&boot->begin) - wall_offset(&before->end);
		/* A boot begins after the end of the boot before it, also if no wall clock says so. */
		end = before->last + before->shift;
		if (boot->first != ~0ull &&
		    (!(boot->walled && before->walled) || (s64)(boot->first + boot->shift - end) <= 0))
			boot->shift = end + 1 - boot->first;
	}
}

/* Return: the present index of the file whose name is at @name; @otherwise if there is none. */
static u32 index_of(const struct archive *archive, const char *name, u32 otherwise)
{
	u32 i;

	for (i = 0; i < archive->count; i++)
		if (name == archive->files[i].name)
			return i;
	return otherwise;
}

static const char *name_at(const struct archive *archive, u32 file)
{
	return file < archive->count ? archive->files[file].name : NULL;
}

int archive_arrange(struct archive *archive)
{
	const char *next = name_at(archive, archive->next.file);
	const char *file = name_at(archive, archive->file), *open = name_at(archive, archive->open_file);
	u64 shift = archive->begun && archive->boot < archive->boot_count ? archive->boots[archive->boot].shift : 0;
	int r = archive_identify(archive, NULL);
	u32 i;

	if (!r)
		r = order_files(archive);

	archive->next.file = index_of(archive, next, archive->count);
	archive->file = index_of(archive, file, archive->count);
	archive->open_file = index_of(archive, open, archive->count);
	choose_machine(archive);
	if (!r)
		r = list_boots(archive);
	if (r || !archive->begun)
		return r;
	/* The boot that is being read keeps its shift. */
	archive->boot = archive_boot_of(archive, archive->file);
	archive_line_up(archive, archive->boot);
	for (i = archive->boot; i < archive->boot_count; i++)
		archive->boots[i].shift += shift;
	/* No boot was read before, so reading begins anew. */
	if (archive->boot == archive->boot_count)
		archive->begun = false;
	archive->stop = archive_find_stop(archive);
	return 0;
}

u64 archive_begin_place(const struct archive *archive)
{
	return archive->next.frame || archive->next.file >= archive->count ? ~0ull :
	       archive->files[archive->next.file].head;
}

void archive_begin(struct archive *archive)
{
	archive->begun = true;
	archive->next = archive_find_begin(archive);
	archive->stop = archive_find_stop(archive);
	archive->file = archive->next.file;
	archive->place = archive_begin_place(archive);
	archive->boot = archive_boot_of(archive, archive->file);
	archive_line_up(archive, archive->boot);
}
