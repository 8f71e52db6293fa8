/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The arguments of a subcommand. */
#ifndef BCOSLOG_OPTIONS_H
#define BCOSLOG_OPTIONS_H

#include "core/host/user.h"
#include "option.h"

/**
 * struct arguments - the arguments of a subcommand
 * @command: the name of the subcommand
 * @help: the help of the subcommand
 * @options: the options that only this subcommand has; --help and, unless @no_follow, --follow are added to them
 * @shared: options that several subcommands have, which need no context; or NULL
 * @context: passed to the callbacks of @options, and to @change
 * @change: takes an argument that is neither an option nor a log; or NULL.
 *          Return: 1 if it takes @text, 0 if @text is no such argument, -1 after a complaint that @text is wrong
 * @plain: the kind of the arguments that @change takes, for completion: "CHANGE", "ABILITY", "PROCESS", or NULL
 * @no_follow: the subcommand has no option --follow
 * @takes_command: a command to be recorded may follow after --, instead of a log
 * @path: out: the log
 * @program: out: the command to be recorded and its arguments, or NULL
 * @follow: out: --follow was given
 */
struct arguments {
	const char *command;
	const char *help;
	const struct option_spec *options;
	const struct option_spec *shared;
	void *context;
	int (*change)(void *context, const char *text);
	const char *plain;
	bool no_follow;
	bool takes_command;
	const char *path;
	char **program;
	bool follow;
};

/* Parses the command line of a subcommand.  Return: -1 if the subcommand goes on, else its exit status. */
int arguments_parse(struct arguments *arguments, int argc, char **argv);

/* Completion (completion/) sets this: arguments_parse() calls it and parses nothing.  Return: the exit status. */
extern int (*arguments_asked)(const struct arguments *arguments);

#endif
