/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Strings of text formats. */
#ifndef CONVERT_JSON_H
#define CONVERT_JSON_H

#include "../output.h"

/* Can a JSON string hold this text without any escape? */
bool json_is_plain(const char *text, size_t length);

/* Writes a JSON string in quotes; bytes that are not UTF-8 become U+FFFD. */
void json_text(struct outfile *file, const char *text, size_t length);

#endif
