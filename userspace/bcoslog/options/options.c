// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Parses the arguments of a subcommand. getopt() does not serve: it would take "-assign" for six options. */
#include <stdlib.h>

#include "command.h"
#include "given.h"
#include "help.h"
#include "options.h"
#include "output/output.h"
#include "recorder_options.h"
#include "session.h"
#include "complain/complain.h"

int take_follow(struct arguments *arguments, const char *text)
{
	(void)text;
	arguments->follow = true;
	return 0;
}

int take_json(struct arguments *arguments, const char *text)
{
	(void)text;
	arguments->session->form = TABLE_JSON;
	return 0;
}

int take_csv(struct arguments *arguments, const char *text)
{
	(void)text;
	arguments->session->form = TABLE_CSV;
	return 0;
}

int take_svg(struct arguments *arguments, const char *text)
{
	(void)text;
	arguments->session->form = TABLE_SVG;
	return 0;
}

int take_time(struct arguments *arguments, const char *text)
{
	return clock_choose(&arguments->session->clock, text);
}

int take_wall_time(struct arguments *arguments, const char *text)
{
	(void)text;
	arguments->session->clock.mode = TIME_WALL;
	return 0;
}

/* Finds an option of a list by its long form, of this length, or by its short form, if @name is NULL. */
static const struct option_spec *find_in(const struct option_spec *option, const char *name, size_t length, char letter)
{
	for (; option && option->name; option++) {
		if (!name && option->letter == letter)
			return option;
		if (name && strlen(option->name) == length && !memcmp(option->name, name, length))
			return option;
	}
	return NULL;
}

static const struct option_spec *find_option(const struct command *command, const char *name, size_t length,
					      char letter)
{
	const struct option_spec *option = NULL;
	size_t i;

	for (i = 0; !option && command->options[i]; i++)
		option = find_in(command->options[i], name, length, letter);
	return option ? option : find_in(command->silent, name, length, letter);
}

static int unknown_option(const struct arguments *arguments, const char *text)
{
	complain("%s has no option %s: see bcoslog %s --help", arguments->command->name, text,
		 arguments->command->name);
	return -1;
}

/* Parses a long option.  Return: the number of arguments that it takes, or -1 after a complaint. */
static int parse_long(struct arguments *arguments, char **argv)
{
	const char *name = argv[0] + 2, *equals = strchr(name, '=');
	size_t length = equals ? (size_t)(equals - name) : strlen(name);
	const struct option_spec *option = find_option(arguments->command, name, length, 0);
	int taken;

	if (!option) {
		taken = arguments->command->records ? recorder_option(arguments, argv) : 0;
		return taken ? taken : unknown_option(arguments, argv[0]);
	}
	if (!option->value) {
		if (equals) {
			complain("--%s takes no value", option->name);
			return -1;
		}
		return option_take(arguments, option, NULL) ? -1 : 1;
	}
	if (equals)
		return option_take(arguments, option, equals + 1) ? -1 : 1;
	if (!argv[1]) {
		complain("--%s needs a value: --%s %s", option->name, option->name, option->value);
		return -1;
	}
	return option_take(arguments, option, argv[1]) ? -1 : 2;
}

static int parse_short(struct arguments *arguments, char **argv)
{
	const struct option_spec *option;
	const char *letter;

	for (letter = argv[0] + 1; *letter; letter++) {
		option = find_option(arguments->command, NULL, 0, *letter);
		if (!option)
			return unknown_option(arguments, argv[0]);
		if (!option->value) {
			if (option_take(arguments, option, NULL))
				return -1;
			continue;
		}
		if (letter[1])
			return option_take(arguments, option, letter + 1) ? -1 : 1;
		if (!argv[1]) {
			complain("-%c needs a value: -%c %s", *letter, *letter, option->value);
			return -1;
		}
		return option_take(arguments, option, argv[1]) ? -1 : 2;
	}
	return 1;
}

static int parse_plain(struct arguments *arguments, const char *text)
{
	int r = arguments->change ? arguments->change(arguments, text) : 0;

	if (r)
		return r;
	if (!*text) {
		complain("the name of the log is empty");
		return -1;
	}
	if (arguments->path) {
		complain("%s takes one log, not %s and %s", arguments->command->name, arguments->path, text);
		return -1;
	}
	arguments->path = text;
	return 1;
}

/* Takes the arguments after "--", which are a command.  Return: 0, or -1 after a complaint. */
static int take_program(struct arguments *arguments, char **argv)
{
	if (!argv[0])
		complain("a program is missing after --: bcoslog %s -- PROGRAM...", arguments->command->name);
	else if (arguments->path)
		complain("%s is a log, and -- %s is a program to be recorded: leave one of them out",
			 arguments->path, argv[0]);
	else if (arguments->follow)
		complain("the log of a program is shown when the program has ended: leave -f or -- %s out", argv[0]);
	else
		arguments->program = argv;
	arguments->path = default_log;
	return arguments->program ? 0 : -1;
}

int arguments_parse(struct arguments *arguments, int argc, char **argv)
{
	bool plain = false;
	int i, r;

	if (arguments->command->begin)
		arguments->command->begin();
	for (i = 1; i < argc; i += r) {
		const char *text = argv[i];

		r = 1;
		if (plain || text[0] != '-' || !text[1]) {
			r = parse_plain(arguments, text);
		} else if (!strcmp(text, "--")) {
			if (arguments->command->takes_program)
				return take_program(arguments, argv + i + 1) ? EXIT_ENVIRONMENT : -1;
			plain = true;
		} else if (!strcmp(text, "--help") || !strcmp(text, "-h")) {
			help_command(arguments->command);
			return print_end();
		} else if (text[1] == '-') {
			r = parse_long(arguments, argv + i);
		} else {
			r = arguments->change ? arguments->change(arguments, text) : 0;
			if (!r)
				r = parse_short(arguments, argv + i);
		}
		if (r < 0)
			return EXIT_ENVIRONMENT;
	}
	if (!arguments->path)
		arguments->path = default_log;
	return -1;
}
