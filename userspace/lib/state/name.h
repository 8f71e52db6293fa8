/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The name of an item of a log. */
#ifndef BCOSLOG_NAME_H
#define BCOSLOG_NAME_H

#include "core/host/user.h"

/* Most names are the comm of a task, which has at most 15 bytes. */
#define NAME_INLINE 24

struct name {
	char *text;		/* @small, or allocated memory */
	u32 length, room;
	char small[NAME_INLINE];
};

/* Copy a text, also one of another name.  Allocated memory counts in *@memory.  Return: 0 or -ENOMEM. */
int name_set(struct name *name, u64 *memory, const char *text, size_t length);
void name_free(struct name *name, u64 *memory);

#endif
