/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Programs that bcoslog starts. They are in PREFIX/libexec, or beside bcoslog in the folder in which it was built.
 *
 * bcoslog-read opens the device for members of the group bcos. bcoslog-convert, bcoslog-serve, bcoslog-ship and bcoslog-sql
 * have some of the commands, and take the arguments of bcoslog.
 */
#ifndef BCOSLOG_LIBEXEC_H
#define BCOSLOG_LIBEXEC_H

#include <stdbool.h>
#include <stddef.h>

#include "bcoslog.h"

/* The arguments of this program, which main() sets. */
extern char **libexec_arguments;

/* Gets the path of a program in PREFIX/libexec.  Return: whether this user may run it. */
bool libexec_find(char *path, size_t size, const char *program);

/*
 * Starts @program with the arguments of this program, in its place.
 * Return: a negative errno; -ENOENT if there is no such program for this user.
 */
int libexec_start(const char *program);

/* ---- bcoslog-read ---------------------------------------------------------------- */

/**
 * helper_open() - open a log as bcoslog_open() does; if it is the device, and this user may not read it, by bcoslog-read
 * @log: out: the log
 * @path: path of the log
 * @flags: flags of bcoslog_open(); with BCOSLOG_CONTROL bcoslog-read is not asked, since it opens for reading alone
 * @error: out: the reason of a failure
 *
 * Return: as bcoslog_open().
 */
int helper_open(struct bcoslog **log, const char *path, unsigned int flags, struct bcoslog_error *error);

/* ---- bcoslog-convert, bcoslog-serve, bcoslog-ship and bcoslog-sql ------------------------------ */

/* What the help of bcoslog says about them. */
#define CONVERT_SUMMARY "convert the log to the format of another tool, or back"
#define SQL_SUMMARY "answer questions that are asked in SQL"
#define SHIP_SUMMARY "send what happened to a server that many machines share"
#define FLEET_SUMMARY "list machines: when each was last seen, what it lost, how it ended"
#define SERVE_SUMMARY "show that page while the log grows"
#define BRIDGE_SUMMARY "write the log to user_events tracepoints while it grows"

/* The commands as those programs have them. */
extern const struct command bridge_command, convert_command, serve_command, ship_command, fleet_command, sql_command;

#endif
