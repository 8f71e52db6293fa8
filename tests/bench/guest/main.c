// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Measures the cost of an event under each tracer; bench.h explains how.
 *
 * usage: bench [--real] [LOAD/VARIANT | LOAD | VARIANT]...
 *
 * A counted figure is the median of paired differences in nanoseconds of the guest, which are instructions. --real is
 * for a guest whose clock is that of the host: its figures are medians of paired ratios, with the other CPUs switching
 * as well.
 *
 * The program prints one object of JSON in a line for each measurement (all, or those named). The object has "missing"
 * if the guest lacks what the measurement needs.
 */
#include "bench.h"

#include <math.h>

#define PAIRS_MAX 31
#define SHORT 6000u
#define LONG 100000u
/* So many switches fill four zones of the ring. */
#define ZONES 400000u
/* So few lives are over before the log writer is woken, whose work would not be in the figure. */
#define LIVES 1000u

static bool real;

static void rest_for(uint64_t ns)
{
	struct timespec time = { (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) };

	nanosleep(&time, NULL);
}

static const struct variant *variant_of(const struct variant *variants, const char *name)
{
	const struct variant *variant;

	for (variant = variants; variant->name; variant++)
		if (!strcmp(variant->name, name))
			return variant;
	errno = 0;
	give_up("there is no variant %s", name);
}

/* The measurements are made in this order. Those that disturb the others most come last. */
static const struct measurement {
	const struct load *load;
	const struct variant *variants;
	const char *name;
	unsigned int events, pairs;
} measurements[] = {
	{ &switch_load, floor_variants, "nothing", SHORT, 9 },
	{ &switch_load, floor_variants, "empty", SHORT, 9 },
	{ &switch_load, floor_variants, "store", SHORT, 9 },
	{ &switch_load, our_variants, "bcos-off", SHORT, 9 },
	{ &switch_load, our_variants, "bcos-probe", SHORT, 9 },
	{ &switch_load, our_variants, "bcos", LONG, 3 },
	{ &switch_load, bpf_variants, "bpf-empty", SHORT, 9 },
	{ &switch_load, bpf_variants, "bpf-array", SHORT, 9 },
	{ &switch_load, bpf_variants, "bpf-ring", SHORT, 9 },
	{ &switch_load, engine_variants, "bcos-bpf-probe", SHORT, 9 },
	{ &switch_load, engine_variants, "bcos-bpf", LONG, 3 },
	{ &switch_load, ftrace_variants, "ftrace-nameless", SHORT, 9 },
	{ &switch_load, ftrace_variants, "ftrace", SHORT, 9 },
	{ &switch_load, perf_variants, "perf", SHORT, 5 },
	{ &interrupt_load, floor_variants, "nothing", SHORT, 9 },
	{ &interrupt_load, our_variants, "bcos-irq-off", SHORT, 9 },
	{ &interrupt_load, our_variants, "bcos-probe", SHORT, 9 },
	{ &interrupt_load, our_variants, "bcos", LONG, 3 },
	{ &interrupt_load, engine_variants, "bcos-bpf-irq", SHORT, 9 },
	{ &process_load, floor_variants, "nothing", LIVES, 3 },
	{ &process_load, our_variants, "bcos-all-off", LIVES, 3 },
	{ &process_load, our_variants, "bcos-probe", LIVES, 3 },
	{ &process_load, our_variants, "bcos", LIVES, 3 },
	{ &record_load, record_variants, "bcos-record", ZONES, 3 },
	{ &switch_load, lttng_variants, "lttng", SHORT, 5 },
};

/* ---- one stretch ---------------------------------------------------------------------- */

static struct switcher *others_start(void)
{
	static struct switcher others[64];
	int cpu;

	for (cpu = 1; real && cpu < count_cpus() && cpu < 64; cpu++)
		others[cpu] = switcher_start(cpu);
	return others;
}

static void others_stop(struct switcher *others)
{
	int cpu;

	for (cpu = 1; real && cpu < count_cpus() && cpu < 64; cpu++)
		switcher_stop(&others[cpu]);
}

/* In real time a stretch is long enough for the other work of the machine to even out. */
static unsigned int events_of(const struct measurement *m)
{
	return real ? 10000 : m->events;
}

/* Measures one stretch, without a tracer if @variant is NULL.  Return: ns for each event. */
static double measure_stretch(const struct measurement *m, const struct variant *variant, double *bytes)
{
	struct switcher *others;
	uint64_t begin, time, events;

	/* The deferred work of an earlier tear-down ends during this time. */
	rest_for(real ? 500000000 : 3000000000);
	others = others_start();
	if (variant && variant->begin)
		variant->begin();
	begin = now_ns(CLOCK_MONOTONIC_RAW);
	events = m->load->run(events_of(m));
	time = now_ns(CLOCK_MONOTONIC_RAW) - begin;
	if (m->load->spent && !real) {
		time = m->load->spent();
		/* The kernel frees now what a thousand processes leave, which must not be in the figure. */
		rest_for(1000000000);
		errno = 0;
		if (variant && variant->worked && variant->worked())
			give_up("%s: what it did beside the load is not in the figure", variant->what);
	}
	if (variant && variant->settle)
		time += variant->settle(events);
	others_stop(others);
	*bytes = variant && variant->bytes && !real ? variant->bytes(events) : -1;
	return (double)time / (double)events;
}

/* ---- statistics ------------------------------------------------------------------------- */

static int compare_numbers(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

struct result {
	double figure[PAIRS_MAX], base[PAIRS_MAX], bytes, wakeups;
	unsigned int pairs;
};

static void print_result(const struct measurement *m, const struct variant *variant, struct result *result)
{
	unsigned int last = result->pairs - 1, middle = result->pairs / 2;

	qsort(result->figure, result->pairs, sizeof(*result->figure), compare_numbers);
	qsort(result->base, result->pairs, sizeof(*result->base), compare_numbers);
	printf("{\"load\":\"%s\",\"variant\":\"%s\",\"what\":\"%s\",", m->load->name, variant->name, variant->what);
	/* A figure of -0.04 would be printed as -0.0. */
	if (fabs(result->figure[middle]) < 0.05)
		result->figure[middle] = 0;
	if (real)
		printf("\"ratio\":%.3f,\"least\":%.3f,\"most\":%.3f,\"base_ns\":%.0f,", result->figure[middle],
		       result->figure[0], result->figure[last], result->base[middle]);
	else
		printf("\"instructions\":%.1f,\"least\":%.1f,\"most\":%.1f,\"base\":%.1f,", result->figure[middle],
		       result->figure[0], result->figure[last], result->base[middle]);
	if (result->bytes >= 0)
		printf("\"bytes\":%.1f,", result->bytes);
	if (variant->wakeups)
		printf("\"wakeups\":%.2f,", result->wakeups);
	printf("\"events\":%u,\"pairs\":%u}\n", events_of(m), result->pairs);
	fflush(stdout);
}

static void measure_variant(const struct measurement *m)
{
	const struct variant *variant = variant_of(m->variants, m->name);
	struct result result = { .bytes = -1, .pairs = real ? 9 : m->pairs };
	double without, with, bytes;
	unsigned int i;

	if (variant->needs && access(variant->needs, F_OK)) {
		printf("{\"load\":\"%s\",\"variant\":\"%s\",\"what\":\"%s\",\"missing\":\"%s\"}\n", m->load->name,
		       variant->name, variant->what, variant->needs);
		return;
	}
	m->load->start();
	measure_stretch(m, NULL, &bytes);
	for (i = 0; i < result.pairs; i++) {
		without = measure_stretch(m, NULL, &bytes);
		variant->on();
		with = measure_stretch(m, variant, &result.bytes);
		variant->off();
		if (variant->wakeups)
			result.wakeups = variant->wakeups();
		result.base[i] = without;
		result.figure[i] = real ? with / without : with - without;
	}
	m->load->stop();
	print_result(m, variant, &result);
}

static bool is_chosen(const struct measurement *m, int count, char **names)
{
	char both[100];
	int i;

	snprintf(both, sizeof(both), "%s/%s", m->load->name, m->name);
	for (i = 0; i < count; i++)
		if (!strcmp(names[i], both) || !strcmp(names[i], m->name) || !strcmp(names[i], m->load->name))
			return true;
	return !count;
}

int main(int argc, char **argv)
{
	int first = 1;
	size_t i;

	if (argc > 1 && !strcmp(argv[1], "--real")) {
		real = true;
		first = 2;
	}
	if (!pin_to(0))
		give_up("pin");
	load_other("interrupts", "");
	for (i = 0; i < ARRAY_SIZE(measurements); i++)
		if (is_chosen(&measurements[i], argc - first, argv + first))
			measure_variant(&measurements[i]);
	return 0;
}
