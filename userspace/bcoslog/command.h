/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The subcommands, each of which returns its exit status. */
#ifndef BCOSLOG_COMMAND_H
#define BCOSLOG_COMMAND_H

enum exit_status {
	EXIT_OK = 0,
	EXIT_DAMAGE = 1,	/* the log is damaged or breaks the rules */
	EXIT_ENVIRONMENT = 2,	/* usage, permissions, the device */
};

int cmd_cat(int argc, char **argv);
int cmd_dump(int argc, char **argv);
int cmd_text(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_status(int argc, char **argv);
int cmd_mask(int argc, char **argv);
int cmd_watch(int argc, char **argv);
int cmd_collect(int argc, char **argv);
int cmd_attach(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_complete(int argc, char **argv);
int cmd_explore(int argc, char **argv);
int cmd_serve(int argc, char **argv);
int cmd_convert(int argc, char **argv);
int cmd_bridge(int argc, char **argv);
int cmd_record(int argc, char **argv);
int cmd_merge(int argc, char **argv);

int cmd_around(int argc, char **argv);
int cmd_cpu(int argc, char **argv);
int cmd_io(int argc, char **argv);
int cmd_latency(int argc, char **argv);
int cmd_offcpu(int argc, char **argv);
int cmd_losses(int argc, char **argv);
int cmd_power(int argc, char **argv);
int cmd_processes(int argc, char **argv);
int cmd_story(int argc, char **argv);
int cmd_top(int argc, char **argv);
int cmd_turns(int argc, char **argv);

#endif
