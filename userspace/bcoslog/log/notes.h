/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Losses and gaps that the log states, of which the tool complains at the end. */
#ifndef BCOSLOG_NOTES_H
#define BCOSLOG_NOTES_H

#include "bcoslog.h"
#include "core/host/user.h"
#include "entry/gap.h"
#include "options/session.h"

/**
 * struct notes - what the log states as lost in the time that is shown; zeros at first
 * @losses: number of losses
 * @overtaken: how often the reader was overtaken
 * @gaps: number of gaps of a recording
 * @early: gaps, and times at which the reader was overtaken, that began before the window, and whose end is not known yet;
 *	its @begin is that of the latest
 * @grouped: a group of historical entries has come after them, so the next normal entry ends them
 * @lost: kinds of the losses, BCOSLOG_LOST_*
 * @listed: the command lists losses and gaps itself, so notes_say() does not complain
 */
struct notes {
	u64 losses, overtaken, gaps;
	struct { u64 overtaken, gaps, begin; } early;
	bool grouped;
	u32 lost;
	bool listed;
};

/*
 * Counts stated losses, gaps of a recording, and how often the reader was overtaken, if they concern the window of the
 * session. Call this for each entry; notes_say() complains of what was counted.
 */
void note_entry(struct notes *notes, struct session *session, const struct bcos_entry *entry);
void notes_say(const struct notes *notes);

#endif
