// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Measures the log writer's time for one switch, natively: records that CPUs
 * staged are merged, applied, written and compacted. The times are the thread's
 * own, of one burst of records after another. The figure is their median, which
 * leaves out the other work of the machine. The longest burst exceeds it by the
 * time of a compaction. The program also measures the time in which a CPU stages
 * a switch, which does not depend on the number of CPUs.
 *
 * usage: writer [CPUS [PROCESSES [SWITCHES [RUNNING]]]]
 *
 * RUNNING of the PROCESSES take turns at random (all); the others sleep. The
 * ring is as large as the status advises for so many.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/rules/rules.h"
#include "core/merge/merge.h"
#include "testhost.h"

#define UNITS 65536
#define STEP 1000	/* ns from one switch to the next, on all CPUs together */
#define BURST 16000	/* switches between two passes of the writer */

static u64 now = 1000000;

static u64 clock_now(void)
{
	return now;
}

/* Reads the counter as the probes do that stamp ticks. */
static u64 ordered_counter(void)
{
#ifdef __x86_64__
	u32 low, high;

	__asm__ volatile("lfence; rdtsc" : "=a"(low), "=d"(high) : : "memory");
	return BCOS_RAW_TICKS | (u64)high << 32 | low;
#else
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (u64)time.tv_sec * 1000000000u + (u64)time.tv_nsec;
#endif
}

static void out_of_memory(void)
{
	fputs("writer: no memory for so many\n", stderr);
	exit(1);
}

static void prime_log(struct bcos_log *log, u32 cpus, u32 processes)
{
	struct bcos_seen *seen = calloc(processes, sizeof(*seen));
	struct bcos_seen_cpu *cpu = calloc(cpus, sizeof(*cpu));
	u32 i;

	if (!seen || !cpu)
		out_of_memory();
	for (i = 0; i < cpus; i++)
		cpu[i] = (struct bcos_seen_cpu){ i, i };
	for (i = 0; i < processes; i++) {
		seen[i].id = i + 1;
		snprintf(seen[i].name, sizeof(seen[i].name), "p%u", i + 1);
	}
	if (bcos_log_prime(log, cpu, cpus, seen, processes, now, now))
		out_of_memory();
	free(seen);
	free(cpu);
}

/*
 * Returns the size of the ring: the default of 8 MiB, or as bcos_log_ring_advice() advises for @processes with names
 * like those of this program.
 */
static u64 ring_size(u32 processes)
{
	u64 size = 8u << 20;

	while (size < 16ull * processes * 32)
		size *= 2;
	return size;
}

static u64 own_time(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (u64)time.tv_sec * 1000000000u + (u64)time.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
	const u64 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void stage_burst(struct bcos_stage *stage, u32 cpus, u32 running, u64 *seed)
{
	u32 i, cpu;

	for (i = 0; i < BURST; i++) {
		cpu = (u32)(next_random(seed) % cpus);
		now += STEP;
		if (bcos_stage_put_one(&stage[cpu], clock_now,
				       bcos_stage_word(BCOS_RAW_SWITCH, 0, (u32)(next_random(seed) % running) + 1)) >=
		    BCOS_STAGE_LOST)
			abort();
	}
	now += STEP;
}

/* Returns the ns that a CPU takes to stage a switch. */
static double measure_staging(u32 bursts)
{
	struct bcos_stage *stage = aligned_alloc(64, sizeof(*stage));
	struct bcos_unit *units = calloc(UNITS, sizeof(*units));
	u64 *spent = calloc(bursts, sizeof(*spent)), before;
	double median;
	u32 burst, i;

	if (!stage || !units || !spent)
		out_of_memory();
	memset(stage, 0, sizeof(*stage));
	bcos_stage_init(stage, units, UNITS);
	for (burst = 0; burst < bursts; burst++) {
		before = own_time();
		for (i = 0; i < BURST; i++)
			if (bcos_stage_put_one(stage, ordered_counter, bcos_stage_word(BCOS_RAW_SWITCH, 0, i)) >=
			    BCOS_STAGE_LOST)
				abort();
		spent[burst] = own_time() - before;
		stage->tail = stage->head;
	}
	qsort(spent, bursts, sizeof(*spent), by_value);
	median = (double)spent[bursts / 2] / BURST;
	free(spent);
	free(units);
	free(stage);
	return median;
}

static u32 argument_or(int argc, char **argv, int number, u32 otherwise)
{
	return argc > number ? (u32)strtoul(argv[number], NULL, 10) : otherwise;
}

int main(int argc, char **argv)
{
	u32 cpus = argument_or(argc, argv, 1, 1), processes = argument_or(argc, argv, 2, 200), cpu, i;
	u32 bursts = argument_or(argc, argv, 3, 10000000) / BURST + 1, running = argument_or(argc, argv, 4, processes);
	u64 size = ring_size(processes), seed = 1, *spent = calloc(bursts, sizeof(*spent)), sum = 0, longest = 0,
		before;
	struct bcos_stage *stage = aligned_alloc(64, cpus * sizeof(*stage));
	struct test_host context = { 0 };
	struct bcos_merge merge = { 0 };
	struct bcos_log log = { 0 };
	void *ring = test_ring_map(size);
	struct bcos_unit *units;

	if (!spent || !stage || !cpus || !running || running > processes ||
	    bcos_log_init(&log, &test_host, &context, ring, size, cpus, 1) || bcos_merge_init(&merge, &log, cpus))
		out_of_memory();
	/* In the kernel the pages of the ring exist from the beginning; here they exist once they were written to. */
	memset(ring, 0, 2 * size);
	memset(stage, 0, cpus * sizeof(*stage));
	prime_log(&log, cpus, processes);
	for (cpu = 0; cpu < cpus; cpu++) {
		units = calloc(UNITS, sizeof(*units));
		if (!units)
			out_of_memory();
		bcos_stage_init(&stage[cpu], units, UNITS);
		bcos_merge_add(&merge, cpu, &stage[cpu]);
	}
	for (i = 0; i < bursts; i++) {
		stage_burst(stage, cpus, running, &seed);
		before = own_time();
		while (bcos_merge_pass(&merge, clock_now, 65536))
			;
		spent[i] = own_time() - before;
		sum += spent[i];
		/* The first burst begins the log. */
		if (i && spent[i] > longest)
			longest = spent[i];
	}
	qsort(spent, bursts, sizeof(*spent), by_value);
	printf("{\"cpus\":%u,\"processes\":%u,\"running\":%u,\"switches\":%llu,\"ns\":%.1f,"
	       "\"staging_ns\":%.1f,\"mean_ns\":%.1f,\"longest_us\":%.0f,\"pause_us\":%.0f,"
	       "\"ring_mib\":%llu,\"partial\":%llu,\"bytes\":%.2f}\n",
	       cpus, processes, running, (unsigned long long)bursts * BURST, (double)spent[bursts / 2] / BURST,
	       measure_staging(bursts), (double)sum / bursts / BURST, (double)longest / 1000,
	       (double)(longest - spent[bursts / 2]) / 1000,
	       (unsigned long long)size >> 20, (unsigned long long)log.stats.partial_groups,
	       (double)log.ring.now.head.offset / ((double)bursts * BURST));
	return 0;
}
