/* SPDX-License-Identifier: GPL-2.0-only */
/* How severe a line of the kernel's log is: its tracepoint has the text alone. */
#ifndef BCOS_SEVERITY_H
#define BCOS_SEVERITY_H

#include <linux/types.h>

/* Lines from now on can be asked for.  The log writer alone. */
void bcos_severity_begin(void);

/**
 * bcos_severity_of() - the severity (5.3.2) of a line, by its level in the kernel's own buffer
 * @context: unused
 * @text: as the tracepoint had it; not terminated
 * @length: of it
 *
 * Context: the log writer; takes no lock.
 * Return: BCOS_SEVERITY_INFO if the line is not there, or not any more.
 */
u8 bcos_severity_of(void *context, const char *text, size_t length);

#endif
