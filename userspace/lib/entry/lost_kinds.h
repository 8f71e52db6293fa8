/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The kinds of events that can be lost, in words. */
#ifndef BCOSLOG_ENTRY_LOST_KINDS_H
#define BCOSLOG_ENTRY_LOST_KINDS_H

#include "core/host/user.h"

/* The bytes that lost_kinds() needs at most. */
#define LOST_KINDS_TEXT 96

/* Writes kinds of what was lost, BCOSLOG_LOST_*, in words, such as "assignments and transfers".  Return: @text. */
const char *lost_kinds(char *text, size_t size, u32 kinds);

#endif
