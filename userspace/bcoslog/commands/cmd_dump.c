// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog dump: prints a line for each entry. */
#include "command.h"
#include "log/notes.h"
#include "log/open.h"
#include "log/pass.h"
#include "log/run.h"
#include "options/filter.h"
#include "options/options.h"
#include "options/shared.h"
#include "output/json.h"
#include "output/line.h"
#include "output/terminal.h"
#include "output/times.h"
#include "record/side_by_side.h"
#include "shared/complain.h"

struct dump {
	const struct session *session;
	bool no_history, all, filtered, fold;
	struct bcoslog_state *state;
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

static bool entry_wanted(const struct dump *dump, const struct bcos_entry *entry)
{
	if (dump->filtered && !filter_wants(dump->state, entry))
		return false;
	if (!(entry->type & BCOS_TYPE_HISTORICAL))
		return dump->all || !bcoslog_is_statement(entry) ||
		       bcoslog_state_compare(dump->state, entry) != BCOSLOG_REPEATED;
	if (dump->no_history)
		return false;
	return dump->all || bcoslog_state_compare(dump->state, entry) != BCOSLOG_REPEATED;
}

static int dump_entry(const struct dump *dump, const struct bcos_entry *entry, u64 offset)
{
	if (!entry_wanted(dump, entry))
		return 0;
	if (unlikely(dump->fold)) {
		if (entry->type & BCOS_TYPE_HISTORICAL) {
			fold_entry(entry);
			return 0;
		}
		fold_end();
	}
	if (unlikely(beside_others))
		side_by_side_key(entry->time);
	if (dump->session->form == TABLE_JSON)
		return json_entry(dump->state, entry, offset);
	line_entry(dump->state, entry);
	return 0;
}

static int dump_entries(struct run *run, const struct bcoslog_batch *batch)
{
	const struct dump *dump = run->context;
	const struct bcos_entry *entry;
	int r;

	run_each(entry, batch) {
		note_entry(entry);
		r = dump_entry(dump, entry, bcoslog_batch_offset(batch, entry));
		if (unlikely(r))
			return r;
		r = line_apply(dump->state, entry);
		if (unlikely(r)) {
			complain("no memory for the names in %s", run->path);
			return r;
		}
	}
	return 0;
}

static void dump_resumed(struct run *run)
{
	line_forget(((struct dump *)run->context)->state);
}

static int cmd_dump(struct session *session, int argc, char **argv)
{
	struct dump dump = { .session = session };
	struct arguments arguments = { .session = session, .command = &command_dump, .context = &dump };
	struct run run = { .session = session, .entries = dump_entries, .resumed = dump_resumed, .context = &dump };
	int status = arguments_parse(&arguments, argc, argv);

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
	dump.state = bcoslog_state_new();
	if (!dump.state) {
		complain("no memory");
		return EXIT_ENVIRONMENT;
	}
	dump.filtered = filter_active() || arguments.program;
	wall_needed = time_mode == TIME_WALL;
	dump.fold = terminal_begin(run.follow) && session->form != TABLE_JSON && !dump.all;
	status = EXIT_ENVIRONMENT;
	if (!run_open(&run, 0)) {
		status = side_by_side(&run, session->form == TABLE_JSON);
		dump.fold &= !beside_others;
		run.beside = beside_others;
		if (status < 0)
			status = run_log(&run);
		fold_end();
		status = run_close(&run, status);
	}
	bcoslog_state_free(dump.state);
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
