// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What one sched_switch costs under each tracer, in an --icount guest with one
 * CPU, where a nanosecond is an instruction. Two processes hand a byte to and
 * fro; a variant's figure is the median of paired differences between a
 * stretch with it and one without, by the switches that the kernel counted.
 *
 * One object of JSON a line, for each variant (all, or those named).
 */
#include "device.h"

#include <sched.h>

#define PAIRS 9
#define LONG_PAIRS 3
#define SHORT 3000		/* round trips: two switches each */
#define LONG 50000
#define REST 3000000000ull	/* before each stretch: what a tear-down left to others is done by then */

struct pong {
	int there[2], back[2];
	pid_t pid;
};

static void be_pong(void *argument)
{
	struct pong *pong = argument;
	char byte;

	while (read(pong->there[0], &byte, 1) == 1)
		if (write(pong->back[1], &byte, 1) != 1)
			die("write");
}

static struct pong pong_start(void)
{
	struct pong pong;

	if (pipe(pong.there) || pipe(pong.back))
		die("pipe");
	/* Who is woken never preempts: each switch comes about in the same way. */
	if (sched_setscheduler(0, SCHED_BATCH, &(struct sched_param){ 0 }))
		die("SCHED_BATCH");
	pong.pid = spawn_bound(be_pong, &pong);
	return pong;
}

static uint64_t switches_of(pid_t pid)
{
	char path[40], text[4096], *at;
	uint64_t sum = 0;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	if (read_file(path, text, sizeof(text)) < 0)
		die("%s", path);
	for (at = text; (at = strstr(at, "voluntary_ctxt_switches:")); at += 20)
		sum += strtoull(at + 24, NULL, 10);
	return sum;
}

static void rest(uint64_t ns)
{
	struct timespec time = { (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) };

	nanosleep(&time, NULL);
}

/* ---- variants --------------------------------------------------------------- */

static const char *const tracefs = "/sys/kernel/tracing";

static void trace_set(const char *file, const char *text)
{
	char path[100];

	snprintf(path, sizeof(path), "%s/%s", tracefs, file);
	if (!write_file(path, "%s", text))
		die("%s", path);
}

static void nothing(void) {}
static void empty_on(void) { load_other("floor", ""); }
static void store_on(void) { load_other("floor", "store=1"); }
static void floor_off(void) { unload_other("floor"); }

static void ftrace_on(void)
{
	trace_set("events/sched/sched_switch/enable", "1");
}

static void ftrace_off(void)
{
	trace_set("events/sched/sched_switch/enable", "0");
	trace_set("trace", "");
}

static void ftrace_nameless_on(void)
{
	trace_set("options/record-cmd", "0");
	ftrace_on();
}

static void ftrace_nameless_off(void)
{
	ftrace_off();
	trace_set("options/record-cmd", "1");
}

static void ours_on(void) { load(""); }
static void ours_assign_off_on(void) { load("mask=irq"); }

static void ours_off(void)
{
	if (try_unload())
		die("rmmod bcos_evlog");
}

static int ours_flush = -1;

static void ours_open(void)
{
	load("");
	ours_flush = open_log(O_RDONLY);
}

static void ours_close(void)
{
	close(ours_flush);
	ours_flush = -1;
	ours_off();
}

static const struct variant {
	const char *name, *what;
	void (*on)(void), (*off)(void);
	int trips;
} variants[] = {
	{ "nothing", "nothing (noise of the measurement)", nothing, nothing, SHORT },
	{ "empty", "an empty probe", empty_on, floor_off, SHORT },
	{ "store", "a clock and 24 bytes stored", store_on, floor_off, SHORT },
	{ "ftrace-nameless", "ftrace without command names", ftrace_nameless_on, ftrace_nameless_off, SHORT },
	{ "ftrace", "ftrace", ftrace_on, ftrace_off, SHORT },
	{ "bcos-off", "bcos_evlog, assignments off", ours_assign_off_on, ours_off, SHORT },
	{ "bcos-probe", "bcos_evlog, probe and staging", ours_on, ours_off, SHORT },
	{ "bcos", "bcos_evlog, all until it lies in the log", ours_open, ours_close, LONG },
};

/* ---- measuring ------------------------------------------------------------------ */

/* Instructions a switch. */
static double stretch(struct pong *pong, int trips)
{
	uint64_t before, begin, end, after;
	char byte = 'x';

	rest(REST);
	before = switches_of(getpid()) + switches_of(pong->pid);
	begin = now_ns(CLOCK_MONOTONIC_RAW);
	while (trips--)
		if (write(pong->there[1], &byte, 1) != 1 || read(pong->back[0], &byte, 1) != 1)
			die("ping");
	if (ours_flush >= 0)
		flush_log(ours_flush);
	end = now_ns(CLOCK_MONOTONIC_RAW);
	after = switches_of(getpid()) + switches_of(pong->pid);
	return (double)(end - begin) / (double)(after - before);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void measure(struct pong *pong, const struct variant *variant)
{
	double difference[PAIRS], without;
	int pairs = variant->trips == LONG ? LONG_PAIRS : PAIRS, i;

	for (i = 0; i < pairs; i++) {
		without = stretch(pong, variant->trips);
		variant->on();
		difference[i] = stretch(pong, variant->trips) - without;
		variant->off();
	}
	qsort(difference, pairs, sizeof(*difference), compare);
	printf("{\"variant\":\"%s\",\"what\":\"%s\",\"instructions\":%.1f,\"least\":%.1f,\"most\":%.1f,\"switches\":%d}\n",
	       variant->name, variant->what, difference[pairs / 2], difference[0], difference[pairs - 1],
	       2 * variant->trips);
	fflush(stdout);
}

static bool chosen(const char *name, int count, char **names)
{
	int i;

	for (i = 0; i < count; i++)
		if (!strcmp(names[i], name))
			return true;
	return !count;
}

int main(int argc, char **argv)
{
	struct pong pong = pong_start();
	size_t i;

	if (!pin(0))
		die("pin");
	/* The first stretches fill caches of the kernel's. */
	stretch(&pong, LONG);
	for (i = 0; i < ARRAY_SIZE(variants); i++)
		if (chosen(variants[i].name, argc - 1, argv + 1))
			measure(&pong, &variants[i]);
	return 0;
}
