/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The clocks of this machine. */
#ifndef BCOSLOG_HOST_CLOCK_H
#define BCOSLOG_HOST_CLOCK_H

#include <time.h>

#include "core/host/user.h"

/* Return: the time of @clock in ns; 0 if the machine has no such clock. */
u64 clock_now(clockid_t clock);

#endif
