/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What reading a log asks of the machine that it is read on. Reading needs no
 * more than this, the C library, and source_fill() of source.h: so it works
 * where there is neither Linux nor a file, as in a web page.
 */
#ifndef BCOSLOG_HOST_H
#define BCOSLOG_HOST_H

#include "core/host/user.h"

/* A number that nobody can guess who chooses what is in a log. */
u64 host_random(void);

#endif
