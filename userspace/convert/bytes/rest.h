/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Takes values out of bytes, one after the other. */
#ifndef CONVERT_REST_H
#define CONVERT_REST_H

#include "core/host/user.h"

#include "bytes.h"

/* The bytes that are left. @big: numbers in them are big-endian. */
struct rest {
	const u8 *at, *end;
	bool big;
};

/* Takes a number of 32 bits. Returns whether there were enough bytes. */
static inline bool rest_take32(struct rest *rest, u32 *value)
{
	if (rest->end - rest->at < 4)
		return false;
	*value = get32(rest->at, rest->big);
	rest->at += 4;
	return true;
}

static inline bool rest_take64(struct rest *rest, u64 *value)
{
	if (rest->end - rest->at < 8)
		return false;
	*value = get64(rest->at, rest->big);
	rest->at += 8;
	return true;
}

/* Takes a string with its terminating zero. Returns the string, or NULL if no zero ends it. */
static inline const char *rest_take_word(struct rest *rest)
{
	const u8 *at = rest->at, *zero = memchr(at, 0, (size_t)(rest->end - at));

	if (!zero)
		return NULL;
	rest->at = zero + 1;
	return (const char *)at;
}

#endif
