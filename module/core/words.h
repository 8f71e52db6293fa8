/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The words of a message as text, and back (BCOS_EVENT_MESSAGE in the ABI). */
#ifndef BCOS_CORE_WORDS_H
#define BCOS_CORE_WORDS_H

#include "host.h"
#include "../uapi/bcos_message.h"

/* 8 digits a word, and spaces between. */
#define BCOS_WORDS_TEXT(words) ((words) * 9 - 1)

_Static_assert(BCOS_WORDS_TEXT(BCOS_MESSAGE_WORDS_MAX) <= BCOS_EVENT_TEXT_MAX, "a message fits into an event");

/**
 * bcos_words_format() - words as text
 * @text: BCOS_WORDS_TEXT(@count) bytes at least; not terminated
 * @words: the words
 * @count: of them; what is beyond BCOS_MESSAGE_WORDS_MAX is left out
 *
 * Return: bytes of text.
 */
size_t bcos_words_format(char *text, const u32 *words, size_t count);

/**
 * bcos_words_parse() - the words again
 * @words: out: BCOS_MESSAGE_WORDS_MAX of them
 * @text: any bytes
 * @length: of @text
 *
 * Return: how many words, at least 1; -EINVAL: it is no such text.
 */
int bcos_words_parse(u32 *words, const char *text, size_t length);

/* Value of a hexadecimal digit in lower case, -1: it is none. */
int bcos_hex_digit(char c);

/* Of a thread's state (enum bcos_state), as the log's text has it. */
extern const char *const bcos_state_words[BCOS_STATES];

#endif
