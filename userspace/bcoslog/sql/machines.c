// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A question to many machines: see machines.h. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "complain/complain.h"
#include "log/open.h"
#include "log/run.h"
#include "machines.h"
#include "options/shared.h"
#include "output/output.h"
#include "remote/ssh.h"
#include "result.h"
#include "source.h"
#include "times.h"

/* Rows of a machine are together, in the order in which it gave them. */
#define ROWS_OF_MACHINE ((s64)1 << 40)

/**
 * struct answers - the answers so far
 * @question: what is asked
 * @hosts: the machines
 * @db: the database, in memory, with the table answer
 * @insert: adds a row to it
 * @width: number of columns of the statement
 * @names: what bcoslog sql --json calls each of them
 * @rows: number of rows of each machine
 * @failed: number of machines that gave no answer
 * @damaged: the log of a machine is damaged
 * @full: there was no memory for a row
 */
struct answers {
	const struct machines_question *question;
	struct hosts hosts;
	sqlite3 *db;
	sqlite3_stmt *insert;
	int width;
	char **names;
	s64 *rows;
	size_t failed;
	bool damaged, full;
};

/* ---- the table answer ---------------------------------------------------------------------------------- */

#define MACHINE_COLUMN "machine"
#define ERROR_COLUMN "error"

static bool has_column(char *const *names, int count, const char *name)
{
	/* The last one has its name before all others. */
	if (!sqlite3_stricmp(ERROR_COLUMN, name))
		return true;
	while (count)
		if (!sqlite3_stricmp(names[--count], name))
			return true;
	return false;
}

/* Return: a name for a column that none before it has; NULL if there is no memory. */
static char *name_column(char *const *names, int count, const char *name)
{
	char *unique = sqlite3_mprintf("%s", name);
	int same = 1;

	while (unique && has_column(names, count, unique)) {
		sqlite3_free(unique);
		unique = sqlite3_mprintf("%s_%d", name, ++same);
	}
	return unique;
}

/* Finds out how the rows of the machines name the columns.  Return: 0 or SQLITE_NOMEM. */
static int name_values(struct answers *answers, sqlite3_stmt *statement)
{
	int i;

	answers->names = calloc((size_t)answers->width, sizeof(*answers->names));
	for (i = 0; answers->names && i < answers->width; i++) {
		answers->names[i] = result_name(statement, answers->names, i);
		if (!answers->names[i])
			return SQLITE_NOMEM;
	}
	return answers->names ? SQLITE_OK : SQLITE_NOMEM;
}

/* Makes the statements of the table: the machine, the columns of @statement, and what was wrong. */
static int make_table(struct answers *answers, sqlite3_stmt *statement)
{
	int width = answers->width, i, r = SQLITE_NOMEM;
	sqlite3_str *create = sqlite3_str_new(NULL), *insert = sqlite3_str_new(NULL);
	char **names = calloc((size_t)width + 2, sizeof(*names)), *texts[2];

	sqlite3_str_appendall(create, "CREATE TABLE answer (");
	sqlite3_str_appendall(insert, "INSERT INTO answer (rowid");
	for (i = 0; names && i < width + 2; i++) {
		names[i] = i > width ? sqlite3_mprintf(ERROR_COLUMN) :
			   name_column(names, i, i ? sqlite3_column_name(statement, i - 1) : MACHINE_COLUMN);
		if (!names[i])
			break;
		sqlite3_str_appendf(create, "%s\"%w\"", i ? ", " : "", names[i]);
		sqlite3_str_appendf(insert, ", \"%w\"", names[i]);
	}
	r = names && i == width + 2 ? SQLITE_OK : SQLITE_NOMEM;
	sqlite3_str_appendall(create, ")");
	sqlite3_str_appendall(insert, ") VALUES (?");
	for (i = 0; i < width + 2; i++)
		sqlite3_str_appendall(insert, ", ?");
	sqlite3_str_appendall(insert, ")");
	texts[0] = sqlite3_str_finish(create);
	texts[1] = sqlite3_str_finish(insert);
	if (r == SQLITE_OK)
		r = texts[0] && texts[1] ? sqlite3_exec(answers->db, texts[0], NULL, NULL, NULL) : SQLITE_NOMEM;
	if (r == SQLITE_OK)
		r = sqlite3_prepare_v2(answers->db, texts[1], -1, &answers->insert, NULL);
	for (i = 0; names && i < width + 2; i++)
		sqlite3_free(names[i]);
	free(names);
	sqlite3_free(texts[0]);
	sqlite3_free(texts[1]);
	return r;
}

static void bind_value(sqlite3_stmt *insert, int at, const json_t *value)
{
	if (json_is_integer(value))
		sqlite3_bind_int64(insert, at, json_integer_value(value));
	else if (json_is_real(value))
		sqlite3_bind_double(insert, at, json_real_value(value));
	else if (json_is_string(value))
		sqlite3_bind_text(insert, at, json_string_value(value), (int)json_string_length(value), SQLITE_TRANSIENT);
}

/* Adds a row of a machine. @row: an object, or NULL.  Return: 0 or -1. */
static int add_row(struct answers *answers, size_t host, const json_t *row, const char *error)
{
	sqlite3_stmt *insert = answers->insert;
	int i;

	sqlite3_reset(insert);
	sqlite3_clear_bindings(insert);
	sqlite3_bind_int64(insert, 1, (s64)host * ROWS_OF_MACHINE + ++answers->rows[host]);
	sqlite3_bind_text(insert, 2, answers->hosts.names[host], -1, SQLITE_STATIC);
	for (i = 0; row && i < answers->width; i++)
		bind_value(insert, i + 3, json_object_get(row, answers->names[i]));
	if (error)
		sqlite3_bind_text(insert, answers->width + 3, error, -1, SQLITE_TRANSIENT);
	answers->full |= sqlite3_step(insert) != SQLITE_DONE;
	return answers->full ? -1 : 0;
}

/* ---- the machines -------------------------------------------------------------------------------------- */

/* Can a line be an object of so many values? Others are not read: lists in lists need many times the memory of their text. */
static bool is_flat(const char *line, size_t length, int width)
{
	bool text = false;
	size_t i;
	int values = 1;

	for (i = 0; i < length; i++) {
		if (line[i] == '"')
			text = !text;
		else if (text)
			i += line[i] == '\\';
		else if (line[i] == '[' || (line[i] == '{' && i) || (line[i] == ',' && ++values > width))
			return false;
	}
	return true;
}

/* Has a row the columns of the statement, and no others? A machine with another version may have others in its tables. */
static bool is_answer(const struct answers *answers, const json_t *row)
{
	const json_t *value;
	int i;

	for (i = 0; i < answers->width; i++) {
		value = json_object_get(row, answers->names[i]);
		if (!json_is_integer(value) && !json_is_real(value) && !json_is_string(value) && !json_is_null(value))
			return false;
	}
	return json_object_size(row) == (size_t)answers->width;
}

/* Takes a row of a machine. */
static int take_line(void *context, size_t host, const char *line, size_t length)
{
	struct answers *answers = context;
	json_t *row = NULL;
	int r;

	if (is_flat(line, length, answers->width))
		row = json_loadb(line, length, JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES, NULL);
	r = is_answer(answers, row) ? 0 : -1;
	if (!r)
		add_row(answers, host, row, NULL);
	json_decref(row);
	return r;
}

/* Tells what a machine said of its log beside the rows, such as that something is missing in it. */
static void tell_said(const char *host, const char *said)
{
	static const char self[] = "bcoslog: ";
	size_t length;

	complain_about(host);
	for (; *said; said += length + !!said[length]) {
		length = strcspn(said, "\n");
		if (!strncmp(said, self, sizeof(self) - 1) && length > sizeof(self) - 1)
			complain("%.*s", (int)(length - sizeof(self) + 1), said + sizeof(self) - 1);
		else if (length)
			complain("%.*s", (int)length, said);
	}
	complain_about(NULL);
}

static int take_end(void *context, const struct remote_end *end)
{
	struct answers *answers = context;
	char error[sizeof(end->error) + 80];

	if (end->error[0]) {
		answers->failed++;
		snprintf(error, sizeof(error), "%s%s", end->error, answers->rows[end->host] ? "; it may have more rows than these" : "");
		add_row(answers, end->host, NULL, error);
	} else {
		answers->damaged |= end->status == EXIT_DAMAGE;
		tell_said(answers->hosts.names[end->host], end->said);
	}
	return answers->full ? -1 : 0;
}

/* Return: the option of a list that an argument is; NULL if it is none of them. */
static const struct option_spec *find_option(const struct option_spec *list, const char *argument)
{
	size_t length = strcspn(argument, "=");

	for (; list->name; list++)
		if (length == strlen(list->name) + 2 && !strncmp(argument, "--", 2) && !strncmp(argument + 2, list->name, length - 2))
			return list;
	return NULL;
}

/* Adds the options of time and boot, as they were given. */
static void add_options(struct remote_words *words, char **argv)
{
	const struct option_spec *option;

	for (; *argv && strcmp(*argv, "--"); argv++) {
		option = find_option(window_options, *argv);
		option = option ? option : find_option(boot_options, *argv);
		if (!option)
			continue;
		remote_word(words, *argv);
		if (option->value && !strchr(*argv, '=') && argv[1])
			remote_word(words, *++argv);
	}
}

static void make_command(struct remote_words *words, const struct machines_question *question)
{
	u64 seconds = question->limits.seconds;
	char number[32];

	/* A statement that sums up writes nothing until its end: it would not notice that nobody waits for it any more. */
	if (!seconds || seconds > question->seconds)
		seconds = question->seconds;
	remote_word(words, "bcoslog");
	remote_word(words, "sql");
	remote_word(words, "--json");
	snprintf(number, sizeof(number), "--memory=%llu", (unsigned long long)question->limits.mib);
	remote_word(words, number);
	snprintf(number, sizeof(number), "--timeout=%llu", (unsigned long long)seconds);
	remote_word(words, number);
	add_options(words, question->argv + 1);
	remote_word(words, question->path);
}

/* Asks all machines.  Return: 0, or -1 after a complaint or when the program ends. */
static int ask_all(struct answers *answers)
{
	const struct machines_question *question = answers->question;
	struct remote_words words = { .length = 0 };
	char *input = sqlite3_mprintf("%s\n", question->statement);
	struct remote_question asked = {
		.hosts = &answers->hosts, .command = &words, .input = input, .at_once = question->at_once, .seconds = question->seconds,
		.context = answers, .line = take_line, .ended = take_end,
	};
	int r = -1;

	make_command(&words, question);
	if (input)
		r = remote_ask(&asked);
	if (!input || answers->full)
		complain("the answers need more memory than %llu MiB (--memory): ask for fewer rows, or allow more",
			 (unsigned long long)question->limits.mib);
	sqlite3_free(input);
	remote_free(&words);
	return r;
}

/* ---- the question -------------------------------------------------------------------------------------- */

/* Prepares the statement here, so that one that is wrong is asked nowhere.  Return: 0, or -1 after a complaint. */
static int check_statement(struct answers *answers, sqlite3 *tables)
{
	const char *text = answers->question->statement, *rest = "";
	sqlite3_stmt *statement = NULL;
	int r = sqlite3_prepare_v2(tables, text, -1, &statement, &rest);

	if (r != SQLITE_OK || !statement || !sqlite3_column_count(statement))
		complain("%s", r == SQLITE_OK ? "a statement is missing that gives rows: SELECT ..." :
			 r == SQLITE_AUTH ? "the statement would write, open a file or change a setting: bcoslog sql only reads" : sqlite3_errmsg(tables));
	else if (rest[strspn(rest, " \t\r\n;")])
		complain("--hosts takes one statement: join others to it by UNION ALL, or ask again");
	else
		answers->width = sqlite3_column_count(statement);
	if (answers->width && (name_values(answers, statement) != SQLITE_OK || make_table(answers, statement) != SQLITE_OK)) {
		complain("the table of the answers cannot be made: %s", sqlite3_errmsg(answers->db));
		answers->width = 0;
	}
	sqlite3_finalize(statement);
	return answers->width ? 0 : -1;
}

/* Return: the exit status. */
static int print_answers(struct session *session, struct answers *answers)
{
	const struct machines_question *question = answers->question;
	const char *merge = question->merge ? question->merge : "SELECT * FROM answer ORDER BY rowid";

	sqlite3_finalize(answers->insert);
	answers->insert = NULL;
	question_guard(answers->db);
	if (question_ask(answers->db, session, &question->limits, merge))
		return EXIT_ENVIRONMENT;
	output_flush();
	if (answers->failed) {
		complain("%zu of %zu machines gave no answer: the column error%s says why", answers->failed, answers->hosts.count,
			 question->merge ? " of the table answer" : "");
		return EXIT_ENVIRONMENT;
	}
	return answers->damaged ? EXIT_DAMAGE : EXIT_OK;
}

int machines_ask(struct session *session, const struct machines_question *question)
{
	struct asked_log none = { .run = { .session = session } };
	struct answers answers = { .question = question };
	int status = EXIT_ENVIRONMENT;
	sqlite3 *tables = NULL;
	int i;

	/* What a signal ends here ends on the machines, too. */
	run_catch_signals();
	if (!hosts_read(&answers.hosts, question->hosts)) {
		answers.rows = calloc(answers.hosts.count, sizeof(*answers.rows));
		tables = question_open(&none.source, &question->limits);
		if (!answers.rows || sqlite3_open(":memory:", &answers.db) != SQLITE_OK)
			complain("no memory for the answers of the machines");
		else if (tables && !times_add(tables, &none) && !check_statement(&answers, tables) && !ask_all(&answers))
			status = print_answers(session, &answers);
	}
	if (run_signal)
		status = 128 + (int)run_signal;
	sqlite3_finalize(answers.insert);
	sqlite3_close(answers.db);
	sqlite3_close(tables);
	sql_source_free(&none.source);
	for (i = 0; answers.names && i < answers.width; i++)
		free(answers.names[i]);
	free(answers.names);
	free(answers.rows);
	hosts_free(&answers.hosts);
	return status;
}
