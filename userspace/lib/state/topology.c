// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Cores and CPUs in the state of a log: which are online, and which process each CPU executes. */
#include <stdlib.h>

#include "state.h"

static struct core *core_of(const struct bcoslog_state *state, const struct cpu *cpu)
{
	struct core *core = table_find(&state->cores, cpu->public.core);

	return core && core->serial == cpu->core_serial ? core : NULL;
}

static int core_estimate(struct bcoslog_state *state, struct core *core,
			 const struct bcos_core_online *online)
{
	size_t bytes = (online->header.size - sizeof(*online)) / sizeof(u32) * sizeof(u32);
	size_t had = core->public.performances * sizeof(*core->performance);
	u32 *room = core->performance;

	if (bytes != had) {
		if (state->memory - had + bytes > ITEMS_MEMORY_MAX)
			return -ENOMEM;
		room = realloc(core->performance, bytes ? bytes : 1);
		if (!room)
			return -ENOMEM;
		state->memory += bytes - had;
	}
	if (bytes)
		memcpy(room, online->performance, bytes);
	core->performance = room;
	core->public.performance = room;
	core->public.performances = bytes / sizeof(*room);
	core->public.idle_power = online->idle_power;
	core->public.power_difference = online->power_difference;
	return 0;
}

int core_online(struct bcoslog_state *state, const struct bcos_entry *entry)
{
	struct core *core = table_find(&state->cores, entry->source);

	if (!core) {
		core = item_add(&state->cores, &state->memory, entry->source, sizeof(*core));
		if (!core)
			return -ENOMEM;
		core->public.id = entry->source;
	}
	if (!core->serial || entry->type & BCOS_TYPE_HISTORICAL) {
		core->public.start = entry->time;
		core->public.precision = entry->precision;
	}
	if (!core->serial)
		core->serial = ++state->serial;
	return core_estimate(state, core, (const struct bcos_core_online *)entry);
}

void core_offline(struct bcoslog_state *state, u32 id)
{
	struct core *core = table_find(&state->cores, id);

	if (!core)
		return;
	state->memory -= core->public.performances * sizeof(*core->performance);
	free(core->performance);
	item_free(&state->cores, &state->memory, core, sizeof(*core));
}

static void cpu_forget(struct bcoslog_state *state, struct cpu *cpu)
{
	if (cpu->process) {
		*cpu->link = cpu->next;
		if (cpu->next)
			cpu->next->link = cpu->link;
		cpu->process->public.cpus--;
		cpu->process = NULL;
	}
	if (!cpu->public.assigned)
		return;
	*cpu->known_link = cpu->next_known;
	if (cpu->next_known)
		cpu->next_known->known_link = cpu->known_link;
	state->assigned--;
	cpu->public.assigned = false;
}

void cpus_forget(struct bcoslog_state *state)
{
	while (state->known_cpus)
		cpu_forget(state, state->known_cpus);
}

void cpu_leave(struct process *process)
{
	struct cpu *cpu;

	for (cpu = process->cpu; cpu; cpu = cpu->next)
		cpu->process = NULL;
	process->cpu = NULL;
}

int cpu_online(struct bcoslog_state *state, const struct bcos_entry *entry)
{
	const struct bcos_cpu_online *online = (const struct bcos_cpu_online *)entry;
	struct cpu *cpu = table_find(&state->cpus, entry->source);
	struct core *old, *new = table_find(&state->cores, online->core);

	if (!cpu) {
		cpu = item_add(&state->cpus, &state->memory, entry->source, sizeof(*cpu));
		if (!cpu)
			return -ENOMEM;
		cpu->public.id = entry->source;
	} else {
		old = core_of(state, cpu);
		if (old)
			old->public.cpus--;
		if (!(entry->type & BCOS_TYPE_HISTORICAL))
			cpu_forget(state, cpu);
	}
	if (new)
		new->public.cpus++;
	cpu->core_serial = new ? new->serial : 0;
	cpu->public.core = online->core;
	cpu->public.start = entry->time;
	cpu->public.precision = entry->precision;
	return 0;
}

void cpu_offline(struct bcoslog_state *state, u32 id)
{
	struct cpu *cpu = table_find(&state->cpus, id);
	struct core *core;

	if (!cpu)
		return;
	core = core_of(state, cpu);
	if (core)
		core->public.cpus--;
	cpu_forget(state, cpu);
	item_free(&state->cpus, &state->memory, cpu, sizeof(*cpu));
}

void cpu_run(struct bcoslog_state *state, struct cpu *cpu, struct process *process,
	     const struct bcos_entry *entry)
{
	cpu_forget(state, cpu);
	if (process) {
		cpu->next = process->cpu;
		if (cpu->next)
			cpu->next->link = &cpu->next;
		cpu->link = &process->cpu;
		process->cpu = cpu;
		process->public.cpus++;
		cpu->process = process;
	}
	cpu->public.process = ((const struct bcos_assign_cpu *)entry)->process;
	cpu->public.since = entry->time;
	cpu->since_precision = entry->precision;
	cpu->next_known = state->known_cpus;
	if (cpu->next_known)
		cpu->next_known->known_link = &cpu->next_known;
	cpu->known_link = &state->known_cpus;
	state->known_cpus = cpu;
	cpu->public.assigned = true;
	state->assigned++;
}

void cpu_assign(struct bcoslog_state *state, const struct bcos_entry *entry)
{
	u32 process = ((const struct bcos_assign_cpu *)entry)->process;
	struct cpu *cpu = table_find(&state->cpus, entry->source);

	if (cpu)
		cpu_run(state, cpu, table_find(&state->processes, process), entry);
}
