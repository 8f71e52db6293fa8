/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A page of text for people: labels, and after each a line, which is wrapped so that no line is wider than a terminal.
 *
 *	page_begin("ended");
 *	put_literal("1.900000000, ");
 *	put_string(how);
 *	page_end();
 */
#ifndef BCOSLOG_VIEWS_PAGE_H
#define BCOSLOG_VIEWS_PAGE_H

#include "views/report.h"

#define PAGE_WIDTH 80

/* Text of the log that is longer is cut on a page. */
#define PAGE_TEXT 1024

/* From here to page_end() the put_ functions of output.h write the line: at most PAGE_ROOM bytes. */
#define PAGE_ROOM 16384
void page_begin(const char *label);
void page_end(void);

/* As put_time(), of the kind that is asked for, without spaces in front. */
void page_time(u64 time);
/* A duration, as tables have it. */
void page_span(u64 ns);
/* A text of the log between quotes, cut. */
void page_quoted(const char *text, size_t length);
/* `process 12 "name"`; without a name only that. */
void page_process(u32 id, const char *name, size_t length);
/* A printf() of what is no text of the log; at most 256 bytes. */
void page_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
