/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Prints a page of text for people: labels, and after each a text, which is wrapped at PAGE_WIDTH columns.
 *
 *	page_begin("ended");
 *	put_literal("1.900000000, ");
 *	put_string(how);
 *	page_end();
 */
#ifndef BCOSLOG_VIEWS_PAGE_H
#define BCOSLOG_VIEWS_PAGE_H

#include "report/report.h"

#define PAGE_WIDTH 80

/* The bytes to which a text of the log is cut. */
#define PAGE_TEXT 1024

/* Begins a text. Until page_end(), the functions here and put_ functions add to it, PAGE_ROOM bytes at most. */
#define PAGE_ROOM 16384
void page_begin(const char *label);
/* Wraps and prints the text. */
void page_end(void);

/* Puts a time in the mode that --time chooses, without spaces in front. */
void page_time(struct clock *clock, u64 time);
/* Puts a time, and how much later the event may have happened. */
void page_moment(struct clock *clock, u64 time, u32 precision);
/* Puts a duration as tables show it. */
void page_span(u64 ns);
/* Puts a text of the log in quotes, cut to PAGE_TEXT bytes. */
void page_quoted(const char *text, size_t length);
/* Puts `process 12 "name"`, or `process 12` if @name is NULL. */
void page_process(u32 id, const char *name, size_t length);
/* Puts a text like printf(), up to 255 bytes. Nothing is escaped, so this does not serve for texts of the log. */
void page_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
