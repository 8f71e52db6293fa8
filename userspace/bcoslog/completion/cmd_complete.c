// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * bcoslog complete WORD...: prints candidates for completion. The shells' completions (scripts/completion) call it.
 *
 * WORD... is the command line after "bcoslog". The last WORD is being typed, and may be empty. Each line of the output
 * is a candidate, possibly followed by a tab and a description. Without candidates, the shell completes file names.
 */
#include "command.h"
#include "completion.h"
#include "options/help.h"
#include "options/recorder_options.h"
#include "output/output.h"

static char **given_words;
static int word_count;

/* Return: the length of the first phrase of a help, which describes the option. */
static int phrase_length(const char *help)
{
	size_t length = strcspn(help, ";:(");
	const char *sentence = strstr(help, ". ");

	if (sentence && (size_t)(sentence - help) < length)
		length = (size_t)(sentence - help);
	while (length && strchr(" ,", help[length - 1]))
		length--;
	return (int)length;
}

static void options_of(const struct option_spec *option)
{
	char text[64], about[160];
	const char *help;

	for (; option && option->name; option++) {
		help = help_of_option(option);
		snprintf(text, sizeof(text), "--%s", option->name);
		snprintf(about, sizeof(about), "%.*s", phrase_length(help), help);
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
static const struct option_spec *awaits_value(const struct command *command, const char *word)
{
	const struct option_spec *option = NULL;
	size_t i;

	for (i = 0; !option && command->options[i]; i++)
		option = find_option(command->options[i], word);
	if (!option && command->records)
		option = find_option(recorder_specs, word);
	return option && option->value ? option : NULL;
}

/* Prints the candidates for an argument of a subcommand, whose name is the first word. */
static void complete_argument(const struct command *command)
{
	const struct option_spec *option = word_count > 2 ? awaits_value(command, given_words[word_count - 2]) : NULL;
	int i;

	for (i = 1; i < word_count - 1; i++)
		if (!strcmp(given_words[i], "--"))
			return;
	if (option) {
		complete_value(option->kind);
		return;
	}
	complete_value(command->plain);
	if (typed[0] != '-')
		return;
	for (i = 0; command->options[i]; i++)
		options_of(command->options[i]);
	candidate("--help", "this command's help");
	if (command->records)
		options_of(recorder_specs);
}

/* Skips options before the subcommand.  Return: the place of the subcommand, or -1 if a value of an option is typed. */
static int skip_options(void)
{
	const struct option_spec *option;
	int at = 0;

	while (at < word_count - 1 && given_words[at][0] == '-') {
		option = find_option(recorder_specs, given_words[at]);
		if (option && at == word_count - 2) {
			complete_value(option->kind);
			return -1;
		}
		at += option ? 2 : 1;
	}
	return at;
}

int print_candidates(int count, char **words)
{
	const struct command *command;
	int at;

	given_words = words;
	word_count = count;
	if (word_count < 1)
		return EXIT_OK;
	typed = given_words[word_count - 1];
	at = skip_options();
	if (at < 0)
		return print_end();
	given_words += at;
	word_count -= at;
	if (word_count == 1 && typed[0] == '-') {
		options_of(recorder_specs);
		candidate("--help", NULL);
		candidate("--version", NULL);
	} else if (word_count == 1) {
		complete_value(VALUE_COMMAND);
	} else if (!strcmp(given_words[0], "help")) {
		complete_value(VALUE_COMMAND);
	} else {
		command = completed_tool.find(given_words[0]);
		if (command && command->begin)
			command->begin();
		if (command)
			complete_argument(command);
	}
	return print_end();
}
