/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The name of a process or device of a log. */
#ifndef BCOSLOG_NAME_H
#define BCOSLOG_NAME_H

#include "core/host/user.h"

/* Most names are the comm of a task, which has at most 15 bytes. */
#define NAME_INLINE 24

struct name {
	char *text;		/* points to @small or to allocated memory; no zero byte terminates the name */
	u32 length, room;	/* bytes of the name, and bytes at @text */
	char small[NAME_INLINE];
};

/* Copy @text, which may overlap the name, and add allocated memory to *@memory.  Return: 0 or -ENOMEM. */
int name_set(struct name *name, u64 *memory, const char *text, size_t length);
void name_free(struct name *name, u64 *memory);

#endif
