// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog cat: whole entries as they are. */
#include <unistd.h>

#include "command.h"

static const char help[] =
"Usage: bcoslog cat [OPTIONS] [LOG]\n"
"\n"
"Writes the entries of LOG (the device, a file, or - for standard input;\n"
"default " BCOS_DEVICE_PATH ") as they are, whole ones only.\n"
"\n"
"  -f, --follow  go on as the log grows, until Ctrl-C\n"
"  -h, --help    this text\n"
"\n"
"Exit status: 0 done, 1 LOG is damaged, 2 it cannot be read.\n";

static int cat_entries(struct run *run, const struct bcoslog_batch *batch)
{
	(void)run;
	output_bytes(batch->first, (size_t)((const char *)batch->end - (const char *)batch->first));
	return 0;
}

int cmd_cat(int argc, char **argv)
{
	struct arguments arguments = { .command = "cat", .help = help };
	struct run run = { .entries = cat_entries };
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
	if (run_open(&run, 0))
		return EXIT_ENVIRONMENT;
	return run_close(&run, run_log(&run));
}
