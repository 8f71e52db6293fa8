/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The answers to the page, as JSON. Times are ns since the log's beginning, which a double holds for 104 days. */
#ifndef EXPLORER_OUT_H
#define EXPLORER_OUT_H

#include "core/host/user.h"

/* The answer; and parts of a later one, which other questions in between leave alone. */
enum out_text { OUT_ANSWER, OUT_PROCESSES, OUT_DEVICES, OUT_TEXTS };

/* Begin the answer: forget the last one. */
void out_begin(void);
/* Begin a part, an array without its brackets, and go on with it. */
void out_begin_part(enum out_text part);
void out_resume_part(enum out_text part);
/* An array: what @part has, and what comes until its bracket is closed. */
void out_open_with(enum out_text part);
/* Punctuation, keys: as it is. */
void out_raw(const char *text);
/* "key":, with a comma before it unless it is the first. */
void out_key(const char *key);
void out_key_number(const char *key, u64 number);
void out_key_moment(const char *key, u64 time);
void out_key_real(const char *key, double number);
void out_key_bool(const char *key, bool is);
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
/* "name": and "start": of a process or device. */
void out_named(const char *name, size_t length, u64 start);
/* "ending": a termination status in words. */
void out_ending(u32 status, bool device);
/* A number that a double cannot hold, as a string. */
void out_exact(u64 number);

#endif
