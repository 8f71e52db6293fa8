/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Accepts descriptions of tracepoints only in the form in which the kernel writes them. libtraceevent trusts its input,
 * so it must not get a description that no kernel writes.
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
 * @grammar: initialised by grammar_init()
 * @text: the description, which the function changes; its buffer has room for 16 more bytes
 *
 * The description of how to print the fields is dropped, since it is not needed.
 *
 * Return: false if @text is no description of a tracepoint.
 */
bool grammar_shorten(const struct grammar *grammar, char *text);

#endif
