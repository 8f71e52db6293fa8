// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes and reads the words of a message: see message.h. */
#include "message.h"

const char *const bcos_state_names[BCOS_STATES] = {
	[BCOS_STATE_RUNS] = "runs",
	[BCOS_STATE_BLOCKED] = "blocked",
	[BCOS_STATE_BLOCKED_HARD] = "blocked, not to be interrupted",
	[BCOS_STATE_WOKEN] = "woken",
	[BCOS_STATE_STOPPED] = "stopped",
	[BCOS_STATE_DEAD] = "dead",
};

size_t bcos_message_format(char *text, const u32 *words, size_t count)
{
	static const char digits[] = "0123456789abcdef";
	char *to = text;
	size_t i;
	int shift;

	if (count > BCOS_MESSAGE_WORDS_MAX)
		count = BCOS_MESSAGE_WORDS_MAX;
	for (i = 0; i < count; i++) {
		if (i)
			*to++ = ' ';
		for (shift = 28; shift >= 0; shift -= 4)
			*to++ = digits[words[i] >> shift & 15];
	}
	return (size_t)(to - text);
}

int bcos_hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

int bcos_message_parse(u32 *words, const char *text, size_t length)
{
	size_t count = (length + 1) / 9, i;
	int place;

	if ((length + 1) % 9 || !count || count > BCOS_MESSAGE_WORDS_MAX)
		return -EINVAL;
	for (i = 0; i < count; i++) {
		if (i && *text++ != ' ')
			return -EINVAL;
		words[i] = 0;
		for (place = 0; place < 8; place++) {
			if (bcos_hex_digit(*text) < 0)
				return -EINVAL;
			words[i] = words[i] << 4 | (u32)bcos_hex_digit(*text++);
		}
	}
	return (int)count;
}
