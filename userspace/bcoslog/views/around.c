// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog around: what every CPU did around a moment. */
#include <stdlib.h>

#include "../names.h"
#include "../times.h"
#include "../when.h"
#include "map.h"
#include "page.h"

static const char help[] =
"Usage: bcoslog around [OPTIONS] TIME [LOG]\n"
"       bcoslog around [OPTIONS] --event TEXT | --device NAME [LOG]\n"
"\n"
"Tells what happened around a moment: a map with a row for each CPU, and a line\n"
"for each turn, interrupt, transfer, event, birth and death, with its time in\n"
"milliseconds before (-) or after the moment.  Turns that reach out of the window\n"
"are told with their whole length.\n"
"\n"
"TIME is in seconds since boot (123.5), of the wall clock (14:03, \"2026-11-23\n"
"14:03:05.5\"), or how long before the end (5s).  The times that other reports\n"
"print can be given as they are.\n"
"\n"
"      --event TEXT  the moment of the first event whose text has TEXT in it\n"
"      --device D    the moment at which the device, by number or name, first\n"
"                    comes, goes, fails, or has a link that goes up or down\n"
"      --nth N       the moment of the N-th such event\n"
"      --span SPAN   so long before and after the moment (default 5ms)\n"
"      --map         the map alone\n"
"      --process P, --cpu N, --core N\n"
"                    only of these, by number or name; may be repeated\n"
FILTER_TIMES_HELP
"                    the event or the device is looked for in this time alone\n"
"  -T, --wall        the moment by the wall clock\n"
"      --json, --csv for programs: an object a line, or RFC 4180\n"
"  -f, --follow      go on as the log grows, until Ctrl-C, and tell then\n"
"  -h, --help        this text\n"
"\n"
"Exit status: 0 done, 1 LOG is damaged, 2 it cannot be read, or there is no such\n"
"moment in it.\n";

static struct around {
	const char *first;		/* argument: TIME or the log */
	const char *event, *device;
	u64 device_id;
	bool device_by_id;
	u64 nth, found, span;
	bool map_only;
	bool known, done;		/* the moment is; all around it is there */
	bool ends;			/* the log does: what goes on has no end */
	u64 moment, until;		/* of which the log tells */
	struct happenings happenings;
	struct report *report;
	int error;
} around = { .nth = 1, .span = 5000000 };

static bool has(const char *text, size_t length, const char *part)
{
	return text && memmem(text, length, part, strlen(part));
}

static bool is_the_device(const struct bcos_entry *entry)
{
	const struct bcoslog_account_device *device = bcoslog_account_device(around.report->account, entry->source);
	size_t length = strlen(around.device), named;
	const char *text;

	if ((entry->type & BCOS_TYPE_SUBJECT_MASK) != BCOS_SUBJECT_DEVICE || entry->type == BCOS_IRQ ||
	    entry->type == BCOS_DEVICE_INPUT || entry->type == BCOS_DEVICE_OUTPUT)
		return false;
	if (around.device_by_id)
		return entry->source == around.device_id;
	if (device && device->name_length == length && !memcmp(device->name, around.device, length))
		return true;
	text = entry->type == BCOS_SET_DEVICE_NAME ? bcoslog_text(entry, &named) : NULL;
	return text && named == length && !memcmp(text, around.device, length);
}

/* Is it the moment that is looked for? */
static bool is_it(const struct bcos_entry *entry)
{
	size_t length = 0;
	const char *text;

	if (!report_counts(around.report, entry->time))
		return false;
	if (around.device)
		return is_the_device(entry);
	if (!bcoslog_is_generic(entry->type) || bcoslog_is_statement(entry))
		return false;
	text = bcoslog_text(entry, &length);
	return has(text, length, around.event);
}

static void find(const struct bcos_entry *entry)
{
	if (around.first)
		around.known = filter_moment(&around.moment);
	else if (is_it(entry) && ++around.found == around.nth)
		around.known = true;
	else
		return;
	if (!around.first)
		around.moment = entry->time;
}

static u64 begin_of_window(void)
{
	return around.moment > around.span ? around.moment - around.span : 0;
}

static u64 end_of_window(void)
{
	u64 end;

	return __builtin_add_overflow(around.moment, around.span, &end) ? HAPPENING_OPEN - 1 : end;
}

static int failed(int error)
{
	if (error && !around.error) {
		around.error = error;
		complain(error == -E2BIG ? "more than a million things happen there: choose a shorter --span" :
					   "no memory for what happens around the moment");
	}
	return error;
}

static int entry(struct report *report, const struct bcos_entry *entry)
{
	u64 limit;
	int r;

	around.ends = false;
	if (entry->type & BCOS_TYPE_HISTORICAL || around.done || around.error)
		return around.error;
	if (!around.known)
		find(entry);
	if (around.known && entry->time > end_of_window()) {
		around.done = true;
		around.until = end_of_window();
		return failed(happenings_open(&around.happenings, report->account));
	}
	around.until = entry->time;
	r = failed(happenings_entry(&around.happenings, report->account, entry));
	limit = entry->time > around.span ? entry->time - around.span : 0;
	happenings_trim(&around.happenings, around.known ? begin_of_window() : limit);
	return r;
}

static int after(struct report *report, const struct bcos_entry *entry)
{
	(void)report;
	(void)entry;
	around.ends = true;
	return 0;
}

static void interval(void *context, const struct bcoslog_interval *interval)
{
	(void)context;
	if (around.ends || around.error)
		return;
	if (around.done)
		happenings_close(&around.happenings, interval);
	else
		failed(happenings_interval(&around.happenings, interval));
}

/* ---- what is asked for of it ------------------------------------------------------------ */

static bool wanted(const struct happening *happening)
{
	bool cpu = happening->subject == BCOS_SUBJECT_CPU, process = happening->subject == BCOS_SUBJECT_PROCESS;
	const struct recent_use *use = &happening->use;

	if (happening->end < begin_of_window() || happening->begin > end_of_window())
		return false;
	if (filter_has_cpus() && (!cpu || !report_wants_cpu(around.report, happening->id)))
		return false;
	if (!filter_has_processes())
		return true;
	if (happening->kind == HAPPENS_TURN && !use->name_length)
		return false;
	return (process || happening->kind == HAPPENS_TURN) &&
	       filter_wants_process(process ? happening->id : use->process, use->name, use->name_length);
}

static void choose(void)
{
	struct happenings *all = &around.happenings;
	struct happening *of = all->of + all->first;
	size_t i, kept = 0;

	for (i = 0; i < all->count; i++) {
		if (wanted(&of[i]))
			of[kept++] = of[i];
		else
			free(of[i].text);
	}
	all->count = kept;
	happenings_sort(all);
}

/* ---- for people ---------------------------------------------------------------------------- */

/* So that a line fits in 80 columns. */
#define WHO_WIDTH 24
#define WHAT_WIDTH 27

static const struct column text_columns[] = {
	{ "since", "ms", CELL_SINCE },
	{ "cpu", "CPU", CELL_NUMBER },
	{ "what", "", CELL_TEXT },
	{ "who", "", CELL_TEXT },
	{ "text", "", CELL_TEXT },
};

#define TEXT_COLUMNS (sizeof(text_columns) / sizeof(text_columns[0]))

static size_t whole_characters(const char *text, size_t length, size_t most)
{
	if (length <= most)
		return length;
	for (length = most; length && ((u8)text[length] & 0xC0) == 0x80; length--)
		;
	return length;
}

static void who(char *text, size_t size, const struct happening *happening)
{
	const struct recent_use *use = &happening->use;
	int length = (int)whole_characters(use->name, use->name_length, WHO_WIDTH - 8);

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

static struct cell what(char *text, size_t size, const struct happening *happening)
{
	struct bcoslog_account_process ended = { .ended = true, .status = happening->number };

	text[0] = 0;
	switch (happening->kind) {
	case HAPPENS_TURN:
		if (happening->end == HAPPENING_OPEN)
			snprintf(text, size, "and beyond");
		else
			table_span(text, size, happening->end - happening->begin);
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
		snprintf(text, size, "was %.*s", (int)whole_characters(happening->text, happening->length, WHAT_WIDTH - 4),
			 happening->text);
		break;
	case HAPPENS_EVENT:
	case HAPPENS_CALLS:
		if (happening->length)
			return (struct cell){ .text = happening->text,
				.length = whole_characters(happening->text, happening->length, WHAT_WIDTH) };
		if (happening->kind == HAPPENS_EVENT)
			snprintf(text, size, "event 0x%08X", happening->number);
		break;
	default:
		break;
	}
	return CELL_WORD(text);
}

static void print_head(void)
{
	char time[TIME_TEXT];

	output_room();
	time_text(time, around.moment);
	output_format("Around %s, %.9g ms before and after\n", time, (double)around.span / 1e6);
}

static int print_text(void)
{
	const struct happening *each = around.happenings.of + around.happenings.first;
	struct table_rows table;
	char name[64], text[96];
	size_t i;

	print_head();
	if (map_print(&around.happenings, begin_of_window(), end_of_window(), around.until, around.moment))
		return -ENOMEM;
	if (around.map_only)
		return 0;
	output_bytes("\n", 1);
	table_begin(&table, text_columns, TEXT_COLUMNS);
	for (i = 0; i < around.happenings.count; i++, each++) {
		who(name, sizeof(name), each);
		table_row(&table, (struct cell[TEXT_COLUMNS]){
			CELL_OF(each->begin - around.moment),
			each->subject == BCOS_SUBJECT_CPU ? CELL_OF(each->id) : CELL_NONE,
			CELL_WORD(happening_word(each)), CELL_WORD(name), what(text, sizeof(text), each),
		});
	}
	return table_end(&table, TABLE_TEXT);
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
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

static bool has_number(const struct happening *happening)
{
	return happening->kind == HAPPENS_INTERRUPT || happening->kind == HAPPENS_INPUT ||
	       happening->kind == HAPPENS_OUTPUT || happening->kind == HAPPENS_EVENT || happening->kind == HAPPENS_ENDS;
}

static void data_row(struct table_rows *table, const struct happening *happening)
{
	static const char *const uses[] = { "process", "kernel", "idle", "unknown" };
	bool turn = happening->kind == HAPPENS_TURN;
	bool process = turn && (happening->use.use == BCOSLOG_USE_PROCESS || happening->use.use == BCOSLOG_USE_KERNEL);

	table_row(table, (struct cell[COLUMNS]){
		CELL_OF(happening->begin), CELL_OF(happening->begin - around.moment),
		CELL_WORD(happening_word(happening)), CELL_WORD(bcoslog_subject(happening->subject)),
		CELL_OF(happening->id), turn ? CELL_WORD(uses[happening->use.use]) : CELL_NONE,
		process ? CELL_OF(happening->use.process) : CELL_NONE,
		happening->use.name_length ? cell_name(happening->use.name, happening->use.name_length) : CELL_NONE,
		turn && happening->end != HAPPENING_OPEN ? CELL_OF(happening->end) : CELL_NONE,
		has_number(happening) ? CELL_OF(happening->number) : CELL_NONE,
		happening->kind == HAPPENS_EVENT ? CELL_OF(happening->severity) : CELL_NONE,
		cell_name(happening->text, happening->length),
	});
}

static int print_data(enum table_form form)
{
	const struct happening *each = around.happenings.of + around.happenings.first;
	struct table_rows table;
	size_t i;

	table_begin(&table, columns, COLUMNS);
	for (i = 0; i < around.happenings.count; i++)
		data_row(&table, &each[i]);
	return table_end(&table, form);
}

/* ---- the command ------------------------------------------------------------------------------- */

/* Return: 0, or -1 after a complaint. */
static int check_moment(const struct report *report)
{
	const struct bcoslog_account_totals *totals = bcoslog_account_totals(report->account);
	char begin[TIME_TEXT], end[TIME_TEXT];

	if (!around.known && around.first) {
		complain("nothing happens in the log at all");
	} else if (!around.known) {
		complain("the log has no %s %s%s", around.event ? "event with the text" : "event of the device",
			 around.event ? around.event : around.device, around.nth > 1 ? " so often" : "");
	} else if (end_of_window() < totals->begin || begin_of_window() > totals->end) {
		time_text(begin, totals->begin);
		time_text(end, totals->end);
		complain("the log tells of nothing around that time: it goes from %s to %s", begin, end);
	} else {
		return 0;
	}
	return -1;
}

static int print(struct report *report)
{
	int r = around.error;

	if (!r)
		r = check_moment(report);
	if (!r && !around.done) {
		around.done = true;
		r = failed(happenings_open(&around.happenings, report->account));
	}
	if (!r) {
		choose();
		r = report->form == TABLE_TEXT ? print_text() : print_data(report->form);
	}
	happenings_free(&around.happenings);
	return r;
}

static int take_first(void *context, const char *text)
{
	(void)context;
	if (around.first || !*text || text[0] == '-')
		return 0;
	around.first = text;
	return 1;
}

static int take_event(void *context, const char *text)
{
	(void)context;
	around.event = text;
	return 0;
}

static int take_device(void *context, const char *text)
{
	(void)context;
	around.device = text;
	around.device_by_id = is_number(text);
	return around.device_by_id ? parse_number("--device", text, 0xFFFFFFFF, &around.device_id) : 0;
}

static int take_nth(void *context, const char *text)
{
	(void)context;
	if (parse_number("--nth", text, UINT32_MAX, &around.nth))
		return -1;
	if (around.nth)
		return 0;
	complain("--nth counts from 1");
	return -1;
}

static int take_span(void *context, const char *text)
{
	(void)context;
	return parse_duration("--span", text, &around.span);
}

static int take_map(void *context, const char *text)
{
	(void)context;
	(void)text;
	around.map_only = true;
	return 0;
}

/* With --event or --device, the first argument is the log. */
static int ready(struct report *report, struct arguments *arguments)
{
	if (around.event && around.device) {
		complain("--event and --device exclude each other");
		return -1;
	}
	if (around.map_only && report->form != TABLE_TEXT) {
		complain("a map is for people: leave --map out, or --json and --csv");
		return -1;
	}
	wall_needed |= time_mode == TIME_WALL;
	if (!around.event && !around.device) {
		if (around.first)
			return filter_take_moment("TIME", around.first);
		complain("the moment is missing: bcoslog around TIME, or --event TEXT, or --device NAME");
		return -1;
	}
	if (around.first && arguments->path != default_log) {
		complain("--%s is the moment, and %s is one, too: leave one of them out",
			 around.event ? "event" : "device", around.first);
		return -1;
	}
	if (around.first)
		arguments->path = around.first;
	around.first = NULL;
	return 0;
}

int cmd_around(int argc, char **argv)
{
	static const struct option_spec options[] = {
		{ "event", 0, "TEXT", take_event },
		{ "device", 0, "ID|NAME", take_device },
		{ "nth", 0, "N", take_nth },
		{ "span", 0, "SPAN", take_span },
		{ "map", 0, NULL, take_map },
		{ "wall", 'T', NULL, take_wall_time },
		{ NULL, 0, NULL, NULL },
	};
	struct report report = {
		.command = "around", .help = help, .options = options, .change = take_first, .ready = ready, .entry = entry,
		.after = after,
		.sinks = { .interval = interval }, .print = print,
	};

	around.report = &report;
	return report_run(&report, argc, argv);
}
