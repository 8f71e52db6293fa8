// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What a reader has to know of what he did not read: losses, and that he was overtaken. */
#include "command.h"

static u64 losses, overtaken;

void note_entry(const struct bcos_entry *entry)
{
	losses += bcoslog_is_loss(entry);
	overtaken += bcoslog_is_missed(entry);
}

void notes_say(void)
{
	if (losses)
		complain("the log states %llu %s: not everything that happened there is in it",
			 (unsigned long long)losses, losses == 1 ? "loss" : "losses");
	if (overtaken)
		complain("the log went on faster than it was read, %llu %s: what was overwritten is missing",
			 (unsigned long long)overtaken, overtaken == 1 ? "time" : "times");
}
