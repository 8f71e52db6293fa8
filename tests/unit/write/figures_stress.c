// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A writer publishes its figures all the time, and readers take no lock: all figures that a reader gets are of one
 * publication, which is never older than the previous one that the reader got.
 *
 * test: cpus=2 rounds=20000:2000000 timeout=120:600
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/write/figures.h"

#define READERS 2

static struct bcos_figures figures;
static u32 stop, looks[READERS];
static const char *wrong;

/* Makes publication @number. Figures from the beginning to the end of the structure follow from the number. */
static void publish_figures(struct bcos_log *log, u64 number)
{
	u32 i;

	log->ring.size = 2 * number;
	log->ring.now.head.offset = 3 * number;
	log->stats.historical = 5 * number;
	log->stats.unnamed = 7 * number;
	for (i = 0; i < BCOS_LOST_REASONS; i++)
		log->stats.lost[i] = (11 + i) * number;
	log->time = 13 * number;
	log->model.device_count = (u32)number;
	bcos_figures_publish(&figures, log, number);
}

static const char *check_status(const struct bcos_status *status, u64 last)
{
	u64 number = status->batches;
	u32 i;

	if (number < last)
		return "a reader went back in time";
	for (i = 0; i < BCOS_LOST_REASONS; i++)
		if (status->lost[i] != (11 + i) * number)
			return "losses are of another publication";
	if (status->ring_size != 2 * number || status->head != 3 * number || status->historical != 5 * number ||
	    status->unnamed != 7 * number || status->last_time != 13 * number || status->devices != (u32)number)
		return "figures of several publications";
	return NULL;
}

static void *read_on(void *argument)
{
	u32 *count = argument;
	struct bcos_status status;
	const char *found;
	u64 last = 0;

	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		bcos_figures_get(&figures, &status);
		found = check_status(&status, last);
		if (found) {
			__atomic_store_n(&wrong, found, __ATOMIC_RELAXED);
			break;
		}
		last = status.batches;
		__atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

static bool all_have_looked(u32 often)
{
	u32 i;

	for (i = 0; i < READERS; i++)
		if (__atomic_load_n(&looks[i], __ATOMIC_RELAXED) < often)
			return false;
	return true;
}

int main(void)
{
	const char *rounds = getenv("ROUNDS");
	u64 number, count = rounds ? strtoull(rounds, NULL, 10) : 20000;
	static struct bcos_log log;
	pthread_t reader[READERS];
	u32 i;

	for (i = 0; i < READERS; i++)
		if (pthread_create(&reader[i], NULL, read_on, &looks[i]))
			abort();
	for (number = 1; (number <= count || !all_have_looked(1000)) && !__atomic_load_n(&wrong, __ATOMIC_RELAXED);
	     number++) {
		publish_figures(&log, number);
		/* On one processor the readers would otherwise rarely get their turn. */
		if (number % 64 == 0)
			sched_yield();
	}
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	for (i = 0; i < READERS; i++)
		pthread_join(reader[i], NULL);
	printf("%s 1 - what %u readers get is of one publication (%u and %u looks at %llu)%s%s\n1..1\n",
	       wrong ? "not ok" : "ok", READERS, looks[0], looks[1], (unsigned long long)number, wrong ? ": " : "",
	       wrong ? wrong : "");
	return !!wrong;
}
