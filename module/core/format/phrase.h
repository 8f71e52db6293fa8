/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Phrases in texts of the log whose numbers collectors get back: the writer and the parser of each
 * stand side by side.
 *
 *	lost 3 assignments, 1 interrupts: staging full, until 5.000000000 s
 *	missed 5 entries, 120 bytes
 *	idle state 1 for 5000 ns, ended by eth0 (0x40000001)
 *	thread 8 blocked
 *
 * Writers work like host_format(). Parsers take any bytes, and return false if they are not such a
 * phrase.
 */
#ifndef BCOS_CORE_PHRASE_H
#define BCOS_CORE_PHRASE_H

#include "core/host/host.h"
#include "message.h"

/*
 * Appends a count to a loss, which begins with "lost", at offset @at of @text, @size bytes; a count
 * of 0 is left out. @what has no digits. Returns the new offset.
 */
int bcos_phrase_lost(char *text, int at, int size, u64 count, const char *what);
/* Returns the sum of the counts of a loss, 0 if the text is none. */
u64 bcos_phrase_lost_count(const char *text, size_t length);

int bcos_phrase_missed(char *text, size_t size, u64 entries, u64 bytes);
bool bcos_phrase_missed_parse(const char *text, size_t length, u64 *entries);

/*
 * @by: the ID of the device that ended it, or BCOS_MESSAGE_UNKNOWN; @name and @name_length: of that
 * device.
 */
int bcos_phrase_idle(char *text, size_t size, u32 state, u64 ns, u32 by, const char *name,
		     size_t name_length);
bool bcos_phrase_idle_parse(const char *text, size_t length, u64 *ns, u32 *by);

/* @state: enum bcos_state. */
int bcos_phrase_thread(char *text, size_t size, u32 thread, u32 state);
bool bcos_phrase_thread_parse(const char *text, size_t length, u32 *thread, u32 *state);

#endif
