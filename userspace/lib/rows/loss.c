// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The table loss: what is missing in the log. */
#include "buffer.h"
#include "entry/gap.h"
#include "loss.h"

enum { TS, DUR, CPU, KINDS, COUNT, WHAT, WHY, STATED_TS, OPEN, BYTES, COLUMNS };

static const struct bcoslog_rows_column columns[] = {
	[TS] = { "ts", BCOSLOG_INTEGER, "the earliest time of what is missing, ns since boot" },
	[DUR] = { "dur", BCOSLOG_INTEGER, "the time from then to the latest of it, ns" },
	[CPU] = { "cpu", BCOSLOG_INTEGER, "the CPU that lost it; NULL: it concerns all CPUs" },
	[KINDS] = { "kinds", BCOSLOG_TEXT, "the kinds of what is missing, in words" },
	[COUNT] = { "count", BCOSLOG_INTEGER, "how many events or entries are missing; NULL if the log does not tell" },
	[WHAT] = { "what", BCOSLOG_TEXT, "what is missing, in the words of the log" },
	[WHY] = { "why", BCOSLOG_TEXT, "the reason" },
	[STATED_TS] = { "stated_ts", BCOSLOG_INTEGER, "when the log states it, ns since boot" },
	[OPEN] = { "open", BCOSLOG_INTEGER, "1 if the log does not tell the end, so that dur is a lower bound" },
	[BYTES] = { "bytes", BCOSLOG_INTEGER, "bytes of the log that are damaged there; NULL: this is no damage" },
};

_Static_assert(sizeof(columns) / sizeof(columns[0]) == COLUMNS, "each column has a name");

void rows_add_missing(struct bcoslog_rows *rows, const struct missing_part *part)
{
	struct bcoslog_value *row = rows_add(rows);
	char kinds[LOST_KINDS_TEXT];

	if (!row)
		return;
	value_set(&row[TS], part->begin);
	value_set(&row[DUR], part->end - part->begin);
	if (part->one_cpu)
		value_set(&row[CPU], part->cpu);
	lost_kinds(kinds, sizeof(kinds), part->lost);
	value_set_text(&row[KINDS], rows_copy(rows, kinds, strlen(kinds)), strlen(kinds));
	if (part->count)
		value_set(&row[COUNT], part->count);
	if (part->what_length)
		value_set_text(&row[WHAT], rows_copy(rows, part->what, part->what_length), part->what_length);
	if (part->why_length)
		value_set_text(&row[WHY], rows_copy(rows, part->why, part->why_length), part->why_length);
	value_set(&row[STATED_TS], part->stated);
	value_set(&row[OPEN], part->open);
}

void rows_add_damage(struct bcoslog_rows *rows, u64 bytes)
{
	struct bcoslog_value *row = rows_add(rows);
	char kinds[LOST_KINDS_TEXT];

	if (!row)
		return;
	value_set(&row[TS], rows->now);
	value_set(&row[DUR], 0);
	lost_kinds(kinds, sizeof(kinds), 0);
	value_set_text(&row[KINDS], rows_copy(rows, kinds, strlen(kinds)), strlen(kinds));
	value_set_word(&row[WHAT], "entries");
	value_set_word(&row[WHY], "the log is damaged");
	value_set(&row[STATED_TS], rows->now);
	value_set(&row[OPEN], 1);
	value_set(&row[BYTES], bytes);
}

const struct rows_kind rows_of_loss = {
	.table = {
		.name = "loss",
		.about = "what the log states as lost or not recorded, and where it is damaged: a sum over this time is a lower bound",
		.columns = columns,
		.count = COLUMNS,
	},
	.missing = true,
};
