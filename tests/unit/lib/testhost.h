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
	u64 bytes;		/* in them */
	u32 cpus_per_core;	/* 0 means 1 */
};

/* The estimate of every core; zero at the beginning. */
extern struct bcos_estimate test_estimate;

/* Its context is a struct test_host. */
extern const struct bcos_host test_host;

/* @size bytes, mapped twice in a row, zeroed. */
void *test_ring_map(u64 size);
void test_ring_unmap(void *data, u64 size);

/* A number from the environment. */
u64 test_env(const char *name, u64 otherwise);

/* xorshift: the same sequence from the same seed, everywhere. */
u64 next_random(u64 *state);
/* The seed of this run: SEED, else of the clock; said on stdout, so that it can be had again. */
u64 test_seed(void);

#endif
