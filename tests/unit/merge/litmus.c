// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The litmus of the watermark (module/DESIGN.md, 6.1; the steps are in core/raw/stage.h): one thread stages, another
 * one takes W, looks at mark and head, and declares everything older than a horizon seen. A record that shows up later
 * and is older than a horizon that was passed breaks the order of the log.
 *
 * Broken variants show that this test can fail: one has no barrier, the others read the clock with too little order or
 * with none. Not every machine makes them go wrong, so the test prints their results and does not judge them.
 *
 * test: cpus=2 rounds=300000:3000000 timeout=120:900
 */
#include <pthread.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "feed.h"
#include "core/merge/merge.h"

#define UNITS 1024

/* Fewer records would prove nothing. */
#define SEEN_MIN 10000

static struct bcos_stage stage;
static struct bcos_unit units[UNITS];
static u32 stop, ready;
static u64 worst;		/* how much older than a passed horizon a record was */

/* ---- clocks ---------------------------------------------------------------------------------- */

/* The kernel promises that this clock is ordered, and the same on all CPUs. */
static u64 clock_kernel(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (u64)now.tv_sec * 1000000000u + (u64)now.tv_nsec;
}

#if defined(__x86_64__)
#define COUNTER "rdtsc"
#define COUNTER_SOURCE "tsc"

static inline u64 read_tsc(void)
{
	u32 low, high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return (u64)high << 32 | low;
}

/*
 * Reads the counter as the kernel's rdtsc_ordered() does: by rdtscp where it exists, since lfence waits for earlier
 * instructions on some processors only.
 */
static bool has_rdtscp;

static u64 clock_ordered(void)
{
	u32 low, high;

	if (!has_rdtscp) {
		__asm__ volatile("lfence" ::: "memory");
		return read_tsc();
	}
	__asm__ volatile("rdtscp" : "=a"(low), "=d"(high) : : "ecx", "memory");
	return (u64)high << 32 | low;
}

/* After smp_mb(), which is a locked instruction, some AMD processors do not order this read. */
static u64 clock_lfence(void)
{
	__asm__ volatile("lfence" ::: "memory");
	return read_tsc();
}

static void find_rdtscp(void)
{
	u32 a, b, c, d;

	has_rdtscp = __get_cpuid(0x80000001, &a, &b, &c, &d) && d & 1u << 27;
}

static u64 clock_plain(void)
{
	return read_tsc();
}

#elif defined(__aarch64__)
#define COUNTER "cntvct_el0"
#define COUNTER_SOURCE "arch_sys_counter"

/* The kernel reads the counter in this way, too. */
static u64 clock_ordered(void)
{
	u64 value;

	__asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(value) : : "memory");
	return value;
}

static u64 clock_plain(void)
{
	u64 value;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(value));
	return value;
}

#else
#define COUNTER "counter"
#define COUNTER_SOURCE "none"
#endif

static bool counter_is_good(void)
{
	char name[32] = "";
	FILE *file = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "r");

	if (!file)
		return false;
	if (!fgets(name, sizeof(name), file))
		name[0] = 0;
	fclose(file);
	return !strncmp(name, COUNTER_SOURCE, strlen(COUNTER_SOURCE));
}

/* ---- producers ------------------------------------------------------------------------------- */

/* Does what bcos_stage_put() does, but without the barrier, or (@fence) with it and by another clock. */
static __always_inline void put_broken(u64 (*clock)(void), bool fence, u32 id)
{
	struct bcos_raw raw = { .kind = BCOS_RAW_SWITCH, .units = 1, .id = id };
	u64 head;

	WRITE_ONCE(stage.mark, 1);
	barrier();
	head = stage.head;
	if (fence)
		smp_mb();
	raw.time = clock();
	if (head - smp_load_acquire(&stage.tail) < UNITS - 8) {
		memcpy(&units[head % UNITS], &raw, sizeof(raw));
		WRITE_ONCE(stage.last, raw.time);
		smp_store_release(&stage.head, head + 1);
	}
	smp_store_release(&stage.mark, 0);
}

static void put_right(u64 (*clock)(void), u32 id)
{
	bcos_stage_put_one(&stage, clock, bcos_stage_word(BCOS_RAW_SWITCH, 0, id));
}

/* Waits for a random time, so that the two threads meet at ever different places. */
static void wait_randomly(u32 *seed)
{
	u32 n;

	*seed = *seed * 1664525u + 1013904223u;
	for (n = *seed >> 27; n; n--)
		host_relax();
}

struct variant {
	const char *name;
	u64 (*clock)(void);
	int broken;		/* 1: no barrier, 2: its clock is not ordered */
	u64 (*writer_clock)(void);
};

static void pin_thread(int number)
{
	static cpu_set_t all;
	cpu_set_t one;
	int cpu;

	/* Read the mask before the first thread is pinned, since threads inherit theirs. */
	if (!CPU_COUNT(&all) && sched_getaffinity(0, sizeof(all), &all))
		return;
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &all) && !number--)
			break;
	if (cpu == CPU_SETSIZE)
		return;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
}

static void *produce_records(void *argument)
{
	const struct variant *variant = argument;
	u32 seed = 1, id = 0;

	pin_thread(1);
	__atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		id ^= BCOS_PROCESS_IDLE;
		if (!variant->broken)
			put_right(variant->clock, id);
		else
			put_broken(variant->clock, variant->broken == 2, id);
		wait_randomly(&seed);
	}
	return NULL;
}

/* ---- the log writer -------------------------------------------------------------------------- */

/* Does steps C1 to C4. Return: how many records were older than a horizon passed before. */
static u64 look_once(const struct variant *variant, u64 *passed, u64 *seen)
{
	u64 horizon = variant->writer_clock(), head, tail = stage.tail, late = 0;

	host_barrier_after(horizon);
	if (smp_load_acquire(&stage.mark))
		horizon = smp_load_acquire(&stage.last);
	head = smp_load_acquire(&stage.head);
	for (; tail != head; tail++) {
		if (units[tail % UNITS].word[0] < *passed) {
			late++;
			if (*passed - units[tail % UNITS].word[0] > worst)
				worst = *passed - units[tail % UNITS].word[0];
		}
		++*seen;
	}
	smp_store_release(&stage.tail, tail);
	if (horizon > *passed)
		*passed = horizon;
	return late;
}

static void begin_producer(pthread_t *thread, const struct variant *variant)
{
	memset(&stage, 0, sizeof(stage));
	bcos_stage_init(&stage, units, UNITS);
	stop = ready = 0;
	if (pthread_create(thread, NULL, produce_records, (void *)(uintptr_t)variant))
		abort();
	while (!__atomic_load_n(&ready, __ATOMIC_ACQUIRE))
		host_relax();
}

static void end_producer(pthread_t thread)
{
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
}

static u64 run_variant(const struct variant *variant, u64 rounds, u64 *seen)
{
	u64 passed = 0, late = 0;
	pthread_t thread;
	u32 seed = 7;

	worst = 0;
	begin_producer(&thread, variant);
	*seen = 0;
	/* On a busy machine one of the two threads may not run for long. */
	for (u64 round = 0; round < rounds || *seen < SEEN_MIN; round++) {
		late += look_once(variant, &passed, seen);
		wait_randomly(&seed);
	}
	end_producer(thread);
	return late;
}

/* Runs the real merge and the real log: no pass writes an entry that is older than the previous horizon. */
static u64 run_merge(const struct variant *variant, u64 rounds, u64 *seen)
{
	struct feed *feed = calloc(1, sizeof(*feed));
	struct bcos_merge merge = { 0 };
	u64 before, late = 0, time;
	pthread_t thread;
	u32 seed = 7;

	if (!feed)
		abort();
	feed_start(feed, 1);
	if (bcos_merge_init(&merge, &feed->log, 1))
		abort();
	begin_producer(&thread, variant);
	bcos_merge_add(&merge, 0, &stage);
	*seen = 0;
	for (u64 round = 0; round < rounds || *seen < SEEN_MIN; round++) {
		before = merge.horizon;
		bcos_merge_pass(&merge, variant->writer_clock, 4096);
		/* The tape is used once and begun anew, so that it stays small. */
		feed->length = 0;
		feed_pull(feed);
		for (u8 *entry = feed->tape; entry < feed->tape + feed->length; entry += entry[0] | entry[1] << 8) {
			if (entry[3] & 0x80)
				continue;
			memcpy(&time, entry + 8, 8);
			late += time < before;
			++*seen;
		}
		wait_randomly(&seed);
	}
	end_producer(thread);
	late += feed->log.stats.clamped;
	bcos_merge_destroy(&merge);
	feed_end(feed);
	free(feed);
	return late;
}

/* ---- TAP ------------------------------------------------------------------------------------- */

static int number, failed;

static void judge_variant(const char *name, u64 late, u64 seen)
{
	bool right = !late && seen >= SEEN_MIN;

	printf("%sok %d - %s\n# %llu records, %llu of them older than what was passed\n", right ? "" : "not ", ++number,
	       name, (unsigned long long)seen, (unsigned long long)late);
	failed += !right;
}

static void tell_caught(const struct variant *variant, u64 rounds)
{
	u64 seen, late = run_variant(variant, rounds, &seen);

	if (late)
		printf("# %s: caught, %llu of %llu records late, by up to %llu cycles\n", variant->name,
		       (unsigned long long)late, (unsigned long long)seen, (unsigned long long)worst);
	else
		printf("# %s: not caught in %llu rounds on this machine, which says nothing about the others\n",
		       variant->name, (unsigned long long)rounds);
	fflush(stdout);
}

int main(void)
{
	static const struct variant kernel = { "clock_gettime", clock_kernel, 0, clock_kernel };
	u64 rounds = test_env("ROUNDS", 300000), seen, late;

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
		printf("two threads need two CPUs\n");
		return 77;
	}
	pin_thread(0);
#if defined(__x86_64__)
	find_rdtscp();
#endif
	printf("1..4\n");
	late = run_variant(&kernel, rounds, &seen);
	judge_variant("the protocol, by clock_gettime", late, seen);
	late = run_merge(&kernel, rounds / 4, &seen);
	judge_variant("the merge, by clock_gettime", late, seen);
#if defined(__x86_64__) || defined(__aarch64__)
	if (counter_is_good()) {
		static const struct variant ordered = { "as the kernel reads it", clock_ordered, 0, clock_ordered };
		static const struct variant no_barrier = { "without the barrier", clock_ordered, 1, clock_ordered };
#if defined(__x86_64__)
		static const struct variant half = { "with lfence; rdtsc", clock_lfence, 2, clock_ordered };
#endif
		static const struct variant no_order = { "with a plain " COUNTER, clock_plain, 2, clock_ordered };

		late = run_variant(&ordered, rounds, &seen);
		judge_variant("the protocol, by an ordered " COUNTER, late, seen);
		late = run_merge(&ordered, rounds / 4, &seen);
		judge_variant("the merge, by an ordered " COUNTER, late, seen);
		tell_caught(&no_barrier, rounds);
#if defined(__x86_64__)
		tell_caught(&half, rounds);
#endif
		tell_caught(&no_order, rounds);
		return failed ? 1 : 0;
	}
#endif
	printf("ok 3 - the protocol, by an ordered " COUNTER " # SKIP the kernel does not keep time by it here\n");
	printf("ok 4 - the merge, by an ordered " COUNTER " # SKIP the kernel does not keep time by it here\n");
	return failed ? 1 : 0;
}
