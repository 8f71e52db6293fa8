// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Phrases in texts of the log: see phrase.h. */
#include "phrase.h"

/* ---- missed entries ------------------------------------------------------------------ */

int bcos_phrase_missed(char *text, size_t size, u64 entries, u64 bytes)
{
	return host_format(text, size, "missed %llu entries, %llu bytes",
			   (unsigned long long)entries, (unsigned long long)bytes);
}

bool bcos_phrase_missed_take(struct bcos_scan *scan, u64 *entries, u64 *bytes)
{
	struct bcos_scan rest;

	if (!bcos_scan_word(scan, "missed ") || !bcos_scan_number(scan, ~0ull, entries) ||
	    !bcos_scan_word(scan, " entries"))
		return false;
	*bytes = 0;
	rest = *scan;
	if (bcos_scan_word(&rest, ", ") && bcos_scan_number(&rest, ~0ull, bytes) &&
	    bcos_scan_word(&rest, " bytes"))
		*scan = rest;
	return true;
}

bool bcos_phrase_missed_parse(const char *text, size_t length, u64 *entries)
{
	struct bcos_scan scan = bcos_scan_begin(text, length);
	u64 bytes;

	return bcos_phrase_missed_take(&scan, entries, &bytes);
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

bool bcos_phrase_idle_parse(const char *text, size_t length, u32 *state, u64 *ns, u32 *by)
{
	struct bcos_scan scan = bcos_scan_begin(text, length);

	if (!bcos_scan_word(&scan, "idle state ") || !bcos_scan_u32(&scan, state) ||
	    !bcos_scan_word(&scan, " for ") || !bcos_scan_number(&scan, ~0ull, ns))
		return false;
	*by = BCOS_MESSAGE_UNKNOWN;
	/* The name may have any characters, so the ID is searched for from the end. */
	if (scan.end - scan.at >= 13 && !memcmp(text + length - 12, "(0x", 3) &&
	    text[length - 1] == ')' && bcos_message_parse(by, text + length - 9, 8) != 1)
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

/* Reads the name of a state, after which the text ends or goes on with a space or a zero. */
static bool take_state(struct bcos_scan *scan, u32 *state)
{
	struct bcos_scan rest;
	u32 i;

	for (i = 0; i < BCOS_STATES; i++) {
		rest = *scan;
		if (!bcos_scan_word(&rest, bcos_state_names[i]) ||
		    (!bcos_scan_ends(&rest) && *rest.at != ' ' && *rest.at))
			continue;
		*state = i;
		*scan = rest;
		return true;
	}
	return false;
}

/* Reads the thread that woke another one, after the word @before. */
static bool take_waking_thread(struct bcos_scan *scan, const char *before,
			       struct bcos_thread_phrase *phrase)
{
	struct bcos_scan rest = *scan;

	if (!bcos_scan_word(&rest, before) || !bcos_scan_word(&rest, " process ") ||
	    !bcos_scan_u32(&rest, &phrase->waker) || !bcos_scan_word(&rest, " thread ") ||
	    !bcos_scan_u32(&rest, &phrase->waker_thread))
		return false;
	*scan = rest;
	return true;
}

static void take_waker(struct bcos_scan *scan, struct bcos_thread_phrase *phrase)
{
	if (take_waking_thread(scan, " by", phrase))
		phrase->by = BCOS_WOKEN_BY_THREAD;
	else if (take_waking_thread(scan, " by an interrupt or", phrase))
		phrase->by = BCOS_WOKEN_BY_EITHER;
	else if (bcos_scan_word(scan, " by an interrupt") && !bcos_scan_word(scan, " or"))
		phrase->by = BCOS_WOKEN_BY_INTERRUPT;
}

bool bcos_phrase_thread_parse(const char *text, size_t length, struct bcos_thread_phrase *phrase)
{
	struct bcos_scan scan = bcos_scan_begin(text, length);
	bool below;
	u32 number;

	memset(phrase, 0, sizeof(*phrase));
	if (!bcos_scan_word(&scan, "thread ") || !bcos_scan_u32(&scan, &phrase->thread) ||
	    !bcos_scan_word(&scan, " ") || !take_state(&scan, &phrase->state))
		return false;
	if (phrase->state == BCOS_STATE_WOKEN)
		take_waker(&scan, phrase);
	else if (phrase->state != BCOS_STATE_RUNS)
		return true;
	phrase->has_cpu = bcos_scan_word(&scan, " on CPU ") && bcos_scan_u32(&scan, &phrase->cpu);
	if (!phrase->has_cpu || !bcos_scan_word(&scan, " at priority "))
		return true;
	below = bcos_scan_word(&scan, "-");
	phrase->has_priority = bcos_scan_u32(&scan, &number) && number <= 0x7FFFFFFF;
	if (phrase->has_priority)
		phrase->priority = below ? -(s32)number : (s32)number;
	return true;
}
