/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Grace periods: whatever BPF program ran when grace_wait() was called has
 * ended when it returns, so that what it recorded is there.
 */
#ifndef BCOSLOG_GRACE_H
#define BCOSLOG_GRACE_H

#include "core/host/user.h"

struct grace {
	bool by_map;			/* membarrier() cannot do it here at all */
	int outer, inner;		/* maps, or -1 */
};

/**
 * grace_open() - find a way
 * @grace: out
 * @by_map: without membarrier(), as where it refuses: with nohz_full CPUs, which it cannot interrupt
 *
 * The other way is to replace a map inside of a map: then the kernel itself waits for all programs that may still use
 * the old one.
 *
 * Return: 0 or a negative errno.
 */
int grace_open(struct grace *grace, bool by_map);
void grace_close(struct grace *grace);

/* May take some 10 ms.  Return: 0 or a negative errno. */
int grace_wait(struct grace *grace);

#endif
