// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What a log states as missing: see missing.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "account/account.h"
#include "core/format/entry.h"
#include "core/format/statement_text.h"
#include "missing.h"
#include "reader/reader.h"

/* The notice of an overtaken reader, or of a gap in a recording, until a group tells how things are. */
struct missing_notice {
	u64 begin, count;
	char why[GAP_TEXT];
};

/* Tells of a part that concerns all CPUs. */
static void tell_all(const struct missing *missing, u64 begin, u64 end, bool open, u32 lost, u64 count, const char *what,
		     const char *why)
{
	const struct missing_part part = {
		.begin = begin, .end = end < begin ? begin : end, .open = open, .lost = lost, .count = count, .what = what,
		.what_length = strlen(what), .why = why, .why_length = strlen(why), .stated = begin,
	};

	missing->part(missing->context, &part);
}

static void tell_loss(const struct missing *missing, const struct bcos_entry *entry, const struct bcoslog_loss *loss)
{
	const struct missing_part part = {
		.begin = loss->begin, .end = loss->end, .open = loss->open, .one_cpu = true, .cpu = entry->source,
		.lost = loss->lost, .count = loss->count, .what = loss->what, .what_length = loss->what_length,
		.why = loss->reason, .why_length = loss->reason_length, .stated = entry->time,
	};

	missing->part(missing->context, &part);
}

static void tell_class(const struct missing *missing, unsigned int class, u64 end, bool open)
{
	u32 lost = account_loss_of_class(class);
	char what[40];

	snprintf(what, sizeof(what), "class %s", bcoslog_class(class));
	tell_all(missing, missing->off_since[class], end, open, lost ? lost : BCOSLOG_LOST_EVENTS, 0, what, "the class was off");
}

static void mask_changed(struct missing *missing, const struct bcos_entry *entry)
{
	unsigned int class;
	const char *text;
	size_t length;
	u32 mask;

	text = bcoslog_text(entry, &length);
	if (!bcos_mask_parse(text, length, &mask))
		return;
	/* The class kernel_time requires all assignments. */
	if (mask & BCOS_CLASS_KERNEL_TIME)
		mask |= BCOS_CLASS_ASSIGN;
	for (class = 0; class < 32; class++) {
		if (!(BCOS_CLASS_DEFAULT >> class & 1) || (missing->off >> class & 1) == !(mask >> class & 1))
			continue;
		if (missing->off >> class & 1)
			tell_class(missing, class, entry->time, false);
		else
			missing->off_since[class] = entry->time;
		missing->off ^= 1u << class;
	}
}

static void end_notices(struct missing *missing, u64 end, bool open)
{
	const struct missing_notice *notice;

	for (notice = missing->notices; notice < missing->notices + missing->count; notice++)
		tell_all(missing, notice->begin, end, open, LOST_ALL, notice->count, "entries", notice->why);
	missing->count = 0;
}

static int begin_notice(struct missing *missing, const struct bcos_entry *entry, const struct gap *gap)
{
	struct missing_notice *notice;
	size_t length, room;
	const char *text = bcoslog_text(entry, &length);

	if (missing->count == missing->room) {
		room = missing->room ? 2 * missing->room : 16;
		notice = reallocarray(missing->notices, room, sizeof(*notice));
		if (!notice)
			return -ENOMEM;
		missing->room = room;
		missing->notices = notice;
	}
	notice = &missing->notices[missing->count++];
	*notice = (struct missing_notice){ .begin = entry->time, .count = gap->entries };
	missing->grouped = false;
	if (gap->cause == GAP_OVERTAKEN)
		snprintf(notice->why, sizeof(notice->why), "the log went on faster than it was read");
	else if (gap->cause == GAP_DISK_FULL)
		snprintf(notice->why, sizeof(notice->why), "recording paused: there was no room on the disk");
	else
		snprintf(notice->why, sizeof(notice->why), "%.*s", (int)length, text);
	return 0;
}

int missing_entry(struct missing *missing, const struct bcos_entry *entry)
{
	struct bcoslog_loss loss;
	struct gap gap;

	if (likely(!bcoslog_is_generic(entry->type) && !missing->count))
		return 0;
	if (entry->type & BCOS_TYPE_HISTORICAL) {
		missing->grouped = true;
		return 0;
	}
	if (missing->grouped)
		end_notices(missing, entry->time, false);
	if (!bcoslog_is_generic(entry->type))
		return 0;
	if (gap_of_entry(&gap, entry))
		return begin_notice(missing, entry, &gap);
	if (bcoslog_loss(entry, &loss))
		tell_loss(missing, entry, &loss);
	else if (entry->type == BCOS_GENERIC_CPU && ((const struct bcos_generic *)entry)->event_id == BCOS_EVENT_MASK)
		mask_changed(missing, entry);
	return 0;
}

void missing_end(struct missing *missing, u64 end)
{
	unsigned int class;

	end_notices(missing, end, true);
	for (class = 0; class < 32; class++)
		if (missing->off >> class & 1)
			tell_class(missing, class, end, true);
	missing->off = 0;
}

void missing_free(struct missing *missing)
{
	free(missing->notices);
	missing->notices = NULL;
	missing->count = missing->room = 0;
}
