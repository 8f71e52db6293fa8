/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The commands of a program, in the order and the groups of its help. bcoslog has all of them. Programs in
 * libexec have those that need libraries which the others do not; bcoslog starts them: see libexec.h.
 */
#ifndef BCOSLOG_GROUPS_H
#define BCOSLOG_GROUPS_H

#include "command.h"

/**
 * struct group - a group of commands
 * @title: its title; NULL ends the table
 * @commands: its commands; NULL ends them
 */
struct group {
	const char *title;
	const struct command *commands[16];
};

/* Each program has a table of its own. */
extern const struct group groups[];

#endif
