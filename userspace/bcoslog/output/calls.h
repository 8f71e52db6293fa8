/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The names of kernel functions. */
#ifndef BCOSLOG_CALLS_H
#define BCOSLOG_CALLS_H

#include "core/host/user.h"

/* Return: the name of a function of Kernel API entries, or NULL if it has none. */
const char *call_name(u32 function);
/* Has the system call in which a thread left its CPU a number, which the log then tells? */
bool call_is_numbered(u32 call);

#endif
