// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finds out whether a statement asks for the numbers of rows: see numbers.h. */
#include <string.h>

#include "numbers.h"

bool sql_asks_numbers(sqlite3 *db, const char *text, size_t length)
{
	char *explain = sqlite3_mprintf("EXPLAIN %.*s", (int)length, text);
	sqlite3_stmt *statement = NULL;
	const char *step;
	bool found = true;
	int r;

	/* EXPLAIN of EXPLAIN is no statement. */
	if (explain && sqlite3_prepare_v2(db, explain, -1, &statement, NULL) == SQLITE_OK) {
		while ((r = sqlite3_step(statement)) == SQLITE_ROW) {
			step = (const char *)sqlite3_column_text(statement, 1);
			if (!step || !strcmp(step, "Rowid"))
				break;
		}
		found = r != SQLITE_DONE;
	}
	sqlite3_finalize(statement);
	sqlite3_free(explain);
	return found;
}

bool sql_any_asks_numbers(sqlite3 *db)
{
	sqlite3_stmt *statement = NULL;
	const char *text;

	while ((statement = sqlite3_next_stmt(db, statement))) {
		text = sqlite3_stmt_busy(statement) ? sqlite3_sql(statement) : "";
		if (!text || (*text && sql_asks_numbers(db, text, strlen(text))))
			return true;
	}
	return false;
}
