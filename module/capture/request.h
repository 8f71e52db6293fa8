/* SPDX-License-Identifier: GPL-2.0-only */
/* The processes whose kernel calls are recorded on request. */
#ifndef BCOS_REQUESTS_H
#define BCOS_REQUESTS_H

#include <linux/compiler.h>
#include <linux/types.h>

#define BCOS_REQUESTS_MAX 64

/*
 * The slots are changed under the mask's lock, one at a time, and probes read them without a lock.
 * A probe that sees an old value began before the change.
 */
struct bcos_requests {
	bool all;			/* the class "api" is on */
	u32 count;			/* slots that are or were in use */
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

/* Are kernel calls of any process requested? */
bool bcos_calls_are_on(void);

/**
 * bcos_calls_request() - record the kernel calls of a process, or stop that
 * @process: the process's ID in the initial PID namespace
 * @on: true: record; false: take the request back
 *
 * A request stays until it is taken back, even if the process ends.
 *
 * Context: under the mask's lock.
 * Return: 0; -ENOSPC: there are BCOS_REQUESTS_MAX requests; -ENOENT: no request to take back.
 */
int bcos_calls_request(u32 process, bool on);

#endif
