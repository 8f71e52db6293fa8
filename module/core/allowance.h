/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* How many events somebody may still have recorded: so many a second, and after a rest a second's worth at once. */
#ifndef BCOS_CORE_ALLOWANCE_H
#define BCOS_CORE_ALLOWANCE_H

#include "host.h"

/**
 * struct bcos_allowance - what one user, or one group of users, may still say
 * @left: ns worth of events
 * @since: when that was so, ns since boot
 * @refused: events that were too many, and that the log does not know of yet
 * @refused_since: when the first of them was refused
 */
struct bcos_allowance {
	u64 left;
	u64 since;
	u64 refused;
	u64 refused_since;
};

/**
 * bcos_allowance_begin() - nearly empty: what begins anew is no better than what goes on
 * @allowance: any content
 * @now: ns since boot
 * @rate: as bcos_allowance_take() has it
 */
void bcos_allowance_begin(struct bcos_allowance *allowance, u64 now, u32 rate);

/**
 * bcos_allowance_take() - one more event?
 * @allowance: begun
 * @now: ns since boot; what steps back is taken for the newest time there was
 * @rate: events a second, at most 10^9; 0: no limit
 *
 * What is refused is counted.
 * Return: it may be recorded.
 */
bool bcos_allowance_take(struct bcos_allowance *allowance, u64 now, u32 rate);

#endif
