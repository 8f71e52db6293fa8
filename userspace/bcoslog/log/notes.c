// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Counts losses, gaps, and how often the reader was overtaken, and complains about them at the end. */
#include "notes.h"
#include "output/complain.h"

static u64 losses, overtaken, gaps;

/* In a recording, the notice of an overtaken reader also marks gaps. Its text tells the difference. */
static bool is_gap(const struct bcos_entry *entry)
{
	static const char *const texts[] = { "nothing is recorded", "the recording has nothing", "another boot" };
	size_t length, i;
	const char *text = bcoslog_text(entry, &length);

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (length >= strlen(texts[i]) && !memcmp(text, texts[i], strlen(texts[i])))
			return true;
	return false;
}

void note_entry(const struct bcos_entry *entry)
{
	if (likely(!bcoslog_is_generic(entry->type)))
		return;
	losses += bcoslog_is_loss(entry);
	if (!bcoslog_is_missed(entry))
		return;
	if (is_gap(entry))
		gaps++;
	else
		overtaken++;
}

void notes_say(void)
{
	if (losses)
		complain("the log states %llu %s: not everything that happened there is in it",
			 (unsigned long long)losses, losses == 1 ? "loss" : "losses");
	if (overtaken)
		complain("the log went on faster than it was read, %llu %s: what was overwritten is missing",
			 (unsigned long long)overtaken, overtaken == 1 ? "time" : "times");
	if (gaps)
		complain("the recording has a gap at %llu %s: what happened then is missing", (unsigned long long)gaps,
			 gaps == 1 ? "place" : "places");
}
