/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The copy of the tool that members of the group may run to read the device. */
#ifndef BCOSLOG_HELPER_H
#define BCOSLOG_HELPER_H

/* Replaces this program by its copy that may read the device. Returns if this user can run no such copy. */
void helper_read(void);
/* The whole command line of the tool, for helper_read(). */
extern char **tool_arguments;

#endif
