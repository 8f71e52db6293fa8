// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog sql: answers questions about a log that are asked in SQL. */
#include <stdlib.h>
#include <unistd.h>

#include "command.h"
#include "libexec/libexec.h"
#include "log/open.h"
#include "machines.h"
#include "options/number.h"
#include "options/options.h"
#include "options/recorder_options.h"
#include "options/shared.h"
#include "output/output.h"
#include "question.h"
#include "complain/complain.h"
#include "schema.h"
#include "shell.h"
#include "source.h"
#include "times.h"

/* The greatest values of the limits. */
#define SECONDS_MAX 1000000
#define MIB_MAX (1u << 20)
#define AT_ONCE_MAX 256

struct asked {
	const char *statement;
	bool schema;
	struct limits limits;
	struct machines_question machines;
};

static int take_timeout(struct arguments *arguments, const char *text)
{
	struct asked *asked = arguments->context;

	return parse_number("--timeout", text, SECONDS_MAX, &asked->limits.seconds);
}

static int take_memory(struct arguments *arguments, const char *text)
{
	struct asked *asked = arguments->context;

	return parse_number("--memory", text, MIB_MAX, &asked->limits.mib);
}

static int take_schema(struct arguments *arguments, const char *text)
{
	struct asked *asked = arguments->context;

	(void)text;
	asked->schema = true;
	return 0;
}

static int take_hosts(struct arguments *arguments, const char *text)
{
	((struct asked *)arguments->context)->machines.hosts = text;
	return 0;
}

static int take_merge(struct arguments *arguments, const char *text)
{
	((struct asked *)arguments->context)->machines.merge = text;
	return 0;
}

/* Takes a number that is not 0. */
static int take_positive(const char *option, const char *text, u64 maximum, u64 *number)
{
	if (parse_number(option, text, maximum, number))
		return -1;
	if (*number)
		return 0;
	complain("%s takes a number from 1 on", option);
	return -1;
}

static int take_at_once(struct arguments *arguments, const char *text)
{
	return take_positive("--at-once", text, AT_ONCE_MAX, &((struct asked *)arguments->context)->machines.at_once);
}

static int take_host_timeout(struct arguments *arguments, const char *text)
{
	return take_positive("--host-timeout", text, SECONDS_MAX, &((struct asked *)arguments->context)->machines.seconds);
}

/* Takes an argument that is a statement: it has a space or a parenthesis, and is no file. */
static int take_statement(struct arguments *arguments, const char *text)
{
	struct asked *asked = arguments->context;

	if (text[0] == '-' || !text[strcspn(text, " \t\n(")] || !access(text, F_OK))
		return 0;
	if (asked->statement) {
		complain("sql takes one text of SQL, whose statements may be separated by ;, and not \"%s\" after \"%s\"", text,
			 asked->statement);
		return -1;
	}
	asked->statement = text;
	return 1;
}

static int answer_question(struct session *session, const struct asked *asked, struct asked_log *log)
{
	int status = source_open(log);
	sqlite3 *db;

	if (status != EXIT_ENVIRONMENT) {
		db = question_open(&log->source, &asked->limits);
		if (!db || times_add(db, log) || (asked->statement ? question_ask(db, session, &asked->limits, asked->statement) :
					       shell_run(db, session, &asked->limits)))
			status = EXIT_ENVIRONMENT;
		sqlite3_close(db);
	}
	return source_close(log, status);
}

/* Asks other machines.  Return: the exit status. */
static int ask_machines(struct session *session, struct asked *asked, const struct arguments *arguments, char **argv)
{
	struct machines_question *question = &asked->machines;

	if (asked->schema || arguments->program || !asked->statement) {
		complain("--hosts needs a statement, and neither --schema nor a program: bcoslog sql --hosts FILE \"SELECT ...\"");
		return EXIT_ENVIRONMENT;
	}
	question->path = arguments->path == default_log ? BCOSLOG_RECORD_DIRECTORY : arguments->path;
	if (question->path[0] == '-') {
		complain("the log on other machines is a file or a directory, and not %s", question->path);
		return EXIT_ENVIRONMENT;
	}
	question->statement = asked->statement;
	question->limits = asked->limits;
	question->argv = argv;
	return machines_ask(session, question);
}

static int cmd_sql(struct session *session, int argc, char **argv)
{
	struct asked asked = { .limits = { .mib = 256 }, .machines = { .at_once = MACHINES_AT_ONCE, .seconds = MACHINES_SECONDS } };
	struct arguments arguments = { .session = session, .command = &sql_command, .change = take_statement, .context = &asked };
	struct asked_log log = { .run = { .session = session } };
	int status = arguments_parse(&arguments, argc, argv);

	if (status >= 0)
		return status;
	if (asked.machines.hosts)
		return ask_machines(session, &asked, &arguments, argv);
	if (asked.machines.merge) {
		complain("--merge is about the answers of --hosts, which is missing");
		return EXIT_ENVIRONMENT;
	}
	if (asked.schema && asked.statement) {
		complain("--schema asks no log: leave it out, or \"%s\"", asked.statement);
		return EXIT_ENVIRONMENT;
	}
	if (asked.schema)
		return schema_print(session, arguments.path == default_log ? NULL : arguments.path);
	if (!asked.statement && (arguments.program || !strcmp(arguments.path, "-"))) {
		complain("a statement is missing: bcoslog sql LOG \"SELECT name, cpu_ns FROM process\"");
		return EXIT_ENVIRONMENT;
	}
	log.run.path = arguments.path;
	log.run.command = arguments.program;
	log.run.apart = session->form != TABLE_TEXT;
	session->clock.needed |= session->clock.mode == TIME_WALL;
	return answer_question(session, &asked, &log);
}

static const struct option_spec options[] = {
	{ .name = "json", .take = take_json },
	{ .name = "csv", .take = take_csv, .help = "print an object on each line, or a table as of RFC 4180" },
	{ .name = "schema", .take = take_schema, .help = "list the tables and their columns, or those of the table TABLE" },
	{ .name = "timeout", .value = "SECONDS", .take = take_timeout, .help = "end a statement that takes longer (no limit)" },
	{ .name = "memory", .value = "MIB", .take = take_memory,
	  .help = "end a statement for which SQLite needs more memory (256); 0 is no limit" },
	{ .name = "hosts", .value = "FILE|HOST,...", .take = take_hosts,
	  .help = "ask these machines by ssh: a file of names, or names and patterns of ~/.ssh/config" },
	{ .name = "merge", .value = "SQL", .take = take_merge, .help = "put their rows together: a statement about the table answer" },
	{ .name = "at-once", .value = "N", .take = take_at_once, .help = "ask at most N machines at a time (16)" },
	{ .name = "host-timeout", .value = "SECONDS", .take = take_host_timeout, .help = "wait so long for each machine (30)" },
	{ .name = NULL },
};

const struct command sql_command = {
	.name = "sql",
	.summary = SQL_SUMMARY,
	.usage =
"bcoslog sql [OPTIONS] [LOG] \"SELECT ...\"\n"
"bcoslog sql [OPTIONS] [LOG] <FILE\n"
"bcoslog sql [OPTIONS] \"SELECT ...\" -- PROGRAM...\n"
"bcoslog sql --hosts FILE|HOST,... [OPTIONS] [LOG] \"SELECT ...\"\n"
"bcoslog sql [--json | --csv] --schema [TABLE]",
	.about =
"Answers a question about LOG that is asked in SQL, in the dialect of SQLite.\n"
"Nothing is imported: each table of a statement, such as process, run and loss,\n"
"is a pass over the log.  Times are ns since boot, in columns such as ts, and what\n"
"is unknown is NULL.  --schema lists tables and columns.  Without a statement,\n"
"those of standard input are answered, also as they are typed: .tables, .schema\n"
"and .quit are words of that dialogue.\n"
"\n"
"  bcoslog sql LOG \"SELECT name, sum(dur) FROM run GROUP BY name\"\n"
"\n"
"bcos_ts('14:03:05') and bcos_ts('-5m') are times as --since takes them, and\n"
"bcos_wall(ts) is the wall clock at a time, ns since 1970.  The columns machine,\n"
"host and boot, which SELECT * leaves out, tell of which log a row is.",
	.options = { options, window_options, boot_options },
	.after =
"A statement only reads.  Where something is missing in the log, the command says\n"
"so, sums are lower bounds, and the table loss lists it.\n"
"\n"
"With --hosts each machine answers the whole statement about its LOG, by default\n"
"/var/lib/bcos_evlog, so groups, sums and LIMIT are those of one machine.  Each row\n"
"has the machine first, and last the error, the only value of a row for a machine\n"
"that did not answer.  These rows are the table answer, of which --merge asks:\n"
"\n"
"  bcoslog sql --hosts web1,web2 \"SELECT name, sum(dur) AS d FROM run GROUP BY 1\"\n"
"    --merge \"SELECT name, sum(d), count(error) FROM answer GROUP BY name\"\n",
	.status = "0 done, 1 LOG is damaged, 2 LOG cannot be read, the statement failed, or a machine gave no answer.",
	.records = true,
	.takes_program = true,
	.run = cmd_sql,
};
