/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Descriptions of tracepoints as the kernel writes them. libtraceevent trusts what it reads, so it gets nothing to see
 * that no kernel writes.
 */
#ifndef PERF_GRAMMAR_H
#define PERF_GRAMMAR_H

#include <regex.h>
#include <stdbool.h>

#define GRAMMAR_LINES 6

struct grammar {
	regex_t line[GRAMMAR_LINES];
	size_t count;
};

/* Return: 0 or -ENOMEM. */
int grammar_init(struct grammar *grammar);
void grammar_free(struct grammar *grammar);

/**
 * grammar_shorten() - cut a description after its fields
 * @grammar: ready
 * @text: changed; there is room for 16 bytes after what there is
 *
 * How the kernel prints the fields is of no interest.
 *
 * Return: false if it is no description.
 */
bool grammar_shorten(const struct grammar *grammar, char *text);

#endif
