// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A complete group of historical entries that states a state: see bcoslog_state_group() in bcoslog_archive.h. */
#include <stdlib.h>

#include "group.h"
#include "state.h"

/* The receiver of a group, and the value with which it stopped. */
struct target {
	int (*put)(void *context, const struct bcos_entry *entry);
	void *context;
	int r;
	u32 room[BCOS_ENTRY_MAX / sizeof(u32) + 1];
};

static void put_statement(struct target *target, const struct bcos_entry *header, const void *body, size_t size,
			  const void *rest, size_t length)
{
	struct bcos_entry *entry = (struct bcos_entry *)target->room;
	size_t whole = sizeof(*entry) + size + length;

	if (target->r || whole > BCOS_ENTRY_MAX - 3)
		return;
	memset(target->room, 0, whole + 3);
	*entry = *header;
	entry->size = (u16)((whole + 3) & ~(size_t)3);
	if (size)
		memcpy(entry + 1, body, size);
	if (length)
		memcpy((char *)(entry + 1) + size, rest, length);
	target->r = target->put(target->context, entry);
}

static void put_core(struct target *target, const void *item)
{
	const struct bcoslog_core *core = &((const struct core *)item)->public;
	u16 power[2] = { core->idle_power, core->power_difference };

	put_statement(target,
		      &(struct bcos_entry){.type = BCOS_HIST_CORE_ONLINE,
					   .source = core->id,
					   .time = core->start,
					   .precision = core->precision},
		      power, sizeof(power), core->performance, core->performances * sizeof(*core->performance));
}

static void put_cpu(struct target *target, const void *item)
{
	const struct bcoslog_cpu *cpu = &((const struct cpu *)item)->public;

	put_statement(target, &(struct bcos_entry){ .type = BCOS_HIST_CPU_ONLINE, .source = cpu->id, .time = cpu->start,
					  .precision = cpu->precision },
	    &cpu->core, sizeof(cpu->core), NULL, 0);
}

static void put_process(struct target *target, const void *item)
{
	const struct bcoslog_process *process = &((const struct process *)item)->public;

	put_statement(target,
		      &(struct bcos_entry){.type = BCOS_HIST_SET_PROCESS_NAME,
					   .source = process->id,
					   .time = process->start,
					   .precision = process->precision},
		      NULL, 0, process->name, process->name_length);
}

static void put_device(struct target *target, const void *item)
{
	const struct bcoslog_device *device = &((const struct device *)item)->public;

	put_statement(target,
		      &(struct bcos_entry){.type = BCOS_HIST_SET_DEVICE_NAME,
					   .source = device->id,
					   .time = device->start,
					   .precision = device->precision},
		      &device->driver, sizeof(device->driver), device->name, device->name_length);
}

static void put_assignment(struct target *target, const void *item)
{
	const struct cpu *cpu = item;

	if (!cpu->public.assigned)
		return;
	put_statement(target,
		      &(struct bcos_entry){.type = BCOS_HIST_ASSIGN_CPU,
					   .source = cpu->public.id,
					   .time = cpu->public.since,
					   .precision = cpu->since_precision},
		      &cpu->public.process, sizeof(cpu->public.process), NULL, 0);
}

/* Put an entry for each item of a table, in ascending order of their IDs. */
static void put_table(struct target *target, const struct table *table, void (*put_item)(struct target *, const void *))
{
	struct node **items;
	u32 i;

	if (target->r)
		return;
	items = table_sorted(table);
	if (!items) {
		target->r = -ENOMEM;
		return;
	}
	for (i = 0; i < table->count && !target->r; i++)
		put_item(target, items[i]);
	free(items);
}

int bcoslog_state_group(const struct bcoslog_state *state,
			int (*put_entry)(void *context, const struct bcos_entry *entry), void *context)
{
	struct target *target = malloc(sizeof(*target));
	int r;

	if (!target)
		return -ENOMEM;
	target->put = put_entry;
	target->context = context;
	target->r = 0;
	put_table(target, &state->cores, put_core);
	put_table(target, &state->cpus, put_cpu);
	put_table(target, &state->processes, put_process);
	put_table(target, &state->devices, put_device);
	put_table(target, &state->cpus, put_assignment);
	r = target->r;
	free(target);
	return r;
}
