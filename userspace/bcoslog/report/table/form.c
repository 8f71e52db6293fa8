// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The form in which a subcommand prints: see form.h. */
#include "form.h"

enum table_form form_chosen;

static int choose_form(enum table_form form)
{
	form_chosen = form;
	return 0;
}

int form_json(void *context, const char *text)
{
	(void)context;
	(void)text;
	return choose_form(TABLE_JSON);
}

int form_csv(void *context, const char *text)
{
	(void)context;
	(void)text;
	return choose_form(TABLE_CSV);
}

int form_svg(void *context, const char *text)
{
	(void)context;
	(void)text;
	return choose_form(TABLE_SVG);
}
