// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The lines of the dialogue: see typing.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "typing.h"

#ifdef SQL_EDIT
#include <ctype.h>
#include <histedit.h>
#include <locale.h>
#include <sys/stat.h>
#include <wchar.h>

#include "bcoslog_rows.h"
#include "sql/macros.h"
#endif

#include "log/run.h"
#include "output/output.h"

#define PROMPT(more) ((more) ? "   ...> " : "sql> ")

struct typing {
	bool asks, more;
	char *line;			/* without libedit */
	size_t room;
#ifdef SQL_EDIT
	EditLine *edit;			/* NULL: standard input is no terminal */
	History *history;
	char path[4096];		/* of the history; empty: it is not kept */
	const char **words;		/* that complete what was begun */
	size_t count, word_room;
#endif
};

#ifdef SQL_EDIT

#define HISTORY_LINES 1000

/* ---- completion --------------------------------------------------------------------------------- */

static void add_word(struct typing *typing, const char *word)
{
	size_t room = typing->word_room ? 2 * typing->word_room : 256, i;
	const char **words;

	for (i = 0; i < typing->count; i++)
		if (!strcmp(typing->words[i], word))
			return;
	if (typing->count == typing->word_room) {
		words = reallocarray(typing->words, room, sizeof(*words));
		/* Less is completed then. */
		if (!words)
			return;
		typing->words = words;
		typing->word_room = room;
	}
	word = strdup(word);
	if (word)
		typing->words[typing->count++] = word;
}

/* Tables, columns, views, functions, and the words with which people ask. */
static void find_words(struct typing *typing, sqlite3 *db)
{
	static const char *const more[] = { ".tables", ".schema", ".quit", "SELECT", "FROM", "WHERE", "GROUP", "ORDER", "BY", "LIMIT", "JOIN",
					    "USING", "DISTINCT", "HAVING", "BETWEEN", "count(*)", "sum(", "max(", "min(", "bcos_ts('", "bcos_wall(",
					    "machine", "host", "boot" };
	const struct bcoslog_rows_table *table;
	sqlite3_stmt *views = NULL;
	const char *call;
	char name[64];
	size_t i, j;

	for (i = 0; (table = bcoslog_rows_table(i)); i++) {
		add_word(typing, table->name);
		for (j = 0; j < table->count; j++)
			add_word(typing, table->columns[j].name);
	}
	for (i = 0; i < sizeof(more) / sizeof(more[0]); i++)
		add_word(typing, more[i]);
	for (i = 0; (call = sql_macro_call((int)i)); i++) {
		snprintf(name, sizeof(name), "%.*s(", (int)strcspn(call, "("), call);
		add_word(typing, name);
	}
	sqlite3_prepare_v2(db, "SELECT name FROM sqlite_master WHERE type = 'view'", -1, &views, NULL);
	while (views && sqlite3_step(views) == SQLITE_ROW)
		add_word(typing, (const char *)sqlite3_column_text(views, 0));
	sqlite3_finalize(views);
}

static bool is_of_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.';
}

/* Completes the word before the cursor as far as all words that begin so agree; if that is no further, lists them. */
static unsigned char complete_word(EditLine *edit, int key)
{
	const LineInfo *info = el_line(edit);
	const char *begin = info->cursor, *common = NULL;
	size_t i, length, agreed = 0, found = 0;
	struct typing *typing;
	char rest[64];

	(void)key;
	if (el_get(edit, EL_CLIENTDATA, &typing))
		return CC_ERROR;
	while (begin > info->buffer && is_of_word(begin[-1]))
		begin--;
	length = (size_t)(info->cursor - begin);
	for (i = 0; i < typing->count && length; i++) {
		if (strncasecmp(typing->words[i], begin, length))
			continue;
		if (!found++)
			agreed = strlen(typing->words[i]);
		for (common = common ? common : typing->words[i]; strncasecmp(common, typing->words[i], agreed); agreed--)
			;
	}
	if (!found)
		return CC_ERROR;
	if (agreed > length) {
		snprintf(rest, sizeof(rest), "%.*s%s", (int)(agreed - length), common + length,
			 found == 1 && !strchr("('*)", common[agreed - 1]) ? " " : "");
		return el_insertstr(edit, rest) ? CC_ERROR : CC_REFRESH;
	}
	output_bytes("\n", 1);
	for (i = 0; i < typing->count; i++)
		if (!strncasecmp(typing->words[i], begin, length))
			output_format("%s  ", typing->words[i]);
	output_bytes("\n", 1);
	output_flush();
	return CC_REDISPLAY;
}

/* ---- the history ----------------------------------------------------------------------------------- */

/* The history stays in a home that is the user's own: as somebody else, root would leave a file there. */
static void find_history(struct typing *typing)
{
	const char *home = getenv("HOME");
	struct stat stat_of;
	HistEvent event;

	if (!home || stat(home, &stat_of) || stat_of.st_uid != geteuid() ||
	    snprintf(typing->path, sizeof(typing->path), "%s/.bcoslog_sql_history", home) >= (int)sizeof(typing->path))
		typing->path[0] = 0;
	history(typing->history, &event, H_SETSIZE, HISTORY_LINES);
	history(typing->history, &event, H_SETUNIQUE, 1);
	if (typing->path[0])
		history(typing->history, &event, H_LOAD, typing->path);
}

/* ---- editing ------------------------------------------------------------------------------------------ */

static char *prompt_text(EditLine *edit)
{
	struct typing *typing;

	return (char *)(uintptr_t)(el_get(edit, EL_CLIENTDATA, &typing) ? "" : PROMPT(typing->more));
}

/* Reads a character. The first signal ends the dialogue. */
static int read_char(EditLine *edit, wchar_t *character)
{
	mbstate_t state = { 0 };
	char byte;
	ssize_t n;
	size_t r;

	(void)edit;
	do {
		do
			n = read(STDIN_FILENO, &byte, 1);
		while (n < 0 && errno == EINTR && !run_ends());
		if (n <= 0)
			return n < 0 ? -1 : 0;
		r = mbrtowc(character, &byte, 1, &state);
	} while (r == (size_t)-2);
	if (r == (size_t)-1)
		*character = '?';
	return 1;
}

static bool begin_edit(struct typing *typing, sqlite3 *db)
{
	setlocale(LC_CTYPE, "");
	typing->edit = el_init("bcoslog", stdin, stdout, stdout);
	typing->history = history_init();
	if (!typing->edit || !typing->history)
		return false;
	find_history(typing);
	find_words(typing, db);
	el_set(typing->edit, EL_CLIENTDATA, typing);
	el_set(typing->edit, EL_PROMPT, prompt_text);
	el_set(typing->edit, EL_EDITOR, "emacs");
	el_set(typing->edit, EL_HIST, history, typing->history);
	el_set(typing->edit, EL_GETCFN, read_char);
	el_set(typing->edit, EL_ADDFN, "bcoslog-complete", "complete a name", complete_word);
	el_set(typing->edit, EL_BIND, "^I", "bcoslog-complete", NULL);
	return true;
}

static ssize_t edited_line(struct typing *typing, const char **line)
{
	HistEvent event;
	int length = 0;

	/* The terminal gives single characters before the prompt invites them. */
	el_set(typing->edit, EL_PREP_TERM, 1);
	errno = 0;
	*line = el_gets(typing->edit, &length);
	if (!*line || length <= 0)
		return -1;
	if ((*line)[strspn(*line, " \t\r\n")])
		history(typing->history, &event, H_ENTER, *line);
	return length;
}

static void end_edit(struct typing *typing)
{
	HistEvent event;
	mode_t mask = umask(077);
	size_t i;

	if (typing->edit)
		el_end(typing->edit);
	if (typing->history && typing->path[0])
		history(typing->history, &event, H_SAVE, typing->path);
	umask(mask);
	if (typing->history)
		history_end(typing->history);
	for (i = 0; i < typing->count; i++)
		free((char *)(uintptr_t)typing->words[i]);
	free(typing->words);
}

#else

static bool begin_edit(struct typing *typing, sqlite3 *db)
{
	(void)typing;
	(void)db;
	return true;
}

static void end_edit(struct typing *typing)
{
	(void)typing;
}

#endif

/* ---- both ---------------------------------------------------------------------------------------------- */

struct typing *typing_begin(sqlite3 *db, bool asks)
{
	struct typing *typing = calloc(1, sizeof(*typing));

	if (!typing)
		return NULL;
	typing->asks = asks;
	if (!asks || begin_edit(typing, db))
		return typing;
	typing_end(typing);
	return NULL;
}

ssize_t typing_line(struct typing *typing, bool more, const char **line)
{
	ssize_t length;

	output_flush();
	typing->more = more;
#ifdef SQL_EDIT
	if (typing->edit)
		return edited_line(typing, line);
#endif
	if (typing->asks) {
		output_format("%s", PROMPT(more));
		output_flush();
	}
	errno = 0;
	length = getline(&typing->line, &typing->room, stdin);
	*line = typing->line;
	if (length < 0 && !ferror(stdin))
		errno = 0;
	return length;
}

void typing_end(struct typing *typing)
{
	if (!typing)
		return;
	end_edit(typing);
	free(typing->line);
	free(typing);
}
