/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Prints the words with which a shell can complete a command line of bcoslog. */
#ifndef BCOSLOG_COMPLETION_H
#define BCOSLOG_COMPLETION_H

#include "options/option.h"

/* Prints a candidate and its description, which may be NULL, if the candidate begins with the typed text. */
void candidate(const char *text, const char *about);
/* Like candidate(), but the typed text is a list, of which the part after the last comma is completed. */
void candidate_of_list(const char *text, const char *about);
/* The typed text: the beginning of the word that is to be completed. */
extern const char *typed;

/* values.c: prints candidates for a value or an argument. */
void complete_value(enum value_kind kind);

/**
 * struct tool - the subcommands of the tool, which main() gives to the completion
 * @next: gets the subcommand after one, or the first one after NULL.  Return: NULL if there is none
 * @find: finds a subcommand by its name.  Return: NULL if there is none
 */
struct tool {
	const struct command *(*next)(const struct command *command);
	const struct command *(*find)(const char *name);
};

extern struct tool completed_tool;

/*
 * Prints candidates for the last word, which is being typed, and may be empty. @words is the command line after
 * "bcoslog".  Return: the exit status.
 */
int print_candidates(int count, char **words);

#endif
