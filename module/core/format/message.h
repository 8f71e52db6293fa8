/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Writes the words of a message as text, and reads them back (BCOS_EVENT_MESSAGE of the ABI). */
#ifndef BCOS_CORE_MESSAGE_H
#define BCOS_CORE_MESSAGE_H

#include "core/host/host.h"
#include "uapi/bcos_message.h"

/* A word has 8 digits; spaces separate words. */
#define BCOS_MESSAGE_TEXT(words) ((words) * 9 - 1)

_Static_assert(BCOS_MESSAGE_TEXT(BCOS_MESSAGE_WORDS_MAX) <= BCOS_EVENT_TEXT_MAX,
	       "a message fits into an event");

/**
 * bcos_message_format() - write words as text
 * @text: at least BCOS_MESSAGE_TEXT(@count) bytes; not zero-terminated
 * @words: the words
 * @count: number of words; those beyond BCOS_MESSAGE_WORDS_MAX are left out
 *
 * Context: any.
 * Return: bytes of text.
 */
size_t bcos_message_format(char *text, const u32 *words, size_t count);

/**
 * bcos_message_parse() - read words from text
 * @words: out: room for BCOS_MESSAGE_WORDS_MAX words
 * @text: any bytes
 * @length: bytes of @text
 *
 * Context: any.
 * Return: number of words, at least 1; -EINVAL: @text is not in the form of bcos_message_format().
 */
int bcos_message_parse(u32 *words, const char *text, size_t length);

/* Returns the value of a lower-case hexadecimal digit, or -1 for any other character. */
int bcos_hex_digit(char c);

/* The name of each state of a thread (enum bcos_state) in texts of the log. */
extern const char *const bcos_state_names[BCOS_STATES];

#endif
