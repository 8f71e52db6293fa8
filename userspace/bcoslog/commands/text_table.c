// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Prints and draws the events of bcoslog text: see commands.h. */
#include "options/filter.h"
#include "output/line.h"
#include "complain/complain.h"
#include "svg/svg.h"
#include "commands.h"

/* The greatest number of events that are drawn, since more would cover each other. */
#define EVENTS_DRAWN 4096

enum { TIME, PRECISION, SEVERITY, SEVERITY_NAME, KIND, ID, NAME, EVENT, TEXT, END, CLASS, COLUMNS_DRAWN };

#define COLUMNS END

static const struct column columns[COLUMNS_DRAWN] = {
	[TIME] = { "time", "time", CELL_TIME },
	[PRECISION] = { "precision", NULL, CELL_NUMBER },
	[SEVERITY] = { "severity", NULL, CELL_NUMBER },
	[SEVERITY_NAME] = { "severity_name", "severity", CELL_TEXT },
	[KIND] = { "subject", "subject", CELL_TEXT },
	[ID] = { "source", "source", CELL_NUMBER },
	[NAME] = { "source_name", "name", CELL_TEXT },
	[EVENT] = { "event", NULL, CELL_NUMBER },
	[TEXT] = { "text", "text", CELL_TEXT },
	[END] = { "end", NULL, CELL_TIME },
	[CLASS] = { "class", NULL, CELL_TEXT },
};

static void name_of(const struct bcoslog_state *state, const struct bcos_entry *entry, struct cell *kind,
		    struct cell *name)
{
	const struct bcoslog_process *process;
	const struct bcoslog_device *device;

	*name = CELL_NONE;
	switch (entry->type & BCOS_TYPE_SUBJECT_MASK) {
	case BCOS_SUBJECT_PROCESS:
		process = bcoslog_process(state, entry->source);
		*kind = CELL_WORD("process");
		if (process)
			*name = (struct cell){ .text = process->name, .length = (u32)process->name_length };
		break;
	case BCOS_SUBJECT_CORE:
		*kind = CELL_WORD("core");
		break;
	case BCOS_SUBJECT_CPU:
		*kind = CELL_WORD("cpu");
		break;
	default:
		device = bcoslog_device(state, entry->source);
		*kind = CELL_WORD("device");
		if (device)
			*name = (struct cell){ .text = device->name, .length = (u32)device->name_length };
		break;
	}
}

static void cells_of(const struct bcoslog_state *state, const struct bcos_entry *entry, struct cell *cells)
{
	const struct bcos_generic *event = (const struct bcos_generic *)entry;
	static char words[BCOSLOG_THREAD_WORDS];
	size_t length;
	const char *text = line_text(entry, words, &length);

	cells[TIME] = CELL_OF(entry->time);
	cells[PRECISION] = CELL_OF(entry->precision);
	cells[SEVERITY] = CELL_OF(event->severity);
	cells[SEVERITY_NAME] = CELL_WORD(bcoslog_severity(event->severity));
	name_of(state, entry, &cells[KIND], &cells[NAME]);
	cells[ID] = CELL_OF(entry->source);
	cells[EVENT] = CELL_OF(event->event_id);
	cells[TEXT] = (struct cell){ .text = text, .length = (u32)length };
}

/* ---- CSV: row by row, since a log may be longer than memory ----------------------------- */

void text_csv_head(struct session *session)
{
	static bool is_there;
	struct table_rows table;

	if (is_there)
		return;
	is_there = true;
	table_begin(&table, columns, COLUMNS);
	table_put_csv_head(&table, &session->clock);
}

void text_csv_row(struct session *session, const struct bcoslog_state *state, const struct bcos_entry *entry)
{
	struct cell cells[COLUMNS];
	struct table_rows table = { .columns = columns, .width = COLUMNS, .cells = cells, .rows = 1 };

	text_csv_head(session);
	cells_of(state, entry, cells);
	table_put_csv_rows(&table, &session->clock);
}

/* ---- the drawing: a line for each severity ---------------------------------------------- */

static struct {
	struct table_rows table;
	struct report report;
	u64 left_out;
} drawing;

int text_svg_entry(struct session *session, const struct bcos_entry *entry)
{
	u64 since, until;

	if (!drawing.report.account) {
		window_get(&session->window, &session->clock, &since, &until);
		table_begin(&drawing.table, columns, COLUMNS_DRAWN);
		drawing.report.account = bcoslog_account_new(&(struct bcoslog_account_options){
			.since = since, .until = until, .unknown = chart_unknown });
		if (!drawing.report.account)
			return -ENOMEM;
	}
	return bcoslog_account_entry(drawing.report.account, entry);
}

void text_svg_event(const struct bcoslog_state *state, const struct bcos_entry *entry)
{
	static const char *const classes[] = { "more", "process", "out", "critical" };
	u8 severity = ((const struct bcos_generic *)entry)->severity;
	struct cell cells[COLUMNS_DRAWN];
	char tip[512], id[16];

	if (drawing.table.rows == EVENTS_DRAWN) {
		drawing.left_out++;
		return;
	}
	cells_of(state, entry, cells);
	/* The drawing puts cells of equal numbers on one line: the column of names gets the number of the severity. */
	cells[SEVERITY_NAME].number = severity >> 6;
	snprintf(id, sizeof(id), (entry->type & BCOS_TYPE_SUBJECT_MASK) == BCOS_SUBJECT_DEVICE ? "0x%08X" : "%u",
		 entry->source);
	snprintf(tip, sizeof(tip), "%s %s%s%.*s%s: %.*s", cells[KIND].text, id, cells[NAME].absent ? "" : " \"",
		 cells[NAME].absent ? 0 : (int)cells[NAME].length, cells[NAME].absent ? "" : cells[NAME].text,
		 cells[NAME].absent ? "" : "\"", (int)cells[TEXT].length, cells[TEXT].text);
	cells[TEXT] = CELL_WORD(tip);
	cells[END] = CELL_OF(entry->precision == 0xFFFFFFFFu ? entry->time : entry->time + entry->precision);
	cells[CLASS] = CELL_WORD(classes[severity >> 6]);
	table_row(&drawing.table, cells);
}

static int most_severe(const struct cell *left, const struct cell *right)
{
	if (left[SEVERITY_NAME].number != right[SEVERITY_NAME].number)
		return left[SEVERITY_NAME].number > right[SEVERITY_NAME].number ? -1 : 1;
	return left[TIME].number < right[TIME].number ? -1 : left[TIME].number > right[TIME].number;
}

int text_svg_draw(struct session *session)
{
	static const struct spans spans = { .title = "Events", .id = SEVERITY_NAME, .name = SEVERITY_NAME,
					    .begin = TIME, .end = END, .tip = TEXT, .class = CLASS,
					    .lost = BCOSLOG_LOST_EVENTS };
	int error = 0;

	if (!drawing.report.account) {
		table_begin(&drawing.table, columns, COLUMNS_DRAWN);
		drawing.report.account = bcoslog_account_new(NULL);
		if (!drawing.report.account)
			return chart_failed(false);
	}
	drawing.report.session = session;
	bcoslog_account_end(drawing.report.account);
	table_sort(&drawing.table, most_severe);
	error = chart_spans(&drawing.report, &drawing.table, &spans);
	if (drawing.left_out)
		complain("%llu more events are not drawn: choose fewer by --severity, --process, --since or --until",
			 (unsigned long long)drawing.left_out);
	bcoslog_account_free(drawing.report.account);
	return error;
}
