// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The state of a log after the entries so far: processes and devices with their names, cores, CPUs and assignments. */
#include <stdlib.h>

#include "core/format/thread_text.h"
#include "state.h"
#include "thread_name.h"

static struct process *process_of(const struct bcoslog_state *state, u32 id, u64 serial)
{
	struct process *process = serial ? table_find(&state->processes, id) : NULL;

	return process && process->serial == serial ? process : NULL;
}

static int process_named(struct bcoslog_state *state, const struct bcos_entry *entry)
{
	struct process *process = table_find(&state->processes, entry->source);
	size_t length;
	const char *text = bcos_entry_text(entry, &length);

	if (!process) {
		process = item_add(&state->processes, &state->memory, entry->source, sizeof(*process));
		if (!process)
			return -ENOMEM;
		process->public.id = entry->source;
		process->serial = ++state->serial;
	}
	if (!process->public.name || entry->type & BCOS_TYPE_HISTORICAL) {
		process->public.start = entry->time;
		process->public.precision = entry->precision;
	}
	if (name_set(&process->name, &state->memory, text, length))
		return -ENOMEM;
	process->public.name = process->name.text;
	process->public.name_length = length;
	return 0;
}

static void process_cancelled(struct bcoslog_state *state, u32 id)
{
	struct process *process = table_find(&state->processes, id);

	if (!process)
		return;
	cpu_leave(process);
	name_free(&process->name, &state->memory);
	item_free(&state->processes, &state->memory, process, sizeof(*process));
}

static void device_drive(struct bcoslog_state *state, struct device *device, u32 driver)
{
	struct process *old = process_of(state, device->public.driver, device->driver_serial);
	struct process *new = table_find(&state->processes, driver);

	if (old)
		old->public.devices--;
	if (new)
		new->public.devices++;
	device->public.driver = driver;
	device->driver_serial = new ? new->serial : 0;
}

static int device_named(struct bcoslog_state *state, const struct bcos_entry *entry)
{
	const struct bcos_device_name *named = (const struct bcos_device_name *)entry;
	struct device *device = table_find(&state->devices, entry->source);
	size_t length;
	const char *text = bcos_entry_text(entry, &length);

	if (!device) {
		device = item_add(&state->devices, &state->memory, entry->source, sizeof(*device));
		if (!device)
			return -ENOMEM;
		device->public.id = entry->source;
	}
	if (!device->public.name || entry->type & BCOS_TYPE_HISTORICAL) {
		device->public.start = entry->time;
		device->public.precision = entry->precision;
	}
	device_drive(state, device, named->driver);
	if (name_set(&device->name, &state->memory, text, length))
		return -ENOMEM;
	device->public.name = device->name.text;
	device->public.name_length = length;
	return 0;
}

static void device_cancelled(struct bcoslog_state *state, u32 id)
{
	struct device *device = table_find(&state->devices, id);
	struct process *driver;

	if (!device)
		return;
	driver = process_of(state, device->public.driver, device->driver_serial);
	if (driver)
		driver->public.devices--;
	name_free(&device->name, &state->memory);
	item_free(&state->devices, &state->memory, device, sizeof(*device));
}

static void process_release(struct node *node)
{
	struct process *process = (struct process *)node;

	if (process->name.text != process->name.small)
		free(process->name.text);
	free(process);
}

static void device_release(struct node *node)
{
	struct device *device = (struct device *)node;

	if (device->name.text != device->name.small)
		free(device->name.text);
	free(device);
}

static void core_release(struct node *node)
{
	free(((struct core *)node)->performance);
	free(node);
}

void bcoslog_state_forget(struct bcoslog_state *state)
{
	table_clear(&state->processes, process_release);
	table_clear(&state->devices, device_release);
	table_clear(&state->cores, core_release);
	table_clear(&state->cpus, node_free);
	table_clear(&state->threads, node_free);
	state->assigned = 0;
	state->known_cpus = NULL;
	state->memory = 0;
	memset(state->statements, 0, sizeof(state->statements));
	state->has_wall = false;
}

struct bcoslog_state *bcoslog_state_new(void)
{
	struct bcoslog_state *state = calloc(1, sizeof(*state));

	if (!state)
		return NULL;
	if (!table_init(&state->processes) && !table_init(&state->devices) &&
	    !table_init(&state->cores) && !table_init(&state->cpus) && !table_init(&state->threads))
		return state;
	bcoslog_state_free(state);
	return NULL;
}

void bcoslog_state_free(struct bcoslog_state *state)
{
	if (!state)
		return;
	table_destroy(&state->processes, process_release);
	table_destroy(&state->devices, device_release);
	table_destroy(&state->cores, core_release);
	table_destroy(&state->cpus, node_free);
	table_destroy(&state->threads, node_free);
	free(state);
}

/* Take a statement, the name of a thread, or the end of one, of which the name is no longer valid. */
static int process_told(struct bcoslog_state *state, const struct bcos_entry *entry)
{
	u32 id = ((const struct bcos_generic *)entry)->event_id;
	struct bcos_thread_phrase phrase;

	if (id == BCOS_EVENT_THREAD_NAME)
		return thread_name_apply(&state->threads, &state->memory, entry);
	if (id == BCOS_EVENT_THREAD_LEFT && state->threads.count && bcos_thread_read(&phrase, entry) &&
	    phrase.state == BCOS_STATE_DEAD)
		thread_name_ended(&state->threads, &state->memory, entry->source, phrase.thread);
	else
		statement_apply(state, entry);
	return 0;
}

int bcoslog_state_apply(struct bcoslog_state *state, const struct bcos_entry *entry)
{
	switch (entry->type) {
	case BCOS_ASSIGN_CPU:
	case BCOS_HIST_ASSIGN_CPU:
		cpu_assign(state, entry);
		return 0;
	case BCOS_SET_PROCESS_NAME:
	case BCOS_HIST_SET_PROCESS_NAME:
		return process_named(state, entry);
	case BCOS_CANCEL_PROCESS_NAME:
		process_cancelled(state, entry->source);
		return 0;
	case BCOS_SET_DEVICE_NAME:
	case BCOS_HIST_SET_DEVICE_NAME:
		return device_named(state, entry);
	case BCOS_CANCEL_DEVICE_NAME:
		device_cancelled(state, entry->source);
		return 0;
	case BCOS_CORE_ONLINE:
	case BCOS_HIST_CORE_ONLINE:
		return core_online(state, entry);
	case BCOS_CORE_OFFLINE:
		core_offline(state, entry->source);
		return 0;
	case BCOS_CPU_ONLINE:
	case BCOS_HIST_CPU_ONLINE:
		return cpu_online(state, entry);
	case BCOS_CPU_OFFLINE:
		cpu_offline(state, entry->source);
		return 0;
	case BCOS_GENERIC_DEVICE:
		if (bcoslog_is_missed(entry))
			bcoslog_state_forget(state);
		return 0;
	case BCOS_GENERIC_CPU:
		statement_apply(state, entry);
		return 0;
	case BCOS_GENERIC_PROCESS:
		return process_told(state, entry);
	default:
		return 0;
	}
}
