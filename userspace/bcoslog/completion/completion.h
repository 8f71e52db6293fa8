/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Prints the words with which a shell can complete a command line of bcoslog. */
#ifndef BCOSLOG_COMPLETION_H
#define BCOSLOG_COMPLETION_H

/* Prints a candidate and its description, which may be NULL, if the candidate begins with the typed text. */
void candidate(const char *text, const char *about);
/* Like candidate(), but the typed text is a list, of which the part after the last comma is completed. */
void candidate_of_list(const char *text, const char *about);
/* The typed text: the beginning of the word that is to be completed. */
extern const char *typed;

/* values.c: prints candidates for a value or argument; @kind is @value of the option or @plain of the arguments. */
void complete_value(const char *kind);

/**
 * struct tool - the subcommands of the tool, which main() gives to the completion
 * @names: prints the name of each subcommand as a candidate
 * @run: runs the subcommand @name, if there is one.  Return: its exit status
 */
struct tool {
	void (*names)(void);
	int (*run)(const char *name, int argc, char **argv);
};

extern struct tool completed_tool;

#endif
