/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The answers to the page, as JSON. Times are ns since the log's beginning, which a double holds for 104 days. */
#ifndef EXPLORER_OUT_H
#define EXPLORER_OUT_H

#include "core/host/user.h"

/* Forget what was there. */
void out_begin(void);
/* Begin an answer that other questions in between leave alone, and go on with it. */
void out_begin_long(void);
void out_resume_long(void);
/* Punctuation, keys: as it is. */
void out_raw(const char *text);
/* "key":, with a comma before it unless it is the first. */
void out_key(const char *key);
/* A comma, unless it is the first of an array. */
void out_next(void);
void out_open(char bracket);
void out_close(char bracket);
void out_number(u64 number);
/* A moment, which may lie before the log. */
void out_moment(u64 time);
void out_real(double number);
void out_bool(bool is);
/* null if @text is NULL. */
void out_text(const char *text, size_t length);
void out_string(const char *text);
/* A number that a double cannot hold, as a string. */
void out_exact(u64 number);

#endif
