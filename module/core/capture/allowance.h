/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A rate limit is a number of events a second. After a rest, the events of one second may come at
 * once.
 */
#ifndef BCOS_CORE_ALLOWANCE_H
#define BCOS_CORE_ALLOWANCE_H

#include "core/host/host.h"

/**
 * struct bcos_allowance - how many events one user, or one group of users, may still record
 * @left: remaining budget in ns, at most a second; an event costs a second divided by the rate
 * @since: when @left was last updated, ns since boot
 * @refused: events that were refused and are not yet stated in the log
 * @refused_since: when the first event in @refused was refused, ns since boot
 */
struct bcos_allowance {
	u64 left;
	u64 since;
	u64 refused;
	u64 refused_since;
};

/**
 * bcos_allowance_begin() - start with the events of a tenth of a second, and at least one event
 * @allowance: any content
 * @now: ns since boot
 * @rate: as for bcos_allowance_take()
 *
 * A new allowance holds no more than one that has rested, so nobody profits from starting anew.
 *
 * Context: any.
 */
void bcos_allowance_begin(struct bcos_allowance *allowance, u64 now, u32 rate);

/**
 * bcos_allowance_take() - may one more event be recorded?
 * @allowance: begun
 * @now: ns since boot; a time before the newest one counts as the newest one
 * @rate: events a second, at most 10^9; 0: no limit
 *
 * A refused event is counted.
 *
 * Context: any; the caller serialises.
 * Return: true if the event may be recorded.
 */
bool bcos_allowance_take(struct bcos_allowance *allowance, u64 now, u32 rate);

#endif
