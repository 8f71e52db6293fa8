// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Includes the text of the views: see views.h. */
#include <stddef.h>

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
