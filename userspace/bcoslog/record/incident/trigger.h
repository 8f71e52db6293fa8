/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Triggers: the conditions of --on, on which a part of the log is kept. */
#ifndef BCOSLOG_RECORD_TRIGGER_H
#define BCOSLOG_RECORD_TRIGGER_H

#include "bcoslog.h"
#include "entry/text.h"

/* Bytes of the text of a cause. */
#define TRIGGER_CAUSE 64

struct triggers;

/* Adds a condition of the user; *@triggers is NULL before the first one.  Return: 0, or -1 after a complaint. */
int triggers_add(struct triggers **triggers, const char *condition);
void triggers_free(struct triggers *triggers);

/*
 * Takes the next entry of the log. If it fulfils a condition, @cause (TRIGGER_CAUSE bytes) gets a text for the name of
 * a file.  Return: whether it fulfils one.
 */
bool triggers_entry(struct triggers *triggers, const struct bcos_entry *entry, char *cause);
/* Forgets all names and states, where the log goes on after damage. */
void triggers_forget(struct triggers *triggers);
/* Return: whether SIGUSR1 is one of the conditions. */
bool triggers_have_signal(const struct triggers *triggers);

#endif
