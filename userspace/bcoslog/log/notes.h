/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Losses and gaps that the log states, of which the tool complains at the end. */
#ifndef BCOSLOG_NOTES_H
#define BCOSLOG_NOTES_H

#include "bcoslog.h"

/* Counts stated losses, gaps of a recording, and how often the reader was overtaken. notes_say() complains of them. */
void note_entry(const struct bcos_entry *entry);
void notes_say(void);

#endif
