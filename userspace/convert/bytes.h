/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Numbers in either byte order, at any address, and bytes from which values are taken. */
#ifndef CONVERT_BYTES_H
#define CONVERT_BYTES_H

#include <string.h>

#include "core/host/user.h"

static inline uint16_t get16(const void *at, bool big)
{
	uint16_t value;

	memcpy(&value, at, sizeof(value));
	return big == (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) ? value : __builtin_bswap16(value);
}

static inline uint32_t get32(const void *at, bool big)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return big == (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) ? value : __builtin_bswap32(value);
}

static inline uint64_t get64(const void *at, bool big)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return big == (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) ? value : __builtin_bswap64(value);
}

/* Bytes from which values are taken one after the other. @big: numbers in them are big-endian. */
struct bytes {
	const u8 *at, *end;
	bool big;
};

/* Takes a number of 32 bits. Returns whether there were enough bytes. */
static inline bool bytes_take32(struct bytes *rest, u32 *value)
{
	if (rest->end - rest->at < 4)
		return false;
	*value = get32(rest->at, rest->big);
	rest->at += 4;
	return true;
}

static inline bool bytes_take64(struct bytes *rest, u64 *value)
{
	if (rest->end - rest->at < 8)
		return false;
	*value = get64(rest->at, rest->big);
	rest->at += 8;
	return true;
}

/* Takes a string with its terminating zero. Returns the string, or NULL if no zero ends it. */
static inline const char *bytes_take_word(struct bytes *rest)
{
	const u8 *at = rest->at, *zero = memchr(at, 0, (size_t)(rest->end - at));

	if (!zero)
		return NULL;
	rest->at = zero + 1;
	return (const char *)at;
}

#endif
