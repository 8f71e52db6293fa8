// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Strings of text formats: see json.h. */
#include "core/format/entry.h"
#include "json.h"

/* Characters that a string holds as they are. */
static bool is_plain(u8 c)
{
	return c >= 0x20 && c < 0x7F && c != '"' && c != '\\';
}

bool json_is_plain(const char *text, size_t length)
{
	while (length && is_plain((u8)*text)) {
		text++;
		length--;
	}
	return !length;
}

static void put_special(struct outfile *file, const char *text, size_t size)
{
	char escaped[8];

	if (!size) {
		outfile_bytes(file, "\xEF\xBF\xBD", 3);
	} else if (size > 1) {
		outfile_bytes(file, text, size);
	} else {
		snprintf(escaped, sizeof(escaped), "\\u%04x", (u8)*text);
		outfile_bytes(file, escaped, 6);
	}
}

void json_text(struct outfile *file, const char *text, size_t length)
{
	size_t at = 0, plain, size;

	outfile_bytes(file, "\"", 1);
	while (at < length) {
		for (plain = at; plain < length && is_plain((u8)text[plain]); plain++)
			;
		outfile_bytes(file, text + at, plain - at);
		at = plain;
		if (at == length)
			break;
		size = bcos_utf8_character(text + at, length - at);
		put_special(file, text + at, size);
		at += size ? size : 1;
	}
	outfile_bytes(file, "\"", 1);
}
