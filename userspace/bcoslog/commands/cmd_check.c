// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog check: checks that a log is well-formed, in order, and explains itself. */
#include "command.h"
#include "check/check.h"
#include "log/open.h"
#include "log/pass.h"
#include "log/run.h"
#include "log/boots.h"
#include "options/options.h"
#include "options/shared.h"
#include "output/output.h"
#include "complain/complain.h"

struct checking {
	bool quiet, failed;
	struct bcoslog_check *check;
	bool follow;			/* a signal is the usual end */
};

static int take_quiet(struct arguments *arguments, const char *text)
{
	(void)text;
	((struct checking *)arguments->context)->quiet = true;
	return 0;
}

static void report_violation(void *context, const struct bcoslog_violation *violation)
{
	const struct checking *checking = context;

	if (checking->quiet)
		return;
	output_format("byte %llu: %s: %s\n", (unsigned long long)violation->offset, violation->word,
		      violation->reason);
}

static int check_entries(struct run *run, const struct bcoslog_batch *batch)
{
	struct checking *checking = run->context;
	const struct bcos_entry *entry;
	int r = 0;

	run_each(run, entry, batch) {
		r = bcoslog_check_entry(checking->check, bcoslog_batch_offset(batch, entry), entry);
		if (unlikely(r)) {
			complain("no memory for the names in %s", run->path);
			checking->failed = true;
			break;
		}
	}
	return r;
}

static void check_damage(struct run *run, const struct bcoslog_error *error)
{
	struct checking *checking = run->context;

	bcoslog_check_damage(checking->check, error);
}

static void print_extra(u64 count, const char *one, const char *several)
{
	if (count)
		output_format(", %llu %s", (unsigned long long)count, count == 1 ? one : several);
}

static void print_overtaken(u64 count)
{
	if (count == 1)
		output_format(", overtaken once");
	else if (count)
		output_format(", overtaken %llu times", (unsigned long long)count);
}

static int print_summary(const struct checking *checking, int status)
{
	const struct bcoslog_summary *summary;

	/* If memory ran out, bcoslog_check_end() would call the group that was being read incomplete. */
	if (checking->failed)
		return status;
	summary = bcoslog_check_end(checking->check);
	if (!checking->quiet) {
		output_format("%llu %s, %llu violation%s", (unsigned long long)summary->entries,
			      summary->entries == 1 ? "entry" : "entries", (unsigned long long)summary->violations,
			      summary->violations == 1 ? "" : "s");
		print_extra(summary->losses, "loss stated", "losses stated");
		print_overtaken(summary->missed);
		print_extra(summary->reserved, "of reserved types skipped", "of reserved types skipped");
		print_extra(summary->unusual, "legal but unusual", "legal but unusual");
		print_extra(summary->lost, "byte left out", "bytes left out");
		if (run_signal && !run_finishing && !checking->follow)
			output_format(", interrupted: the rest of the log was not checked");
		output_format("\n");
	}
	return status != EXIT_ENVIRONMENT && summary->violations ? EXIT_DAMAGE : status;
}

static int cmd_check(struct session *session, int argc, char **argv)
{
	struct checking checking = { 0 };
	struct arguments arguments = { .session = session, .command = &command_check, .context = &checking };
	struct run run = { .session = session, .entries = check_entries, .damage = check_damage, .context = &checking };
	int status = arguments_parse(&arguments, argc, argv);

	if (status >= 0)
		return status;
	run.path = arguments.path;
	run.follow = arguments.follow;
	checking.follow = arguments.follow;
	checking.check = bcoslog_check_new(report_violation, &checking);
	if (!checking.check) {
		complain("no memory");
		return EXIT_ENVIRONMENT;
	}
	status = EXIT_ENVIRONMENT;
	if (!run_open(&run, 0)) {
		status = run_log(&run);
		status = run_close(&run, print_summary(&checking, status));
	}
	bcoslog_check_free(checking.check);
	return status;
}

static const struct option_spec options[] = {
	{ .name = "quiet", .letter = 'q', .take = take_quiet,
	  .help = "print nothing, and only return the exit status" },
	{ .name = NULL },
};

const struct command command_check = {
	.name = "check",
	.summary = "check that the log is well-formed, in order, and explains itself",
	.usage = "bcoslog check [OPTIONS] [LOG]",
	.about =
"Checks LOG (the device, a file, or - for standard input; default\n"
BCOS_DEVICE_PATH "): the structure of entries, their order in time, and that the\n"
"log names every item before its use.  Prints each violation as\n"
"\n"
"  byte OFFSET: RULE: reason\n"
"\n"
"and at the end the number of violations.  RULE is one of truncated, bad-size,\n"
"bad-length, bad-text, bad-padding, no-entry, no-group, incomplete-group,\n"
"group-order, duplicate, contradiction, not-restated, order, history-newer,\n"
"history-ended, time-overflow, unnamed-process, unnamed-device, unknown-core,\n"
"unknown-cpu, unknown-driver, core-in-use, cpu-in-use, cpu-online-twice,\n"
"short-table, cancel-unnamed, cancel-assigned, cancel-driver, reserved-process,\n"
"reserved-event; bcoslog-check(1) explains them.  Entries that are legal, but\n"
"that bcos_evlog would not write, are called \"unusual\" and are no violation.",
	.options = { options, boot_options, follow_options },
	.status = "0 no violation, 1 violations, 2 LOG cannot be read.",
	.records = true,
	.run = cmd_check,
};
