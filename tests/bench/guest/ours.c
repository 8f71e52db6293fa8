// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Measures bcos_evlog: with the class off, up to staging, and with all that the log writer does. */
#include "bench.h"

static int fd = -1;
static uint64_t head, wakeups;

static void start(const char *parameters)
{
	load(parameters);
	fd = open_log(O_RDONLY);
}

static void stop(void)
{
	if (fd >= 0)
		close(fd);
	fd = -1;
	if (try_unload())
		die("rmmod bcos_evlog");
}

static void assign_off(void) { start("mask=irq"); }
static void irq_off(void) { start("mask=assign"); }
static void all_off(void) { start("mask=0"); }

/* The log writer is not woken within a stretch: staging is large enough, and nobody waits for entries. */
static void staging(void) { load(""); }

/* Measures a log that has run for a while: its ring is full, and new entries take the place of old ones. */
static void all(void)
{
	start("");
	while (!status_of(fd).compactions) {
		raise_interrupts(10000);
		flush_log(fd);
	}
}

static void begin(void)
{
	head = flush_log(fd);
	wakeups = status_of(fd).wakeups;
}

static bool worked(void)
{
	return status_of(fd).wakeups != wakeups;
}

static uint64_t settle(uint64_t events)
{
	uint64_t since = now_ns(CLOCK_MONOTONIC_RAW);

	(void)events;
	flush_log(fd);
	return now_ns(CLOCK_MONOTONIC_RAW) - since;
}

/* A lost event costs less, so a run with losses gives no figure. */
static double kept(uint64_t events)
{
	double bytes = (double)(flush_log(fd) - head) / (double)events;
	struct bcos_status status = status_of(fd);
	int i;

	errno = 0;
	for (i = 0; i < BCOS_LOST_REASONS; i++)
		if (status.lost[i])
			die("bcos_evlog lost %llu records for reason %d", (unsigned long long)status.lost[i], i);
	return bytes;
}

const struct variant our_variants[] = {
	{ "bcos-off", "bcos_evlog, class `assign` off", NULL, assign_off, stop },
	{ "bcos-irq-off", "bcos_evlog, class `irq` off", NULL, irq_off, stop },
	{ "bcos-all-off", "bcos_evlog, names alone", NULL, all_off, stop, begin, settle, kept, worked },
	{ "bcos-probe", "bcos_evlog, probe and staging", NULL, staging, stop },
	{ "bcos", "bcos_evlog, all until it lies in the log", NULL, all, stop, begin, settle, kept, worked },
	{ 0 }
};
