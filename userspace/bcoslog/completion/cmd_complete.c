// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * bcoslog complete WORD...: prints candidates for completion. The shells' completions (scripts/completion) call it.
 *
 * WORD... is the command line after "bcoslog". The last WORD is being typed, and may be empty. Each line of the output
 * is a candidate, possibly followed by a tab and a description. Without candidates, the shell completes file names.
 */
#include "command.h"
#include "completion.h"
#include "options/options.h"
#include "options/recorder_options.h"
#include "output/output.h"

static char **given_words;
static int word_count;

/* Gets the description of an option: the rest of its line in the help, up to punctuation after the first phrase. */
static void about_option(const char *help, const char *name, char about[80])
{
	char option[64];
	const char *at;

	about[0] = '\0';
	snprintf(option, sizeof(option), "--%s", name);
	at = help ? strstr(help, option) : NULL;
	if (!at)
		return;
	at += strlen(option);
	at += at[0] == ' ' && at[1] >= 'A' && at[1] <= 'Z' ? 1 + strcspn(at + 1, " \n") : 0;
	if (strncmp(at, " ", 1) || at[strspn(at, " ")] == '-')
		return;
	at += strspn(at, " ");
	snprintf(about, 80, "%.*s", (int)strcspn(at, ";:\n("), at);
	while (about[0] && strchr(" ,", about[strlen(about) - 1]))
		about[strlen(about) - 1] = '\0';
}

static void options_of(const struct option_spec *option, const char *help)
{
	char text[64], about[80];

	for (; option && option->name; option++) {
		snprintf(text, sizeof(text), "--%s", option->name);
		about_option(help, option->name, about);
		candidate(text, about);
	}
}

static const struct option_spec *find_option(const struct option_spec *option, const char *word)
{
	for (; option && option->name; option++)
		if ((!strncmp(word, "--", 2) && !strcmp(word + 2, option->name)) ||
		    (word[0] == '-' && option->letter && word[1] == option->letter && !word[2]))
			return option;
	return NULL;
}

/* Return: the option if @word is one that takes a value, which the next word then is; or NULL. */
static const struct option_spec *awaits_value(const struct arguments *arguments, const char *word)
{
	const struct option_spec *option = find_option(arguments->options, word);

	if (!option)
		option = find_option(arguments->shared, word);
	if (!option && !arguments->no_follow)
		option = find_option(recorder_specs, word);
	return option && option->value ? option : NULL;
}

/* Prints the candidates for arguments of a subcommand: arguments_parse() calls this instead of parsing them. */
static int answer_option(const struct arguments *arguments)
{
	static const struct option_spec common[] = { { .name = "help" }, { .name = "follow" }, { .name = NULL } };
	const struct option_spec *option = word_count > 2 ? awaits_value(arguments, given_words[word_count - 2]) : NULL;
	int i;

	for (i = 1; i < word_count - 1; i++)
		if (!strcmp(given_words[i], "--"))
			return EXIT_OK;
	if (option) {
		complete_value(option->value);
		return EXIT_OK;
	}
	if (arguments->plain)
		complete_value(arguments->plain);
	if (typed[0] != '-')
		return EXIT_OK;
	options_of(arguments->options, arguments->help);
	options_of(arguments->shared, arguments->help);
	candidate("--help", "this command's help");
	if (arguments->no_follow)
		return EXIT_OK;
	options_of(common + 1, arguments->help);
	options_of(recorder_specs, NULL);
	return EXIT_OK;
}

/* Skips options before the subcommand.  Return: the place of the subcommand, or -1 if a value of an option is typed. */
static int find_command(void)
{
	const struct option_spec *option;
	int at = 0;

	while (at < word_count - 1 && given_words[at][0] == '-') {
		option = find_option(recorder_specs, given_words[at]);
		if (option && at == word_count - 2) {
			complete_value(option->value);
			return -1;
		}
		at += option ? 2 : 1;
	}
	return at;
}

int cmd_complete(int argc, char **argv)
{
	int at;

	given_words = argv + 1;
	word_count = argc - 1;
	if (word_count < 1)
		return EXIT_OK;
	typed = given_words[word_count - 1];
	at = find_command();
	if (at < 0)
		return print_end();
	given_words += at;
	word_count -= at;
	if (word_count == 1 && typed[0] == '-') {
		options_of(recorder_specs, NULL);
		candidate("--help", NULL);
		candidate("--version", NULL);
	} else if (word_count == 1) {
		complete_value("COMMAND");
	} else if (!strcmp(given_words[0], "help")) {
		complete_value("COMMAND");
	} else {
		arguments_asked = answer_option;
		completed_tool.run(given_words[0], word_count, given_words);
	}
	return print_end();
}
