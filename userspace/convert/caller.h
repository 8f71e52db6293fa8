/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The program that calls the converters: it prints complaints, and knows when it has to end. */
#ifndef CONVERT_CALLER_H
#define CONVERT_CALLER_H

#include "core/host/user.h"
#include "../complain/complain.h"

/*
 * Has the program been told to end? The caller of the converters sets this function. An importer calls it between
 * records, and returns -EINTR without a complaint if it is true.
 */
extern bool (*convert_interrupted)(void);

#endif
