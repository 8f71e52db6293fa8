/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A host for the core whose memory is counted and can be made to run out. */
#ifndef TEST_TESTHOST_H
#define TEST_TESTHOST_H

#include "core/host/host.h"

struct test_host {
	unsigned long asked;	/* allocations asked for so far */
	unsigned long fail_at;	/* the first that fails, counted from 1; 0: none */
	unsigned long fail_for;	/* how many fail in a row */
	unsigned long failed;
	unsigned long live;	/* allocations not given back */
	u64 bytes;		/* bytes in these allocations */
	u32 cpus_per_core;	/* 0 means 1 */
	/* What the host says of the control group of the process @grouped, and when it read that. */
	u32 grouped;
	const char *cgroup;
	u64 cgroup_read;
};

/* The estimate of every core, which is zero at first. */
extern struct bcos_estimate test_estimate;

/* The context of its functions is a struct test_host. */
extern const struct bcos_host test_host;

/* Maps @size bytes, which are zero, twice in a row. */
void *test_ring_map(u64 size);
void test_ring_unmap(void *data, u64 size);

/* Returns a number from the environment, or @otherwise. */
u64 test_env(const char *name, u64 otherwise);

/* Returns the next number by xorshift, which gives the same sequence for the same seed everywhere. */
u64 next_random(u64 *state);
/*
 * Returns the seed of this run: SEED from the environment, or else a number from the clock. Prints the seed, so that
 * the run can be repeated.
 */
u64 test_seed(void);

#endif
