/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Prints the events of bcoslog text as CSV, or draws them. */
#ifndef BCOSLOG_VIEWS_TEXT_TABLE_H
#define BCOSLOG_VIEWS_TEXT_TABLE_H

#include "report/table/table.h"

/* Prints the head of the table as RFC 4180 describes it, unless that was done. */
void text_csv_head(struct session *session);
/* Prints the row of an event, after the head. */
void text_csv_row(struct session *session, const struct bcoslog_state *state, const struct bcos_entry *entry);

/* Takes each entry of the log, which gives the drawing its time.  Return: 0 or -ENOMEM. */
int text_svg_entry(struct session *session, const struct bcos_entry *entry);

/* Adds an event to the drawing. */
void text_svg_event(const struct bcoslog_state *state, const struct bcos_entry *entry);

/* Draws the events at the end of the log.  Return: 0, or -ENOMEM after a complaint. */
int text_svg_draw(struct session *session);

#endif
