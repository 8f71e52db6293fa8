// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog cat: copies whole entries as they are. */
#include <unistd.h>

#include "command.h"
#include "log/keep.h"
#include "log/open.h"
#include "log/pass.h"
#include "log/run.h"
#include "options/filter.h"
#include "options/options.h"
#include "late/complain.h"
#include "output/output.h"

static const char help[] =
"Usage: bcoslog cat [OPTIONS] [LOG]\n"
"       bcoslog cat [OPTIONS] -- PROGRAM...\n"
"\n"
"Writes the entries of LOG (the device, a file, or - for standard input;\n"
"default " BCOS_DEVICE_PATH ") as they are, and only whole entries.  With filters,\n"
"the output is a log that explains itself: the group and the names that the\n"
"entries need precede them.\n"
"\n"
FILTER_HELP
"  -f, --follow      go on as the log grows, until Ctrl-C; begin at its oldest\n"
"                    entry, or with --last 0 at the present\n"
"  -h, --help        print this text\n"
"\n"
"Exit status: 0 done, 1 LOG is damaged, 2 LOG cannot be read.\n";

static const struct option_spec shared[] = {
	FILTER_OPTIONS,
	{ NULL, 0, NULL, NULL },
};

/* Return: the size of the whole entries with which @bytes begin. */
static size_t whole_entries(const char *bytes, size_t size)
{
	const struct bcos_entry *entry = (const struct bcos_entry *)bytes;
	size_t whole = 0;

	while (size - whole >= sizeof(*entry) && size - whole >= entry->size) {
		whole += entry->size;
		entry = bcoslog_after(entry);
	}
	return whole;
}

static int cat_log(struct run *run)
{
	int status = EXIT_ENVIRONMENT;

	if (keep_run(run))
		return EXIT_ENVIRONMENT;
	if (!run_open(run, 0))
		status = run_close(run, run_log(run));
	if (run->context)
		keep_free(run->context);
	return status;
}

int cmd_cat(int argc, char **argv)
{
	struct arguments arguments = { .command = "cat", .help = help, .shared = shared, .takes_command = true };
	struct run run = { 0 };
	int status = arguments_parse(&arguments, argc, argv);

	if (status >= 0)
		return status;
	if (isatty(STDOUT_FILENO)) {
		complain("cat writes binary entries, which a terminal cannot show: "
			 "redirect it to a file, or use bcoslog dump");
		return EXIT_ENVIRONMENT;
	}
	run.path = arguments.path;
	run.follow = arguments.follow;
	run.command = arguments.program;
	run.apart = true;
	output.whole = whole_entries;
	return cat_log(&run);
}
