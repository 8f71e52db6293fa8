// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Texts: pairs of digits, and what escapes characters from which a terminal is not safe. See text.h. */
#include "core/format/entry.h"
#include "text.h"

const char decimal_pairs[200] =
	"00010203040506070809101112131415161718192021222324252627282930313233343536373839"
	"40414243444546474849505152535455565758596061626364656667686970717273747576777879"
	"8081828384858687888990919293949596979899";

/* Writes the lowest @digits hexadecimal digits of @code after @prefix.  Return: the number of characters. */
static size_t put_code(char *escape, const char *prefix, u32 code, unsigned int digits)
{
	static const char hex[] = "0123456789ABCDEF";
	size_t length = strlen(prefix);

	memcpy(escape, prefix, length);
	while (digits--)
		escape[length++] = hex[code >> 4 * digits & 15];
	return length;
}

/* Does the character change the direction of writing, or separate lines or paragraphs? */
static bool is_turning(u32 code)
{
	return (code >= 0x200E && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
	       (code >= 0x2066 && code <= 0x2069);
}

size_t escape_code(const char *text, size_t length, u32 *code)
{
	const u8 *at = (const u8 *)text;

	*code = at[0];
	if (at[0] < 0x20 || at[0] == 0x7F)
		return 1;
	if (length > 1 && at[0] == 0xC2 && at[1] < 0xA0) {
		*code = at[1];
		return 2;
	}
	/* U+061C, the Arabic letter mark, turns the direction as U+200E and U+200F do. */
	if (length > 1 && at[0] == 0xD8 && at[1] == 0x9C) {
		*code = 0x61C;
		return 2;
	}
	if (at[0] != 0xE2 || length < 3)
		return 0;
	*code = 0x2000u | (at[1] & 0x3Fu) << 6 | (at[2] & 0x3Fu);
	return is_turning(*code) ? 3 : 0;
}

size_t escape_character(const char *text, size_t length, char *escape, size_t *escaped)
{
	static const char letters[] = { ['\t'] = 't', ['\n'] = 'n', ['\r'] = 'r', ['\\'] = '\\' };
	u8 first = (u8)text[0];
	size_t size;
	u32 code;

	*escaped = 0;
	if (first < sizeof(letters) && letters[first]) {
		escape[(*escaped)++] = '\\';
		escape[(*escaped)++] = letters[first];
		return 1;
	}
	size = escape_code(text, length, &code);
	if (size)
		*escaped = size == 1 ? put_code(escape, "\\x", code, 2) : put_code(escape, "\\u", code, 4);
	return size;
}

void escape_sentence(char *to, size_t room, const char *text)
{
	const char *end = text + strlen(text);
	size_t size, escaped;
	char escape[ESCAPE_MAX];

	while (text < end) {
		size = bcos_utf8_character(text, (size_t)(end - text));
		if (!size) {
			escaped = put_code(escape, "\\x", (u8)*text, 2);
		} else if (*text == '\\' || !escape_character(text, size, escape, &escaped)) {
			memcpy(escape, text, size);
			escaped = size;
		}
		if (escaped >= room)
			break;
		memcpy(to, escape, escaped);
		to += escaped;
		room -= escaped;
		text += size ? size : 1;
	}
	*to = 0;
}
