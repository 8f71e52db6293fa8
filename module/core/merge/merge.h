/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The merge puts the staged records of all CPUs into one order of time, up to a horizon that is
 * proven to be complete (stage.h).
 */
#ifndef BCOS_CORE_MERGE_H
#define BCOS_CORE_MERGE_H

#include "core/write/log.h"
#include "call.h"
#include "source.h"
#include "tournament.h"

struct bcos_merge {
	struct bcos_log *log;
	struct bcos_source *source;	/* one a CPU ID */
	u32 sources;
	struct bcos_tournament next;	/* finds the source whose record is next */
	u64 base;			/* origin of the times in @next's keys, ns since boot */
	struct bcos_timebase timebase;
	/*
	 * Samples both clocks if records may hold ticks, else returns false. NULL: records never
	 * hold ticks.
	 */
	bool (*sample)(struct bcos_sample *sample);
	/*
	 * Told of each pass, when its entries are published and the records are still in the rings.
	 * Optional.
	 */
	void (*passed)(const struct bcos_merge *merge);
	u64 horizon;			/* ns since boot: everything before this is in the log */
	u64 until;			/* ns since boot: horizon of the pass under way */
	/*
	 * ns since boot: no pass goes beyond this, since something has to be written there first;
	 * 0: all do
	 */
	u64 pause;
	u64 now;			/* ns since boot: when the last pass began */
	bool exact;			/* @now is certain, not that of an older sample */
	u64 passes;
	u32 call[BCOS_CALLS_MAX];	/* the calls of one entry */
	/* A copy of a record that wraps at the end of its ring, in one piece. */
	struct bcos_unit whole[BCOS_RAW_UNITS_MAX];
};

/**
 * bcos_merge_init() - initialise a merge without stages
 * @merge: zeroed
 * @log: where records go
 * @sources: number of CPU IDs, or one more than the log has CPU IDs. The extra source is for EVENT
 *   and KMSG records of no CPU, which the log writer itself stages with any time.
 *
 * Context: may sleep.
 * Return: 0, -ENOMEM, or -EINVAL for more than 16384 sources.
 */
int bcos_merge_init(struct bcos_merge *merge, struct bcos_log *log, u32 sources);
/* Frees the memory of a merge, which may be zeroed. The stages stay. */
void bcos_merge_destroy(struct bcos_merge *merge);

/*
 * Adds the stage of a CPU from the next pass on. @stage must stay valid until bcos_merge_destroy().
 */
void bcos_merge_add(struct bcos_merge *merge, u32 cpu, struct bcos_stage *stage);

/*
 * Converts a moment in the past to ns since boot, as if it were a record's time. @raw is a time by
 * the clock of the pass.
 */
u64 bcos_merge_time(struct bcos_merge *merge, u64 raw);

/**
 * bcos_merge_pass() - apply what is staged, in order of time
 * @merge: the merge
 * @clock: the ordered clock of the staging, which gives raw times
 * @limit: maximum number of units of records; the last record may exceed it
 *
 * Reads the clock, then the CPUs' marks, heads and losses (stage.h), applies every record older
 * than the horizon, and publishes the log.
 *
 * Context: the log writer; may sleep.
 * Return: true if another pass has work right now: @limit was reached, a walk is being compared, or
 *   losses had to be applied before newer losses could be read.
 */
bool bcos_merge_pass(struct bcos_merge *merge, u64 (*clock)(void), u32 limit);

#endif
