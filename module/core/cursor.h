/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A reader's way through the ring: whole entries, and a notice where it was overtaken (section 5.4 of the design). */
#ifndef BCOS_CORE_CURSOR_H
#define BCOS_CORE_CURSOR_H

#include "ring.h"

/* What a buffer must at least hold, so that a notice fits. */
#define BCOS_CURSOR_ROOM 128

struct bcos_cursor {
	struct bcos_mark place;		/* of the next entry */
	u64 time;			/* of the newest entry given so far, 0 if none */
};

/**
 * bcos_cursor_read() - the next part of the log
 * @ring: the ring, or a mapping of it
 * @cursor: where to read
 * @end: offset at which to stop, or any later one
 * @to: buffer
 * @size: of the buffer, in bytes
 * @next: out, with a result above 0: the cursor behind what was read
 *
 * If the writer overtook the cursor, what is read is one Generic Device entry,
 * BCOS_EVENT_MISSED, that says how much was missed, and then the oldest follows.
 *
 * Context: any; each caller its own buffer.
 * Return: bytes; 0 at the end; -EMSGSIZE if not even one entry fits.
 */
long bcos_cursor_read(const struct bcos_ring *ring, const struct bcos_cursor *cursor, u64 end, void *to,
		      size_t size, struct bcos_cursor *next);

#endif
