// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Takes values from a file, one after the other. */
#include <errno.h>

#include "../../bytes.h"
#include "read.h"

int trace_dat_damaged(struct trace_dat *file, const char *reason)
{
	file->reason = reason;
	return -EBADMSG;
}

bool cursor_take(struct cursor *cursor, void *to, size_t size)
{
	if (!input_at(cursor->file->input, cursor->offset, to, size))
		return false;
	cursor->offset += size;
	return true;
}

bool cursor_take16(struct cursor *cursor, u32 *value)
{
	u8 bytes[2];

	if (!cursor_take(cursor, bytes, sizeof(bytes)))
		return false;
	*value = get16(bytes, cursor->file->big);
	return true;
}

bool cursor_take32(struct cursor *cursor, u32 *value)
{
	u8 bytes[4];

	if (!cursor_take(cursor, bytes, sizeof(bytes)))
		return false;
	*value = get32(bytes, cursor->file->big);
	return true;
}

bool cursor_take64(struct cursor *cursor, u64 *value)
{
	u8 bytes[8];

	if (!cursor_take(cursor, bytes, sizeof(bytes)))
		return false;
	*value = get64(bytes, cursor->file->big);
	return true;
}

/* The longest string in a header. */
#define WORD_MAX 4096

bool cursor_take_word(struct cursor *cursor, char *to, size_t size)
{
	size_t length;
	char byte;

	for (length = 0; length < WORD_MAX; length++) {
		if (!cursor_take(cursor, &byte, 1))
			return false;
		if (length < size)
			to[length] = byte;
		if (!byte)
			break;
	}
	to[length < size ? length : size - 1] = 0;
	return length < WORD_MAX;
}
