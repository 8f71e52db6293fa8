// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog sql: answers questions about a log that are asked in SQL. */
#include <stdlib.h>
#include <unistd.h>

#include "command.h"
#include "libexec/libexec.h"
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

struct asked {
	const char *statement;
	bool schema;
	struct limits limits;
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

static int cmd_sql(struct session *session, int argc, char **argv)
{
	struct asked asked = { .limits = { .mib = 256 } };
	struct arguments arguments = { .session = session, .command = &sql_command, .change = take_statement, .context = &asked };
	struct asked_log log = { .run = { .session = session } };
	int status = arguments_parse(&arguments, argc, argv);

	if (status >= 0)
		return status;
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
	{ .name = NULL },
};

const struct command sql_command = {
	.name = "sql",
	.summary = SQL_SUMMARY,
	.usage =
"bcoslog sql [OPTIONS] [LOG] \"SELECT ...\"\n"
"bcoslog sql [OPTIONS] [LOG] <FILE\n"
"bcoslog sql [OPTIONS] \"SELECT ...\" -- PROGRAM...\n"
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
"so, sums are lower bounds, and the table loss lists it.\n",
	.status = "0 done, 1 LOG is damaged, 2 LOG cannot be read, or the statement failed.",
	.records = true,
	.takes_program = true,
	.run = cmd_sql,
};
