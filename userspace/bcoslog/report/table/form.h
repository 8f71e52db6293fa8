/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The form in which a subcommand prints, and the options that choose it. */
#ifndef BCOSLOG_VIEWS_FORM_H
#define BCOSLOG_VIEWS_FORM_H

#include "table.h"

/* These take the options --json, --csv and --svg. */
int form_json(void *context, const char *text);
int form_csv(void *context, const char *text);
int form_svg(void *context, const char *text);

/* The form that was chosen, or TABLE_TEXT. */
extern enum table_form form_chosen;

#endif
