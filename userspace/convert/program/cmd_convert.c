// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog convert: its command line.  The formats are in userspace/convert. */
#include <stdlib.h>
#include <unistd.h>

#include "command.h"
#include "libexec/libexec.h"
#include "log/run.h"
#include "options/filter.h"
#include "options/help.h"
#include "options/options.h"
#include "options/recorder_options.h"
#include "options/shared.h"
#include "output/output.h"
#include "complain/complain.h"
#include "transfer.h"

static int take_to(struct arguments *arguments, const char *text)
{
	((struct transfer *)arguments->context)->to = text;
	return 0;
}

static int take_from(struct arguments *arguments, const char *text)
{
	((struct transfer *)arguments->context)->from = text;
	return 0;
}

static int take_output(struct arguments *arguments, const char *text)
{
	((struct transfer *)arguments->context)->output = text;
	return 0;
}

/* ---- options of formats ------------------------------------------------------ */

static const struct convert_option *find_in(const struct convert_option *option, const char *name, size_t length)
{
	for (; option && option->name; option++)
		if (strlen(option->name) == length && !memcmp(option->name, name, length))
			return option;
	return NULL;
}

static const struct convert_option *find_option(const char *name, size_t length)
{
	const struct convert_option *option = NULL;
	const struct format *format;

	for (format = formats; !option && format < formats + formats_count; format++) {
		if (format->exporter)
			option = find_in(format->exporter->options, name, length);
		if (!option && format->importer)
			option = find_in(format->importer->options, name, length);
	}
	return option;
}

/*
 * Takes @argv[0] if it is an option of a format.
 * Return: the number of arguments that the option takes, 0 if it is no such option, or -1 after a complaint.
 */
static int take_option(struct convert_options *given, char **argv)
{
	const char *name = argv[0] + 2, *equals;
	const struct convert_option *option;
	const char *text = "";
	int taken = 1;

	if (strncmp(argv[0], "--", 2))
		return 0;
	equals = strchr(name, '=');
	option = find_option(name, equals ? (size_t)(equals - name) : strlen(name));
	if (!option)
		return 0;
	if (!option->value && equals) {
		complain("--%s takes no value", option->name);
		return -1;
	}
	if (option->value && !equals && !argv[1]) {
		complain("--%s needs a value: --%s %s", option->name, option->name, option->value);
		return -1;
	}
	if (option->value) {
		text = equals ? equals + 1 : argv[1];
		taken = equals ? 1 : 2;
	}
	if (given->count == sizeof(given->given) / sizeof(given->given[0])) {
		complain("there are more options than any format has");
		return -1;
	}
	given->given[given->count].name = option->name;
	given->given[given->count++].text = text;
	return taken;
}

/* Takes the options of formats out of the arguments.  Return: the number of arguments left, or -1 after a complaint. */
static int take_options(struct convert_options *given, int argc, char **argv)
{
	int i, left = 1, taken;

	for (i = 1; i < argc && strcmp(argv[i], "--"); i += taken) {
		taken = take_option(given, argv + i);
		if (taken < 0)
			return -1;
		if (!taken) {
			argv[left++] = argv[i];
			taken = 1;
		}
	}
	while (i < argc)
		argv[left++] = argv[i++];
	argv[left] = NULL;
	return left;
}

static int check_options(const struct transfer *transfer, const char *format, const struct convert_option *own)
{
	unsigned int i;

	for (i = 0; i < transfer->options.count; i++) {
		if (find_in(own, transfer->options.given[i].name, strlen(transfer->options.given[i].name)))
			continue;
		complain("--%s is of another format than %s: see bcoslog convert --help",
			 transfer->options.given[i].name, format);
		return -1;
	}
	return 0;
}

/* Refuses arguments that only the export of a log has.  Return: 0, or -1 after a complaint. */
static int check_import(const struct arguments *arguments)
{
	if (arguments->path == default_log)
		complain("the name of the input is missing: it may be - for standard input");
	else if (arguments->program)
		complain("-f converts a recording, and a program after -- gives a log: leave one of them out");
	else if (arguments->follow || session_chooses(arguments->session))
		complain("--follow and filters are for logs: use them on the log that becomes of it");
	else
		return 0;
	return -1;
}

static bool is_interrupted(void)
{
	return run_signal && !run_finishing;
}

static int cmd_convert(struct session *session, int argc, char **argv)
{
	struct transfer transfer = { .output = "-" };
	struct arguments arguments = { .session = session, .command = &convert_command, .context = &transfer };
	int status;

	argc = take_options(&transfer.options, argc, argv);
	if (argc < 0)
		return EXIT_ENVIRONMENT;
	status = arguments_parse(&arguments, argc, argv);
	if (status >= 0)
		return status;
	convert_interrupted = is_interrupted;
	if (transfer_choose(&transfer, &arguments))
		return EXIT_ENVIRONMENT;
	transfer.path = arguments.path;
	if (!arguments.program && output_check(transfer.path, transfer.output))
		return EXIT_ENVIRONMENT;
	if (!transfer.exporter) {
		if (check_import(&arguments) ||
		    (transfer.importer && check_options(&transfer, transfer.importer->name,
							transfer.importer->options)))
			return EXIT_ENVIRONMENT;
		return transfer_in(&transfer);
	}
	if (check_options(&transfer, transfer.exporter->name, transfer.exporter->options))
		return EXIT_ENVIRONMENT;
	transfer.run.session = session;
	transfer.run.path = arguments.path;
	transfer.run.follow = arguments.follow;
	transfer.run.command = arguments.program;
	transfer.run.apart = true;
	return transfer_out(&transfer);
}

/* ---- help ------------------------------------------------------------------ */

static const struct option_spec options[] = {
	{ .name = "to", .letter = 't', .value = "FORMAT", .take = take_to, .help = "convert to this format" },
	{ .name = "from", .letter = 'f', .value = "FORMAT", .take = take_from, .help = "convert from this format" },
	{ .name = "output", .letter = 'o', .value = "NAME", .take = take_output,
	  .help = "the output (-, which is standard output)" },
	{ .name = NULL },
};

/* The options of formats, for the help and for completion: take_options() takes them out of the arguments. */
static struct option_spec format_options[32];

/* --follow has no short form here, where -f is that of --from. */
static const struct option_spec convert_follow_options[] = {
	{ .name = "follow", .take = take_follow, .help = "go on as LOG grows, until Ctrl-C" },
	{ .name = NULL },
};

static void name_options(const char *format, const struct convert_option *option)
{
	static char help[32][160];	/* format_options refers to it */
	size_t end;

	for (; option && option->name; option++) {
		for (end = 0; format_options[end].name && strcmp(format_options[end].name, option->name); end++)
			;
		if (format_options[end].name || end + 1 == sizeof(format_options) / sizeof(format_options[0]))
			continue;
		snprintf(help[end], sizeof(help[end]), "with %s, %s", format, option->help);
		format_options[end].name = option->name;
		format_options[end].value = option->value;
		format_options[end].help = help[end];
	}
}

static void name_all_options(void)
{
	const struct format *format;

	for (format = formats; format < formats + formats_count; format++) {
		if (format->exporter)
			name_options(format->exporter->name, format->exporter->options);
		if (format->importer)
			name_options(format->importer->name, format->importer->options);
	}
}

static void list_format(const char *name, const char *help, const char *also)
{
	char text[200];

	snprintf(text, sizeof(text), "%s%s%s", help, also ? "; also named " : "", also ? also : "");
	help_row(name, 15, text);
}

static void list_formats(void)
{
	const struct format *format;

	output_format("To:\n");
	for (format = formats; format < formats + formats_count; format++)
		if (format->exporter)
			list_format(format->exporter->name, format->exporter->help, format->exporter->also);
	output_format("\nFrom:\n");
	for (format = formats; format < formats + formats_count; format++)
		if (format->importer)
			list_format(format->importer->name, format->importer->help, format->importer->also);
	for (format = formats; format < formats + formats_count; format++)
		if (format->missing)
			output_format("\n%s%s is left out of this program: its build needs " CONVERT_NEEDS ".\n",
				      format->exporter ? "The import of " : "", format->missing);
	output_format("\n");
}

const struct command convert_command = {
	.name = "convert",
	.summary = CONVERT_SUMMARY,
	.usage =
"bcoslog convert -t FORMAT [OPTIONS] [LOG] -o OUTPUT\n"
"bcoslog convert -t FORMAT [OPTIONS] -o OUTPUT -- PROGRAM...\n"
"bcoslog convert -f FORMAT [OPTIONS] INPUT -o LOG",
	.about =
"Writes LOG (the device, a file, or - for standard input; default\n"
BCOS_DEVICE_PATH ") in another format, or makes a log of a recording in\n"
"another format.  Without -t and -f, the contents of INPUT or the name of OUTPUT\n"
"tell the format.  OUTPUT gets its name only when it is complete.",
	.options = { options, format_options, filter_options, window_options, boot_options, convert_follow_options },
	.begin = name_all_options,
	.list = list_formats,
	.after = "bcoslog-convert(1) lists the losses of each format.",
	.status = "0 done, 1 the input is damaged, 2 wrong usage, or the input cannot be read, or the output cannot be "
		  "written.",
	.records = true,
	.takes_program = true,
	.run = cmd_convert,
};
