/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The arguments of a subcommand. */
#ifndef BCOSLOG_OPTIONS_H
#define BCOSLOG_OPTIONS_H

#include "option.h"

/**
 * struct arguments - the arguments of a subcommand
 * @command: the subcommand
 * @context: passed to the callbacks of the options, and to @change
 * @change: takes an argument that is neither an option nor a log; or NULL.
 *          Return: 1 if it takes @text, 0 if @text is no such argument, -1 after a complaint that @text is wrong
 * @path: out: the log
 * @program: out: the program to be recorded and its arguments, or NULL
 * @follow: out: --follow was given
 */
struct arguments {
	const struct command *command;
	void *context;
	int (*change)(void *context, const char *text);
	const char *path;
	char **program;
	bool follow;
};

/* Takes --follow; arguments_parse() gives it the struct arguments as @context. */
int take_follow(void *context, const char *text);

/* Parses the command line of a subcommand.  Return: -1 if the subcommand goes on, else its exit status. */
int arguments_parse(struct arguments *arguments, int argc, char **argv);

#endif
