/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The PID namespace of this process. */
#ifndef BCOSLOG_PROCESS_SPACE_H
#define BCOSLOG_PROCESS_SPACE_H

#include <stdbool.h>

/* Is this process in the PID namespace that the log is about, which has all processes? */
bool process_space_is_initial(void);

#endif
