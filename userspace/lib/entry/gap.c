// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes and reads notices that entries are missing: see gap.h. */
#include "core/format/entry.h"
#include "core/format/phrase.h"
#include "core/format/scan.h"

#include "bcoslog_entry.h"
#include "bcoslog_reader.h"
#include "gap.h"

#define TENTH 100000000u

/* The text of a notice is @before and, in this order, the name, the bytes, and @after. */
static const struct {
	const char *before, *after;
	bool names, counts;
} texts[GAP_UNKNOWN] = {
	[GAP_NO_RECORDER] = { .before = "nothing is recorded of this time: the recorder did not run, or was too late", .after = "" },
	[GAP_LOG_DAMAGED] = { "nothing is recorded of ", ": the log is damaged there", .counts = true },
	[GAP_NOT_RECORDED] = { .before = "nothing is recorded of this time, and the log has no more of it", .after = "" },
	[GAP_FILE_CUT] = { "the recording has nothing of the time before this: the end of ", " is not there",
			   .names = true },
	[GAP_FILES_GONE] = { .before = "the recording has nothing of the time before this: its files are not there", .after = "" },
	[GAP_FILE_DAMAGED] = { .before = "the recording has nothing of the time before this: a part of it is damaged", .after = "" },
	[GAP_BOOT] = { "another boot begins here: ", "", .names = true },
	[GAP_LIVE_BOOT] = { .before = "another boot begins here, which is not recorded yet", .after = "" },
};

static const char paused[] = ": recording paused for ", no_room[] = " s, since there was no room on the disk";

size_t gap_format(char *text, const struct gap *gap)
{
	size_t at;

	if (gap->cause == GAP_OVERTAKEN || gap->cause == GAP_DISK_FULL) {
		at = (size_t)bcos_phrase_missed(text, GAP_TEXT, gap->entries, gap->bytes);
		if (gap->cause == GAP_DISK_FULL)
			at += (size_t)host_format(text + at, GAP_TEXT - at, "%s%llu.%llu%s", paused,
						  (unsigned long long)(gap->ns / (10 * (u64)TENTH)),
						  (unsigned long long)(gap->ns / TENTH % 10), no_room);
		return at;
	}
	at = (size_t)host_format(text, GAP_TEXT, "%s", texts[gap->cause].before);
	if (texts[gap->cause].names)
		at += (size_t)host_format(text + at, GAP_TEXT - at, "%.*s",
					  (int)(gap->name_length < 255 ? gap->name_length : 255), gap->name);
	if (texts[gap->cause].counts)
		at += (size_t)host_format(text + at, GAP_TEXT - at, "%llu byte%s", (unsigned long long)gap->bytes,
					  gap->bytes == 1 ? "" : "s");
	return at + (size_t)host_format(text + at, GAP_TEXT - at, "%s", texts[gap->cause].after);
}

/* Read the name before the words with which the text ends. */
static bool take_name(struct bcos_scan *scan, const char *after, struct gap *gap)
{
	size_t length = strlen(after);

	if ((size_t)(scan->end - scan->at) < length)
		return false;
	gap->name = scan->at;
	gap->name_length = (size_t)(scan->end - scan->at) - length;
	scan->at += gap->name_length;
	return true;
}

static bool take_text(struct gap *gap, struct bcos_scan scan, enum gap_cause cause)
{
	if (!texts[cause].before || !bcos_scan_word(&scan, texts[cause].before) ||
	    (texts[cause].names && !take_name(&scan, texts[cause].after, gap)) ||
	    (texts[cause].counts && (!bcos_scan_number(&scan, ~0ull, &gap->bytes) ||
				     (!bcos_scan_word(&scan, " bytes") && !bcos_scan_word(&scan, " byte")))))
		return false;
	return bcos_scan_word(&scan, texts[cause].after) && bcos_scan_ends(&scan);
}

/* Read why a reader was overtaken, after the count of entries. */
static void take_pause(struct gap *gap, struct bcos_scan scan)
{
	u64 seconds, tenths;

	gap->cause = GAP_OVERTAKEN;
	if (!bcos_scan_word(&scan, paused) || !bcos_scan_number(&scan, ~0u, &seconds) || !bcos_scan_word(&scan, ".") ||
	    !bcos_scan_number(&scan, 9, &tenths) || !bcos_scan_word(&scan, no_room))
		return;
	gap->cause = GAP_DISK_FULL;
	gap->ns = (seconds * 10 + tenths) * TENTH;
}

void gap_parse(struct gap *gap, const char *text, size_t length)
{
	struct bcos_scan scan = bcos_scan_begin(text, length);
	enum gap_cause cause;

	*gap = (struct gap){ 0 };
	if (bcos_phrase_missed_take(&scan, &gap->entries, &gap->bytes)) {
		take_pause(gap, scan);
		return;
	}
	for (cause = GAP_NO_RECORDER; cause < GAP_UNKNOWN; cause++) {
		*gap = (struct gap){ .cause = cause };
		if (take_text(gap, bcos_scan_begin(text, length), cause))
			return;
	}
	*gap = (struct gap){ .cause = GAP_UNKNOWN };
}

bool gap_is_recorded(enum gap_cause cause)
{
	return cause != GAP_OVERTAKEN && cause != GAP_UNKNOWN;
}

bool gap_of_entry(struct gap *gap, const struct bcos_entry *entry)
{
	const char *text;
	size_t length;

	if (!bcoslog_is_missed(entry))
		return false;
	text = bcos_entry_text(entry, &length);
	gap_parse(gap, text, length);
	return true;
}

size_t gap_put(void *room, u64 time, u64 until, const struct gap *gap)
{
	char text[GAP_TEXT];
	struct bcos_generic *entry = room;
	size_t length = gap_format(text, gap), size = bcos_entry_size(BCOS_GENERIC_TEXT, length);
	u64 span = until > time ? until - time : 0;

	memset(entry, 0, size);
	entry->header.size = (u16)size;
	entry->header.type = BCOS_GENERIC_DEVICE;
	entry->header.source = BCOS_DEVICE_SELF;
	entry->header.time = time;
	entry->header.precision = span > 0xFFFFFFFFu ? 0xFFFFFFFFu : (u32)span;
	entry->event_id = BCOS_EVENT_MISSED;
	entry->severity = BCOS_SEVERITY_ERROR;
	memcpy(entry->text, text, length);
	return size;
}

size_t gap_put_damage(void *room, u64 last, const struct bcoslog_error *damage)
{
	const struct gap gap = { .cause = GAP_LOG_DAMAGED, .bytes = damage->lost };

	if (damage->resumes != BCOSLOG_AT_GROUP || !last)
		return 0;
	return gap_put(room, last, last, &gap);
}
