/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* After which entries nobody knows what a CPU runs, for formats that show who has it. */
#ifndef CONVERT_UNKNOWN_H
#define CONVERT_UNKNOWN_H

#include "account/account.h"
#include "bcoslog.h"

enum unknown {
	UNKNOWN_NONE,	/* all is known as before */
	UNKNOWN_CPU,	/* of the entry's source */
	UNKNOWN_CPUS,	/* of all CPUs */
	UNKNOWN_ALL,	/* of all CPUs, and names may be others from here on, too */
};

static inline enum unknown unknown_after(const struct bcos_entry *entry)
{
	size_t length;
	const char *text;
	u32 mask;

	if (bcoslog_is_missed(entry))
		return UNKNOWN_ALL;
	if (entry->type != BCOS_GENERIC_CPU)
		return UNKNOWN_NONE;
	text = bcoslog_text(entry, &length);
	if (bcoslog_is_loss(entry))
		return account_loss_kinds(text, length) & BCOSLOG_LOST_ASSIGNMENTS ? UNKNOWN_CPU : UNKNOWN_NONE;
	return ((const struct bcos_generic *)entry)->event_id == BCOS_EVENT_MASK && account_loss_mask(text, length, &mask) &&
	       !(mask & (BCOS_CLASS_ASSIGN | BCOS_CLASS_KERNEL_TIME)) ? UNKNOWN_CPUS : UNKNOWN_NONE;
}

#endif
