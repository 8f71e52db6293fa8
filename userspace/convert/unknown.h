/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Some entries mean that nobody knows any more what a CPU runs. Formats that show who has each CPU ask for them here.
 */
#ifndef CONVERT_UNKNOWN_H
#define CONVERT_UNKNOWN_H

#include "account/account.h"
#include "bcoslog.h"
#include "core/format/statement_text.h"

enum unknown {
	UNKNOWN_NONE,	/* the CPUs run what they ran before */
	UNKNOWN_CPU,	/* it is unknown what the CPU runs that is the entry's source */
	UNKNOWN_CPUS,	/* it is unknown what any CPU runs */
	UNKNOWN_ALL,	/* likewise, and names may have changed unseen */
};

static inline enum unknown unknown_after(const struct bcos_entry *entry)
{
	struct bcoslog_loss loss;
	size_t length;
	const char *text;
	u32 mask;

	if (bcoslog_is_missed(entry))
		return UNKNOWN_ALL;
	if (entry->type != BCOS_GENERIC_CPU)
		return UNKNOWN_NONE;
	if (bcoslog_loss(entry, &loss))
		return loss.lost & BCOSLOG_LOST_ASSIGNMENTS ? UNKNOWN_CPU : UNKNOWN_NONE;
	text = bcoslog_text(entry, &length);
	return ((const struct bcos_generic *)entry)->event_id == BCOS_EVENT_MASK &&
			       bcos_mask_parse(text, length, &mask) &&
			       !(mask & (BCOS_CLASS_ASSIGN | BCOS_CLASS_KERNEL_TIME)) ?
		       UNKNOWN_CPUS :
		       UNKNOWN_NONE;
}

#endif
