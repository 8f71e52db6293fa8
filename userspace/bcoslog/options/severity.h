/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Severities of events as values of options. */
#ifndef BCOSLOG_SEVERITY_H
#define BCOSLOG_SEVERITY_H

#include "core/host/user.h"

/*
 * Parses a number or a word. A word stands for a range, of which @most takes the end, and otherwise the begin.
 * Return: 0, or -1 after a complaint about @option.
 */
int parse_severity(const char *option, const char *text, bool most, u64 *severity);

#endif
