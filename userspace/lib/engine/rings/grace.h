/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Grace periods: when grace_wait() returns, each BPF program that ran at the time of
 * the call has ended, so its records are complete.
 */
#ifndef BCOSLOG_GRACE_H
#define BCOSLOG_GRACE_H

#include "core/host/user.h"

struct grace {
	bool by_map;			/* membarrier() does not work on this machine */
	int outer, inner;		/* descriptors of the map of maps and of the map in it, or -1 */
};

/**
 * grace_open() - prepare grace periods
 * @grace: receives the preparation
 * @by_map: do not use membarrier(), which fails where nohz_full CPUs must not be interrupted
 *
 * Without membarrier(), grace_wait() replaces the inner map of a map of maps.  The kernel then waits for all BPF
 * programs that may still use the old inner map.
 *
 * Return: 0 or a negative errno.
 */
int grace_open(struct grace *grace, bool by_map);
void grace_close(struct grace *grace);

/* Wait for a grace period, which can last tens of ms.  Return: 0 or a negative errno. */
int grace_wait(struct grace *grace);

#endif
