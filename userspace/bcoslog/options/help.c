// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Prints the help: see help.h. */
#include "help.h"
#include "output/output.h"

#define WIDTH 80
/* The help of an option begins in this column. */
#define TEXT_COLUMN 20

static const struct option_spec help_option[] = {
	{ .name = "help", .letter = 'h', .help = "print this text" },
	{ .name = NULL },
};

/* Ends a line, and begins the next one at @indent. */
static void break_line(size_t indent)
{
	output_format("\n%*s", (int)indent, "");
}

/*
 * Puts a paragraph in lines that begin at @indent; the first one goes on at @column. A paragraph ends before an empty
 * line, and before one that begins with a space.  Return: the text after it.
 */
static const char *put_paragraph(const char *text, size_t indent, size_t column)
{
	size_t gap = 0, length;

	for (;;) {
		length = strcspn(text, " \n");
		if (column > indent && column + gap + length > WIDTH) {
			break_line(indent);
			column = indent;
			gap = 0;
		}
		output_format("%*s%.*s", (int)gap, "", (int)length, text);
		column += gap + length;
		text += length;
		/* Two spaces follow a sentence, also where its line ends in the source. */
		gap = *text == '\n' && text[-1] == '.' ? 2 : 1;
		if (*text == ' ')
			gap = strspn(text, " ");
		if (!*text || (*text == '\n' && (!text[1] || strchr(" \n", text[1])))) {
			output_format("\n");
			return *text ? text + 1 : text;
		}
		text += *text == ' ' ? gap : 1;
	}
}

void help_text(const char *text)
{
	size_t length;

	while (*text) {
		if (!strchr(" \n", *text)) {
			text = put_paragraph(text, 0, 0);
			continue;
		}
		length = strcspn(text, "\n");
		output_format("%.*s\n", (int)length, text);
		text += length + (text[length] == '\n');
	}
}

void help_status(const char *status)
{
	static const char title[] = "Exit status: ";

	output_format("%s", title);
	put_paragraph(status, 0, sizeof(title) - 1);
}

void help_row(const char *name, size_t column, const char *text)
{
	output_format("  %-*s", (int)column - 2, name);
	put_paragraph(text, column, column);
}

/*
 * Puts the names of an option, the first one of those that share a help, or another one.
 * Return: the number of columns that they take.
 */
static size_t put_names(const struct option_spec *option, bool first)
{
	const char *word = option->word ? option->word : option->value;
	char text[80];

	if (!first)
		snprintf(text, sizeof(text), ", ");
	else if (option->letter)
		snprintf(text, sizeof(text), "  -%c, ", option->letter);
	else
		snprintf(text, sizeof(text), "%*s", 6, "");
	output_format("%s--%s%s%s", text, option->name, word ? " " : "", word ? word : "");
	return strlen(text) + 2 + strlen(option->name) + (word ? 1 + strlen(word) : 0);
}

void help_options(const struct option_spec *option)
{
	size_t column;

	for (; option && option->name; option++) {
		column = put_names(option, true);
		while (!option->help)
			column += put_names(++option, false);
		if (column < TEXT_COLUMN)
			output_format("%*s", (int)(TEXT_COLUMN - column), "");
		else
			break_line(TEXT_COLUMN);
		put_paragraph(option->help, TEXT_COLUMN, TEXT_COLUMN);
	}
}

void help_command(const struct command *command)
{
	const char *line = command->usage;
	size_t i;

	for (i = 0; *line; i++) {
		output_format("%s%.*s\n", i ? "       " : "Usage: ", (int)strcspn(line, "\n"), line);
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
	output_format("\n");
	help_text(command->about);
	output_format("\n");
	for (i = 0; command->options[i]; i++)
		help_options(command->options[i]);
	help_options(help_option);
	output_format("\n");
	if (command->list)
		command->list();
	if (command->after) {
		help_text(command->after);
		output_format("\n");
	}
	help_status(command->status);
}

static void list_names(const struct option_spec *option)
{
	for (; option && option->name; option++) {
		if (option->letter)
			output_format("-%c\n", option->letter);
		output_format("--%s\n", option->name);
	}
}

void help_names(const struct command *command)
{
	size_t i;

	for (i = 0; command->options[i]; i++)
		list_names(command->options[i]);
	list_names(help_option);
}

const char *help_of_option(const struct option_spec *option)
{
	while (!option->help)
		option++;
	return option->help;
}
