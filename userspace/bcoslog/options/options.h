/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The arguments of a subcommand. */
#ifndef BCOSLOG_OPTIONS_H
#define BCOSLOG_OPTIONS_H

#include "option.h"

/* Takes --follow. */
int take_follow(struct arguments *arguments, const char *text);

/* These take --json, --csv and --svg. */
int take_json(struct arguments *arguments, const char *text);
int take_csv(struct arguments *arguments, const char *text);
int take_svg(struct arguments *arguments, const char *text);

/* These take --time and --wall. */
int take_time(struct arguments *arguments, const char *text);
int take_wall_time(struct arguments *arguments, const char *text);

/* Parses the command line of a subcommand.  Return: -1 if the subcommand goes on, else its exit status. */
int arguments_parse(struct arguments *arguments, int argc, char **argv);

#endif
