/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Processes and devices that users name in options, by number or name. */
#ifndef BCOSLOG_NAMES_H
#define BCOSLOG_NAMES_H

#include "core/host/user.h"

struct bcoslog;

/* Is the text a number in the notation of C, and so no name? */
bool is_number(const char *text);

/*
 * Find the one process or device that has this number or name at the end of the log. A number is looked up in the log
 * only if @need is set, and taken as it is otherwise. @path names the log in complaints.
 * Return: 0, or -1 after a complaint, which lists the numbers if several have the name.
 */
int named_process(struct bcoslog *log, const char *path, const char *text, bool need, u32 *id);
int named_device(struct bcoslog *log, const char *path, const char *text, u32 *id);

/* Finds the one process of this machine that has this number or name now.  Return: as named_process(). */
int running_process(const char *option, const char *text, u32 *id);

#endif
