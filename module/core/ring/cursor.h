/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A reader's cursor walks the ring by whole entries, and reports to the reader that the writer
 * overtook it (module/DESIGN.md, 9.1).
 */
#ifndef BCOS_CORE_CURSOR_H
#define BCOS_CORE_CURSOR_H

#include "ring.h"

/* The smallest buffer, in bytes, that holds the notice of missed entries. */
#define BCOS_CURSOR_ROOM 128

struct bcos_cursor {
	struct bcos_mark place;		/* place of the next entry to read */
	u64 time;			/* time of the newest entry read so far; 0: none */
};

/**
 * bcos_cursor_read() - read the next part of the log
 * @ring: the ring, or a mapping of it
 * @cursor: where to read
 * @end: offset at which to stop; may be past the head
 * @to: buffer
 * @size: size of @to in bytes, at least BCOS_CURSOR_ROOM
 * @next: out, if the result is above 0: the cursor after the bytes read
 *
 * If the writer overtook the cursor, the result is one Generic Device entry, BCOS_EVENT_MISSED,
 * that says how many entries and bytes the reader missed. The next call goes on at the oldest
 * entry.
 *
 * Context: any; each caller uses its own buffer.
 * Return: bytes read; 0 at the end; -EMSGSIZE if not even one entry fits.
 */
long bcos_cursor_read(const struct bcos_ring *ring, const struct bcos_cursor *cursor, u64 end,
		      void *to, size_t size, struct bcos_cursor *next);

#endif
