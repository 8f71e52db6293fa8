/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The PID namespace of this process. */
#ifndef BCOSLOG_PROCESS_SPACE_H
#define BCOSLOG_PROCESS_SPACE_H

#include <stdbool.h>

/* Return: true if this process is in the initial PID namespace, whose IDs the log contains. */
bool process_space_is_initial(void);

#endif
