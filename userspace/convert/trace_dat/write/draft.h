/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The records of all CPUs until the end. A file has all pages of a CPU in a row, after a header that says how many there
 * are, so the pages are only counted at first. Records are in a temporary file, in which a switch takes 16 bytes instead
 * of the 68 of a page: whoever leaves a CPU has come to it before, and the threads that come to a CPU are mostly the same.
 */
#ifndef TRACE_DAT_DRAFT_H
#define TRACE_DAT_DRAFT_H

#include "../../perf/write/sinks.h"
#include "pages.h"
#include "runs.h"

/* Threads that came to a CPU, each in the slot of its number; another one may replace it. */
#define DRAFT_SLOTS 256u

struct draft_threads {
	struct switch_thread slots[DRAFT_SLOTS];
	u32 running;		/* the slot of the last one that came */
};

struct draft_cpu {
	struct run_list runs;
	struct page_fill fill;
	struct draft_threads *threads;	/* NULL: there was no record yet */
};

struct draft {
	struct runs runs;
	struct draft_cpu *cpus;
	u32 cpu_count;		/* room */
	u32 cpu_end;		/* one more than the highest that has a record */
};

/* @output: where temporary_beside() puts the temporary file. Returns 0 or a negative errno. */
int draft_begin(struct draft *draft, const char *output);
/* Keeps a switch. */
void draft_switch(struct draft *draft, u32 cpu, u64 time, const struct switch_fields *fields);
/*
 * Keeps another record of @size bytes, at most PAGE_RECORD_MAX. Returns its place, or NULL after an error, which
 * @draft->runs.error is.
 */
u8 *draft_record(struct draft *draft, u32 cpu, u64 time, size_t size);
/* So many records of a CPU were lost before the next one. */
void draft_lost(struct draft *draft, u32 cpu, u64 count);
/* Writes all pages of a CPU. Returns 0, also if the output cannot be written, or a negative errno. */
int draft_write(struct draft *draft, u32 cpu, struct outfile *to);
void draft_free(struct draft *draft);

#endif
