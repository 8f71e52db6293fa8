// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The part of a running log that its recording does not have yet. No event is missing between them, or comes twice. */
#include <stdlib.h>

#include "entry/gap.h"
#include "handle/handle.h"
#include "archive.h"

/* Move what archive_meet_live() has kept to archive->raw.  Return: 1. */
static int take_kept(struct archive *archive)
{
	memcpy(archive->raw + archive->end, archive->kept, archive->kept_size);
	archive->end += archive->kept_size;
	free(archive->kept);
	archive->kept = NULL;
	return 1;
}

/* Add the next entries of the running log to archive->raw.  Return: 1; 0 if there are none now; a negative errno. */
static int take_batch(struct archive *archive)
{
	struct bcoslog_batch batch;
	size_t size;
	int r;

	if (archive->kept)
		return take_kept(archive);
	r = archive->kept_damage ? -EBADMSG : archive->next_batch(archive->live, &batch);
	archive->kept_damage = false;
	if (r == -EBADMSG)
		archive->error = archive->live->error;
	if (r < 0 && r != -EBADMSG)
		error_set(&archive->error, -r, "%s", archive->live->error.text);
	if (r <= 0)
		return r;
	size = (size_t)((const char *)batch.end - (const char *)batch.first);
	memcpy(archive->raw + archive->end, batch.first, size);
	archive->end += size;
	return 1;
}

/*
 * Collect in @header and @note what the entries of the running log from @at to @end state before the first event.
 * Return: the first event; NULL if there is none.
 */
static const struct bcos_entry *look_at_beginning(const u8 *at, const u8 *end, struct archive_header *header,
						  struct archive_note *note)
{
	const struct bcos_entry *entry;

	memset(header, 0, sizeof(*header));
	archive_note_begin(note);
	for (; (entry = archive_entry(at, end)); at += entry->size) {
		archive_note_entry(note, entry);
		archive_header_entry(header, entry);
		if (archive_counts(entry))
			return entry;
	}
	return NULL;
}

/* Set the shift of a running log that is of a later boot than the recording, as archive_line_up() does for boots. */
static void line_up(struct archive *archive, const struct archive_boot *last, const struct archive_note *note,
		    u64 first)
{
	archive->live_shift = last->shift;
	if (note->flags & ARCHIVE_WALL && last->walled)
		archive->live_shift += note->wall.utc - note->wall.boot - (last->end.utc - last->end.boot);
	if ((s64)(first + archive->live_shift - archive->last) <= 0)
		archive->live_shift = archive->last + 1 - first;
}

/* Insert a notice before the entries in archive->raw. */
static void put_notice(struct archive *archive, u64 until, enum gap_cause cause)
{
	struct gap gap = { .cause = cause };
	u32 notice[GAP_ENTRY / sizeof(u32)];
	size_t size = gap_put(notice, archive->last, until, &gap);

	memmove(archive->raw + size, archive->raw, archive->end);
	memcpy(archive->raw, notice, size);
	archive->end += size;
}

/*
 * The running log is a log of this machine. What was recorded of @machine and @boot is one, too, if both have the same
 * boot. Otherwise the IDs of the machines decide or, if an ID is unknown, the names. A running log without a name passes
 * for one of the machine that is read.
 * Return: true if the recording is of another machine.
 */
static bool is_foreign(const struct archive_machine *machine, const u8 *boot, const struct archive_header *header)
{
	static const u8 unknown[ARCHIVE_BOOT];
	struct archive_machine own;

	if (memcmp(header->boot, unknown, ARCHIVE_BOOT) && !memcmp(header->boot, boot, ARCHIVE_BOOT))
		return false;
	archive_this_machine(&own);
	if (archive_has_id(&own) && archive_has_id(machine))
		return !archive_is_machine(&own, machine);
	return header->machine.host[0] && strcmp(header->machine.host, machine->host);
}

/*
 * Keep what the running log begins with, until the first event, so that it tells whose log it is.
 * Return: 0, whether or not there is an event now; or a negative errno.
 */
static int keep_beginning(struct archive *archive, struct bcoslog *live, struct archive_header *header)
{
	const struct bcos_entry *entry = NULL;
	struct bcoslog_batch batch;
	struct archive_note note;
	size_t size;
	u8 *larger;
	int r = 1;

	memset(header, 0, sizeof(*header));
	while (!entry && archive->kept_size < ARCHIVE_RAW_MAX / 2) {
		r = archive->next_batch(live, &batch);
		if (r <= 0)
			break;
		size = (size_t)((const char *)batch.end - (const char *)batch.first);
		larger = realloc(archive->kept, archive->kept_size + size);
		if (!larger)
			return -ENOMEM;
		memcpy(larger + archive->kept_size, batch.first, size);
		archive->kept = larger;
		archive->kept_size += size;
		entry = look_at_beginning(archive->kept, archive->kept + archive->kept_size, header, &note);
	}
	/* Damage ends the beginning. Whoever reads the log gets to know of it after that. */
	archive->kept_damage = r == -EBADMSG;
	return r < 0 && r != -EBADMSG ? r : 0;
}

int archive_meet_live(struct archive *archive, struct bcoslog *live)
{
	struct archive_header header;
	bool any = false;
	u32 i;
	int r;

	archive->kept_size = 0;
	archive->kept_damage = false;
	r = keep_beginning(archive, live, &header);
	for (i = 0; !r && i < archive->count; i++) {
		if (!archive->files[i].count)
			continue;
		if (!is_foreign(&archive->files[i].machine, archive->files[i].header.boot, &header))
			return 0;
		any = true;
	}
	return r ? r : any ? -EXDEV : 0;
}

/*
 * Find the place in the running log at which the recording ends.
 * Return: 1 if archive->raw has entries; 0 if more entries are needed, or the running log is foreign; a negative errno.
 */
static int join_live(struct archive *archive)
{
	const struct archive_boot *last = archive->boot_count ? archive->boots + archive->boot_count - 1 : NULL;
	const struct bcos_entry *entry = NULL;
	struct archive_header header;
	struct archive_note note;
	u64 first;
	int r;

	while (!entry && archive->end < ARCHIVE_RAW_MAX / 2) {
		r = take_batch(archive);
		if (r <= 0)
			return r;
		entry = look_at_beginning(archive->raw, archive->raw + archive->end, &header, &note);
	}
	archive->joined = true;
	if (!entry || !archive->given || !last)
		return 1;
	if (is_foreign(&last->machine, last->header.boot, &header) ||
	    (archive->only && memcmp(header.boot, archive->only_boot, ARCHIVE_BOOT))) {
		archive->foreign = true;
		archive->end = 0;
		return 0;
	}
	first = entry->time;
	archive->live_shift = last->shift;
	if (memcmp(header.boot, last->header.boot, ARCHIVE_BOOT)) {
		line_up(archive, last, &note, first);
		archive_shift(archive, archive->live_shift);
		put_notice(archive, first + archive->live_shift, GAP_LIVE_BOOT);
	} else if (first + archive->live_shift > archive->last) {
		archive_shift(archive, archive->live_shift);
		put_notice(archive, first + archive->live_shift, GAP_NOT_RECORDED);
	} else {
		archive_shift(archive, archive->live_shift);
		archive->skipping = true;
	}
	return 1;
}

int archive_live(struct archive *archive)
{
	int r;

	if (archive->foreign)
		return 0;
	if (!archive->joined) {
		/* The caller gets the collected entries only when they show where the recording ends. */
		archive->end = archive->collecting ? archive->end : 0;
		archive->collecting = true;
		archive->at = 0;
		r = join_live(archive);
		if (r <= 0)
			archive->at = archive->end;
		if (r <= 0 || archive_settle(archive))
			return r;
	}
	do {
		archive->at = archive->end = 0;
		r = take_batch(archive);
		if (r > 0)
			archive_shift(archive, archive->live_shift);
	} while (r > 0 && !archive_settle(archive));
	return r;
}
