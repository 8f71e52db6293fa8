/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Numbers in either byte order, at any address. */
#ifndef CONVERT_BYTES_H
#define CONVERT_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

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

#endif
