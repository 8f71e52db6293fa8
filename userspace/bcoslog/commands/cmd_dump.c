// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog dump: prints a line for each entry. */
#include "command.h"
#include "complain/complain.h"
#include "core/format/thread_text.h"
#include "log/open.h"
#include "log/pass.h"
#include "log/run.h"
#include "options/options.h"
#include "options/shared.h"
#include "output/json.h"
#include "output/line.h"
#include "output/terminal.h"
#include "record/side_by_side.h"

struct dump {
	bool no_history, all, filtered, folds;
	struct fold fold;
};

static int take_no_history(struct arguments *arguments, const char *text)
{
	(void)text;
	((struct dump *)arguments->context)->no_history = true;
	return 0;
}

static int take_all(struct arguments *arguments, const char *text)
{
	(void)text;
	((struct dump *)arguments->context)->all = true;
	return 0;
}

static bool wants_entry(struct printer *printer, const struct bcos_entry *entry)
{
	const struct dump *dump = printer->context;
	const struct bcoslog_state *state = printer->lines->state;

	if (dump->filtered && !session_wants(printer->session, state, entry))
		return false;
	if (!(entry->type & BCOS_TYPE_HISTORICAL))
		return dump->all || (!bcoslog_is_statement(entry) && !bcos_is_thread_name(entry)) ||
		       bcoslog_state_compare(state, entry) != BCOSLOG_REPEATED;
	if (dump->no_history)
		return false;
	return dump->all || bcoslog_state_compare(state, entry) != BCOSLOG_REPEATED;
}

static int show_entry(struct printer *printer, const struct bcos_entry *entry, u64 offset)
{
	struct dump *dump = printer->context;

	if (unlikely(dump->folds && !printer->beside)) {
		if (entry->type & BCOS_TYPE_HISTORICAL) {
			fold_entry(&dump->fold, entry);
			return 0;
		}
		fold_end(&dump->fold, printer->lines->colour);
	}
	if (printer->session->form == TABLE_JSON)
		return json_entry(printer->lines, entry, offset);
	line_entry(printer->lines, entry);
	return 0;
}

static int cmd_dump(struct session *session, int argc, char **argv)
{
	struct dump dump = { 0 };
	struct arguments arguments = { .session = session, .command = &command_dump, .context = &dump };
	struct printer printer = { .session = session, .context = &dump, .wants = wants_entry, .show = show_entry };
	struct run run = { .session = session };
	int status = arguments_parse(&arguments, argc, argv);
	bool terminal;

	if (status >= 0)
		return status;
	if (dump.all && dump.no_history) {
		complain("--all and --no-history exclude each other");
		return EXIT_ENVIRONMENT;
	}
	run.path = arguments.path;
	run.follow = arguments.follow;
	run.command = arguments.program;
	run.apart = session->form != TABLE_TEXT;
	if (printer_begin(&printer, &run))
		return EXIT_ENVIRONMENT;
	dump.filtered = session_chooses(session) || arguments.program;
	session->clock.needed = session->clock.mode == TIME_WALL;
	terminal = terminal_begin(run.follow, &printer.lines->colour);
	dump.folds = terminal && session->form != TABLE_JSON && !dump.all;
	status = EXIT_ENVIRONMENT;
	if (!run_open(&run, 0)) {
		status = side_by_side(&run, &printer);
		if (status < 0)
			status = run_log(&run);
		fold_end(&dump.fold, printer.lines->colour);
		status = run_close(&run, status);
	}
	printer_end(&printer);
	return status;
}

static const struct option_spec options[] = {
	{ .name = "json", .take = take_json, .help = "print an object for each entry, on a line of its own" },
	{ .name = "no-history", .take = take_no_history, .help = "print no historical entries" },
	{ .name = "all", .take = take_all, .help = "print all historical entries, also those that repeat facts" },
	{ .name = NULL },
};

const struct command command_dump = {
	.name = "dump",
	.summary = "print each entry as a line",
	.usage =
"bcoslog dump [OPTIONS] [LOG]\n"
"bcoslog dump [OPTIONS] -- PROGRAM...",
	.about =
"Prints a line for each entry of LOG (the device, a file, or - for standard\n"
"input; default " BCOS_DEVICE_PATH "): seconds since boot, type, subject, contents,\n"
"and the precision if that is above a nanosecond.  It leaves out historical\n"
"entries that repeat known facts.",
	.options = { options, time_options, filter_options, window_options, boot_options, entry_follow_options },
	.status = STATUS_OF_LOG,
	.records = true,
	.takes_program = true,
	.run = cmd_dump,
};
