/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Translates entries of the log to messages for a collector (uapi/bcos_message.h). */
#ifndef BCOS_CORE_TRANSLATOR_H
#define BCOS_CORE_TRANSLATOR_H

#include "core/host/host.h"
#include "uapi/bcos_message.h"

#define BCOS_TRANSLATOR_NOBODY	0xFFFFFFFEu	/* no process has this ID */

struct bcos_translator {
	u32 mask;			/* event mask of the collector */
	u32 monitor;			/* task monitor mask of the collector, BCOS_MONITOR_* */
	/* The collector gets no messages about this process, its own; or BCOS_TRANSLATOR_NOBODY. */
	u32 self;
	/* Converts ns since boot to a message's time; NULL: take the low 32 bits. */
	u32 (*timer)(void *context, u64 time);
	void *context;
	u64 dropped;			/* entries lost since the last message */
	const struct bcos_entry *entry;	/* the entry that is being translated, or NULL */
	u32 step;			/* number of the next message of @entry */
	u32 id;				/* ID of the message that waits, or 0 */
	u32 count;
	u32 words[BCOS_MESSAGE_WORDS_MAX];
};

/* Initialises a translator without masks and without a timer. @self is the collector's process. */
void bcos_translator_init(struct bcos_translator *translator, u32 self);

/*
 * Sets the next entry, which must be well-formed and stay valid until bcos_translator_get() returns
 * 0.
 */
void bcos_translator_put(struct bcos_translator *translator, const struct bcos_entry *entry);

/**
 * bcos_translator_get() - get the next message of the entry
 * @translator: converts entries
 * @id: out: the message's ID
 * @dropped: out: number of entries lost since the last message
 * @words: out
 * @size: in: room in words; out: words of the message, also with -EMSGSIZE
 *
 * @id, @dropped and @words are written only on success.
 *
 * Context: any; the caller serialises.
 * Return: words of the message, at least 1; 0: the entry has no more messages; -EMSGSIZE: @words
 *   has too little room, and the next call gets the same message.
 */
int bcos_translator_get(struct bcos_translator *translator, u32 *id, u32 *dropped, u32 *words,
			u32 *size);

#endif
