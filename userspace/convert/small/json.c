// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Strings of text formats: see small.h. */
#include "core/format/entry.h"
#include "entry/text.h"
#include "small.h"

/* Can a string hold this character as it is? */
static bool is_json(u8 c)
{
	return c >= 0x20 && c < 0x7F && c != '"' && c != '\\';
}

bool json_is_plain(const char *text, size_t length)
{
	while (length && is_json((u8)*text)) {
		text++;
		length--;
	}
	return !length;
}

/* Are all eight characters of a word plain? */
static bool are_plain(u64 word)
{
	const u64 each = 0x0101010101010101ull;
	/*
	 * The highest bit of a byte becomes 1 if the byte is above 0x7F, below a space, a quote, a backslash, or 0x7F.
	 */
	u64 special = word | (word - 0x20 * each) | ((word ^ '"' * each) - each) | ((word ^ '\\' * each) - each) |
		      (word + each);

	return !(special & 0x80 * each);
}

/* Puts the character of @size bytes at @text, which may not be plain; @size is 0 if it is a byte that is no UTF-8. */
static char *special_put(char *to, const char *text, size_t size)
{
	static const char digits[] = "0123456789abcdef";
	int shift;
	u32 code;

	if (!size) {
		memcpy(to, "\xEF\xBF\xBD", 3);
		return to + 3;
	}
	if (!escape_code(text, size, &code) && size > 1) {
		memcpy(to, text, size);
		return to + size;
	}
	*to++ = '\\';
	*to++ = 'u';
	for (shift = 12; shift >= 0; shift -= 4)
		*to++ = digits[code >> shift & 0xF];
	return to;
}

/* A character becomes at most this many bytes. */
#define ESCAPED 6u
/* A text goes through the buffer in pieces of this many bytes. */
#define PIECE 4096u

/*
 * Puts up to PIECE bytes of a text, or more to complete the last character. Returns how many bytes of the text it took.
 */
static size_t put_piece(struct outfile *file, const char *text, size_t length)
{
	char *begin = outfile_reserve(file, (PIECE + sizeof(u64)) * ESCAPED), *to = begin;
	size_t at = 0, size;
	u64 word;

	while (at < length && at < PIECE) {
		if (length - at >= sizeof(word)) {
			memcpy(&word, text + at, sizeof(word));
			if (likely(are_plain(word))) {
				memcpy(to, &word, sizeof(word));
				to += sizeof(word);
				at += sizeof(word);
				continue;
			}
		}
		if (is_json((u8)text[at])) {
			*to++ = text[at++];
			continue;
		}
		size = bcos_utf8_character(text + at, length - at);
		to = special_put(to, text + at, size);
		at += size ? size : 1;
	}
	outfile_commit(file, (size_t)(to - begin));
	return at;
}

void json_text(struct outfile *file, const char *text, size_t length)
{
	size_t at = 0;

	outfile_bytes(file, "\"", 1);
	while (at < length)
		at += put_piece(file, text + at, length - at);
	outfile_bytes(file, "\"", 1);
}
