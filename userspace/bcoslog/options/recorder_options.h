/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The options of the recorder, which stand before the name of a subcommand or after it. */
#ifndef BCOSLOG_RECORDER_OPTIONS_H
#define BCOSLOG_RECORDER_OPTIONS_H

#include "option.h"

/* The path of the log that a subcommand reads if its arguments name none. */
extern const char default_log[];

extern const struct option_spec recorder_specs[];

/* The classes beside the default ones that bcoslog why, story and io --by explain a log with. */
#define RECORDER_EXPLAINS (BCOS_CLASS_STATE | BCOS_CLASS_EXEC | BCOS_CLASS_WHO | BCOS_CLASS_REQUEST)

/* Has BPF programs record these classes beside the default ones, unless the user chose the classes. */
void recorder_wants(struct session *session, u32 classes);

/*
 * Parses the recorder's options, which stand before the name of the subcommand.
 * Return: the number of arguments that the options take, or -1 after a complaint.
 */
int recorder_options(struct session *session, int argc, char **argv);

/*
 * Parses a recorder's option that stands after the name of the subcommand. The option's value is @argv[1], unless
 * @argv[0] contains it after "=".
 * Return: the number of arguments that the option takes, 0 if @argv[0] is no such option, or -1 after a complaint.
 */
int recorder_option(struct arguments *arguments, char **argv);

#endif
