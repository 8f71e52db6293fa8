// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Counts losses, gaps, and how often the reader was overtaken, and complains about them at the end. */
#include <stdio.h>

#include "bcoslog.h"
#include "bcoslog_account.h"
#include "entry/gap.h"
#include "notes.h"
#include "complain/complain.h"

void note_entry(struct notes *notes, const struct bcos_entry *entry)
{
	struct bcoslog_loss loss;
	struct gap gap;

	if (likely(!bcoslog_is_generic(entry->type)))
		return;
	if (bcoslog_loss(entry, &loss)) {
		notes->losses++;
		notes->lost |= loss.lost;
	}
	if (!gap_of_entry(&gap, entry))
		return;
	if (gap_is_recorded(gap.cause))
		notes->gaps++;
	else
		notes->overtaken++;
}

const char *lost_kinds(char *text, size_t size, u32 kinds)
{
	static const char *const words[] = { "lives", "assignments", "interrupts", "transfers", "events", "calls",
					     "devices", "task states" };
	size_t i, used = 0, left;

	text[0] = 0;
	if ((kinds & 0xFF) == 0xFF)
		kinds = 0;
	/* States of threads are events, too. */
	if (kinds & BCOSLOG_LOST_STATES && kinds & BCOSLOG_LOST_EVENTS)
		kinds &= ~(u32)BCOSLOG_LOST_EVENTS;
	for (i = 0; i < sizeof(words) / sizeof(words[0]) && used < size; i++) {
		if (!(kinds >> i & 1))
			continue;
		left = kinds >> i >> 1;
		used += (size_t)snprintf(text + used, size - used, "%s%s", !used ? "" : left ? ", " : " and ", words[i]);
	}
	if (!used)
		snprintf(text, size, "events of any kind");
	return text;
}

void notes_say(const struct notes *notes)
{
	char kinds[LOST_KINDS_TEXT];

	if (notes->listed)
		return;
	if (notes->losses)
		complain("the log states %llu %s, of %s: not everything that happened there is in it; bcoslog losses "
			 "lists %s", (unsigned long long)notes->losses, notes->losses == 1 ? "loss" : "losses",
			 lost_kinds(kinds, sizeof(kinds), notes->lost), notes->losses == 1 ? "it" : "them");
	if (notes->overtaken)
		complain("the log went on faster than it was read, %llu %s: what was overwritten is missing",
			 (unsigned long long)notes->overtaken, notes->overtaken == 1 ? "time" : "times");
	if (notes->gaps)
		complain("the recording has a gap at %llu %s: what happened then is missing", (unsigned long long)notes->gaps,
			 notes->gaps == 1 ? "place" : "places");
}
