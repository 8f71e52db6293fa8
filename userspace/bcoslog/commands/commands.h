/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the commands of this folder share with their tables and pages. */
#ifndef BCOSLOG_COMMANDS_H
#define BCOSLOG_COMMANDS_H

#include "log/run.h"
#include "report/table/table.h"

/* ---- bcoslog status: summary.c, boots_table.c ---------------------------------- */

/* Prints bcoslog status of a log that is not the device.  Return: the exit status. */
int summary_run(struct run *run, bool json);

/* Prints the boots of a recording that are chosen, each as a line or a JSON object.  Return: the exit status. */
int boots_list(const struct boot_choice *chosen, struct bcoslog *log, const char *path, bool json);

/* ---- bcoslog explore: explorer_page.c ------------------------------------------ */

/* The page of bcoslog explore, from its first byte to its end. The page is empty if the build had none. */
extern const char explorer_page[], explorer_page_end[];

/* ---- bcoslog text: text_table.c, as CSV or a drawing --------------------------- */

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
