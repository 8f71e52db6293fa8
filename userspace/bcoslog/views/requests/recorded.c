// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* For which time a log has the events of a class: see recorded.h. */
#include <stdlib.h>

#include "bcoslog_statement.h"
#include "core/format/statement_text.h"
#include "recorded.h"

/*
 * Return: whether the class was off before this change of the mask. What a log states after its historical entries is no
 * change, and says nothing of the time before.
 */
static bool was_off(const struct recorded *recorded, const char *text)
{
	return !recorded->told && !recorded->grouped &&
	       !(strtoul(text + strlen("class mask "), NULL, 16) & recorded->class);
}

static void take_mask(struct recorded *recorded, const struct bcos_entry *entry)
{
	size_t length;
	const char *text = bcoslog_text(entry, &length);
	u32 classes;

	if (!bcos_mask_parse(text, length, &classes))
		return;
	if (!(classes & recorded->class)) {
		if (!recorded->off)
			recorded->since = entry->time;
		recorded->off = true;
	} else {
		if (recorded->off || was_off(recorded, text))
			recorded->until = entry->time;
		recorded->off = false;
	}
	recorded->told = true;
}

void recorded_entry(struct recorded *recorded, const struct report *report, const struct bcos_entry *entry)
{
	/* The batch in which the window ends may go on. */
	if (report->sinks.until && entry->time >= report->sinks.until)
		return;
	if (unlikely(entry->type == BCOS_GENERIC_CPU) && ((const struct bcos_generic *)entry)->event_id == BCOS_EVENT_MASK)
		take_mask(recorded, entry);
	recorded->grouped = entry->type & BCOS_TYPE_HISTORICAL || (recorded->grouped && bcoslog_is_statement(entry));
}

bool recorded_lacks(const struct recorded *recorded, u64 begin)
{
	return recorded->off || recorded->until > begin;
}
