// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog watch: prints a line for each notification of compactions (§6.2). */
#include "command.h"
#include "log/open.h"
#include "log/pass.h"
#include "log/run.h"
#include "options/number.h"
#include "options/options.h"
#include "output/output.h"
#include "reader/reader.h"
#include "complain/complain.h"

struct watch {
	u64 count;		/* lines to print; 0: no end */
};

static int take_count(struct arguments *arguments, const char *text)
{
	struct watch *watch = arguments->context;

	if (parse_number("--count", text, ~0ull, &watch->count))
		return -1;
	if (watch->count)
		return 0;
	complain("--count takes a number of lines, at least 1");
	return -1;
}

static void show_compaction(const struct bcos_compaction *compaction)
{
	output_room();
	put_time(compaction->time);
	output_format("  %llu %s, %llu %s, %llu bytes discarded\n",
		      (unsigned long long)compaction->count,
		      compaction->count == 1 ? "compaction" : "compactions",
		      (unsigned long long)compaction->entries,
		      compaction->entries == 1 ? "entry" : "entries",
		      (unsigned long long)compaction->bytes);
}

static int watch_log(struct run *run, u64 lines)
{
	struct bcos_compaction compaction;
	u64 done = 0;
	int r;

	while (!lines || done < lines) {
		r = bcoslog_wait_compaction(run->log, -1);
		if (r == -EINTR || r == -EPIPE)
			break;
		if (r < 0 || bcoslog_compaction(run->log, &compaction))
			return run_failed(run);
		/* Another process that shares the open file may have acknowledged the compaction. */
		if (!compaction.count)
			continue;
		show_compaction(&compaction);
		done++;
		if (output_flush())
			break;
	}
	return EXIT_OK;
}

static int cmd_watch(struct session *session, int argc, char **argv)
{
	struct watch watch = { 0 };
	struct arguments arguments = { .session = session, .command = &command_watch, .context = &watch };
	/* The subcommand follows the log without -f, until Ctrl-C. */
	struct run run = { .session = session, .follow = true };
	int status = arguments_parse(&arguments, argc, argv);

	if (status >= 0)
		return status;
	run.path = arguments.path;
	if (run_open(&run, 0))
		return EXIT_ENVIRONMENT;
	return run_close(&run, watch_log(&run, watch.count));
}

static const struct option_spec options[] = {
	{ .name = "count", .value = "N", .take = take_count, .help = "end after N lines" },
	{ .name = NULL },
};

const struct command command_watch = {
	.name = "watch",
	.summary = "wait for compactions",
	.usage = "bcoslog watch [OPTIONS] [DEVICE]",
	.about =
"Waits for compactions of the log, and prints for each notification the time of\n"
"the latest compaction, the number of compactions since the line before, and\n"
"the number of entries and bytes that they discarded.  Ctrl-C ends it.",
	.options = { options },
	.status = "0 N lines or a signal ended it, 2 the device cannot be used.",
	.run = cmd_watch,
};
