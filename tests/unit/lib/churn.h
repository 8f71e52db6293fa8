/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A made-up machine: processes that are born, run, exec and die over some
 * CPUs, as the kernel lets them, and the truth about them at any time.
 */
#ifndef TEST_CHURN_H
#define TEST_CHURN_H

#include "feed.h"

#define CHURN_CPUS 8

struct churn_life {
	u32 id, tag;
	bool alive;		/* not seen dead yet; a dead one's place is free */
	bool exited;		/* its last thread is gone, its last switch is to come */
	bool reborn;		/* its ID is another's already */
	bool hidden;
	char name[BCOS_RAW_NAME];
};

struct churn {
	u64 seed;
	u64 time;
	u32 cpus;		/* at most CHURN_CPUS */
	u32 target;		/* so many processes, about */
	u32 ids;		/* process IDs are 1 to this: small, so that they come again soon */
	u32 tag;
	bool hotplug, interrupts;
	u32 live;
	struct churn_life *life;
	u32 lives;		/* room */
	u32 *by_id;		/* index + 1 into life of who has the ID */
	struct {
		bool online;
		u32 runs;	/* index into life, or CHURN_KERNEL, CHURN_IDLE */
		u32 shown;	/* ID that the log has to show */
	} cpu[CHURN_CPUS];
	/* Where records go. */
	void (*emit)(void *context, u32 cpu, u64 time, struct feed_record record);
	void *context;
	u64 count[BCOS_RAW_KINDS];
};

#define CHURN_KERNEL 0xFFFFFFF0u
#define CHURN_IDLE 0xFFFFFFF1u

void churn_init(struct churn *churn, u64 seed, u32 cpus, u32 target);
void churn_free(struct churn *churn);

/* As a walk of the task list finds them.  Return: how many; @seen has room for churn->lives. */
u32 churn_walk(const struct churn *churn, struct bcos_seen *seen);

/* Processes of the state at load: births that nobody records. */
void churn_populate(struct churn *churn, u32 count);

/* Something happens. */
void churn_step(struct churn *churn);

/* Every CPU goes idle and every dying process is dead. */
void churn_settle(struct churn *churn);

/* Return: NULL, or how the model differs from the truth. */
const char *churn_compare(const struct churn *churn, const struct bcos_model *model);

#endif
