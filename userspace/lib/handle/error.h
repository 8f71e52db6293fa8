/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The text of an error is one sentence that names the cause and the remedy. */
#ifndef BCOSLOG_ERROR_H
#define BCOSLOG_ERROR_H

#include "bcoslog.h"

/* Fill @error.  Return: -@code. */
int error_set(struct bcoslog_error *error, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
