// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Measures bcos_evlog: with the class off, up to staging, and with all that the log writer does. */
#include "bench.h"

static int fd = -1;
static uint64_t head, wakeups;

static void start_module(const char *parameters)
{
	load_module(parameters);
	fd = open_log(O_RDONLY);
}

static void stop_module(void)
{
	if (fd >= 0)
		close(fd);
	fd = -1;
	if (try_unload())
		give_up("rmmod bcos_evlog");
}

static void assign_off(void) { start_module("mask=irq"); }
static void irq_off(void) { start_module("mask=assign"); }
static void all_off(void) { start_module("mask=0"); }

/* The log writer is not woken within a stretch: staging is large enough, and nobody waits for entries. */
static void start_staging(void) { load_module(""); }

/* Measures a log that has run for a while: its ring is full, and new entries take the place of old ones. */
static void start_all(void)
{
	start_module("");
	while (!status_of(fd).compactions) {
		raise_interrupts(10000);
		flush_log(fd);
	}
}

static void begin_stretch(void)
{
	head = flush_log(fd);
	wakeups = status_of(fd).wakeups;
}

static bool has_worked(void)
{
	return status_of(fd).wakeups != wakeups;
}

static uint64_t settle_writer(uint64_t events)
{
	uint64_t since = now_ns(CLOCK_MONOTONIC_RAW);

	(void)events;
	flush_log(fd);
	return now_ns(CLOCK_MONOTONIC_RAW) - since;
}

/* A lost event costs less, so a run with losses gives no figure. */
static double bytes_kept(uint64_t events)
{
	double bytes = (double)(flush_log(fd) - head) / (double)events;
	struct bcos_status status = status_of(fd);
	int i;

	errno = 0;
	for (i = 0; i < BCOS_LOST_REASONS; i++)
		if (status.lost[i])
			give_up("bcos_evlog lost %llu records for reason %d", (unsigned long long)status.lost[i], i);
	return bytes;
}

const struct variant our_variants[] = {
	{ "bcos-off", "bcos_evlog, class `assign` off", NULL, assign_off, stop_module },
	{ "bcos-irq-off", "bcos_evlog, class `irq` off", NULL, irq_off, stop_module },
	{ "bcos-all-off", "bcos_evlog, names alone", NULL, all_off, stop_module, begin_stretch, settle_writer,
	  bytes_kept, has_worked },
	{ "bcos-probe", "bcos_evlog, probe and staging", NULL, start_staging, stop_module },
	{ "bcos", "bcos_evlog, all until it lies in the log", NULL, start_all, stop_module, begin_stretch,
	  settle_writer, bytes_kept, has_worked },
	{ 0 }
};
