/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The arguments of a subcommand. */
#ifndef BCOSLOG_OPTIONS_H
#define BCOSLOG_OPTIONS_H

#include "option.h"

/**
 * struct arguments - the arguments of a subcommand
 * @command: the subcommand
 * @session: what the options choose for the run of the tool
 * @context: belongs to the callbacks of the options, and to @change
 * @change: takes an argument that is neither an option nor a log; or NULL.
 *          Return: 1 if it takes @text, 0 if @text is no such argument, -1 after a complaint that @text is wrong
 * @path: out: the log
 * @program: out: the program to be recorded and its arguments, or NULL
 * @follow: out: --follow was given
 */
struct arguments {
	const struct command *command;
	struct session *session;
	void *context;
	int (*change)(struct arguments *arguments, const char *text);
	const char *path;
	char **program;
	bool follow;
};

/* Takes --follow. */
int take_follow(struct arguments *arguments, const char *text);

/* These take --json, --csv and --svg. */
int take_json(struct arguments *arguments, const char *text);
int take_csv(struct arguments *arguments, const char *text);
int take_svg(struct arguments *arguments, const char *text);

/* These take --time and --wall. */
int take_time(struct arguments *arguments, const char *text);
int take_wall_time(struct arguments *arguments, const char *text);

/* Parses the command line of a subcommand.  Return: -1 if the subcommand goes on, else its exit status. */
int arguments_parse(struct arguments *arguments, int argc, char **argv);

#endif
