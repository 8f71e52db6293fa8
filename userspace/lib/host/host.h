/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The services that reading a log needs of a machine. The reader needs nothing else
 * but the C library and handle_fill() of handle.h, so it also works where there is
 * neither Linux nor a file, for example in a web page.
 */
#ifndef BCOSLOG_HOST_H
#define BCOSLOG_HOST_H

#include "core/host/user.h"

/* Return: a random number that the author of a log cannot guess. */
u64 host_random(void);

#endif
