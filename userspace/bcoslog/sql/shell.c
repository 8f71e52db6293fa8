// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Asks for statements, one after another: see shell.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "complain/complain.h"
#include "log/run.h"
#include "schema.h"
#include "shell.h"
#include "typing.h"

/* What was typed of a statement that is not complete. */
struct typed {
	char *text;
	size_t length;
};

/* Return: 0 or -1 after a complaint. */
static int add_line(struct typed *typed, const char *line, size_t length)
{
	char *larger = realloc(typed->text, typed->length + length + 1);

	if (!larger) {
		complain("no memory for the statement");
		return -1;
	}
	memcpy(larger + typed->length, line, length + 1);
	typed->text = larger;
	typed->length += length;
	return 0;
}

/* Does a word of the shell, such as .tables.  Return: 0, 1 to end the shell, or -1 after a complaint. */
static int do_word(sqlite3 *db, struct session *session, const char *typed)
{
	static const char schema[] = ".schema";
	size_t length = strcspn(typed, "\n");
	char line[256], *name = line + sizeof(schema) - 1;

	if (length >= sizeof(line))
		length = sizeof(line) - 1;
	/* A completed word has a space after it. */
	while (length && typed[length - 1] == ' ')
		length--;
	memcpy(line, typed, length);
	line[length] = 0;
	if (!strcmp(line, ".quit") || !strcmp(line, ".exit"))
		return 1;
	if (!strcmp(line, ".tables")) {
		schema_names(db);
		return 0;
	}
	if (!strncmp(line, schema, sizeof(schema) - 1) && (!*name || *name == ' '))
		return schema_print(session, *name ? name + strspn(name, " ") : NULL) ? -1 : 0;
	complain("there is no %s: .tables lists the tables and views, .schema TABLE the columns, and .quit ends", line);
	return -1;
}

int shell_run(sqlite3 *db, struct session *session, const struct limits *limits)
{
	bool asks = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	struct typing *typing = typing_begin(db, asks);
	struct typed typed = { 0 };
	const char *line;
	ssize_t length;
	int r = 0;

	if (!typing) {
		complain("no memory for what is typed");
		return -1;
	}
	while ((r >= 0 || asks) && r <= 0 && !run_ends()) {
		length = typing_line(typing, typed.length, &line);
		if (length < 0) {
			if (errno && !run_ends()) {
				complain("standard input cannot be read: %s", strerror(errno));
				r = -1;
			}
			break;
		}
		if (strlen(line) != (size_t)length) {
			complain("standard input has a zero byte, which no statement has");
			r = -1;
			continue;
		}
		if (!typed.length && line[0] == '.') {
			r = do_word(db, session, line);
			continue;
		}
		/* An empty line begins no statement, so that a word can follow. */
		if (!typed.length && !line[strspn(line, " \t\r\n")])
			continue;
		r = add_line(&typed, line, (size_t)length);
		if (r || !sqlite3_complete(typed.text))
			continue;
		r = question_ask(db, session, limits, typed.text);
		typed.length = 0;
	}
	/* The last statement of a file needs no semicolon. */
	if (!r && typed.length && !asks && !run_ends())
		r = question_ask(db, session, limits, typed.text);
	free(typed.text);
	typing_end(typing);
	return r < 0 && !asks ? -1 : 0;
}
