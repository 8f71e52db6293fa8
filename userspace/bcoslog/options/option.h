/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The tables of options and subcommands. Parsing, the help, and completion come from them: see options.c and help.c. */
#ifndef BCOSLOG_OPTION_H
#define BCOSLOG_OPTION_H

#include "core/host/user.h"

struct arguments;
struct session;

/* What a value or an argument names: completion knows candidates for all kinds but the first one. */
enum value_kind {
	VALUE_OTHER,
	VALUE_PROCESS,
	VALUE_DEVICE,
	VALUE_CPU,
	VALUE_TYPE,		/* of entries */
	VALUE_CLASSES,		/* with commas between */
	VALUE_CHANGE,		/* of the mask: a class with + or - before it */
	VALUE_COMMAND,
	VALUE_ABILITY,		/* that doctor examines */
	VALUE_SUBJECT,		/* a kind of objects */
	VALUE_CLOCK,
	VALUE_SEVERITY,
	VALUE_ENGINE,
	VALUE_KINDS
};

/**
 * struct option_spec - an option of a subcommand
 * @name: the long form without the dashes; NULL ends the list
 * @letter: the short form, or 0
 * @value: the word for the option's value; NULL if the option takes no value
 * @kind: what the value names
 * @many: the option can be given more than once
 * @word: a shorter word for it in the help; NULL: @value serves
 * @take: called when the option is given; @text is the option's value or NULL.
 *        Return: 0, or -1 after a complaint that the value is wrong
 * @help: what the option does; NULL: the help names it together with the next option of the list
 */
struct option_spec {
	const char *name;
	char letter;
	const char *value;
	enum value_kind kind;
	bool many;
	const char *word;
	int (*take)(struct arguments *arguments, const char *text);
	const char *help;
};

/**
 * struct command - a subcommand
 * @name: its name
 * @summary: what it does, in a line of the list of subcommands
 * @usage: its command lines, one a line
 * @about: paragraphs before the options. A line that begins with a space stays as it is; the others are filled
 * @options: the lists of its options in the order of the help; --help is added to them
 * @silent: options that are taken only to be refused by a sentence of their own, which the help leaves out; or NULL
 * @begin: makes those lists that are not constant, before anything uses @options; or NULL
 * @list: prints what the help has after the options; or NULL
 * @after: paragraphs after that; or NULL
 * @status: the exit statuses
 * @plain: what the arguments name that are neither options nor logs
 * @records: the options of the recorder may follow its name
 * @takes_program: a program to be recorded may follow after --, instead of a log
 * @run: runs it.  Return: the exit status
 */
struct command {
	const char *name;
	const char *summary;
	const char *usage;
	const char *about;
	const struct option_spec *options[9];
	const struct option_spec *silent;
	void (*begin)(void);
	void (*list)(void);
	const char *after;
	const char *status;
	enum value_kind plain;
	bool records;
	bool takes_program;
	int (*run)(struct session *session, int argc, char **argv);
};

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

/* The exit statuses of a subcommand that reads a log. */
#define STATUS_OF_LOG "0 done, 1 LOG is damaged, 2 LOG cannot be read."

#endif
