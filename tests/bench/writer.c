// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What the log writer does for one switch, natively: records staged on some
 * CPUs in turn, merged, applied, written and compacted.
 *
 * usage: writer [CPUS [PROCESSES [SWITCHES]]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "merge.h"
#include "testhost.h"

#define UNITS 65536
#define RING (8u << 20)
#define STEP 1000	/* ns from one switch to the next, on all CPUs together */
#define BURST 16000	/* switches between two passes of the writer */

static u64 now = 1000000;

static u64 clock_now(void)
{
	return now;
}

static void prime(struct bcos_log *log, u32 cpus, u32 processes)
{
	struct bcos_seen *seen = calloc(processes, sizeof(*seen));
	struct bcos_seen_cpu *cpu = calloc(cpus, sizeof(*cpu));
	u32 i;

	if (!seen || !cpu)
		exit(1);
	for (i = 0; i < cpus; i++)
		cpu[i] = (struct bcos_seen_cpu){ i, i };
	for (i = 0; i < processes; i++) {
		seen[i].id = i + 1;
		snprintf(seen[i].name, sizeof(seen[i].name), "p%u", i + 1);
	}
	if (bcos_log_prime(log, cpu, cpus, seen, processes, now, now))
		exit(1);
	free(seen);
	free(cpu);
}

int main(int argc, char **argv)
{
	u32 cpus = argc > 1 ? (u32)atoi(argv[1]) : 1, processes = argc > 2 ? (u32)atoi(argv[2]) : 200, cpu;
	u64 switches = argc > 3 ? strtoull(argv[3], NULL, 10) : 10000000, done, burst, seed = 1;
	struct bcos_stage *stage = aligned_alloc(64, cpus * sizeof(*stage));
	struct test_host context = { 0 };
	struct bcos_merge merge = { 0 };
	struct bcos_log log = { 0 };
	struct timespec begin, end;
	double spent = 0;

	if (!stage || bcos_log_init(&log, &test_host, &context, test_ring_map(RING), RING, cpus, 1) ||
	    bcos_merge_init(&merge, &log, cpus))
		return 1;
	memset(stage, 0, cpus * sizeof(*stage));
	prime(&log, cpus, processes);
	for (cpu = 0; cpu < cpus; cpu++) {
		bcos_stage_init(&stage[cpu], calloc(UNITS, sizeof(struct bcos_unit)), UNITS);
		bcos_merge_add(&merge, cpu, &stage[cpu]);
	}
	for (done = 0; done < switches; done += BURST) {
		for (burst = 0; burst < BURST; burst++) {
			cpu = (u32)(next_random(&seed) % cpus);
			now += STEP;
			bcos_stage_put_one(&stage[cpu], clock_now,
					   bcos_stage_word(BCOS_RAW_SWITCH, 0, (u32)(next_random(&seed) % processes) + 1));
		}
		now += STEP;
		clock_gettime(CLOCK_MONOTONIC, &begin);
		while (bcos_merge_pass(&merge, clock_now, 65536))
			;
		clock_gettime(CLOCK_MONOTONIC, &end);
		spent += (double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec);
	}
	printf("{\"cpus\":%u,\"processes\":%u,\"switches\":%llu,\"ns\":%.1f,\"historical\":%llu,\"bytes\":%.2f}\n", cpus, processes,
	       (unsigned long long)done, spent / (double)done, (unsigned long long)log.stats.historical,
	       (double)log.ring.now.head.offset / (double)log.ring.now.head.entry);
	return 0;
}
