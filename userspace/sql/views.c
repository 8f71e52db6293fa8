// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Includes the text of the views: see views.h. */
#include <string.h>

#include "views.h"

__asm__(".section .rodata\n"
	".global sql_views\n"
	".hidden sql_views\n"
	"sql_views:\n"
	".incbin \"" SQL_VIEWS "\"\n"
	".byte 0\n"
	".previous\n");

extern const char sql_views[];

int sql_views_add(sqlite3 *db)
{
	return sqlite3_exec(db, sql_views, NULL, NULL, NULL);
}

#define CREATE "CREATE VIEW "

/* Is there something of this name in the file? */
static int is_there(sqlite3 *db, const char *name, size_t length)
{
	sqlite3_stmt *statement = NULL;
	int r = sqlite3_prepare_v2(db, "SELECT 1 FROM main.sqlite_master WHERE name = ?1 COLLATE NOCASE", -1, &statement, NULL);

	if (r == SQLITE_OK)
		r = sqlite3_bind_text(statement, 1, name, (int)length, SQLITE_STATIC);
	if (r == SQLITE_OK)
		r = sqlite3_step(statement);
	sqlite3_finalize(statement);
	return r == SQLITE_ROW;
}

int sql_views_add_beside(sqlite3 *db)
{
	const char *at = sql_views, *name, *end;
	int r = SQLITE_OK;
	char *text;

	while (r == SQLITE_OK && (at = strstr(at, CREATE))) {
		name = at + strlen(CREATE);
		end = strchr(at, ';');
		if (!end || is_there(db, name, strcspn(name, " "))) {
			at = name;
			continue;
		}
		text = sqlite3_mprintf("CREATE TEMP VIEW %.*s", (int)(end - name), name);
		r = text ? sqlite3_exec(db, text, NULL, NULL, NULL) : SQLITE_NOMEM;
		sqlite3_free(text);
		at = end;
	}
	return r;
}
