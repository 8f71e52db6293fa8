// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Rate limits: see allowance.h. */
#include "allowance.h"

#define SECOND 1000000000u

/* A new allowance holds the events of a tenth of a second, and at least one event. */
#define BEGINNING (SECOND / 10)

void bcos_allowance_begin(struct bcos_allowance *allowance, u64 now, u32 rate)
{
	allowance->left = rate && rate < 10 ? SECOND / rate : BEGINNING;
	allowance->since = now;
	allowance->refused = 0;
	allowance->refused_since = 0;
}

bool bcos_allowance_take(struct bcos_allowance *allowance, u64 now, u32 rate)
{
	u64 passed = now > allowance->since ? now - allowance->since : 0;
	u64 price = rate ? SECOND / rate : 0;

	allowance->since += passed;
	allowance->left = passed < SECOND - allowance->left ? allowance->left + passed : SECOND;
	if (allowance->left >= price) {
		allowance->left -= price;
		return true;
	}
	if (!allowance->refused++)
		allowance->refused_since = now;
	return false;
}
