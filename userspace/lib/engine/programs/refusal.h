/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Errors that name the remedy if the kernel refuses the BPF programs. */
#ifndef BCOSLOG_REFUSAL_H
#define BCOSLOG_REFUSAL_H

#include "bcoslog.h"

/* Fill @error: @what failed with the negative errno @code.  Return: @code. */
int refusal(struct bcoslog_error *error, int code, const char *what);

#endif
