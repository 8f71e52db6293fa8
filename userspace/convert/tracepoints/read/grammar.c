// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Checks each line of a description by regular expressions. */
#include <errno.h>
#include <string.h>

#include "read.h"

#define WORD "[A-Za-z_][A-Za-z0-9_]*"

#define PLACE ";\toffset:[0-9]{1,5};\tsize:[0-9]{1,5};(\tsigned:[01];)?$"

/* The longest line of a description. */
#define LINE_MAX_SIZE 400

/* The lines of a description as the kernel writes them. */
static const char *const grammar_lines[GRAMMAR_LINES] = {
	"^name: [A-Za-z0-9_.:-]+$",
	"^ID: [0-9]{1,5}$",
	"^format:$",
	"^$",
	"^\tfield:" WORD "( " WORD "| ?\\*)* " WORD "(\\[[A-Za-z0-9_]*\\])?" PLACE,
	"^\tfield:__(data|rel)_loc " WORD "( " WORD "| ?\\*)*\\[\\] " WORD PLACE,
};

void grammar_free(struct grammar *grammar)
{
	while (grammar->count)
		regfree(&grammar->line[--grammar->count]);
}

int grammar_init(struct grammar *grammar)
{
	for (grammar->count = 0; grammar->count < GRAMMAR_LINES; grammar->count++)
		if (regcomp(&grammar->line[grammar->count], grammar_lines[grammar->count], REG_EXTENDED | REG_NOSUB))
			return -ENOMEM;
	return 0;
}

bool grammar_shorten(const struct grammar *grammar, char *text)
{
	char *print = strstr(text, "\nprint fmt:"), *line, *end;
	size_t i, number = 0;

	if (!print)
		return false;
	*print = 0;
	/* libtraceevent takes these macros of mac80211 for texts, and loses them. No field has such a name. */
	if (strstr(text, "_PR_FMT"))
		return false;
	for (line = text; line; line = end ? end + 1 : NULL, number++) {
		end = strchr(line, '\n');
		if (end)
			*end = 0;
		if (strlen(line) > LINE_MAX_SIZE)
			return false;
		/* Each of the first three lines comes once, in this order. */
		for (i = number < 3 ? number : 3; i < GRAMMAR_LINES && regexec(&grammar->line[i], line, 0, NULL, 0);
		     i++)
			if (number < 3)
				return false;
		if (i == GRAMMAR_LINES)
			return false;
		if (end)
			*end = '\n';
	}
	strcpy(print, "\nprint fmt: \"\"\n");
	return number > 3;
}
