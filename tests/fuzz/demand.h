/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a fuzzer demands of the answer to any bytes: where it does not hold, the fuzzer ends, and keeps the bytes. */
#ifndef FUZZ_DEMAND_H
#define FUZZ_DEMAND_H

#include <stdbool.h>
#include <stdlib.h>

static inline void demand_that(bool holds)
{
	if (!holds)
		abort();
}

#endif
