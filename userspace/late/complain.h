/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The program that uses this library and the converters defines how they complain. */
#ifndef LATE_COMPLAIN_H
#define LATE_COMPLAIN_H

/* Prints "bcoslog: " and a sentence to standard error. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
