/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Remembers the statements of a log about itself, which are repeated where a part of the log begins. */
#ifndef BCOSLOG_STATEMENTS_H
#define BCOSLOG_STATEMENTS_H

#include "bcoslog.h"
#include "entry/text.h"

/* Five statements, of which BCOS_EVENT_CLOCK is the first, and the class mask. */
#define STATEMENTS_MAX 6

struct stated {
	u16 size;			/* of the entry; 0: the log has stated nothing yet */
	u32 room[512];			/* the entry itself */
};

struct statements {
	struct stated of[STATEMENTS_MAX];
};

/* Remembers the entry if it is a statement, in the place of the one that had its event ID. */
void statements_learn(struct statements *statements, const struct bcos_entry *entry);
/* Calls @put for each statement, with @time as its time.  Return: 0, or a negative errno of @put. */
int statements_put(struct statements *statements, u64 time, int (*put)(void *context, const struct bcos_entry *entry),
		   void *context);
/* Forgets all statements. */
void statements_forget(struct statements *statements);

#endif
