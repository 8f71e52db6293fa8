/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The help, from the tables of options and subcommands. */
#ifndef BCOSLOG_HELP_H
#define BCOSLOG_HELP_H

#include "option.h"

/* Puts paragraphs, filled to the width of the help; lines that begin with a space stay as they are. */
void help_text(const char *text);
/* Puts "Exit status: " and @status. */
void help_status(const char *status);
/* Puts a row of a list: a name, and at @column what is said about it. */
void help_row(const char *name, size_t column, const char *text);
/* Puts the options of a list, each with its help. */
void help_options(const struct option_spec *option);
/* Puts the help of a subcommand. */
void help_command(const struct command *command);
/* Puts the names of the options that the help explains, short and long ones, a line for each. */
void help_names(const struct command *command);
/* Return: the help of the option, which several options of a list may share. */
const char *help_of_option(const struct option_spec *option);

#endif
