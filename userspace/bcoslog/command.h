/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The subcommands, their groups, and their exit statuses. */
#ifndef BCOSLOG_COMMAND_H
#define BCOSLOG_COMMAND_H

enum exit_status {
	EXIT_OK = 0,
	EXIT_DAMAGE = 1,	/* the log is damaged or breaks the rules */
	EXIT_ENVIRONMENT = 2,	/* usage, permissions, the device */
};

struct command;

extern const struct command command_cat;
extern const struct command command_dump;
extern const struct command command_text;
extern const struct command command_check;
extern const struct command command_status;
extern const struct command command_mask;
extern const struct command command_watch;
extern const struct command command_collect;
extern const struct command command_attach;
extern const struct command command_doctor;
extern const struct command command_explore;
extern const struct command command_serve;
extern const struct command command_convert;
extern const struct command command_bridge;
extern const struct command command_record;
extern const struct command command_merge;
extern const struct command command_recover;
extern const struct command command_around;
extern const struct command command_cpu;
extern const struct command command_io;
extern const struct command command_latency;
extern const struct command command_offcpu;
extern const struct command command_losses;
extern const struct command command_metrics;
extern const struct command command_power;
extern const struct command command_processes;
extern const struct command command_ship;
extern const struct command command_fleet;
extern const struct command command_sql;
extern const struct command command_story;
extern const struct command command_top;
extern const struct command command_turns;
extern const struct command command_why;

/**
 * struct command_group - a group of commands
 * @title: its title; NULL ends the table
 * @commands: its commands; NULL ends them
 */
struct command_group {
	const char *title;
	const struct command *commands[20];
};

/* Each program has a table of its own. */
extern const struct command_group command_groups[];

#endif
