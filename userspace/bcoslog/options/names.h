/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Processes and devices that users name. */
#ifndef BCOSLOG_NAMES_H
#define BCOSLOG_NAMES_H

#include "command.h"

/* Is the text a number in the notation of C, and so no name? */
bool is_number(const char *text);

/*
 * The one process or device that a log, read to its end, knows by this number or name.  @need: a number, too, has to be
 * known.  Return: 0, or -1 after a complaint, with the numbers if there are several.
 */
int named_process(struct run *run, const char *text, bool need, u32 *id);
int named_device(struct run *run, const char *text, u32 *id);

/* The one process that runs here with this number or name.  Likewise. */
int running_process(const char *option, const char *text, u32 *id);

#endif
