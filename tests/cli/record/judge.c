// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * judge LOG: judges the marks that pour.c writes into a log, "mark N." with numbers that grow. It prints
 *
 *	marks COUNT gaps COUNT unstated COUNT twice COUNT
 *
 * A gap is a number that does not follow the number before it. A gap is unstated if the log has neither a notice nor a
 * loss before it. A mark whose number is not larger than the one before is there twice. The first ten of these are
 * named.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bcoslog.h"

/* Returns the number of a mark, or 0 if the entry is none. */
static uint64_t number_of_mark(const struct bcos_entry *entry)
{
	const char *text;
	char copy[32];
	size_t length;

	if (entry->type != BCOS_GENERIC_PROCESS)
		return 0;
	text = bcoslog_text(entry, &length);
	if (!text || length < 7 || length >= sizeof(copy) || memcmp(text, "mark ", 5) || text[length - 1] != '.')
		return 0;
	memcpy(copy, text, length);
	copy[length] = 0;
	return strtoull(copy + 5, NULL, 10);
}

int main(int argc, char **argv)
{
	uint64_t last = 0, number, marks = 0, gaps = 0, unstated = 0, twice = 0;
	const struct bcos_entry *entry;
	struct bcoslog_error error;
	struct bcoslog *log;
	bool stated = false;
	int r;

	if (argc != 2 || bcoslog_open(&log, argv[1], 0, &error)) {
		fprintf(stderr, "judge: %s\n", argc == 2 ? error.text : "usage: judge LOG");
		return 2;
	}
	while ((r = bcoslog_next(log, &entry)) > 0) {
		stated |= bcoslog_is_missed(entry) || bcoslog_is_loss(entry);
		number = number_of_mark(entry);
		if (!number)
			continue;
		marks++;
		if (last && number <= last && twice++ < 10)
			printf("# %" PRIu64 " after %" PRIu64 "\n", number, last);
		if (last && number > last + 1) {
			gaps++;
			if (!stated && unstated++ < 10)
				printf("# %" PRIu64 " after %" PRIu64 ", and nothing says why\n", number, last);
		}
		last = number;
		stated = false;
	}
	if (r < 0)
		printf("# %s\n", bcoslog_error(log)->text);
	printf("marks %" PRIu64 " gaps %" PRIu64 " unstated %" PRIu64 " twice %" PRIu64 "\n", marks, gaps, unstated,
	       twice);
	return r < 0;
}
