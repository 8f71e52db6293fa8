/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * After records of births, deaths or devices were lost, a walk lists the tasks, the CPUs and the
 * devices. It runs outside the log writer, which must not wait for it.
 */
#ifndef BCOS_WALK_H
#define BCOS_WALK_H

#include "core/rules/rules.h"
#include "job.h"

/**
 * struct bcos_walk_writer - what a walk needs of the log writer
 * @time: returns the current time as the log has it; called in the log writer
 * @run: runs a job in the log writer, and waits until it is done
 */
struct bcos_walk_writer {
	u64 (*time)(void);
	void (*run)(bcos_job job, void *data);
};

/* Starts a walk, which hands its result to @log. Context: the log writer; one walk at a time. */
void bcos_walk_start(struct bcos_log *log, const struct bcos_walk_writer *writer);

/*
 * Waits until no walk is under way. The log writer still runs, but starts no other walk. May sleep.
 */
void bcos_walk_stop(void);

#endif
