// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Prints the window of bcoslog around, for people and for programs. */
#include "around.h"
#include "entry/text.h"
#include "map.h"
#include "output/output.h"
#include "output/times.h"
#include "complain/complain.h"

u64 vicinity_begin(const struct vicinity *window)
{
	return window->moment > window->span ? window->moment - window->span : 0;
}

u64 vicinity_end(const struct vicinity *window)
{
	u64 end;

	return __builtin_add_overflow(window->moment, window->span, &end) ? HAPPENING_OPEN - 1 : end;
}

/* ---- for people ---------------------------------------------------------------------------- */

/* The greatest widths of the subject and the text, with which a line fits into 80 columns. */
#define WHO_WIDTH 24
#define WHAT_WIDTH 27
/* The width that a column of precisions takes from the text. */
#define PRECISION_WIDTH 10

static const struct column text_columns[] = {
	{ "since", "ms", CELL_SINCE },
	{ "precision", "", CELL_TEXT },	/* only if a time is imprecise */
	{ "cpu", "CPU", CELL_NUMBER },
	{ "what", "", CELL_TEXT },
	{ "who", "", CELL_TEXT },
	{ "text", "", CELL_TEXT },
};

#define TEXT_COLUMNS (sizeof(text_columns) / sizeof(text_columns[0]))

static void name_subject(char *text, size_t size, const struct happening *happening)
{
	const struct recent_use *use = &happening->use;
	int length = (int)utf8_fit(use->name, use->name_length, WHO_WIDTH - 8);

	if (happening->kind == HAPPENS_TURN && use->use == BCOSLOG_USE_IDLE)
		snprintf(text, size, "idle");
	else if (happening->kind == HAPPENS_TURN && use->use == BCOSLOG_USE_UNKNOWN)
		snprintf(text, size, "?");
	else if (happening->kind == HAPPENS_TURN)
		snprintf(text, size, "%.*s (%u)", length, use->name, use->process);
	else if (happening->subject == BCOS_SUBJECT_PROCESS)
		snprintf(text, size, "%.*s (%u)", length, use->name, happening->id);
	else if (happening->subject == BCOS_SUBJECT_DEVICE && use->name_length)
		snprintf(text, size, "%.*s", length, use->name);
	else if (happening->subject == BCOS_SUBJECT_DEVICE)
		snprintf(text, size, "0x%08X", happening->id);
	else
		snprintf(text, size, "%s %u", happening->subject == BCOS_SUBJECT_CPU ? "CPU" : "core", happening->id);
}

static struct cell describe_happening(char *text, size_t size, const struct happening *happening,
				      size_t width, u64 from)
{
	struct bcoslog_account_process ended = { .ended = true, .status = happening->number };

	int used = 0;

	text[0] = 0;
	switch (happening->kind) {
	case HAPPENS_TURN:
		if (happening->end == HAPPENING_OPEN)
			snprintf(text, size, "and beyond");
		else
			used = table_span(text, size, happening->end - happening->begin);
		/* The log tells when the turn began, and not what happened in all of it. */
		if (used && happening->begin < from)
			snprintf(text + used, size - (size_t)used, " and beyond");
		break;
	case HAPPENS_INTERRUPT:
		snprintf(text, size, "IRQ %u", happening->number);
		break;
	case HAPPENS_INPUT:
	case HAPPENS_OUTPUT:
		snprintf(text, size, "%u bytes", happening->number);
		break;
	case HAPPENS_ENDS:
		return cell_end(&ended, text, size);
	case HAPPENS_NAMED:
		snprintf(text, size, "was %.*s", (int)utf8_fit(happening->text, happening->length, width - 4),
			 happening->text);
		break;
	case HAPPENS_EVENT:
	case HAPPENS_CALLS:
		if (happening->length)
			return (struct cell){ .text = happening->text,
				.length = utf8_fit(happening->text, happening->length, width) };
		if (happening->kind == HAPPENS_EVENT)
			snprintf(text, size, "event 0x%08X", happening->number);
		break;
	default:
		break;
	}
	return CELL_WORD(text);
}

static void print_head(const struct vicinity *window, struct clock *clock)
{
	char time[TIME_TEXT];

	output_room();
	time_text(clock, time, window->moment);
	/* From a day on, seconds keep the number readable, and "%g" from an exponent. */
	if (window->span >= 86400000000000ull)
		output_format("Around %s, %.14g s before and after\n", time, (double)(window->span / 1000000) / 1e3);
	else
		output_format("Around %s, %.14g ms before and after\n", time, (double)window->span / 1e6);
}

static bool has_imprecise(const struct vicinity *window)
{
	const struct happening *each = window->happenings.of + window->happenings.first;
	size_t i;

	for (i = 0; i < window->happenings.count; i++)
		if (each[i].precision > 1)
			return true;
	return false;
}

/* @marks: the row has the precision of the time. */
static void text_row(struct table_rows *table, const struct vicinity *window, const struct happening *happening, bool marks)
{
	char name[64], text[96], precision[PRECISION_TEXT];
	struct cell cells[TEXT_COLUMNS], *cell = cells;

	name_subject(name, sizeof(name), happening);
	*cell++ = CELL_OF(happening->begin - window->moment);
	if (marks)
		*cell++ = CELL_WORD(precision_text(precision, happening->precision));
	*cell++ = happening->subject == BCOS_SUBJECT_CPU ? CELL_OF(happening->id) : CELL_NONE;
	*cell++ = CELL_WORD(happening_word(happening));
	*cell++ = CELL_WORD(name);
	*cell = describe_happening(text, sizeof(text), happening, marks ? WHAT_WIDTH - PRECISION_WIDTH : WHAT_WIDTH,
				   window->from);
	table_row(table, cells);
}

int vicinity_text(const struct vicinity *window, struct session *session)
{
	const struct happening *each = window->happenings.of + window->happenings.first;
	struct column shown[TEXT_COLUMNS];
	struct table_rows table;
	bool marks = has_imprecise(window);
	size_t i, count = 0;

	print_head(window, &session->clock);
	if (map_print(&window->happenings, vicinity_begin(window), vicinity_end(window), window->until, window->moment)) {
		complain("no memory for the map of CPUs");
		return -ENOMEM;
	}
	if (window->map_only)
		return 0;
	output_bytes("\n", 1);
	for (i = 0; i < TEXT_COLUMNS; i++)
		if (marks || i != 1)
			shown[count++] = text_columns[i];
	table_begin(&table, shown, count);
	for (i = 0; i < window->happenings.count; i++)
		text_row(&table, window, &each[i], marks);
	return table_end(&table, session);
}

/* ---- for programs ---------------------------------------------------------------------------- */

static const struct column columns[] = {
	{ "time", "", CELL_TIME },
	{ "since_moment_ns", "", CELL_SINCE },
	{ "what", "", CELL_TEXT },
	{ "subject", "", CELL_TEXT },
	{ "id", "", CELL_NUMBER },
	{ "use", "", CELL_TEXT },
	{ "process", "", CELL_NUMBER },
	{ "name", "", CELL_TEXT },
	{ "end", "", CELL_TIME },
	{ "number", "", CELL_NUMBER },
	{ "severity", "", CELL_NUMBER },
	{ "text", "", CELL_TEXT },
	{ "precision", "", CELL_NUMBER },
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

static bool has_number(const struct happening *happening)
{
	return happening->kind == HAPPENS_INTERRUPT || happening->kind == HAPPENS_INPUT ||
	       happening->kind == HAPPENS_OUTPUT || happening->kind == HAPPENS_EVENT ||
	       (happening->kind == HAPPENS_ENDS && happening->number != BCOS_STATUS_UNKNOWN);
}

static void data_row(struct table_rows *table, const struct vicinity *window, const struct happening *happening)
{
	static const char *const uses[] = { "process", "kernel", "idle", "unknown" };
	bool turn = happening->kind == HAPPENS_TURN;
	bool process = turn && (happening->use.use == BCOSLOG_USE_PROCESS || happening->use.use == BCOSLOG_USE_KERNEL);

	table_row(table, (struct cell[COLUMNS]){
		CELL_OF(happening->begin), CELL_OF(happening->begin - window->moment),
		CELL_WORD(happening_word(happening)), CELL_WORD(bcoslog_subject(happening->subject)),
		CELL_OF(happening->id), turn ? CELL_WORD(uses[happening->use.use]) : CELL_NONE,
		process ? CELL_OF(happening->use.process) : CELL_NONE,
		happening->use.name_length ? cell_name(happening->use.name, happening->use.name_length) : CELL_NONE,
		turn && happening->end != HAPPENING_OPEN ? CELL_OF(happening->end) : CELL_NONE,
		has_number(happening) ? CELL_OF(happening->number) : CELL_NONE,
		happening->kind == HAPPENS_EVENT ? CELL_OF(happening->severity) : CELL_NONE,
		cell_name(happening->text, happening->length),
		CELL_OF(happening->precision),
	});
}

int vicinity_data(const struct vicinity *window, struct session *session)
{
	const struct happening *each = window->happenings.of + window->happenings.first;
	struct table_rows table;
	size_t i;

	table_begin(&table, columns, COLUMNS);
	for (i = 0; i < window->happenings.count; i++)
		data_row(&table, window, &each[i]);
	return table_end(&table, session);
}
