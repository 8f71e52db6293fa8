// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Phrases in texts of the log: see phrase.h. */
#include "phrase.h"

/*
 * Reads a decimal number at *@at and moves *@at past it. Returns false if there are no digits. The
 * function is inlined, so its values stay in registers.
 */
static __always_inline bool take_number(const char *text, size_t length, size_t *at, u64 *value)
{
	const char *from = text + *at, *end = text + length, *to = from;
	u64 sum = 0;
	u8 digit;

	for (; to < end; to++) {
		digit = (u8)(*to - '0');
		if (digit > 9)
			break;
		sum = sum * 10 + digit;
	}
	*value = sum;
	*at = (size_t)(to - text);
	return to > from;
}

/*
 * Reads @word at *@at and moves *@at past it. Returns false if another text is there. The function
 * is inlined, so that comparing a few bytes takes no call.
 */
static __always_inline bool take_word(const char *text, size_t length, size_t *at, const char *word)
{
	size_t size = strlen(word);

	if (length - *at < size || memcmp(text + *at, word, size))
		return false;
	*at += size;
	return true;
}

/* ---- missed entries ------------------------------------------------------------------ */

int bcos_phrase_missed(char *text, size_t size, u64 entries, u64 bytes)
{
	return host_format(text, size, "missed %llu entries, %llu bytes",
			   (unsigned long long)entries, (unsigned long long)bytes);
}

bool bcos_phrase_missed_parse(const char *text, size_t length, u64 *entries)
{
	size_t at = 0;

	return take_word(text, length, &at, "missed ") && take_number(text, length, &at, entries) &&
	       take_word(text, length, &at, " entries");
}

/* ---- states ------------------------------------------------------------------------- */

int bcos_phrase_idle(char *text, size_t size, u32 state, u64 ns, u32 by, const char *name,
		     size_t name_length)
{
	int length = host_format(text, size, "idle state %u for %llu ns", state,
				 (unsigned long long)ns);

	if (by == BCOS_MESSAGE_UNKNOWN)
		return length;
	return length + host_format(text + length, size - (size_t)length,
				    ", ended by %.*s (0x%08x)", (int)name_length, name, by);
}

bool bcos_phrase_idle_parse(const char *text, size_t length, u64 *ns, u32 *by)
{
	size_t at = 0;
	u64 state;

	if (!take_word(text, length, &at, "idle state ") ||
	    !take_number(text, length, &at, &state) || !take_word(text, length, &at, " for ") ||
	    !take_number(text, length, &at, ns))
		return false;
	*by = BCOS_MESSAGE_UNKNOWN;
	/* The name may have any characters, so the ID is searched for from the end. */
	if (length >= at + 13 && !memcmp(text + length - 12, "(0x", 3) && text[length - 1] == ')' &&
	    bcos_message_parse(by, text + length - 9, 8) != 1)
		*by = BCOS_MESSAGE_UNKNOWN;
	return true;
}

int bcos_phrase_thread(char *text, size_t size, const struct bcos_thread_phrase *phrase)
{
	int at = host_format(text, size, "thread %u %s", phrase->thread,
			     phrase->state < BCOS_STATES ? bcos_state_names[phrase->state] : "?");

	if (phrase->by == BCOS_WOKEN_BY_THREAD || phrase->by == BCOS_WOKEN_BY_EITHER)
		at += host_format(text + at, size - (size_t)at, " by %sprocess %u thread %u",
				  phrase->by == BCOS_WOKEN_BY_EITHER ? "an interrupt or " : "",
				  phrase->waker, phrase->waker_thread);
	else if (phrase->by == BCOS_WOKEN_BY_INTERRUPT)
		at += host_format(text + at, size - (size_t)at, " by an interrupt");
	if (phrase->has_cpu)
		at += host_format(text + at, size - (size_t)at, " on CPU %u", phrase->cpu);
	if (phrase->has_priority)
		at += host_format(text + at, size - (size_t)at, " at priority %d",
				  phrase->priority);
	return at;
}

/* Reads a number of 32 bits at *@at. */
static __always_inline bool take_u32(const char *text, size_t length, size_t *at, u32 *value)
{
	u64 number;
	size_t start = *at;

	if (!take_number(text, length, at, &number) || *at - start > 10 || number > 0xFFFFFFFFu)
		return false;
	*value = (u32)number;
	return true;
}

/* Reads the name of a state, after which the text ends or goes on with a space or a zero. */
static bool take_state(const char *text, size_t length, size_t *at, u32 *state)
{
	const char *name;
	size_t end;
	u32 i;

	for (i = 0; i < BCOS_STATES; i++) {
		name = bcos_state_names[i];
		for (end = *at; end < length && *name && text[end] == *name; end++)
			name++;
		if (*name || (end < length && text[end] != ' ' && text[end]))
			continue;
		*state = i;
		*at = end;
		return true;
	}
	return false;
}

/* Reads the thread that woke another one at *@at, after the word @before. */
static bool take_waking_thread(const char *text, size_t length, size_t *at, const char *before,
			       struct bcos_thread_phrase *phrase)
{
	size_t start = *at;

	if (take_word(text, length, at, before) && take_word(text, length, at, " process ") &&
	    take_u32(text, length, at, &phrase->waker) && take_word(text, length, at, " thread ") &&
	    take_u32(text, length, at, &phrase->waker_thread))
		return true;
	*at = start;
	return false;
}

static void take_waker(const char *text, size_t length, size_t *at,
		       struct bcos_thread_phrase *phrase)
{
	if (take_waking_thread(text, length, at, " by", phrase))
		phrase->by = BCOS_WOKEN_BY_THREAD;
	else if (take_waking_thread(text, length, at, " by an interrupt or", phrase))
		phrase->by = BCOS_WOKEN_BY_EITHER;
	else if (take_word(text, length, at, " by an interrupt") &&
		 !take_word(text, length, at, " or"))
		phrase->by = BCOS_WOKEN_BY_INTERRUPT;
}

bool bcos_phrase_thread_parse(const char *text, size_t length, struct bcos_thread_phrase *phrase)
{
	bool below;
	u32 number;
	size_t at = 0;

	memset(phrase, 0, sizeof(*phrase));
	if (!take_word(text, length, &at, "thread ") ||
	    !take_u32(text, length, &at, &phrase->thread) ||
	    !take_word(text, length, &at, " ") || !take_state(text, length, &at, &phrase->state))
		return false;
	if (phrase->state == BCOS_STATE_WOKEN)
		take_waker(text, length, &at, phrase);
	else if (phrase->state != BCOS_STATE_RUNS)
		return true;
	phrase->has_cpu = take_word(text, length, &at, " on CPU ") &&
			  take_u32(text, length, &at, &phrase->cpu);
	if (!phrase->has_cpu || !take_word(text, length, &at, " at priority "))
		return true;
	below = take_word(text, length, &at, "-");
	phrase->has_priority = take_u32(text, length, &at, &number) && number <= 0x7FFFFFFF;
	if (phrase->has_priority)
		phrase->priority = below ? -(s32)number : (s32)number;
	return true;
}
