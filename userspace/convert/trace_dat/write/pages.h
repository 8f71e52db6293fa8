/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Pages of the kernel's ring buffer that are being written. */
#ifndef TRACE_DAT_PAGES_H
#define TRACE_DAT_PAGES_H

#include "../../output.h"

#define PAGE_BYTES 4096u
/* u64 time, u64 how many bytes follow and whether records were lost before. */
#define PAGE_HEADER 16u
/* The data of a record, at most: a record has two words before it, and a page eight bytes for the number of lost ones. */
#define PAGE_RECORD_MAX (PAGE_BYTES - PAGE_HEADER - 8 - 8)

/* The time of a record since the one before it; there are two words more of it if it is longer. */
#define PAGE_TIME_BITS 27
/* The length of a record in words is its type up to this; there is a word more of it if it is longer. */
#define PAGE_WORDS_MAX 28

/* How far the pages of a CPU are filled. */
struct page_fill {
	u64 count;		/* of pages that have a record */
	u64 time;		/* of the last record */
	u32 used;		/* bytes of the last page, 0: the next record begins another one */
};

/* Adds a record of @size bytes, at most PAGE_RECORD_MAX. Returns whether it begins a page. */
static inline bool page_fill_add(struct page_fill *fill, u64 time, size_t size)
{
	u32 words = (u32)(size + 3) / 4;
	/* At most four words precede the data, and the number of lost records follows it. */
	bool begins = !fill->used || fill->used + 16 + 4 * words + 8 > PAGE_BYTES;

	if (time < fill->time)
		time = fill->time;
	if (begins) {
		fill->count++;
		fill->used = PAGE_HEADER;
		fill->time = time;
	}
	fill->used += ((time - fill->time) >> PAGE_TIME_BITS ? 8 : 0) + (words <= PAGE_WORDS_MAX ? 4 : 8) + 4 * words;
	fill->time = time;
	return begins;
}

/* Pages of a CPU that are being written. */
struct pages {
	struct outfile *to;
	struct page_fill fill;
	u8 *page;		/* which is being filled, in the buffer of @to */
	u64 lost;		/* before the next page, or the one that is being filled */
};

/*
 * Adds a record of @size bytes, at most PAGE_RECORD_MAX. Returns its place, where zeros follow up to a multiple of 4.
 */
u8 *pages_record(struct pages *pages, u64 time, size_t size);
/* So many records were lost before the next one. */
void pages_lost(struct pages *pages, u64 count);
/* Ends the page that is being filled. */
void pages_end(struct pages *pages);

#endif
