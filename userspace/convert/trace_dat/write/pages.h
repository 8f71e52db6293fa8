/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Pages of the kernel's ring buffer that are being written. A file has all pages of a CPU in a row, so they are in a
 * temporary file until the end, in runs of pages of one CPU, in the order in which the runs were filled.
 */
#ifndef TRACE_DAT_PAGES_H
#define TRACE_DAT_PAGES_H

#include "../../output.h"

#define PAGE_BYTES 4096u
#define RUN_PAGES 16u
#define RUN_BYTES (RUN_PAGES * PAGE_BYTES)
/* u64 time, u64 how many bytes follow and whether records were lost before. */
#define PAGE_HEADER 16u
/* The data of a record, at most: a record has two words before it, and a page eight bytes for the number of lost ones. */
#define PAGE_RECORD_MAX (PAGE_BYTES - PAGE_HEADER - 8 - 8)

/* The state of a CPU; runs are numbered from 1. */
struct page_cpu {
	u8 *run;		/* RUN_BYTES that are not in the file, or NULL: there was no record yet */
	u8 *page;		/* of the run, which is being filled */
	u32 used;		/* bytes of the page, 0: it has no record yet */
	u32 first, last;	/* runs in the file */
	u64 count;		/* of whole pages, in the file and in the run */
	u64 time;		/* of the last record */
	u64 lost;		/* before the next page, or the one that is being filled */
};

struct pages {
	int fd;			/* of the temporary file, or -1 */
	struct page_cpu *cpus;
	u32 cpu_count;		/* room */
	u32 cpu_end;		/* one more than the highest that has a record */
	u32 *next;		/* after each run the next of its CPU, 0: none */
	u32 count, room;	/* of runs */
	int error;		/* a negative errno: nothing is written after it */
};

/* @output: where temporary_beside() puts the temporary file. Returns 0 or a negative errno. */
int pages_begin(struct pages *pages, const char *output);
/*
 * Adds a record of @size bytes, at most PAGE_RECORD_MAX. Returns its place, where zeros follow up to a multiple of 4, or
 * NULL after an error.
 */
u8 *pages_record(struct pages *pages, u32 cpu, u64 time, size_t size);
/* So many records of a CPU were lost before the next one. */
void pages_lost(struct pages *pages, u32 cpu, u64 count);
/* Ends the pages that are being filled. Returns 0 or a negative errno. */
int pages_end(struct pages *pages);
/* Copies all pages of a CPU. Returns 0 or a negative errno. */
int pages_copy(struct pages *pages, u32 cpu, struct outfile *to);
void pages_free(struct pages *pages);

#endif
