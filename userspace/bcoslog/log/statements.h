/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The statements of a log about itself, to be repeated where a part of it begins. */
#ifndef BCOSLOG_STATEMENTS_H
#define BCOSLOG_STATEMENTS_H

#include "bcoslog.h"
#include "output/decimal.h"

/* BCOS_EVENT_CLOCK and the ones after it, and the mask. */
#define STATEMENTS_MAX 6

struct stated {
	u16 size;			/* 0: there is none */
	u32 room[512];			/* the entry */
};

struct statements {
	struct stated of[STATEMENTS_MAX];
};

/* Remember the entry, if it is a statement. */
void statements_learn(struct statements *statements, const struct bcos_entry *entry);
/* Each that was stated last, as of @time.  Return: 0, or what @put returned. */
int statements_put(struct statements *statements, u64 time, int (*put)(void *context, const struct bcos_entry *entry),
		   void *context);
void statements_forget(struct statements *statements);

#endif
