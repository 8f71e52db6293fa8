// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Prints candidates for the word that is being typed. */
#include "completion.h"
#include "output/output.h"

const char *typed = "";

void candidate(const char *text, const char *about)
{
	if (strncmp(text, typed, strlen(typed)) || strpbrk(text, "\n\t"))
		return;
	output_format(about && about[0] ? "%s\t%s\n" : "%s\n", text, about);
}

void candidate_of_list(const char *text, const char *about)
{
	const char *comma = strrchr(typed, ',');
	size_t before = comma ? (size_t)(comma - typed) + 1 : 0;

	if (strncmp(text, typed + before, strlen(typed + before)))
		return;
	output_format(about ? "%.*s%s\t%s\n" : "%.*s%s\n", (int)before, typed, text, about);
}
