/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Writes pages of the kernel's ring buffer. */
#ifndef TRACE_DAT_PAGES_H
#define TRACE_DAT_PAGES_H

#include "../../output.h"

#define PAGE_BYTES 4096u
/* The header of a page: u64 time, u64 count of bytes that follow, with flags for lost records. */
#define PAGE_HEADER 16u
/*
 * The most data that a record can have. Two words precede it, and the page needs eight bytes for a count of lost
 * records.
 */
#define PAGE_RECORD_MAX (PAGE_BYTES - PAGE_HEADER - 8 - 8)

/* A record has this many bits for the time since the record before it. A longer time takes two more words. */
#define PAGE_TIME_BITS 27
/* The type of a record is its length in words up to this. A longer record has one more word for its length. */
#define PAGE_WORDS_MAX 28

/* How far the pages of a CPU are filled. */
struct page_fill {
	u64 count;		/* how many pages have a record */
	u64 time;		/* the time of the last record */
	u32 used;		/* bytes in the last page; 0: the next record begins a page */
};

/* Counts a record of @size bytes, at most PAGE_RECORD_MAX. Returns whether it begins a page. */
static inline bool page_fill_add(struct page_fill *fill, u64 time, size_t size)
{
	u32 words = (u32)(size + 3) / 4;
	/* At most four words precede the data, and a count of lost records may follow it. */
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

/* The page of a CPU that is being written. */
struct pages {
	struct outfile *to;
	struct page_fill fill;
	u8 *page;		/* the page that is being filled, in the buffer of @to */
	u64 lost;		/* how many records were lost before the current page, or the next one */
};

/*
 * Adds a record of @size bytes, at most PAGE_RECORD_MAX. Returns the place for its data; zeros follow up to a multiple
 * of 4.
 */
u8 *pages_record(struct pages *pages, u64 time, size_t size);
/* Notes that @count records were lost before the next one. */
void pages_lost(struct pages *pages, u64 count);
/* Completes the page that is being filled. */
void pages_end(struct pages *pages);

#endif
