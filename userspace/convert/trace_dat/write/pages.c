// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes pages: see write.h, and page.c for the beginning of a record. */
#include "write.h"

#define LOST		(1ull << 31)
#define LOST_STORED	(1ull << 30)

#define TYPE_EXTEND	30

static void put64(u8 *to, u64 value)
{
	memcpy(to, &value, sizeof(value));
}

static void put32(u8 *to, u32 value)
{
	memcpy(to, &value, sizeof(value));
}

static void end_page(struct pages *pages, u32 used)
{
	u64 commit = used - PAGE_HEADER;

	memset(pages->page + used, 0, PAGE_BYTES - used);
	if (pages->lost) {
		commit |= LOST | LOST_STORED;
		put64(pages->page + used, pages->lost);
		pages->lost = 0;
	}
	put64(pages->page + 8, commit);
	outfile_commit(pages->to, PAGE_BYTES);
}

u8 *pages_record(struct pages *pages, u64 time, size_t size)
{
	u32 words = (u32)(size + 3) / 4, used = pages->fill.used;
	u64 delta = pages->fill.time;
	u8 *at;

	if (unlikely(page_fill_add(&pages->fill, time, size))) {
		if (used)
			end_page(pages, used);
		used = PAGE_HEADER;
		delta = pages->fill.time;
		pages->page = outfile_reserve(pages->to, PAGE_BYTES);
		put64(pages->page, delta);
	}
	delta = pages->fill.time - delta;
	at = pages->page + used;
	if (unlikely(delta >> PAGE_TIME_BITS)) {
		/* The time has 59 bits, which is 18 years, as in the kernel. */
		put32(at, (u32)(delta & ((1u << PAGE_TIME_BITS) - 1)) << 5 | TYPE_EXTEND);
		put32(at + 4, (u32)(delta >> PAGE_TIME_BITS));
		at += 8;
		delta = 0;
	}
	if (words <= PAGE_WORDS_MAX) {
		put32(at, (u32)delta << 5 | words);
		at += 4;
	} else {
		put32(at, (u32)delta << 5);
		put32(at + 4, 4 * words + 4);
		at += 8;
	}
	put32(at + 4 * (words - 1), 0);
	return at;
}

void pages_end(struct pages *pages)
{
	if (pages->fill.used)
		end_page(pages, pages->fill.used);
	pages->fill.used = 0;
}

void pages_lost(struct pages *pages, u64 count)
{
	/* A page states the losses before it, so a loss ends the current page. */
	pages_end(pages);
	pages->lost += count;
}
