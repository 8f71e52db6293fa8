// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Remembers imprecise entries: see imprecise.h. */
#include "imprecise.h"

/* The greatest number of stretches that are remembered. If there are more, the most precise ones are forgotten. */
#define STRETCHES 65536u

/* The stretches of imprecise entries, which do not overlap. @most is the largest precision of an entry in it. */
static struct stretch {
	u64 begin, end;
	u32 most;
} stretches[STRETCHES];

static u32 imprecise_count;
/* The least precision that is remembered, in ns. A precision of 1 ns exceeds the width of no bucket. */
static u32 imprecise_least = 2;

static void forget_short(void)
{
	u32 i, kept;

	while (imprecise_count == STRETCHES) {
		imprecise_least *= 2;
		for (i = kept = 0; i < imprecise_count; i++)
			if (stretches[i].most >= imprecise_least)
				stretches[kept++] = stretches[i];
		imprecise_count = kept;
	}
}

void imprecise_note(u64 time, u32 precision)
{
	u64 end = time > UINT64_MAX - precision ? UINT64_MAX : time + precision;
	struct stretch *last = imprecise_count ? &stretches[imprecise_count - 1] : NULL;

	if (precision < imprecise_least)
		return;
	if (last && time <= last->end) {
		last->end = end > last->end ? end : last->end;
		last->most = precision > last->most ? precision : last->most;
		return;
	}
	forget_short();
	stretches[imprecise_count++] = (struct stretch){ time, end, precision };
}

/* Return: the index of the first stretch that does not end before @time. */
static u32 first_at(u64 time)
{
	u32 low = 0, high = imprecise_count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (stretches[middle].end < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool imprecise_in(u64 begin, u64 end, u64 width)
{
	u32 i;

	for (i = first_at(begin); i < imprecise_count && stretches[i].begin < end; i++)
		if (stretches[i].most > width)
			return true;
	return false;
}

void imprecise_each(u64 width, void (*mark)(u64 begin, u64 end, u32 precision))
{
	u32 i;

	for (i = 0; i < imprecise_count; i++)
		if (stretches[i].most > width)
			mark(stretches[i].begin, stretches[i].end, stretches[i].most);
}
