// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog text: prints generic events as a traditional text log (§7.1, §7.2). */
#include "command.h"
#include "complain/complain.h"
#include "log/open.h"
#include "log/pass.h"
#include "log/run.h"
#include "options/number.h"
#include "options/options.h"
#include "options/severity.h"
#include "options/shared.h"
#include "output/json.h"
#include "output/line.h"
#include "output/output.h"
#include "output/terminal.h"
#include "record/side_by_side.h"
#include "commands.h"

struct text_log {
	u64 severity, most;	/* the least and greatest severity that is shown */
	u64 id, event;
	bool by_id, by_event, ids, filtered;
	unsigned int kinds;	/* one bit for each kind of subject that is shown; 0: all kinds are */
};

static int take_severity(struct arguments *arguments, const char *text)
{
	return parse_severity("--severity", text, false, &((struct text_log *)arguments->context)->severity);
}

static int take_most(struct arguments *arguments, const char *text)
{
	return parse_severity("--max-severity", text, true, &((struct text_log *)arguments->context)->most);
}

static int take_event(struct arguments *arguments, const char *text)
{
	struct text_log *text_log = arguments->context;

	text_log->by_event = true;
	return parse_number("--event", text, 0xFFFFFFFFu, &text_log->event);
}

static int take_kind(struct arguments *arguments, const char *text)
{
	static const char *const kinds[] = { "process", "core", "cpu", "device" };
	struct text_log *text_log = arguments->context;
	unsigned int i;

	for (i = 0; i < 4; i++) {
		if (!strcmp(text, kinds[i])) {
			text_log->kinds |= 1u << i;
			return 0;
		}
	}
	complain("--kind takes process, core, cpu or device, not \"%s\"", text);
	return -1;
}

static int take_id(struct arguments *arguments, const char *text)
{
	struct text_log *text_log = arguments->context;

	text_log->by_id = true;
	return parse_number("--id", text, 0xFFFFFFFFu, &text_log->id);
}

static int take_ids(struct arguments *arguments, const char *text)
{
	(void)text;
	((struct text_log *)arguments->context)->ids = true;
	return 0;
}

static bool wants_event(struct printer *printer, const struct bcos_entry *entry)
{
	const struct text_log *text_log = printer->context;
	const struct bcos_generic *event = (const struct bcos_generic *)entry;

	if (text_log->filtered && !session_wants(printer->session, printer->lines->state, entry))
		return false;
	if (!bcoslog_is_generic(entry->type) || !event->text[0])
		return false;
	if (event->severity < text_log->severity || event->severity > text_log->most)
		return false;
	if ((text_log->by_id && entry->source != text_log->id) ||
	    (text_log->by_event && event->event_id != text_log->event))
		return false;
	return !text_log->kinds || text_log->kinds & 1u << (entry->type >> 13);
}

static void print_event(struct lines *lines, bool ids, const struct bcos_entry *entry)
{
	const struct bcos_generic *event = (const struct bcos_generic *)entry;
	const char *word = bcoslog_severity(event->severity);
	const char *meaning = bcoslog_event(entry->type, event->event_id);
	char words[BCOSLOG_THREAD_WORDS];
	size_t length;
	const char *text = line_text(entry, words, &length);

	output_room();
	if (lines->colour)
		colour_begin(entry);
	put_stamp(lines->clock, entry);
	put_literal("  ");
	put_left(word, strlen(word), sizeof("critical") - 1);
	put_literal("  ");
	line_subject(lines, entry->type, entry->source);
	if (ids) {
		put_literal(", event ");
		put_hex(event->event_id, 8);
		if (meaning) {
			put_literal(" (");
			put_string(meaning);
			put_char(')');
		}
	}
	put_literal(": ");
	put_text(text, length, 0);
	line_clock(lines, entry);
	line_named(lines, entry);
	line_waker(lines, entry);
	put_uncertainty(lines->clock, entry);
	if (lines->colour)
		colour_end(entry);
	put_char('\n');
}

/* Shows the event in the form that the options choose.  Return: 0 or -ENOMEM. */
static int show_event(struct printer *printer, const struct bcos_entry *entry, u64 offset)
{
	const struct text_log *text_log = printer->context;
	struct lines *lines = printer->lines;

	switch (printer->session->form) {
	case TABLE_JSON:
		return json_entry(lines, entry, offset) ? -ENOMEM : 0;
	case TABLE_CSV:
		text_csv_row(printer->session, lines->state, entry);
		break;
	case TABLE_SVG:
		text_svg_event(lines->state, entry);
		break;
	default:
		print_event(lines, text_log->ids, entry);
		break;
	}
	return 0;
}

static int draw_entry(struct printer *printer, const struct bcos_entry *entry)
{
	return printer->session->form == TABLE_SVG ? text_svg_entry(printer->session, entry) : 0;
}

static int cmd_text(struct session *session, int argc, char **argv)
{
	struct text_log text_log = { .most = 255 };
	struct arguments arguments = { .session = session, .command = &command_text, .context = &text_log };
	struct printer printer = { .session = session, .context = &text_log, .wants = wants_event, .show = show_event,
				   .before = draw_entry };
	struct run run = { .session = session };
	int status = arguments_parse(&arguments, argc, argv);

	if (status >= 0)
		return status;
	run.path = arguments.path;
	run.follow = arguments.follow;
	run.command = arguments.program;
	run.apart = session->form != TABLE_TEXT;
	/* --id without --kind is about a process. */
	if (text_log.by_id && !text_log.kinds)
		text_log.kinds = 1u << (BCOS_SUBJECT_PROCESS >> 13);
	if (printer_begin(&printer, &run))
		return EXIT_ENVIRONMENT;
	text_log.filtered = session_chooses(session) || arguments.program;
	session->clock.needed = session->clock.mode == TIME_WALL;
	terminal_begin(run.follow, &printer.lines->colour);
	status = EXIT_ENVIRONMENT;
	if (!run_open(&run, BCOSLOG_WAKINGS)) {
		status = -1;
		if (session->form != TABLE_CSV && session->form != TABLE_SVG)
			status = side_by_side(&run, &printer);
		if (status < 0)
			status = run_log(&run);
		/* The table has its head also if the log has no texts. */
		if (session->form == TABLE_CSV && status != EXIT_ENVIRONMENT)
			text_csv_head(session);
		if (session->form == TABLE_SVG && status != EXIT_ENVIRONMENT && text_svg_draw(session))
			status = EXIT_ENVIRONMENT;
		status = run_close(&run, status);
	}
	printer_end(&printer);
	return status;
}

static const struct option_spec options[] = {
	{ .name = "severity", .value = "MIN", .kind = VALUE_SEVERITY, .take = take_severity },
	{ .name = "max-severity", .value = "MAX", .kind = VALUE_SEVERITY, .take = take_most,
	  .help = "only events with severities from MIN to MAX: debug, info, warning, error, critical, or a number "
		  "from 0 to 255" },
	{ .name = "kind", .value = "KIND", .kind = VALUE_SUBJECT, .many = true, .take = take_kind,
	  .help = "only events about a process, core, cpu or device; may be repeated" },
	{ .name = "id", .value = "N", .take = take_id,
	  .help = "only events about process N; with --kind, about core, CPU or device N" },
	{ .name = "event", .value = "ID", .take = take_event, .help = "only events with this event ID" },
	{ .name = "ids", .take = take_ids, .help = "print event IDs, too, and their meanings if these are known" },
	{ .name = "json", .take = take_json, .help = "print an object for each event, as dump does" },
	{ .name = "csv", .take = take_csv, .help = "print a table as RFC 4180 describes it" },
	{ .name = "svg", .take = take_svg,
	  .help = "draw an SVG document that stands alone: each event at its time, and a row for each severity" },
	{ .name = NULL },
};

const struct command command_text = {
	.name = "text",
	.summary = "print generic events as a text log",
	.usage =
"bcoslog text [OPTIONS] [LOG]\n"
"bcoslog text [OPTIONS] -- PROGRAM...",
	.about =
"Prints the generic events with a text of LOG (the device, a file, or - for\n"
"standard input; default " BCOS_DEVICE_PATH ") as a text log: seconds since boot,\n"
"severity, subject, text.",
	.options = { options, time_options, filter_options, window_options, boot_options, entry_follow_options },
	.status = STATUS_OF_LOG,
	.records = true,
	.takes_program = true,
	.run = cmd_text,
};
