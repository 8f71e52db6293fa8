// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The callbacks by which the account reports uses of CPUs, transfers, interrupts and the power of cores. */
#include "account/report.h"
#include "model.h"

static void add_turn(struct cpu_item *cpu, u64 begin, u32 who)
{
	struct stretch *last = cpu->stretches.count ? list_at(&cpu->stretches, cpu->stretches.count - 1) : NULL;
	struct stretch *next;

	if (last && last->who == who)
		return;
	next = list_add(&cpu->stretches);
	if (!next) {
		model.left_out++;
		return;
	}
	next->begin = begin;
	next->who = who;
}

/*
 * Remove the stretches after @begin. course_pause() adds the stretches that have not ended, and the account may divide
 * them otherwise when they end.
 */
static void drop_turns(struct cpu_item *cpu, u64 begin)
{
	const struct stretch *last;

	while (cpu->stretches.count) {
		last = list_at(&cpu->stretches, cpu->stretches.count - 1);
		if (last->begin <= begin)
			return;
		cpu->stretches.count--;
	}
}

void course_interval(void *context, const struct bcoslog_interval *interval)
{
	struct cpu_item *cpu = item_of_cpu(interval->cpu, interval->core);
	u32 who = WHO_UNKNOWN;

	(void)context;
	if (!cpu || interval->begin == interval->end)
		return;
	if (interval->use == BCOSLOG_USE_IDLE)
		who = WHO_IDLE;
	else if (interval->process)
		who = item_of_process(interval->process);
	if (who == WHO_NONE)
		who = WHO_UNKNOWN;
	drop_turns(cpu, interval->begin);
	if (cpu->stretches.count && interval->begin > cpu->end)
		add_turn(cpu, cpu->end, WHO_OFFLINE);
	add_turn(cpu, interval->begin, who);
	cpu->end = interval->end;
}

void course_pause(void)
{
	const struct bcoslog_account_totals *totals = bcoslog_account_totals(model.account);
	const struct bcoslog_account_cpu *cpu = NULL;
	struct bcoslog_interval interval = { .end = totals->end };

	while ((cpu = bcoslog_account_next_cpu(model.account, cpu))) {
		if (!cpu->up)
			continue;
		interval.begin = cpu->since > totals->begin ? cpu->since : totals->begin;
		interval.cpu = cpu->id;
		interval.core = cpu->core;
		interval.use = cpu->use;
		interval.process = cpu->process;
		if (interval.begin < interval.end)
			course_interval(NULL, &interval);
	}
}

void course_segment(void *context, const struct bcoslog_segment *segment)
{
	(void)context;
	model.power_known |= segment->power_known;
}

static void add_traffic(struct list *list, const struct bcoslog_account_device *device, u64 time, u32 bytes)
{
	u32 number = item_of_device(device);
	struct traffic *kept = number < WHO_NONE ? list_add(list) : NULL;

	if (!kept) {
		model.left_out++;
		return;
	}
	kept->time = time;
	kept->device = number;
	kept->bytes = bytes;
}

void course_transfer(void *context, const struct bcoslog_account_device *device, bool output, u64 time, u32 bytes)
{
	(void)context;
	add_traffic(output ? &model.outputs : &model.inputs, device, time, bytes);
}

void course_interrupt(void *context, const struct bcoslog_account_device *device, u64 time)
{
	(void)context;
	add_traffic(&model.interrupts, device, time, 0);
}
