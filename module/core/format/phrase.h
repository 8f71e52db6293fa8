/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Phrases in texts of the log whose numbers collectors get back: the writer and the parser of each
 * stand side by side.
 *
 *	lost 3 assignments, 1 interrupts: staging full, until 5.000000000 s
 *	missed 5 entries, 120 bytes
 *	idle state 1 for 5000 ns, ended by eth0 (0x40000001)
 *	thread 8 blocked
 *	thread 8 woken by process 7 thread 9 on CPU 1
 *	thread 8 woken by an interrupt on CPU 1
 *	thread 8 runs on CPU 1 at priority 120
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

enum bcos_woken_by {
	BCOS_WOKEN_BY_UNKNOWN,
	BCOS_WOKEN_BY_THREAD,
	BCOS_WOKEN_BY_INTERRUPT,
};

/*
 * The state of a thread, enum bcos_state. The other fields are set only for the states "woken"
 * and "runs". The parser ignores words that it does not know after the state.
 */
struct bcos_thread_phrase {
	u32 thread;
	u32 state;
	enum bcos_woken_by by;
	u32 waker;		/* process; valid if a thread woke it, as is @waker_thread */
	u32 waker_thread;	/* 0: an idle thread */
	bool has_cpu;		/* @cpu is the CPU that runs it, or on which it was woken */
	bool has_priority;
	u32 cpu;
	s32 priority;		/* the kernel's: -1 deadline, 0 to 99 real time, 120 normal */
};

int bcos_phrase_thread(char *text, size_t size, const struct bcos_thread_phrase *phrase);
bool bcos_phrase_thread_parse(const char *text, size_t length, struct bcos_thread_phrase *phrase);

#endif
