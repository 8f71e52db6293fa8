// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Commands that are in programs of their own, since they need libraries which the others do not. Whatever is asked of
 * such a command, its help and its completion too, that program is started with the arguments of this one.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "libexec.h"
#include "options/option.h"
#include "complain/complain.h"

/* Goes on as @program, which is in the package of that name.  Return: the exit status, after a complaint. */
static int go_on_as(const char *program)
{
	int error = -libexec_start(program);

	if (error == ENOENT)
		complain("%s, which has this command, is not installed: install the package %s, or run make install",
			 program, program);
	else
		complain("%s, which has this command, cannot be started: %s", program, strerror(error));
	return EXIT_ENVIRONMENT;
}

static void begin_convert(void)
{
	exit(go_on_as("bcoslog-convert"));
}

static int run_convert(struct session *session, int argc, char **argv)
{
	(void)session;
	(void)argc;
	(void)argv;
	return go_on_as("bcoslog-convert");
}

static void begin_serve(void)
{
	exit(go_on_as("bcoslog-serve"));
}

static int run_serve(struct session *session, int argc, char **argv)
{
	(void)session;
	(void)argc;
	(void)argv;
	return go_on_as("bcoslog-serve");
}

static void begin_sql(void)
{
	exit(go_on_as("bcoslog-sql"));
}

static int run_sql(struct session *session, int argc, char **argv)
{
	(void)session;
	(void)argc;
	(void)argv;
	return go_on_as("bcoslog-sql");
}

static void begin_ship(void)
{
	exit(go_on_as("bcoslog-ship"));
}

static int run_ship(struct session *session, int argc, char **argv)
{
	(void)session;
	(void)argc;
	(void)argv;
	return go_on_as("bcoslog-ship");
}

const struct command command_convert = {
	.name = "convert",
	.summary = CONVERT_SUMMARY,
	.begin = begin_convert,
	.run = run_convert,
};

const struct command command_bridge = {
	.name = "bridge",
	.summary = BRIDGE_SUMMARY,
	.begin = begin_convert,
	.run = run_convert,
};

const struct command command_serve = {
	.name = "serve",
	.summary = SERVE_SUMMARY,
	.begin = begin_serve,
	.run = run_serve,
};

const struct command command_sql = {
	.name = "sql",
	.summary = SQL_SUMMARY,
	.begin = begin_sql,
	.run = run_sql,
};

const struct command command_ship = {
	.name = "ship",
	.summary = SHIP_SUMMARY,
	.begin = begin_ship,
	.run = run_ship,
};

const struct command command_fleet = {
	.name = "fleet",
	.summary = FLEET_SUMMARY,
	.begin = begin_ship,
	.run = run_ship,
};
