/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Why the kernel refuses BPF programs, in a sentence that names the remedy. */
#ifndef BCOSLOG_REFUSAL_H
#define BCOSLOG_REFUSAL_H

#include "bcoslog.h"

/* @code: a negative errno; @what failed.  Fills @error.  Return: @code. */
int refusal(struct bcoslog_error *error, int code, const char *what);

#endif
