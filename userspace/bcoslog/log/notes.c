// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Counts losses, gaps, and how often the reader was overtaken, and complains about them at the end. */
#include <stdio.h>

#include "bcoslog.h"
#include "bcoslog_account.h"
#include "entry/gap.h"
#include "notes.h"
#include "complain/complain.h"

/* Decides about what was missed before the window, since the log tells at @time how things are again. */
static void end_early(struct notes *notes, struct session *session, u64 time)
{
	if (window_shows(&session->window, &session->clock, notes->early.begin, time)) {
		notes->overtaken += notes->early.overtaken;
		notes->gaps += notes->early.gaps;
	}
	memset(&notes->early, 0, sizeof(notes->early));
}

static void note_gap(struct notes *notes, struct session *session, const struct bcos_entry *entry, const struct gap *gap)
{
	bool shown = window_shows(&session->window, &session->clock, entry->time, entry->time);

	/* Is it after the window? */
	if (!shown && !window_shows(&session->window, &session->clock, entry->time, ~0ull))
		return;
	notes->early.begin = entry->time;
	notes->grouped = false;
	if (gap_is_recorded(gap->cause))
		*(shown ? &notes->gaps : &notes->early.gaps) += 1;
	else
		*(shown ? &notes->overtaken : &notes->early.overtaken) += 1;
}

void note_entry(struct notes *notes, struct session *session, const struct bcos_entry *entry)
{
	bool early = notes->early.overtaken || notes->early.gaps;
	struct bcoslog_loss loss;
	struct gap gap;

	if (likely(!bcoslog_is_generic(entry->type) && !early))
		return;
	if (entry->type & BCOS_TYPE_HISTORICAL)
		notes->grouped = true;
	else if (early && notes->grouped)
		end_early(notes, session, entry->time);
	if (!bcoslog_is_generic(entry->type))
		return;
	if (bcoslog_loss(entry, &loss) && window_shows(&session->window, &session->clock, loss.begin, loss.end)) {
		notes->losses++;
		notes->lost |= loss.lost;
	}
	if (gap_of_entry(&gap, entry))
		note_gap(notes, session, entry, &gap);
}

void notes_say(const struct notes *notes)
{
	/* Without a group, nothing that the log has tells the end of what was missed. */
	u64 overtaken = notes->overtaken + notes->early.overtaken, gaps = notes->gaps + notes->early.gaps;
	char kinds[LOST_KINDS_TEXT];

	if (notes->listed)
		return;
	if (notes->losses)
		complain("the log states %llu %s, of %s: not everything that happened there is in it; bcoslog losses "
			 "lists %s", (unsigned long long)notes->losses, notes->losses == 1 ? "loss" : "losses",
			 lost_kinds(kinds, sizeof(kinds), notes->lost), notes->losses == 1 ? "it" : "them");
	if (overtaken)
		complain("the log went on faster than it was read, %llu %s: what was overwritten is missing",
			 (unsigned long long)overtaken, overtaken == 1 ? "time" : "times");
	if (gaps)
		complain("the recording has a gap at %llu %s: what happened then is missing", (unsigned long long)gaps,
			 gaps == 1 ? "place" : "places");
}
