/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Losses and gaps that the log states, of which the tool complains at the end. */
#ifndef BCOSLOG_NOTES_H
#define BCOSLOG_NOTES_H

#include "bcoslog.h"
#include "core/host/user.h"
#include "entry/lost_kinds.h"

/**
 * struct notes - what the log states as lost; zeros at first
 * @losses: number of losses
 * @overtaken: how often the reader was overtaken
 * @gaps: number of gaps of a recording
 * @lost: kinds of the losses, BCOSLOG_LOST_*
 * @listed: the command lists losses and gaps itself, so notes_say() does not complain
 */
struct notes {
	u64 losses, overtaken, gaps;
	u32 lost;
	bool listed;
};

/* Counts stated losses, gaps of a recording, and how often the reader was overtaken. notes_say() complains of them. */
void note_entry(struct notes *notes, const struct bcos_entry *entry);
void notes_say(const struct notes *notes);

#endif
