/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Messages of libbpf and of the kernel about BPF programs. */
#ifndef BCOSLOG_DEBUG_H
#define BCOSLOG_DEBUG_H

#include <stdbool.h>

/* Return: true if the environment variable BCOSLOG_DEBUG asks for these messages. */
bool debug_wanted(void);

/*
 * From this call to debug_end(), libbpf's messages go to standard error if
 * debug_wanted() is true, and nowhere otherwise.  libbpf has one callback for the whole
 * process; debug_end() restores the callback of the calling program, also if several
 * threads call these functions.
 */
void debug_begin(void);
void debug_end(void);

#endif
