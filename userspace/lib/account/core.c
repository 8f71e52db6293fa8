// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The account: performance and power of cores, from their estimates (5.5) and the number of their busy CPUs. */
#include <stdlib.h>

#include "core/format/entry.h"
#include "account.h"

#define POWER_LEAST 0xFFFF

/* The instructions of a sum of "instructions in 125 us, times ns"; a second has 8000 times 125 us. */
#define INSTRUCTIONS(sum) ((double)(sum) * 8000.0 / 1e9)
/* The joules of a sum of "2 mW, times ns". */
#define JOULES(sum) ((double)(sum) * 2e-3 / 1e9)

struct core *account_core_find(struct bcoslog_account *account, u32 id)
{
	struct core *core = table_find(&account->cores, id);

	if (core)
		return core;
	core = account_add(account, &account->cores, id, sizeof(*core), &account->core_order,
			   offsetof(struct core, order));
	if (!core)
		return NULL;
	core->public.id = id;
	core->from = core->segment_from = account->now;
	/* Until the log tells the estimates of the core, nothing is known of it. */
	account->without_performance++;
	account->without_power++;
	account->limits = (struct limits){ 0 };
	return core;
}

/*
 * Return: the instructions in 125 us of each CPU while @busy CPUs of the core are busy; 0 if unknown. *@assumed is true
 * if the table of the core has no element for so many CPUs.
 */
static u32 performance_of(const struct core *core, u32 busy, bool *assumed)
{
	*assumed = busy > core->performances;
	if (!core->performances || !busy)
		return 0;
	return core->performance[*assumed ? core->performances - 1 : busy - 1];
}

static bool power_known(const struct core *core)
{
	return core->idle_power && !core->public.unknown;
}

/*
 * The power difference is to the idle power in the entry, so the difference is exact even if that idle power is a lower
 * bound.
 * Return: true if the present power difference is a lower bound.
 */
static bool difference_least(const struct core *core)
{
	return core->public.busy && core->power_difference == POWER_LEAST;
}

static bool power_least(const struct core *core)
{
	return core->idle_power == POWER_LEAST || difference_least(core);
}

/*
 * Return: the greatest performance of all busy CPUs of the core together, whose number is unknown, in instructions in
 * 125 us; 0 if nothing limits it.
 */
static u64 possible_performance(const struct core *core)
{
	u32 cpus = core->public.cpus;
	u64 last, whole;

	if (!core->performances)
		return 0;
	if (cpus <= core->performances)
		return core->greatest[cpus - 1];
	/* For more CPUs than the table has elements, its last one is assumed. */
	last = core->greatest[core->performances - 1];
	whole = (u64)core->performance[core->performances - 1] * cpus;
	return last && last < whole ? whole : last;
}

/* Return: the least power of a core whose power is unknown, in 2 mW. */
static u32 least_power(const struct core *core)
{
	return core->idle_power ? core->idle_power + (core->public.busy ? core->power_difference : 0) : 0;
}

/* Sums up the limits of what is unknown now. */
static void advance_limits(struct core *core, u64 span, u64 performance_unknown)
{
	u64 possible;

	if (performance_unknown != core->all.performance_unknown) {
		possible = possible_performance(core);
		core->possible += (u128)possible * span;
		if (!possible)
			core->public.boundless += span;
	}
	if (!power_known(core))
		core->least_energy += (u128)least_power(core) * span;
}

static void advance_performance(struct core *core, u64 span)
{
	u32 busy = core->public.busy, each;
	bool assumed;

	if (!busy && !core->public.unknown)
		return;
	each = performance_of(core, busy, &assumed);
	if (core->public.unknown || !each) {
		core->sums.performance_unknown += span;
		core->all.performance_unknown += span;
		return;
	}
	core->sums.performance += (u128)each * span;
	core->all.performance += (u128)each * span * busy;
	if (assumed) {
		core->sums.performance_assumed += span;
		core->all.performance_assumed += span;
	}
}

static void advance_power(struct core *core, u64 span)
{
	u32 busy = core->public.busy;

	if (!power_known(core)) {
		core->sums.power_unknown += span;
		core->all.power_unknown += span;
		return;
	}
	core->all.energy += (u128)(core->idle_power + (busy ? core->power_difference : 0)) * span;
	if (power_least(core))
		core->all.power_least += span;
	if (difference_least(core))
		core->sums.power_least += span;
	if (busy == 1)
		core->sums.energy += (u128)core->power_difference * span;
	else if (busy)
		core->sums.energy += (u128)core->power_difference * span / busy;
}

void account_core_advance(struct bcoslog_account *account, struct core *core)
{
	u64 span = account_span(account, core->from, account->now), unknown = core->all.performance_unknown;

	core->from = account->now;
	if (!span || !core->public.cpus)
		return;
	core->public.online += span;
	if (!core->public.busy && !core->public.unknown)
		core->public.idle += span;
	if (core->performances)
		core->capacity += (u128)core->performance[core->performances - 1] * core->public.cpus * span;
	advance_performance(core, span);
	advance_power(core, span);
	advance_limits(core, span, unknown);
}

void account_core_tell(struct bcoslog_account *account, const struct core *core)
{
	struct bcoslog_segment segment = {
		.begin = account_clip(account, core->segment_from), .end = account_clip(account, account->now),
		.core = core->public.id, .cpus = core->public.cpus, .busy = core->public.busy,
	};
	bool assumed;

	if (segment.begin == segment.end || !segment.cpus)
		return;
	segment.performance = (u64)performance_of(core, segment.busy, &assumed) * segment.busy;
	if (core->performances)
		segment.capacity = (u64)core->performance[core->performances - 1] * segment.cpus;
	segment.performance_known = segment.capacity && !core->public.unknown &&
				    (!segment.busy || segment.performance);
	segment.power_known = power_known(core);
	segment.at_least = power_least(core);
	if (!segment.performance_known)
		segment.possible = possible_performance(core);
	if (!segment.power_known)
		segment.least_power = least_power(core);
	else
		segment.power = core->idle_power + (segment.busy ? core->power_difference : 0);
	account->options.segment(account->options.context, &segment);
}

/*
 * Makes room for an element for each of @count numbers of busy CPUs. On failure the core keeps what it has.
 * Return: 0 or -ENOMEM.
 */
static int resize_tables(struct bcoslog_account *account, struct core *core, u32 count)
{
	size_t element = sizeof(*core->performance) + sizeof(*core->greatest);
	u32 *performance;
	u64 *greatest;

	if (count <= core->performances) {
		account->memory -= (core->performances - count) * element;
		return 0;
	}
	if (account->memory + (count - core->performances) * element > ITEMS_MEMORY_MAX)
		return -ENOMEM;
	performance = realloc(core->performance, count * sizeof(*performance));
	if (!performance)
		return -ENOMEM;
	core->performance = performance;
	greatest = realloc(core->greatest, count * sizeof(*greatest));
	if (!greatest)
		return -ENOMEM;
	core->greatest = greatest;
	account->memory += (count - core->performances) * element;
	return 0;
}

static void fill_greatest(struct core *core)
{
	u64 greatest = 0, together;
	u32 i;

	for (i = 0; i < core->performances && core->performance[i]; i++) {
		together = (u64)core->performance[i] * (i + 1);
		if (greatest < together)
			greatest = together;
		core->greatest[i] = greatest;
	}
	/* An element of 0 says that the performance is unknown. */
	for (; i < core->performances; i++)
		core->greatest[i] = 0;
}

static bool is_same(const struct core *core, const struct bcos_core_online *online, u32 count)
{
	return core->idle_power == online->idle_power && core->power_difference == online->power_difference &&
	       core->performances == count &&
	       (!count || !memcmp(core->performance, online->performance, count * sizeof(u32)));
}

/*
 * Find the limits of all cores, since this one has changed. What is unknown may have been when a core's were the greatest,
 * so these never fall.
 */
static void find_limits(struct bcoslog_account *account, struct core *core)
{
	bool performance = core->performances, power = core->idle_power && core->power_difference != POWER_LEAST;
	struct limits *greatest = &account->greatest;
	u32 i;

	for (i = 0; i < core->performances; i++) {
		performance &= !!core->performance[i];
		if (core->performance[i] > greatest->performance)
			greatest->performance = core->performance[i];
	}
	if (power && core->power_difference > greatest->power)
		greatest->power = core->power_difference;
	account->without_performance += (u32)core->has_performance - (u32)performance;
	account->without_power += (u32)core->has_power - (u32)power;
	core->has_performance = performance;
	core->has_power = power;
	account->limits = (struct limits){ account->without_performance ? 0 : greatest->performance,
					   account->without_power ? 0 : greatest->power };
}

int account_core_online(struct bcoslog_account *account, const struct bcos_entry *entry)
{
	const struct bcos_core_online *online = (const struct bcos_core_online *)entry;
	u32 count = (u32)((entry->size - sizeof(*online)) / sizeof(u32));
	struct core *core = account_core_find(account, entry->source);

	if (!core)
		return -ENOMEM;
	if (is_same(core, online, count))
		return 0;
	/* The estimates of an entry, even of a historical one, hold from the entry's place in the log on. */
	account_core_cut(account, core);
	account_core_advance(account, core);
	if (resize_tables(account, core, count))
		return -ENOMEM;
	if (count)
		memcpy(core->performance, online->performance, count * sizeof(u32));
	core->performances = count;
	fill_greatest(core);
	core->idle_power = online->idle_power;
	core->power_difference = online->power_difference;
	find_limits(account, core);
	return 0;
}

void account_work_bounds(const struct limits *limits, const struct bcoslog_work *work, u64 unknown,
			 struct bcoslog_bounds *bounds)
{
	u64 performance = unknown + work->performance_unknown, power = unknown + work->power_unknown;

	bounds->instructions = work->instructions + INSTRUCTIONS((u128)limits->performance * performance);
	bounds->instructions_known = bounds->time_known && (!performance || limits->performance);
	bounds->joules = work->joules + JOULES((u128)limits->power * power);
	bounds->joules_known = bounds->time_known && !work->at_least && (!power || limits->power);
}

void account_work_show(const struct work *work, struct bcoslog_work *shown)
{
	shown->instructions = INSTRUCTIONS(work->performance);
	shown->joules = JOULES(work->energy);
	shown->performance_unknown = work->performance_unknown;
	shown->performance_assumed = work->performance_assumed;
	shown->power_unknown = work->power_unknown;
	shown->at_least = work->power_least;
}

static struct core *next_core(const struct bcoslog_account *account, const struct core *after)
{
	const struct order *order = after ? after->order.next : account->core_order.next;

	return order == &account->core_order ? NULL : item_of(order, struct core, order);
}

void account_cores_settle(struct bcoslog_account *account)
{
	struct core *core = NULL;

	while ((core = next_core(account, core))) {
		account_core_advance(account, core);
		account_work_show(&core->all, &core->public.work);
		core->public.capacity = INSTRUCTIONS(core->capacity);
		core->public.possible = INSTRUCTIONS(core->possible);
		core->public.least_joules = JOULES(core->least_energy);
	}
}

void account_cores_end(struct bcoslog_account *account)
{
	struct core *core = NULL;

	while ((core = next_core(account, core)))
		account_core_cut(account, core);
}

void account_core_release(struct node *node)
{
	struct core *core = (struct core *)node;

	free(core->performance);
	free(core->greatest);
	free(node);
}
