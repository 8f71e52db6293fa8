/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Strings of text formats. */
#ifndef CONVERT_JSON_H
#define CONVERT_JSON_H

#include "output.h"

/* Is there nothing in a text that a string has to escape? */
bool json_is_plain(const char *text, size_t length);

/* Writes a string in quotes; whatever is not UTF-8 becomes U+FFFD. */
void json_text(struct outfile *file, const char *text, size_t length);

#endif
