/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* An option of a subcommand. */
#ifndef BCOSLOG_OPTION_H
#define BCOSLOG_OPTION_H

/**
 * struct option_spec - an option of a subcommand
 * @name: the long form without the dashes; NULL ends the list
 * @letter: the short form, or 0
 * @value: the name of the option's value in messages; NULL if the option takes no value
 * @take: called when the option is given; @text is the option's value or NULL.
 *        Return: 0, or -1 after a complaint that the value is wrong
 */
struct option_spec {
	const char *name;
	char letter;
	const char *value;
	int (*take)(void *context, const char *text);
};

#endif
