/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The merge: brings the CPUs' staged records into one order of time, up to a proven horizon. */
#ifndef BCOS_CORE_MERGE_H
#define BCOS_CORE_MERGE_H

#include "log.h"
#include "stage.h"

/* The consumer's side of one CPU's staging ring. */
struct bcos_source {
	struct bcos_stage *stage;	/* NULL: this CPU never had one */
	u64 tail;			/* next unit to read */
	u64 head;			/* end of what this pass may read */
	u64 key;			/* time of what comes next, ~0 if nothing */
	u8 rank;			/* among equal times */
	bool loss_pending, assign_pending;
	struct bcos_loss loss;
	u64 assign_time;
	u32 assign_id;
	u32 stretch;			/* newest seen */
	u64 counted[BCOS_LOSS_CLASSES];
	u64 nested;
};

struct bcos_merge {
	struct bcos_log *log;
	struct bcos_source *source;	/* one a CPU ID */
	u32 sources;
	u64 horizon;			/* everything before is in the log */
	u64 batches;
};

/* Return: 0 or -ENOMEM.  @sources: CPU IDs are below. */
int bcos_merge_init(struct bcos_merge *merge, struct bcos_log *log, u32 sources);
void bcos_merge_destroy(struct bcos_merge *merge);

/* From the next pass on; @stage stays valid until bcos_merge_destroy(). */
void bcos_merge_add(struct bcos_merge *merge, u32 cpu, struct bcos_stage *stage);

/**
 * bcos_merge_pass() - apply what is staged, in order of time
 * @merge: the merge
 * @clock: the staging's clock, ordered
 * @limit: records to apply at most
 *
 * Reads the clock, then the CPUs' marks, heads and losses (see stage.h), and
 * applies every record older than the horizon.  Publishes.
 *
 * Context: the log writer.
 * Return: true if more is ready now: @limit was reached, or a loss is to be
 * stated first.
 */
bool bcos_merge_pass(struct bcos_merge *merge, u64 (*clock)(void), u32 limit);

#endif
