/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A made-up machine: processes that are born, run, exec and die on several CPUs, as the kernel lets them, and the truth
 * about them at any time.
 */
#ifndef TEST_CHURN_H
#define TEST_CHURN_H

#include "feed.h"

#define CHURN_CPUS 8

struct churn_life {
	u32 id, tag;
	bool alive;		/* false: dead, and its place is free */
	bool exited;		/* its last thread has exited; its last switch is still to come */
	bool reborn;		/* another process has its ID already */
	bool hidden;
	char name[BCOS_RAW_NAME];
};

struct churn {
	u64 seed;
	u64 time;
	u32 cpus;		/* at most CHURN_CPUS */
	u32 target;		/* about as many processes live at a time */
	u32 ids;		/* the highest process ID, which is small, so that IDs are reused soon */
	u32 tag;
	bool hotplug, interrupts;
	u32 live;
	struct churn_life *life;
	u32 lives;		/* room in @life */
	u32 *by_id;		/* by ID: index + 1 in @life, or 0 */
	struct {
		bool online;
		u32 runs;	/* index in @life, or CHURN_KERNEL, CHURN_IDLE */
		u32 shown;	/* ID that the log has to show */
	} cpu[CHURN_CPUS];
	/* Takes each record. */
	void (*emit)(void *context, u32 cpu, u64 time, struct feed_record record);
	void *context;
	u64 count[BCOS_RAW_KINDS];
};

#define CHURN_KERNEL 0xFFFFFFF0u
#define CHURN_IDLE 0xFFFFFFF1u

void churn_init(struct churn *churn, u64 seed, u32 cpus, u32 target);
void churn_free(struct churn *churn);

/*
 * Writes the processes to @seen as a walk of the task list finds them. Return: their number; @seen has room for
 * churn->lives.
 */
u32 churn_walk(const struct churn *churn, struct bcos_seen *seen);

/* Adds processes, until @count live, without births: they exist when the log begins. */
void churn_populate(struct churn *churn, u32 count);

/* Makes one random event. */
void churn_step(struct churn *churn);

/* Lets every process die that has exited, and every CPU go idle. */
void churn_settle(struct churn *churn);

/* Return: NULL, or how the model differs from the truth. */
const char *churn_compare(const struct churn *churn, const struct bcos_model *model);

#endif
