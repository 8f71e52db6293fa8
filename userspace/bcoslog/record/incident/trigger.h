/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Conditions on which a part of the log is kept: `--on CONDITION`. */
#ifndef BCOSLOG_RECORD_TRIGGER_H
#define BCOSLOG_RECORD_TRIGGER_H

#include "bcoslog.h"
#include "output/decimal.h"

#define TRIGGER_CAUSE 64

struct triggers;

/* Add a condition as the user writes it; *@triggers is NULL before the first.  Return: 0, or -1 after a complaint. */
int triggers_add(struct triggers **triggers, const char *condition);
void triggers_free(struct triggers *triggers);

/*
 * Look at the next entry; names are as of before it.  @cause: out, TRIGGER_CAUSE bytes: the condition that holds, as a part
 * of a file's name.
 * Return: does one hold?
 */
bool triggers_entry(struct triggers *triggers, const struct bcos_entry *entry, char *cause);
/* Forget all names. */
void triggers_forget(struct triggers *triggers);
/* Is SIGUSR1 among them? */
bool triggers_have_signal(const struct triggers *triggers);

#endif
