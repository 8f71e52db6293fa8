/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* An entry as a line of text. */
#ifndef BCOSLOG_LINE_H
#define BCOSLOG_LINE_H

#include "bcoslog.h"

/* Prints an entry as a line of text; @state holds the names from before the entry. */
void line_entry(const struct bcoslog_state *state, const struct bcos_entry *entry);
/* Applies the entry to @state.  Return: as bcoslog_state_apply(). */
int line_apply(struct bcoslog_state *state, const struct bcos_entry *entry);
/* Forgets all names, where the log goes on after damage. */
void line_forget(struct bcoslog_state *state);
/* Prints the subject of an entry, as `process 12 "name"`. */
void line_subject(const struct bcoslog_state *state, u16 type, u32 id);
/* Prints by how much the clock was set, if the entry states it after that. */
void line_clock(const struct bcos_entry *entry);
/* Prints the name of the waker, if the entry is a wake-up. */
void line_waker(const struct bcoslog_state *state, const struct bcos_entry *entry);

#endif
