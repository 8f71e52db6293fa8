// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog losses: lists what the log states as lost or not recorded, from when until when. */
#include <stdlib.h>

#include "account/account.h"
#include "command.h"
#include "core/format/entry.h"
#include "core/format/statement_text.h"
#include "entry/gap.h"
#include "log/notes.h"
#include "options/filter.h"
#include "options/options.h"
#include "reader/reader.h"
#include "report/report.h"
#include "complain/complain.h"

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

/* The notice of an overtaken reader, or of a gap in a recording, until a group tells how things are. */
struct notice {
	u64 begin, count;
	char why[GAP_TEXT];
};

struct listed {
	struct table_rows table;
	struct notice *notices;		/* those after which no group has come */
	size_t count, room;
	bool grouped;			/* that group has begun */
	u32 off;			/* classes that are off, of those that are on by default */
	u64 off_since[32];
};

static bool in_window(const struct report *report, u64 begin, u64 end)
{
	u64 since, until;

	window_get(&report->session->window, &report->session->clock, &since, &until);
	return (!until || begin < until) && (end > since || begin >= since);
}

/* Sets the cells of the times. @least: the end may be later. */
static void time_cells(struct cell *cells, u64 begin, u64 end, bool least, u64 stated)
{
	cells[0] = CELL_OF(begin);
	cells[1] = cell_sum(end, least);
	cells[2] = cell_sum(end - begin, least);
	cells[8] = CELL_OF(stated);
}

static void loss_row(const struct report *report, const struct bcos_entry *entry, const struct bcoslog_loss *loss)
{
	struct listed *listed = report->context;
	struct cell cells[COLUMNS] = { { .absent = true } };
	char kinds[LOST_KINDS_TEXT];

	if (!in_window(report, loss->begin, loss->end))
		return;
	time_cells(cells, loss->begin, loss->end, loss->open, entry->time);
	cells[3] = CELL_OF(entry->source);
	cells[4] = CELL_WORD(lost_kinds(kinds, sizeof(kinds), loss->lost));
	cells[5] = loss->count ? CELL_EXACT(loss->count) : CELL_NONE;
	cells[6] = cell_name(loss->what, loss->what_length);
	cells[7] = cell_name(loss->reason, loss->reason_length);
	table_row(&listed->table, cells);
}

/* Adds the row of a stretch that concerns all CPUs. @count: 0 if the log does not tell it. */
static void stretch_row(const struct report *report, u64 begin, u64 end, bool least, u32 lost, u64 count, const char *what, const char *why)
{
	struct listed *listed = report->context;
	struct cell cells[COLUMNS] = { { .absent = true } };
	char kinds[LOST_KINDS_TEXT];

	if (!in_window(report, begin, end) || filter_has_cpus(&report->session->filter))
		return;
	time_cells(cells, begin, end, least, begin);
	cells[3] = CELL_NONE;
	cells[4] = CELL_WORD(lost_kinds(kinds, sizeof(kinds), lost));
	cells[5] = count ? CELL_EXACT(count) : CELL_NONE;
	cells[6] = CELL_WORD(what);
	cells[7] = CELL_WORD(why);
	table_row(&listed->table, cells);
}

static u32 kinds_of_class(unsigned int class)
{
	u32 kinds = account_loss_of_class(class);

	return kinds ? kinds : BCOSLOG_LOST_EVENTS;
}

static void class_row(const struct report *report, unsigned int class, u64 end, bool least)
{
	struct listed *listed = report->context;
	char what[40];

	snprintf(what, sizeof(what), "class %s", bcoslog_class(class));
	stretch_row(report, listed->off_since[class], end, least, kinds_of_class(class), 0, what, "the class was off");
}

static void mask_changed(const struct report *report, const struct bcos_entry *entry)
{
	struct listed *listed = report->context;
	unsigned int class;
	const char *text;
	size_t length;
	u32 mask;

	text = bcoslog_text(entry, &length);
	if (!bcos_mask_parse(text, length, &mask))
		return;
	/* The class kernel_time requires all assignments. */
	if (mask & BCOS_CLASS_KERNEL_TIME)
		mask |= BCOS_CLASS_ASSIGN;
	for (class = 0; class < 32; class++) {
		if (!(BCOS_CLASS_DEFAULT >> class & 1) || (listed->off >> class & 1) == !(mask >> class & 1))
			continue;
		if (listed->off >> class & 1)
			class_row(report, class, entry->time, false);
		else
			listed->off_since[class] = entry->time;
		listed->off ^= 1u << class;
	}
}

static void end_notices(const struct report *report, u64 end, bool least)
{
	struct listed *listed = report->context;
	const struct notice *notice;

	for (notice = listed->notices; notice < listed->notices + listed->count; notice++)
		stretch_row(report, notice->begin, end < notice->begin ? notice->begin : end, least, LOST_ALL, notice->count,
			    "entries", notice->why);
	listed->count = 0;
}

static void begin_notice(struct listed *listed, const struct bcos_entry *entry, const struct gap *gap)
{
	struct notice *notice;
	size_t length;
	const char *text = bcoslog_text(entry, &length);

	if (listed->count == listed->room) {
		listed->room = listed->room ? 2 * listed->room : 16;
		notice = reallocarray(listed->notices, listed->room, sizeof(*notice));
		if (!notice) {
			listed->room = listed->count;
			listed->table.failed = true;
			return;
		}
		listed->notices = notice;
	}
	notice = &listed->notices[listed->count++];
	*notice = (struct notice){ .begin = entry->time, .count = gap->entries };
	listed->grouped = false;
	if (gap->cause == GAP_OVERTAKEN)
		snprintf(notice->why, sizeof(notice->why), "the log went on faster than it was read");
	else if (gap->cause == GAP_DISK_FULL)
		snprintf(notice->why, sizeof(notice->why), "recording paused: there was no room on the disk");
	else
		snprintf(notice->why, sizeof(notice->why), "%.*s", (int)length, text);
}

static int losses_entry(struct report *report, const struct bcos_entry *entry)
{
	struct listed *listed = report->context;
	struct bcoslog_loss loss;
	struct gap gap;

	if (likely(!bcoslog_is_generic(entry->type) && !listed->count))
		return 0;
	if (entry->type & BCOS_TYPE_HISTORICAL) {
		listed->grouped = true;
		return 0;
	}
	if (listed->grouped)
		end_notices(report, entry->time, false);
	if (!bcoslog_is_generic(entry->type))
		return 0;
	if (gap_of_entry(&gap, entry))
		begin_notice(listed, entry, &gap);
	else if (bcoslog_loss(entry, &loss) && report_wants_cpu(report, entry->source))
		loss_row(report, entry, &loss);
	else if (entry->type == BCOS_GENERIC_CPU && ((const struct bcos_generic *)entry)->event_id == BCOS_EVENT_MASK)
		mask_changed(report, entry);
	return 0;
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
	u64 end = bcoslog_account_totals(report->account)->end;
	unsigned int class;

	end_notices(report, end, true);
	for (class = 0; class < 32; class++)
		if (listed->off >> class & 1)
			class_row(report, class, end < listed->off_since[class] ? listed->off_since[class] : end, true);
	table_sort(&listed->table, first_begin);
	return report_table(report, &listed->table);
}

static void end_losses(struct report *report)
{
	struct listed *listed = report->context;

	table_free(&listed->table);
	free(listed->notices);
	listed->notices = NULL;
	listed->count = listed->room = 0;
}

static int cmd_losses(struct session *session, int argc, char **argv)
{
	struct listed listed = { 0 };
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
