// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The performance of cores: see performance.h. */
#include "performance.h"

#define UNIT_NS 125000

/*
 * Instructions and time are halved until the instructions fit into this many bits, so that products
 * fit into 64 bits. Only the quotient of the two matters.
 */
#define BITS 40

static u32 performance_of(u64 instructions, u64 busy)
{
	u64 result;

	while (instructions >> BITS) {
		instructions >>= 1;
		busy >>= 1;
	}
	if (!busy)
		return 0;
	result = instructions * UNIT_NS / busy;
	if (result > 0xFFFFFFFFu)
		result = 0xFFFFFFFFu;
	result = result * BCOS_SCALING_FACTOR / 1000;
	return result > 0xFFFFFFFFu ? 0xFFFFFFFFu : (u32)result;
}

u32 bcos_performance_guess(const struct bcos_speed *speed)
{
	/* 125 us are an eighth of a millisecond. */
	u64 result = (u64)speed->khz * BCOS_SCALING_FACTOR / 8000;

	if (speed->capacity && speed->most_khz && speed->fastest_khz) {
		result = result * speed->capacity / BCOS_CAPACITY;
		result = result * speed->fastest_khz / speed->most_khz;
	}
	return result > 0xFFFFFFFFu ? 0xFFFFFFFFu : (u32)result;
}

bool bcos_performance_learn(u32 *counted, const struct bcos_work *work, u32 cpus, u64 interval)
{
	u64 instructions = 0, busy = 0, most = interval - interval / 8, least = interval / 16;
	u32 number = 0, cpu, now, known, difference;

	if (!cpus || cpus > BCOS_SIBLINGS)
		return false;
	for (cpu = 0; cpu < cpus; cpu++) {
		if (work[cpu].busy < least || !work[cpu].instructions)
			continue;
		if (cpus > 1 && work[cpu].busy < most)
			return false;
		instructions += work[cpu].instructions;
		busy += work[cpu].busy;
		number++;
	}
	now = number ? performance_of(instructions, busy) : 0;
	if (!now)
		return false;
	known = counted[number - 1];
	difference = now > known ? now - known : known - now;
	if (difference <= known / 8)
		return false;
	counted[number - 1] = now;
	return true;
}
