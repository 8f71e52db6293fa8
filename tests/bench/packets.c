// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Measures the log writer's time for one packet, natively, with 5 network interfaces and with 50,000. The packets are
 * those of one interface, the oldest, or of all at random, which shows the caches. The figures are medians of the
 * thread's own time, as in writer.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/rules/rules.h"
#include "core/write/log.h"
#include "testhost.h"

#define RING (64u << 20)
#define BURST 16000
#define BURSTS 200

struct record {
	struct bcos_raw raw;
	union {
		struct bcos_raw_device device;
		struct {
			struct bcos_raw_event event;
			struct bcos_raw_device named;
			char name[16];
		};
	};
};

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

/* Returns a key like those of real interfaces, whose structures are a multiple of a page apart. */
static u64 key_of(u64 i)
{
	return BCOS_RAW_KEY(BCOS_DEVICE_NETWORK, 0xFFFF888100000000ull + i * 4096);
}

static void out_of_memory(void)
{
	fputs("packets: no memory for so many\n", stderr);
	exit(1);
}

/* Returns the ns for a packet of any of @active out of @devices interfaces. */
static double measure_packets(u32 devices, u32 active)
{
	struct record record = { .raw = { .kind = BCOS_RAW_DEVICE, .units = 4 }, .event = { .length = 32 },
				 .name = "dummy" };
	struct bcos_seen_cpu cpu = { 0, 0 };
	struct test_host context = { 0 };
	u64 spent[BURSTS], seed = 1, now = 1000, before;
	struct bcos_log log = { 0 };
	void *ring = test_ring_map(RING);
	u32 i, burst;

	if (bcos_log_init(&log, &test_host, &context, ring, RING, 1, 1) ||
	    bcos_log_prime(&log, &cpu, 1, NULL, 0, now, now))
		out_of_memory();
	memset(ring, 0, 2ull * RING);
	for (i = 0; i < devices; i++) {
		record.named.key = key_of(i);
		bcos_log_apply(&log, 0, ++now, &record.raw);
	}
	record = (struct record){ .raw = { .kind = BCOS_RAW_INPUT, .units = 2 }, .device = { .amount = 1500 } };
	for (burst = 0; burst < BURSTS; burst++) {
		before = own_time();
		for (i = 0; i < BURST; i++) {
			record.device.key = key_of(next_random(&seed) % active);
			bcos_log_apply(&log, 0, ++now, &record.raw);
		}
		spent[burst] = own_time() - before;
		bcos_log_passed(&log, now);
	}
	bcos_log_destroy(&log);
	test_ring_unmap(ring, RING);
	qsort(spent, BURSTS, sizeof(*spent), by_value);
	return (double)spent[BURSTS / 2] / BURST;
}

int main(void)
{
	printf("{\"packet_of_5_interfaces_ns\":%.1f,", measure_packets(5, 5));
	printf("\"packet_of_one_of_50000_interfaces_ns\":%.1f,", measure_packets(50000, 1));
	printf("\"packet_of_any_of_50000_interfaces_ns\":%.1f}\n", measure_packets(50000, 50000));
	return 0;
}
