// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Progress on a terminal: see progress.h. */
#include <time.h>
#include <unistd.h>

#include "progress.h"

#define SECOND 1000000000u
/* The least time between two updates of the line, in ns. */
#define STEP (SECOND / 5)

static struct {
	bool on, shown;
	u64 total, begun, last;
} progress;

static u64 monotonic_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (u64)time.tv_sec * SECOND + (u64)time.tv_nsec;
}

void progress_begin(u64 total)
{
	progress.on = isatty(STDERR_FILENO);
	progress.shown = false;
	progress.total = total;
	progress.begun = progress.last = progress.on ? monotonic_now() : 0;
}

void progress_at(u64 done)
{
	u64 time, left;

	if (!progress.on)
		return;
	time = monotonic_now();
	if (time - progress.last < STEP)
		return;
	progress.last = time;
	progress.shown = true;
	if (!progress.total || !done || done > progress.total) {
		fprintf(stderr, "\r\033[K%llu MB", (unsigned long long)(done / 1000000));
		return;
	}
	left = (u64)((double)(time - progress.begun) / (double)done * (double)(progress.total - done) / SECOND) + 1;
	fprintf(stderr, "\r\033[K%llu %%, %llu s left", (unsigned long long)(done * 100 / progress.total),
		(unsigned long long)left);
}

void progress_end(void)
{
	if (progress.shown)
		fputs("\r\033[K", stderr);
	progress.on = progress.shown = false;
}
