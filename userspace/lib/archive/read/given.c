// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The entries of a recording that the caller gets: all their times are on one line, and each event comes once. */
#include "archive.h"

void archive_shift(struct archive *archive, u64 shift)
{
	u8 *at = archive->raw, *end = at + archive->end;
	const struct bcos_entry *entry;
	struct bcos_entry *writable;

	for (; shift && (entry = archive_entry(at, end)); at += entry->size) {
		writable = (struct bcos_entry *)at;
		/* Times have no sign, so a time below zero becomes zero. */
		if ((s64)shift < 0 && writable->time < -shift)
			writable->time = 0;
		else
			writable->time += shift;
	}
}

/*
 * Leave out the events that another file has given already: those before the time archive->last, and the first
 * archive->last_count with this time.
 */
static void skip_given(struct archive *archive)
{
	const u8 *end = archive->raw + archive->end;
	const struct bcos_entry *entry;
	u32 count = archive->last_count;
	const u8 *at = archive->raw;

	for (; (entry = archive_entry(at, end)); at += entry->size) {
		if (!archive_counts(entry))
			continue;
		if (entry->time > archive->last || (entry->time == archive->last && !count))
			break;
		count -= entry->time == archive->last;
	}
	archive->at = (size_t)(at - archive->raw);
	if (archive->at < archive->end)
		archive->skipping = false;
}

/* Set archive->last and archive->last_count to the newest time in archive->raw and the number of its events. */
static void note_given(struct archive *archive)
{
	const u8 *at = archive->raw + archive->at, *end = archive->raw + archive->end;
	const struct bcos_entry *entry;

	for (; (entry = archive_entry(at, end)); at += entry->size) {
		if (!archive_counts(entry))
			continue;
		if (!archive->given || entry->time > archive->last) {
			archive->last = entry->time;
			archive->last_count = 0;
		}
		archive->given = true;
		archive->last_count += entry->time == archive->last;
	}
}

bool archive_settle(struct archive *archive)
{
	if (archive->skipping)
		skip_given(archive);
	note_given(archive);
	return archive->end > archive->at;
}
