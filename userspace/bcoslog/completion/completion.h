/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The words by which a shell completes a command line of bcoslog. */
#ifndef BCOSLOG_COMPLETION_H
#define BCOSLOG_COMPLETION_H

#include "command.h"

/* Prints a candidate, if it begins with the typed text, and its description, which may be NULL. */
void candidate(const char *text, const char *about);
/* Like candidate(), in a list with commas, of which the part after the last comma is completed. */
void candidate_of_list(const char *text, const char *about);
/* The beginning of the word, as far as it is typed. */
extern const char *typed;

/* values.c: candidates for the value that an option calls by this name, or for an argument of this kind. */
void complete_value(const char *kind);

/**
 * struct tool - the commands of the tool, which main() gives to the completion
 * @names: makes a candidate of each
 * @run: runs the one of this name, if there is one.  Return: its exit status
 */
struct tool {
	void (*names)(void);
	int (*run)(const char *name, int argc, char **argv);
};

extern struct tool completed_tool;

/* recorder.c: options that say who records. */
extern const struct option_spec recorder_specs[];

#endif
