/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The events of bcoslog text as a table for programs, and as a drawing. */
#ifndef BCOSLOG_VIEWS_TEXT_TABLE_H
#define BCOSLOG_VIEWS_TEXT_TABLE_H

#include "command.h"
#include "views/table/table.h"

/* Prints the head of the table as RFC 4180 describes it, unless it is there, and a row below it. */
void text_csv_head(void);
void text_csv_row(const struct bcoslog_state *state, const struct bcos_entry *entry);

/* Any entry of the log, whose time belongs to the drawing. Returns 0 or -ENOMEM. */
int text_svg_entry(const struct bcos_entry *entry);

/* An event that is drawn. */
void text_svg_event(const struct bcoslog_state *state, const struct bcos_entry *entry);

/* Prints the drawing. Returns 0, or -ENOMEM after saying so. */
int text_svg_draw(void);

#endif
