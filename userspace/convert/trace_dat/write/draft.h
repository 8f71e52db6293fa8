/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Keeps the records of all CPUs until the end of the log. In the file, all pages of a CPU are in a row, after a header
 * that tells how many there are. So pages are only counted at first, and the records go to a temporary file. There a
 * switch takes 16 bytes instead of the 68 in a page: the thread that leaves a CPU is the one that got it, and mostly a
 * few threads alternate on a CPU.
 */
#ifndef TRACE_DAT_DRAFT_H
#define TRACE_DAT_DRAFT_H

#include "../../perf/write/sinks.h"
#include "pages.h"
#include "runs.h"

/* Threads that got the CPU, each in a slot by its number. A slot holds the last thread of several. */
#define DRAFT_SLOTS 256u

struct draft_threads {
	struct switch_thread slots[DRAFT_SLOTS];
	u32 running;		/* the slot of the thread that has the CPU */
};

struct draft_cpu {
	struct run_list runs;
	struct page_fill fill;
	struct draft_threads *threads;	/* NULL until the CPU has a record */
};

struct draft {
	struct runs runs;
	struct draft_cpu *cpus;
	u32 cpu_count;		/* how many items @cpus has room for */
	u32 cpu_end;		/* the highest CPU number that has a record, plus one */
};

/* Begins a draft in a temporary file, which is in temporary_beside(@output). Returns 0 or a negative errno. */
int draft_begin(struct draft *draft, const char *output);
/* Keeps a record of a switch. */
void draft_switch(struct draft *draft, u32 cpu, u64 time, const struct switch_fields *fields);
/*
 * Keeps any other record of @size bytes, at most PAGE_RECORD_MAX. Returns the place where the caller puts the record,
 * or NULL on an error, which is in @draft->runs.error.
 */
u8 *draft_record(struct draft *draft, u32 cpu, u64 time, size_t size);
/* Notes that @count records of a CPU were lost before its next one. */
void draft_lost(struct draft *draft, u32 cpu, u64 count);
/* Writes all pages of a CPU. Returns 0, even if the output cannot be written, or a negative errno. */
int draft_write(struct draft *draft, u32 cpu, struct outfile *to);
void draft_free(struct draft *draft);

#endif
