// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The kinds of events that can be lost, in words. */
#include <stdio.h>

#include "core/format/loss_text.h"
#include "bcoslog_account.h"
#include "gap.h"

const char *lost_kinds(char *text, size_t size, u32 kinds)
{
	static const char *const words[] = { "lives", "assignments", "interrupts", "transfers", "events", "calls",
					     "devices", "task states", "requests" };
	size_t i, used = 0, left;

	text[0] = 0;
	if ((kinds & BCOS_LOSS_OF_ALL) == BCOS_LOSS_OF_ALL)
		kinds = 0;
	/* States of threads and requests are events, too. */
	if (kinds & (BCOSLOG_LOST_STATES | BCOSLOG_LOST_REQUESTS) && kinds & BCOSLOG_LOST_EVENTS)
		kinds &= ~(u32)BCOSLOG_LOST_EVENTS;
	for (i = 0; i < sizeof(words) / sizeof(words[0]) && used < size; i++) {
		if (!(kinds >> i & 1))
			continue;
		left = kinds >> i >> 1;
		used += (size_t)snprintf(text + used, size - used, "%s%s", !used ? "" : left ? ", " : " and ", words[i]);
	}
	if (!used)
		snprintf(text, size, "events of any kind");
	return text;
}
