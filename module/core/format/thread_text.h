/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The texts of events about threads, which are frequent, so they are short: digits of 6 bits, and
 * no words. The ID of the event says what its text has.
 *
 *	BCOS_EVENT_THREAD_LEFT	  3 digits, the lowest first: how (3 bits, enum bcos_thread_left),
 *				  waits for I/O (1), where (2, enum bcos_thread_place), number of
 *				  the system call (11), of the 32-bit ABI (1); then the thread
 *	BCOS_EVENT_THREAD_RUNS	  2 digits: enum bcos_waker (4 bits), enum waker_process (2),
 *				  a priority follows (1), the CPU of the waker follows (1); then the
 *				  CPU that runs the thread; the waking; the priority + 1; the thread
 *	BCOS_EVENT_THREAD_WOKEN	  likewise, but the CPU is that of the waker
 *	BCOS_EVENT_THREAD_NAME	  the thread, then its name up to the end
 *
 * A waking is the ns since then, and of a thread its ID, and of a line its device (rotated left by
 * 2 bits); then the waker's process and its CPU, if they follow. The thread is left out if its ID
 * is that of its process, the source of the event. Numbers have 5 bits in each digit, the lowest
 * first; the sixth bit says that another digit follows. Readers ignore what follows the thread.
 */
#ifndef BCOS_CORE_THREAD_TEXT_H
#define BCOS_CORE_THREAD_TEXT_H

#include "entry.h"
#include "phrase.h"

/* How a thread left its CPU. The numbers are part of the format. */
enum bcos_thread_left {
	BCOS_LEFT_BLOCKED,
	BCOS_LEFT_BLOCKED_HARD,
	BCOS_LEFT_STOPPED,
	BCOS_LEFT_TRACED,
	BCOS_LEFT_FROZEN,
	BCOS_LEFT_DEAD,
	BCOS_LEFT_HELD_BACK,	/* it is ready, but its control group has used its quota */
	BCOS_LEFTS
};

/* Stands for the number of a call that is negative or above 0x7FE. */
#define BCOS_THREAD_NO_CALL	0x7FF

/*
 * An event tells of a waking that is at most this much older, in ns. A reader that wants wakings at
 * their own time looks so far ahead.
 */
#define BCOS_WAKING_SPAN	10000000u

/* The longest text of such an event: 2 digits, and 7 numbers of up to 7, and one of up to 13. */
#define BCOS_THREAD_TEXT 64

/**
 * bcos_thread_format() - write the text of an event about a thread
 * @text: out, BCOS_THREAD_TEXT bytes
 * @phrase: what the event says; its state is none that only older logs have
 * @source: process of the event
 *
 * Context: any.
 * Return: bytes of the text.
 */
size_t bcos_thread_format(char *text, const struct bcos_thread_phrase *phrase, u32 source);

/* Returns the ID of the event that says this. */
u32 bcos_thread_event(const struct bcos_thread_phrase *phrase);

/**
 * bcos_thread_read() - read what an entry says about a thread
 * @phrase: out
 * @entry: any entry whose size is right
 *
 * This reads the words of logs that older versions wrote, too.
 *
 * Context: any.
 * Return: whether the entry says something about a thread.
 */
bool bcos_thread_read(struct bcos_thread_phrase *phrase, const struct bcos_entry *entry);

/* The longest text that names a thread. */
#define BCOS_THREAD_NAME_TEXT (7 + BCOS_NAME_MAX)

/* The name of a thread, whose process is the source of the entry. */
struct bcos_thread_name {
	u32 thread;
	u32 length;		/* bytes of @name, at least 1 */
	const char *name;	/* not ended by a zero byte */
};

/**
 * bcos_thread_name_format() - write the text of an event that names a thread
 * @text: out, BCOS_THREAD_NAME_TEXT bytes
 * @name: its length is at most BCOS_NAME_MAX
 *
 * Context: any.
 * Return: bytes of the text.
 */
size_t bcos_thread_name_format(char *text, const struct bcos_thread_name *name);

/**
 * bcos_thread_name_read() - read the name that an entry gives a thread
 * @name: out; its name lies in @entry
 * @entry: any entry whose size is right
 *
 * Context: any.
 * Return: whether the entry names a thread.
 */
bool bcos_thread_name_read(struct bcos_thread_name *name, const struct bcos_entry *entry);

/* Does a waking of this kind name a thread that did it, or may have done it? */
static inline bool bcos_names_waker(u32 by)
{
	return by == BCOS_WOKEN_BY_THREAD || by == BCOS_WOKEN_BY_EITHER;
}

/* Was the thread woken by an interrupt of any kind? */
static inline bool bcos_is_interrupt(enum bcos_woken_by by)
{
	return by == BCOS_WOKEN_BY_INTERRUPT ||
	       (by >= BCOS_WOKEN_BY_TIMER && by <= BCOS_WOKEN_BY_NET);
}

/* Likewise, but only reads the states of enum bcos_state, and interrupts are of one kind. */
static inline bool bcos_thread_told(struct bcos_thread_phrase *phrase,
				    const struct bcos_entry *entry)
{
	if (!bcos_thread_read(phrase, entry) || phrase->state >= BCOS_STATES)
		return false;
	if (bcos_is_interrupt(phrase->by))
		phrase->by = BCOS_WOKEN_BY_INTERRUPT;
	return true;
}

/* Does an event of a process with this ID say something about a thread? */
static inline bool bcos_is_thread_event(u32 id)
{
	return id == BCOS_EVENT_TASK_STATE ||
	       (id >= BCOS_EVENT_THREAD_LEFT && id <= BCOS_EVENT_THREAD_WOKEN);
}

/*
 * Does the entry name a thread? The log repeats that after each group, so it is a statement, and
 * nothing that happens.
 */
static inline bool bcos_is_thread_name(const struct bcos_entry *entry)
{
	return entry->type == BCOS_GENERIC_PROCESS &&
	       ((const struct bcos_generic *)entry)->event_id == BCOS_EVENT_THREAD_NAME;
}

/* Does the event of a process say something about a thread, or name one? */
static inline bool bcos_tells_of_thread(u32 id)
{
	return bcos_is_thread_event(id) || id == BCOS_EVENT_THREAD_NAME;
}

#endif
