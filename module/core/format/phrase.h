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
#include "core/raw/raw.h"
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

/* Who or what woke a thread. The numbers are those of enum bcos_waker (core/raw/raw.h). */
enum bcos_woken_by {
	BCOS_WOKEN_BY_UNKNOWN,
	BCOS_WOKEN_BY_THREAD,
	BCOS_WOKEN_BY_INTERRUPT,	/* of another kind than those below, or of any */
	BCOS_WOKEN_BY_EITHER,	/* one of the two, and the log does not say which */
	BCOS_WOKEN_BY_TIMER,
	BCOS_WOKEN_BY_LINE,	/* an interrupt of the device @device */
	BCOS_WOKEN_BY_BLOCK,	/* the end of a request to a disk, in a softirq */
	BCOS_WOKEN_BY_NET,	/* network, in a softirq */
	BCOS_WOKEN_LOST,	/* it was woken, and who did it is lost */
};

/* What stopped a thread. */
enum bcos_thread_stop {
	BCOS_STOP_SIGNAL,	/* or a text in words, which does not tell a tracer apart */
	BCOS_STOP_TRACER,
	BCOS_STOP_FREEZER,
};

/* A state beyond those of messages: it is ready, but its control group has used its quota. */
#define BCOS_STATE_HELD_BACK	(BCOS_STATES + 1)

#define BCOS_PRIORITY_NORMAL	120

/*
 * The state of a thread. The fields from @by to @priority are set only for BCOS_STATE_WOKEN and
 * BCOS_STATE_RUNS. After the state, the parser ignores words that it does not know. Only events of
 * thread_text.h have the fields after @priority.
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
	u64 delay;		/* ns between the waking and the event, if @by is known */
	bool has_waker_cpu;
	u32 waker_cpu;		/* on which it was woken */
	u32 device;		/* ID; valid by LINE */
	enum bcos_thread_stop stop;	/* valid if it is stopped */
	enum bcos_thread_place place;	/* where it left the CPU */
	u32 call;		/* valid in a system call: as in entries of kernel calls */
	bool io;		/* it waits for input or output */
};

/* These write and read the state of a thread. */
int bcos_phrase_thread(char *text, size_t size, const struct bcos_thread_phrase *phrase);
bool bcos_phrase_thread_parse(const char *text, size_t length, struct bcos_thread_phrase *phrase);

#endif
