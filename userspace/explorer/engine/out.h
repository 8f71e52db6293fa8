/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Functions that write answers to the page as JSON. Times are ns since the log's beginning, which a number of
 * JavaScript holds exactly for 104 days.
 */
#ifndef EXPLORER_OUT_H
#define EXPLORER_OUT_H

#include "core/host/user.h"

/* The texts: the present answer, and two parts of a later answer, which other answers in between do not change. */
enum out_text { OUT_ANSWER, OUT_PROCESSES, OUT_DEVICES, OUT_TEXTS };

/* Begin an answer, and forget the last one. */
void out_begin(void);
/* Begin a part, which is an array without its brackets. */
void out_begin_part(enum out_text part);
/* Append the following output to a part. */
void out_resume_part(enum out_text part);
/* Open an array with the elements of @part. More elements may follow until out_close(). */
void out_open_with(enum out_text part);
/* Write @text without quotes. */
void out_raw(const char *text);
/* Write "key": and before it a comma, unless the key is the first of its object. */
void out_key(const char *key);
/* Write a key and its value. */
void out_key_number(const char *key, u64 number);
void out_key_moment(const char *key, u64 time);
void out_key_real(const char *key, double number);
void out_key_bool(const char *key, bool is);
/* Write a comma before the next element of an array, unless it is the first. */
void out_next(void);
void out_open(char bracket);
void out_close(char bracket);
void out_number(u64 number);
/* Write @time, ns since boot, as ns since the log's beginning; negative if it is before the log. */
void out_moment(u64 time);
void out_real(double number);
void out_bool(bool is);
/* Write a string, or null if @text is NULL. */
void out_text(const char *text, size_t length);
void out_string(const char *text);
/* Write the keys "name" and "start" of a process or device with their values. */
void out_named(const char *name, size_t length, u64 start);
/* Write the key "ending" with a termination status in words. */
void out_ending(u32 status, bool device);
/* Write a number as a string, because a double may not hold it exactly. */
void out_exact(u64 number);

#endif
