/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Numbers as values of options. */
#ifndef BCOSLOG_NUMBER_H
#define BCOSLOG_NUMBER_H

#include "core/host/user.h"

/* Parses a number from 0 to @maximum in C's notation.  Return: 0, or -1 after a complaint about @option. */
int parse_number(const char *option, const char *text, u64 maximum, u64 *number);

#endif
