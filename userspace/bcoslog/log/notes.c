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
