/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The view of a collector: the log as messages, one after the other (uapi/bcos_message.h). */
#ifndef BCOS_CORE_VIEW_H
#define BCOS_CORE_VIEW_H

#include "host.h"
#include "../uapi/bcos_message.h"

#define BCOS_VIEW_NOBODY	0xFFFFFFFEu	/* no process has this ID */

struct bcos_view {
	u32 mask;
	u32 monitor;
	u32 self;			/* process whose own doings are not shown, or BCOS_VIEW_NOBODY */
	u32 (*timer)(void *context, u64 time);	/* ns since boot as a time of messages; NULL: its lower 32 bits */
	void *context;
	u64 dropped;			/* lost since the last message */
	const struct bcos_entry *entry;	/* whose messages are given, or NULL */
	u32 step;			/* of its messages */
	u32 id;				/* of the message that waits, or 0 */
	u32 count;
	u32 words[BCOS_MESSAGE_WORDS_MAX];
};

void bcos_view_init(struct bcos_view *view, u32 self);

/* Give it the next entry, well-formed; it stays until bcos_view_get() returned 0.  */
void bcos_view_put(struct bcos_view *view, const struct bcos_entry *entry);

/**
 * bcos_view_get() - the next message of the entry
 * @view: the view
 * @id: out: the message's ID
 * @dropped: out: how many entries were lost since the last message
 * @words: out
 * @size: in: words that it has room for; out: those of the message, also with -EMSGSIZE
 *
 * @id, @dropped and @words are written only on success.
 *
 * Return: words of the message, at least 1; 0: the entry has none left; -EMSGSIZE: no room, the message waits.
 */
int bcos_view_get(struct bcos_view *view, u32 *id, u32 *dropped, u32 *words, u32 *size);

#endif
