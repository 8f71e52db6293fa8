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
#include "options/shared.h"
#include "output/output.h"
#include "complain/complain.h"

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

static int cmd_cat(struct session *session, int argc, char **argv)
{
	struct arguments arguments = { .session = session, .command = &command_cat };
	struct run run = { .session = session };
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

const struct command command_cat = {
	.name = "cat",
	.summary = "copy the entries as they are",
	.usage =
"bcoslog cat [OPTIONS] [LOG]\n"
"bcoslog cat [OPTIONS] -- PROGRAM...",
	.about =
"Writes the entries of LOG (the device, a file, or - for standard input;\n"
"default " BCOS_DEVICE_PATH ") as they are, and only whole entries.  With filters,\n"
"the output is a log that explains itself: the group and the names that the\n"
"entries need precede them.",
	.options = { filter_options, window_options, boot_options, entry_follow_options },
	.status = STATUS_OF_LOG,
	.records = true,
	.takes_program = true,
	.run = cmd_cat,
};
