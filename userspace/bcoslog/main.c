// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The main() of bcoslog, and of each program that has some of its commands: see command.h. It finds the command, and
 * prints the help.
 */
#include <fcntl.h>
#include <unistd.h>

#include "command.h"
#include "complain/complain.h"
#include "completion/completion.h"
#include "libexec/libexec.h"
#include "options/help.h"
#include "options/recorder_options.h"
#include "output/output.h"
#include "options/session.h"

#define SUMMARY_COLUMN 13

/* Return: the command after @command, the first one after NULL; or NULL. */
static const struct command *next_command(const struct command *command)
{
	const struct command *const *at;
	const struct command_group *group;
	bool found = !command;

	for (group = command_groups; group->title; group++)
		for (at = group->commands; *at; at++) {
			if (found)
				return *at;
			found = *at == command;
		}
	return NULL;
}

static const struct command *find_command(const char *name)
{
	const struct command *command = NULL;

	while ((command = next_command(command)) && strcmp(command->name, name))
		;
	return command;
}

static const struct command *need_command(const char *name)
{
	const struct command *command = find_command(name);

	if (!command)
		complain("there is no command \"%s\": see bcoslog help", name);
	return command;
}

static void print_commands(void)
{
	const struct command *const *at;
	const struct command_group *group;

	for (group = command_groups; group->title; group++) {
		output_format("%s:\n", group->title);
		for (at = group->commands; *at; at++)
			help_row((*at)->name, SUMMARY_COLUMN, (*at)->summary);
		output_format("\n");
	}
}

/* Prints the help of the command @name, or that of the tool if it is NULL.  Return: the exit status. */
static int print_help(const char *name)
{
	const struct command *command = name ? need_command(name) : NULL;

	if (name && !command)
		return EXIT_ENVIRONMENT;
	if (command && command->begin)
		command->begin();
	if (command) {
		help_command(command);
		return print_end();
	}
	help_text("Usage: bcoslog [RECORDER] COMMAND [OPTIONS] [LOG]\n"
		  "\n"
		  "Reads the event log of this machine, or one that was kept.  LOG is the device (default "
		  BCOS_DEVICE_PATH "), a file, a directory that bcoslog record has written, or - for standard input.\n"
		  "\n");
	print_commands();
	help_row("help", SUMMARY_COLUMN, "print this text, or that of a command");
	help_text("\nRECORDER, if no LOG is named:\n");
	help_options(recorder_specs);
	help_text("\n"
		  "  bcoslog COMMAND --help explains a command; bcoslog-COMMAND(1) is its manual.\n"
		  "  bcoslog --version\n"
		  "\n");
	help_status("0 done, 1 the log is damaged or breaks the rules, 2 wrong usage, or the log cannot be read.");
	return print_end();
}

/* bcoslog help [COMMAND].  Return: the exit status. */
static int help_words(int count, char **words)
{
	bool asks_itself = count && (!strcmp(words[0], "--help") || !strcmp(words[0], "-h") || !strcmp(words[0], "help"));

	if (count < 2)
		return print_help(count && !asks_itself ? words[0] : NULL);
	complain("help explains one command, not %s and %s", words[0], words[1]);
	return EXIT_ENVIRONMENT;
}

/* Prints the names of the options of the command @name, or of the recorder if it is NULL.  Return: the exit status. */
static int print_names(const char *name)
{
	const struct command recorder = { .options = { recorder_specs } };
	const struct command *command = name ? need_command(name) : &recorder;

	if (!command)
		return EXIT_ENVIRONMENT;
	if (command->begin)
		command->begin();
	help_names(command);
	return print_end();
}

/*
 * If a standard descriptor is closed, opening the log would return its number, and output would go into the log.
 * Therefore /dev/null takes its place, opened in the wrong direction, so that using it is an error.
 */
static int open_standard(void)
{
	int fd, got;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) >= 0)
			continue;
		got = open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
		if (got != fd)
			return -1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct session session = { 0 };
	const struct command *command;
	const char *name;
	int options, status;

	if (open_standard())
		return EXIT_ENVIRONMENT;
	libexec_arguments = argv;
	completed_tool = (struct tool){ .next = next_command, .find = find_command };
	options = argc > 1 ? recorder_options(&session, argc - 1, argv + 1) : 0;
	if (options < 0)
		return EXIT_ENVIRONMENT;
	argc -= options;
	argv += options;
	name = argc > 1 ? argv[1] : NULL;
	if (!name) {
		complain("a command is missing: see bcoslog help");
		return EXIT_ENVIRONMENT;
	}
	if (!strcmp(name, "--version")) {
		if (argc > 2) {
			complain("--version takes no argument: leave %s out", argv[2]);
			return EXIT_ENVIRONMENT;
		}
		output_format("bcoslog %s\n", bcoslog_version());
		return print_end();
	}
	if (!strcmp(name, "--help") || !strcmp(name, "-h") || !strcmp(name, "help"))
		return help_words(argc - 2, argv + 2);
	if (name[0] == '-') {
		complain("there is no option %s: see bcoslog help", name);
		return EXIT_ENVIRONMENT;
	}
	/* The help does not list these: the completion of shells calls the one, and the manual's test the other. */
	if (!strcmp(name, "complete"))
		return print_candidates(argc - 2, argv + 2);
	if (!strcmp(name, "options"))
		return print_names(argc > 2 ? argv[2] : NULL);
	command = need_command(name);
	if (!command)
		return EXIT_ENVIRONMENT;
	if (options && (command == &command_attach || command == &command_doctor)) {
		complain("%s reads no log: leave the options before it out", name);
		return EXIT_ENVIRONMENT;
	}
	status = command->run(&session, argc - 1, argv + 1);
	wall_forget(&session.clock);
	return status;
}
