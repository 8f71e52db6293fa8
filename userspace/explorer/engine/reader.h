/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The library's reader of a log that the page hands over in parts. */
#ifndef EXPLORER_READER_H
#define EXPLORER_READER_H

#include "handle/handle.h"

struct reader {
	struct bcoslog log;		/* the first field, because handle_fill() finds the structure by it */
	const u8 *part;			/* the unread bytes of the part that the page handed over */
	size_t left;			/* number of bytes at @part */
	u64 last;			/* time of the last entry that is not historical; 0 if there was none */
	u64 damages, lost;		/* number of damaged places, and of bytes that are left out because of them */
};

/* Return: a reader; NULL if there is no memory. */
struct reader *reader_new(void);
void reader_free(struct reader *reader);

/**
 * reader_feed() - read the entries in the next part of the log
 * @reader: the reader
 * @part: the bytes of the part, which may begin and end within an entry
 * @size: number of bytes; 0 if the log has ended
 * @use: called for each entry, and where the log goes on at a group after damage for a notice that entries are missing, which
 *	gives the totals of the tool; reading stops if it returns another value than 0
 * @context: first argument of @use
 *
 * Entries of the newest BCOS_WAKING_SPAN are held back until the next part tells which wakings precede them.
 *
 * Return: 0; -EILSEQ if the bytes are no log; -ENOMEM; the value with which @use stopped.
 */
int reader_feed(struct reader *reader, const u8 *part, size_t size,
		int (*use)(void *context, const struct bcos_entry *entry), void *context);

/**
 * reader_pause() - read the entries that are held back, since nobody knows when the next part comes
 * @reader: the reader, after reader_feed()
 * @use: as for reader_feed()
 * @context: likewise
 *
 * A waking before these entries of which a later part tells is given after them.
 *
 * Return: as reader_feed().
 */
int reader_pause(struct reader *reader, int (*use)(void *context, const struct bcos_entry *entry), void *context);

#endif
