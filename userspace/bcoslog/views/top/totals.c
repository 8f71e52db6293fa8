// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* CPUs, cores and devices in the last interval: see top.h. */
#include <stdlib.h>

#include "top.h"
#include "account/report.h"
#include "options/filter.h"

/* Makes room for one more item after the first @count, in two lists at once.  Return: false if there is no memory. */
static bool grow_counts(struct live *live, void **now, void **then, size_t count, size_t size)
{
	void *larger = reallocarray(*now, count + 1, size), *other;

	if (larger)
		*now = larger;
	other = larger ? reallocarray(*then, count + 1, size) : NULL;
	if (other) {
		*then = other;
		memset((char *)other + count * size, 0, size);
	}
	live->failed |= !other;
	return other;
}

/* Takes the CPUs of the interval. No CPU or core ever leaves the account, so an index always means the same one. */
static void take_cpus(struct live *live)
{
	const struct bcoslog_account_cpu *cpu = NULL;
	struct bcoslog_account_cpu *now, *then;
	unsigned int use;
	size_t i = 0;

	for (; (cpu = bcoslog_account_next_cpu(live->report->account, cpu)); i++) {
		if (i == live->cpu_count) {
			if (!grow_counts(live, (void **)&live->cpus, (void **)&live->cpus_then, i, sizeof(*cpu)))
				return;
			live->cpu_count++;
		}
		now = &live->cpus[i];
		then = &live->cpus_then[i];
		*now = *cpu;
		now->online -= then->online;
		now->turns -= then->turns;
		for (use = 0; use < BCOSLOG_USES; use++)
			now->time[use] -= then->time[use];
		*then = *cpu;
	}
}

static void take_cores(struct live *live)
{
	const struct bcoslog_account_core *core = NULL;
	struct bcoslog_account_core *now, *then;
	size_t i = 0;

	for (; (core = bcoslog_account_next_core(live->report->account, core)); i++) {
		if (i == live->core_count) {
			if (!grow_counts(live, (void **)&live->cores, (void **)&live->cores_then, i, sizeof(*core)))
				return;
			live->core_count++;
		}
		now = &live->cores[i];
		then = &live->cores_then[i];
		*now = *core;
		now->online -= then->online;
		now->idle -= then->idle;
		now->capacity -= then->capacity;
		now->possible -= then->possible;
		now->least_joules -= then->least_joules;
		now->boundless -= then->boundless;
		now->work = live_work_less(&core->work, &then->work);
		*then = *core;
	}
}

static void device_row(struct live *live, const struct bcoslog_account_device *device)
{
	const struct bcoslog_account_device *then = device->user;
	struct bcoslog_account_device less = *device;
	struct bcoslog_latency latency;
	char former[FORMER_TEXT];

	if (!filter_wants_use(&live->report->session->filter, device))
		return;
	bcoslog_account_latency(device, &latency);
	if (then) {
		less.input -= then->input;
		less.output -= then->output;
		less.inputs -= then->inputs;
		less.outputs -= then->outputs;
		less.faults -= then->faults;
		less.interrupts -= then->interrupts;
		less.batched -= then->batched;
		less.unprompted -= then->unprompted;
		less.fruitless -= then->fruitless;
	}
	io_row(&live->io, &less, &latency, bcoslog_account_latency_precision(device),
	       former_device_names(former, device));
	if (!live->whole)
		bcoslog_account_latency_forget(device);
}

void live_device_ended(void *context, const struct bcoslog_account_device *device)
{
	/* In a growing log, a device that ended before the interval did has no row. */
	if (((struct live *)context)->whole)
		device_row(context, device);
	free(device->user);
	bcoslog_account_set_device_user(device, NULL);
}

static void take_devices(struct live *live)
{
	const struct bcoslog_account_device *device = NULL;
	struct bcoslog_account_device *then;

	if (!live->whole) {
		table_free(&live->io.table);
		io_begin(&live->io, false);
		live->io.people = true;
	}
	while ((device = bcoslog_account_next_device(live->report->account, device))) {
		device_row(live, device);
		then = device->user ? device->user : malloc(sizeof(*then));
		live->failed |= !then;
		if (then)
			*then = *device;
		bcoslog_account_set_device_user(device, then);
	}
	io_end(&live->io);
	live->failed |= live->io.table.failed;
}

void live_totals_interval(struct live *live)
{
	take_cpus(live);
	take_cores(live);
	take_devices(live);
}

void live_totals_free(struct live *live)
{
	const struct bcoslog_account_device *device = NULL;

	while (live->report->account && (device = bcoslog_account_next_device(live->report->account, device))) {
		free(device->user);
		bcoslog_account_set_device_user(device, NULL);
	}
	table_free(&live->io.table);
	free(live->cpus);
	free(live->cpus_then);
	free(live->cores);
	free(live->cores_then);
}
