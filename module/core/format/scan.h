/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Reads a text of the log from its beginning to its end, piece by piece. Each function moves past
 * what it reads. It returns false if something else stands there; then only bcos_scan_number() and
 * its kin have moved. All are inlined, so that a text of a few bytes takes no call.
 */
#ifndef BCOS_CORE_SCAN_H
#define BCOS_CORE_SCAN_H

#include "core/host/host.h"

/* The part of a text that has not been read. */
struct bcos_scan {
	const char *at, *end;
};

static __always_inline struct bcos_scan bcos_scan_begin(const char *text, size_t length)
{
	return (struct bcos_scan){ text, text + length };
}

static __always_inline bool bcos_scan_word(struct bcos_scan *scan, const char *word)
{
	size_t length = strlen(word);

	if ((size_t)(scan->end - scan->at) < length || memcmp(scan->at, word, length))
		return false;
	scan->at += length;
	return true;
}

/* Reads a decimal number up to @most, without leading zeros. */
static __always_inline bool bcos_scan_number(struct bcos_scan *scan, u64 most, u64 *number)
{
	const char *first = scan->at;
	u64 value = 0;
	u8 digit;

	for (; scan->at < scan->end; scan->at++) {
		digit = (u8)(*scan->at - '0');
		if (digit > 9)
			break;
		if (value > most / 10)
			return false;
		value *= 10;
		if (digit > most - value)
			return false;
		value += digit;
	}
	*number = value;
	return scan->at > first && (*first != '0' || scan->at == first + 1);
}

static __always_inline bool bcos_scan_u32(struct bcos_scan *scan, u32 *number)
{
	u64 value;

	if (!bcos_scan_number(scan, 0xFFFFFFFFu, &value))
		return false;
	*number = (u32)value;
	return true;
}

/* Reads a number of 32 bits as the format %#x writes it. */
static __always_inline bool bcos_scan_hex(struct bcos_scan *scan, u32 *number)
{
	const char *first;
	u8 byte, digit;

	*number = 0;
	if (!bcos_scan_word(scan, "0x"))
		return bcos_scan_word(scan, "0");
	for (first = scan->at; scan->at < scan->end; scan->at++) {
		byte = (u8)*scan->at;
		digit = (u8)(byte - '0') < 10 ? byte - '0' : (u8)(byte - 'a' + 10);
		if (digit > 15 || (byte > '9' && byte < 'a'))
			break;
		if (*number >> 28)
			return false;
		*number = *number << 4 | digit;
	}
	return scan->at > first;
}

static __always_inline bool bcos_scan_ends(const struct bcos_scan *scan)
{
	return scan->at == scan->end;
}

#endif
