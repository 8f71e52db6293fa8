/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Texts that stay: each distinct one is kept once, so equal texts are at one place. */
#ifndef BCOSLOG_ROWS_NAMES_H
#define BCOSLOG_ROWS_NAMES_H

#include "core/host/user.h"

struct kept_name {
	struct kept_name *next;
	u32 hash;
	u32 length;
	char text[];
};

/* Zeros are no names. */
struct names {
	struct kept_name **slots;
	size_t room, count;
};

/* Return: the kept copy of a text; NULL if there is no memory. */
const struct kept_name *names_keep(struct names *names, const char *text, size_t length);
/* Free the names, and leave none. */
void names_free(struct names *names);

#endif
