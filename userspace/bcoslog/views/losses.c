// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog losses: lists what the log states as lost or not recorded, from when until when. */
#include "command.h"
#include "log/notes.h"
#include "options/filter.h"
#include "options/options.h"
#include "report/report.h"
#include "rows/missing.h"

static const struct column columns[] = {
	{ "begin", "from", CELL_TIME },
	{ "end", "to", CELL_TIME },
	{ "length_ns", "length", CELL_SPAN },
	{ "cpu", "CPU", CELL_NUMBER },
	{ "kinds", "kinds", CELL_TEXT },
	{ "count", "how many", CELL_COUNT },
	{ "what", "what", CELL_TEXT },
	{ "why", "why", CELL_TEXT },
	{ "stated_at", NULL, CELL_TIME },
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

struct listed {
	struct table_rows table;
	struct missing missing;
};

static bool in_window(const struct report *report, u64 begin, u64 end)
{
	return window_shows(&report->session->window, &report->session->clock, begin, end);
}

/* Adds a row for a part of the log of which something is missing, if the options choose it. */
static void missing_row(void *context, const struct missing_part *part)
{
	const struct report *report = context;
	struct listed *listed = report->context;
	struct cell cells[COLUMNS] = { { .absent = true } };
	char kinds[LOST_KINDS_TEXT];

	if (!in_window(report, part->begin, part->end))
		return;
	if (part->one_cpu ? !report_wants_cpu(report, part->cpu) : filter_has_cpus(&report->session->filter))
		return;
	cells[0] = CELL_OF(part->begin);
	cells[1] = cell_sum(part->end, part->open);
	cells[2] = cell_sum(part->end - part->begin, part->open);
	cells[3] = part->one_cpu ? CELL_OF(part->cpu) : CELL_NONE;
	cells[4] = CELL_WORD(lost_kinds(kinds, sizeof(kinds), part->lost));
	cells[5] = part->count ? CELL_EXACT(part->count) : CELL_NONE;
	cells[6] = cell_name(part->what, part->what_length);
	cells[7] = cell_name(part->why, part->why_length);
	cells[8] = CELL_OF(part->stated);
	table_row(&listed->table, cells);
}

static int losses_entry(struct report *report, const struct bcos_entry *entry)
{
	struct listed *listed = report->context;

	listed->missing.context = report;
	return missing_entry(&listed->missing, entry);
}

static int first_begin(const struct cell *left, const struct cell *right)
{
	if (left[0].number != right[0].number)
		return left[0].number < right[0].number ? -1 : 1;
	return (left[8].number > right[8].number) - (left[8].number < right[8].number);
}

static int print_losses(struct report *report)
{
	struct listed *listed = report->context;

	listed->missing.context = report;
	missing_end(&listed->missing, bcoslog_account_totals(report->account)->end);
	table_sort(&listed->table, first_begin);
	return report_table(report, &listed->table);
}

static void end_losses(struct report *report)
{
	struct listed *listed = report->context;

	table_free(&listed->table);
	missing_free(&listed->missing);
}

static int cmd_losses(struct session *session, int argc, char **argv)
{
	struct listed listed = { .missing.part = missing_row };
	struct report report = {
		.context = &listed,
		.command = &command_losses,
		.entry = losses_entry,
		.print = print_losses,
		.end = end_losses,
		.lists_losses = true,
		.lists = "stated loss",
		.no_process = "losses concern all processes: leave --process out",
		.no_device = "losses concern all devices: leave --device out",
	};

	table_begin(&listed.table, columns, COLUMNS);
	listed.table.spare = "kinds why";
	return report_run(session, &report, argc, argv);
}

const struct command command_losses = {
	.name = "losses",
	.summary = "list what was lost or not recorded, and why",
	.usage = "bcoslog losses [OPTIONS] [LOG]",
	.about =
"Lists what the log states as lost: from when until when, for how long, on which\n"
"CPU, what, how many, and why.  Stretches for which a class was off, for which\n"
"the reader was overtaken, and gaps of a recording are in the list, too.  Sums of\n"
"the reports over such a stretch are lower bounds.",
	.options = { ROWS_OF_CPUS, REPORT_OPTIONS },
	.silent = report_refused_options,
	.after = REPORT_AFTER,
	.status = STATUS_OF_LOG,
	.records = true,
	.takes_program = true,
	.run = cmd_losses,
};
