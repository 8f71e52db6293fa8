/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The options that several subcommands have: lists, to which the tables of these subcommands refer. */
#ifndef BCOSLOG_SHARED_H
#define BCOSLOG_SHARED_H

#include "option.h"

/* These take the options that choose by process, CPU, core, device and type, as @take of struct option_spec. */
int filter_process(struct arguments *arguments, const char *text);
int filter_cgroup(struct arguments *arguments, const char *text);
int filter_cpu(struct arguments *arguments, const char *text);
int filter_core(struct arguments *arguments, const char *text);
int filter_device(struct arguments *arguments, const char *text);
int filter_type(struct arguments *arguments, const char *text);

/* They choose entries by subject and type. */
extern const struct option_spec filter_options[];
/* They choose rows of a report: by process, CPU and core; by CPU and core; by core; by device. */
extern const struct option_spec row_options[];
#define ROWS_OF_PROCESSES row_options
#define ROWS_OF_CPUS (row_options + 1)
#define ROWS_OF_CORES (row_options + 2)
extern const struct option_spec device_row_options[];
/* Processes by their control groups. */
extern const struct option_spec cgroup_options[];
/* The window of time. */
extern const struct option_spec window_options[];
/* The machine and the boot of a recorded directory. */
extern const struct option_spec boot_options[];
/* The clock of the times that are shown. */
extern const struct option_spec time_options[];
/* --follow, for a subcommand that prints as the log grows. */
extern const struct option_spec follow_options[];
/* The same, for a subcommand that prints entries. */
extern const struct option_spec entry_follow_options[];

#endif
