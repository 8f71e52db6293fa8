/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The library's reader over bytes that the page hands in, part by part. */
#ifndef EXPLORER_READER_H
#define EXPLORER_READER_H

#include "reader/handle.h"

struct reader {
	struct bcoslog log;		/* first: handle_fill() gets it */
	const u8 *part;			/* what the page handed in, and is not read yet */
	size_t left;
	u64 damages, lost;		/* damaged places; bytes that are left out there */
};

/* Return: NULL if there is no memory. */
struct reader *reader_new(void);
void reader_free(struct reader *reader);

/**
 * reader_feed() - go through the next part of the log
 * @reader: the reader
 * @part: its bytes; entries may begin and end anywhere
 * @size: how many; 0: the log has ended
 * @use: called for each entry; not 0 ends it
 * @context: for @use
 *
 * Return: 0; -EILSEQ: it is no log; what @use returned.
 */
int reader_feed(struct reader *reader, const u8 *part, size_t size,
		int (*use)(void *context, const struct bcos_entry *entry), void *context);

#endif
