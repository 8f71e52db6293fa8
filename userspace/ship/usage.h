/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The CPU time of names in steps of time. */
#ifndef SHIP_USAGE_H
#define SHIP_USAGE_H

#include "core/host/user.h"

/* The length of a step, ns. Steps begin at multiples of it since boot. */
#define SHIP_STEP 10000000000ull

/**
 * struct usage_sum - the CPU time of a use and a name in a step
 * @step: number of the step since boot
 * @use: the text of the use; NULL: there is none at this place
 * @name: the text of the name; NULL: it has none
 * @use_length: length of @use in bytes
 * @name_length: length of @name in bytes
 * @cpu: the time, ns
 */
struct usage_sum {
	u64 step;
	const char *use, *name;
	size_t use_length, name_length;
	u64 cpu;
};

/* Sums; zeros have none. */
struct usage_sums {
	struct usage_sum *at;
	size_t room, count;
};

/*
 * Adds the time from @begin to @end to those of its steps. Equal texts of @what are at one place, which stays as long as the sums.
 * Return: 0 or -ENOMEM.
 */
int usage_add(struct usage_sums *sums, const struct usage_sum *what, u64 begin, u64 end);
void usage_free(struct usage_sums *sums);

#endif
