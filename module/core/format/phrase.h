/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Some texts of the log have numbers that collectors read back. For each such phrase the writer and
 * the parser stand side by side; loss_text.h has the texts of losses.
 *
 *	missed 5 entries, 120 bytes
 *	idle state 1 for 5000 ns, ended by eth0 (0x40000001)
 *	thread 8 blocked
 *	thread 8 woken by process 7 thread 9 on CPU 1
 *	thread 8 woken by an interrupt on CPU 1
 *	thread 8 woken by an interrupt or process 7 thread 9 on CPU 1
 *	thread 8 runs on CPU 1 at priority 120
 *
 * Writers work like host_format(). Parsers take any bytes, and return false if the bytes are not
 * such a phrase.
 */
#ifndef BCOS_CORE_PHRASE_H
#define BCOS_CORE_PHRASE_H

#include "core/host/host.h"
#include "message.h"
#include "scan.h"

/* These write and read the notice of missed entries. */
int bcos_phrase_missed(char *text, size_t size, u64 entries, u64 bytes);
bool bcos_phrase_missed_parse(const char *text, size_t length, u64 *entries);
/* Reads the notice at the beginning of a text. *@bytes is 0 if it does not tell them. */
bool bcos_phrase_missed_take(struct bcos_scan *scan, u64 *entries, u64 *bytes);

/*
 * These write and read how long a CPU was idle. @by: the ID of the device that ended the idle time,
 * or BCOS_MESSAGE_UNKNOWN. @name and @name_length: the name of that device.
 */
int bcos_phrase_idle(char *text, size_t size, u32 state, u64 ns, u32 by, const char *name,
		     size_t name_length);
bool bcos_phrase_idle_parse(const char *text, size_t length, u32 *state, u64 *ns, u32 *by);

enum bcos_woken_by {
	BCOS_WOKEN_BY_UNKNOWN,
	BCOS_WOKEN_BY_THREAD,
	BCOS_WOKEN_BY_INTERRUPT,
	BCOS_WOKEN_BY_EITHER,	/* one of the two, and the log does not say which */
};

/*
 * The state of a thread. The fields after @state are set only for BCOS_STATE_WOKEN and
 * BCOS_STATE_RUNS. After the state, the parser ignores words that it does not know.
 */
struct bcos_thread_phrase {
	u32 thread;
	u32 state;		/* enum bcos_state */
	enum bcos_woken_by by;
	u32 waker;		/* process of @waker_thread; both are valid by THREAD, EITHER */
	u32 waker_thread;	/* 0: an idle thread */
	bool has_cpu;		/* @cpu runs the thread, or is the CPU on which it was woken */
	bool has_priority;
	u32 cpu;
	s32 priority;		/* the kernel's: -1 deadline, 0 to 99 real time, 120 normal */
};

/* These write and read the state of a thread. */
int bcos_phrase_thread(char *text, size_t size, const struct bcos_thread_phrase *phrase);
bool bcos_phrase_thread_parse(const char *text, size_t length, struct bcos_thread_phrase *phrase);

#endif
