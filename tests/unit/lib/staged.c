// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <stdlib.h>
#include "staged.h"

u64 staged_now, staged_step;

u64 staged_clock(void)
{
	u64 now = staged_now;

	staged_now += staged_step;
	return now;
}

struct staged *staged_early(u32 cpus, u64 units, u64 size)
{
	struct staged *staged = calloc(1, sizeof(*staged));
	u32 i;

	if (!staged)
		abort();
	staged_now = staged_step = 0;
	staged->cpus = cpus;
	if (feed_init(&staged->feed, size, 8) || feed_prime(&staged->feed, cpus, NULL, 0, 1000))
		abort();
	if (bcos_merge_init(&staged->merge, &staged->feed.log, 9))
		abort();
	for (i = 0; i < cpus; i++) {
		staged->stage[i] = aligned_alloc(64, (sizeof(struct bcos_stage) + 63) & ~63ul);
		staged->unit[i] = calloc(units, sizeof(struct bcos_unit));
		if (!staged->stage[i] || !staged->unit[i])
			abort();
		memset(staged->stage[i], 0, sizeof(struct bcos_stage));
		bcos_stage_init(staged->stage[i], staged->unit[i], units);
		bcos_merge_add(&staged->merge, i, staged->stage[i]);
	}
	return staged;
}

struct staged *staged_new(u32 cpus, u64 units)
{
	struct staged *staged = staged_early(cpus, units, 256 << 10);

	staged_pass(staged, 1000, 1);
	return staged;
}

void staged_free(struct staged *staged)
{
	u32 i;

	bcos_merge_destroy(&staged->merge);
	for (i = 0; i < staged->cpus; i++) {
		free(staged->stage[i]);
		free(staged->unit[i]);
	}
	feed_end(&staged->feed);
	free(staged);
}

int staged_tear_down(void **state)
{
	struct staged *staged = *state;

	staged_step = 0;
	feed_check(&staged->feed);
	staged_free(staged);
	return 0;
}

enum bcos_staged staged_put(struct staged *staged, u32 cpu, u64 time, struct feed_record record)
{
	struct bcos_stage *stage = staged->stage[cpu];
	const struct bcos_raw *raw = &record.raw;
	const u64 *word = record.units->word;

	staged_now = time;
	if (raw->units == 1)
		return bcos_stage_put_one(stage, staged_clock, bcos_stage_word(raw->kind, raw->aux, raw->id));
	/* The probes stage most records of two and three units by this function. */
	if (raw->units == 2)
		return bcos_stage_put_short(stage, staged_clock, 2,
					    bcos_stage_head(raw->kind, 2, raw->aux, raw->id), word[0], 0, word[1]);
	if (raw->units == 3 && !word[1])
		return bcos_stage_put_short(stage, staged_clock, raw->units,
					    bcos_stage_head(raw->kind, raw->units, raw->aux, raw->id), word[0], word[2],
					    word[3]);
	return bcos_stage_put(stage, staged_clock, &record.raw, record.units);
}

bool staged_pass(struct staged *staged, u64 now, u32 limit)
{
	bool more;

	staged_now = now;
	more = bcos_merge_pass(&staged->merge, staged_clock, limit);
	feed_pull(&staged->feed);
	return more;
}
