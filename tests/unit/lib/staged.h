/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A log that is fed through staging rings and the merge, by a clock that the test sets. */
#ifndef TEST_STAGED_H
#define TEST_STAGED_H

#include "feed.h"
#include "core/merge/merge.h"

struct staged {
	struct feed feed;
	struct bcos_merge merge;
	struct bcos_stage *stage[8];
	struct bcos_unit *unit[8];
	u32 cpus;
};

/* staged_clock() returns staged_now, which advances by staged_step with each call. */
extern u64 staged_now, staged_step;
u64 staged_clock(void);

/*
 * Makes a log of @cpus CPUs with @units units of staging each, and a ring of @size bytes. The log begins at 1000, with
 * the first pass.
 */
struct staged *staged_early(u32 cpus, u64 units, u64 size);
/* Does the same with a ring of 256 KiB, and makes the first pass. */
struct staged *staged_new(u32 cpus, u64 units);
void staged_free(struct staged *staged);

/* Ends a test whose state is a struct staged: checks that the log is well-formed, and frees everything. */
int staged_tear_down(void **state);

/* Stages a record at @time, as the probes do. */
enum bcos_staged staged_put(struct staged *staged, u32 cpu, u64 time, struct feed_record record);

/* Makes a pass of the log writer at @now, and copies the new entries to the tape. Return: as bcos_merge_pass(). */
bool staged_pass(struct staged *staged, u64 now, u32 limit);

#endif
