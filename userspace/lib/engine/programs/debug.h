/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What libbpf and the kernel have to say of BPF programs. */
#ifndef BCOSLOG_DEBUG_H
#define BCOSLOG_DEBUG_H

#include <stdbool.h>

/* Is it asked for, by BCOSLOG_DEBUG in the environment? */
bool debug_wanted(void);

/*
 * From here to debug_end() what libbpf says goes to standard error if that is
 * asked for, else nowhere.  Its callback is one for the whole program, which
 * has its own back behind that: also if several threads do this.
 */
void debug_begin(void);
void debug_end(void);

#endif
