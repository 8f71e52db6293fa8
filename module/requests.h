/* SPDX-License-Identifier: GPL-2.0-only */
/* Processes of which more is recorded than of others. */
#ifndef BCOS_REQUESTS_H
#define BCOS_REQUESTS_H

#include <linux/compiler.h>
#include <linux/types.h>

#define BCOS_REQUESTS_MAX 64

/*
 * Written under the mask's lock, one place at a time, and read by probes without one: a probe that sees an old
 * value was called before the change.
 */
struct bcos_requests {
	bool all;			/* the class is on */
	u32 count;			/* places that are or were in use */
	u32 process[BCOS_REQUESTS_MAX];	/* 0: free */
};

extern struct bcos_requests bcos_calls;

static __always_inline bool bcos_calls_are_wanted(u32 process)
{
	u32 i, count;

	if (READ_ONCE(bcos_calls.all))
		return true;
	count = READ_ONCE(bcos_calls.count);
	for (i = 0; i < count; i++)
		if (READ_ONCE(bcos_calls.process[i]) == process)
			return true;
	return false;
}

/* Is anything wanted of anybody? */
bool bcos_calls_are_on(void);

/**
 * bcos_calls_request() - record the kernel calls of a process, or no more
 * @process: its ID in the initial namespace
 * @on: record
 *
 * A request stays until it is taken back, whatever becomes of the process.
 *
 * Context: under the mask's lock.
 * Return: 0; -ENOSPC: BCOS_REQUESTS_MAX are there already; -ENOENT: there was none to take back.
 */
int bcos_calls_request(u32 process, bool on);

#endif
