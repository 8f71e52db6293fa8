// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Functions that look up items of a state, and that compare an entry with the state. */
#include "core/format/thread_text.h"
#include "state.h"
#include "thread_name.h"

const struct bcoslog_process *bcoslog_process(const struct bcoslog_state *state, __u32 id)
{
	const struct process *process = table_find(&state->processes, id);

	return process ? &process->public : NULL;
}

const struct bcoslog_device *bcoslog_device(const struct bcoslog_state *state, __u32 id)
{
	const struct device *device = table_find(&state->devices, id);

	return device ? &device->public : NULL;
}

const struct bcoslog_core *bcoslog_core(const struct bcoslog_state *state, __u32 id)
{
	const struct core *core = table_find(&state->cores, id);

	return core ? &core->public : NULL;
}

const struct bcoslog_cpu *bcoslog_cpu(const struct bcoslog_state *state, __u32 id)
{
	const struct cpu *cpu = table_find(&state->cpus, id);

	return cpu ? &cpu->public : NULL;
}

const char *state_thread_name(const struct bcoslog_state *state, u32 process, u32 thread, size_t *length)
{
	const struct bcoslog_process *of = bcoslog_process(state, process);
	const struct thread_name *name;

	*length = 0;
	if (!of)
		return NULL;
	if (thread == process) {
		*length = of->name_length;
		return of->name;
	}
	name = thread_name_find(&state->threads, process, of->start, thread);
	if (!name)
		return NULL;
	*length = name->length;
	return name->text;
}

static bool same_name(const struct bcos_entry *entry, const char *name, size_t name_length)
{
	size_t length;
	const char *text = bcos_entry_text(entry, &length);

	return length == name_length && !memcmp(text, name, length);
}

static enum bcoslog_news compare_process(const struct bcoslog_state *state,
					 const struct bcos_entry *entry)
{
	const struct bcoslog_process *process = bcoslog_process(state, entry->source);

	if (!process)
		return BCOSLOG_NEWS;
	if (!same_name(entry, process->name, process->name_length))
		return BCOSLOG_OTHER_NAME;
	return entry->time == process->start ? BCOSLOG_REPEATED : BCOSLOG_OTHER_TIME;
}

static enum bcoslog_news compare_device(const struct bcoslog_state *state,
					const struct bcos_entry *entry)
{
	const struct bcoslog_device *device = bcoslog_device(state, entry->source);

	if (!device)
		return BCOSLOG_NEWS;
	if (!same_name(entry, device->name, device->name_length))
		return BCOSLOG_OTHER_NAME;
	if (((const struct bcos_device_name *)entry)->driver != device->driver)
		return BCOSLOG_OTHER_DRIVER;
	return entry->time == device->start ? BCOSLOG_REPEATED : BCOSLOG_OTHER_TIME;
}

static enum bcoslog_news compare_core(const struct bcoslog_state *state,
				      const struct bcos_entry *entry)
{
	const struct bcos_core_online *online = (const struct bcos_core_online *)entry;
	const struct bcoslog_core *core = bcoslog_core(state, entry->source);
	size_t bytes = (entry->size - sizeof(*online)) / sizeof(u32) * sizeof(u32);

	if (!core)
		return BCOSLOG_NEWS;
	if (online->idle_power != core->idle_power ||
	    online->power_difference != core->power_difference ||
	    bytes != core->performances * sizeof(*core->performance) ||
	    (bytes && memcmp(online->performance, core->performance, bytes)))
		return BCOSLOG_OTHER_ESTIMATE;
	return entry->time == core->start ? BCOSLOG_REPEATED : BCOSLOG_OTHER_TIME;
}

static enum bcoslog_news compare_cpu(const struct bcoslog_state *state,
				     const struct bcos_entry *entry)
{
	const struct bcoslog_cpu *cpu = bcoslog_cpu(state, entry->source);

	if (!cpu)
		return BCOSLOG_NEWS;
	if (((const struct bcos_cpu_online *)entry)->core != cpu->core)
		return BCOSLOG_OTHER_CORE;
	return entry->time == cpu->start ? BCOSLOG_REPEATED : BCOSLOG_OTHER_TIME;
}

static enum bcoslog_news compare_assign(const struct bcoslog_state *state,
					const struct bcos_entry *entry)
{
	const struct bcoslog_cpu *cpu = bcoslog_cpu(state, entry->source);

	if (!cpu || !cpu->assigned)
		return BCOSLOG_NEWS;
	if (((const struct bcos_assign_cpu *)entry)->process != cpu->process)
		return BCOSLOG_OTHER_PROCESS;
	return entry->time == cpu->since ? BCOSLOG_REPEATED : BCOSLOG_OTHER_TIME;
}

/* Names of threads are stated after each group, and when they change. */
static enum bcoslog_news compare_thread(const struct bcoslog_state *state, u32 process, const struct bcos_thread_name *told)
{
	size_t length;
	const char *name = told->thread == process ? NULL : state_thread_name(state, process, told->thread, &length);

	return name && length == told->length && !memcmp(name, told->name, length) ? BCOSLOG_REPEATED : BCOSLOG_NEWS;
}

enum bcoslog_news bcoslog_state_compare(const struct bcoslog_state *state,
					const struct bcos_entry *entry)
{
	struct bcos_thread_name named;

	switch (entry->type) {
	case BCOS_HIST_SET_PROCESS_NAME:
		return compare_process(state, entry);
	case BCOS_HIST_SET_DEVICE_NAME:
		return compare_device(state, entry);
	case BCOS_HIST_CORE_ONLINE:
		return compare_core(state, entry);
	case BCOS_HIST_CPU_ONLINE:
		return compare_cpu(state, entry);
	case BCOS_HIST_ASSIGN_CPU:
		return compare_assign(state, entry);
	case BCOS_GENERIC_PROCESS:
		if (bcos_thread_name_read(&named, entry))
			return compare_thread(state, entry->source, &named);
		return statement_compare(state, entry);
	case BCOS_GENERIC_CPU:
		return statement_compare(state, entry);
	default:
		return BCOSLOG_NEWS;
	}
}
