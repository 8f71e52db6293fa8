// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The rules of a log: the entries that an entry needs come before it, and an entry that changes nothing is left out. */
#include <stdlib.h>

#include "store.h"

static struct bcos_entry at_once(const struct bcos_entry *entry, u16 type, u32 source)
{
	return (struct bcos_entry){
		.type = type, .source = source, .time = entry->time, .precision = entry->precision
	};
}

/*
 * Makes the header of an entry that names an ID again which had ended. The new subject of the ID began at some time
 * after that end.
 */
static struct bcos_entry reborn_entry(const struct log_writer *writer, const struct bcos_entry *entry,
				      const struct subject *subject, u16 type, u32 source)
{
	struct bcos_entry header = { .type = type | BCOS_TYPE_HISTORICAL, .source = source, .precision = SINCE_BOOT };

	/*
	 * A historical entry directly after a group would count as an item of that group, so this entry is an ordinary
	 * one.
	 */
	if (writer->historical && !(entry->type & BCOS_TYPE_HISTORICAL))
		return at_once(entry, type, source);
	if (!subject || !subject->ended)
		return header;
	if (subject->end >= entry->time)
		return at_once(entry, type, source);
	header.time = subject->end + 1;
	if (entry->time - header.time < SINCE_BOOT)
		header.precision = (u32)(entry->time - header.time);
	if (header.precision > ~header.time)
		header.precision = (u32)~header.time;
	return header;
}

static int need_process(struct log_writer *writer, const struct bcos_entry *entry, u32 id)
{
	const struct subject *subject = subject_of(&writer->processes, id);
	const char *name = subject && subject->name ? subject->name : "?";

	if (id == BCOS_PROCESS_IDLE || bcoslog_process(writer->state, id))
		return 0;
	return log_put_made(writer, reborn_entry(writer, entry, subject, BCOS_SET_PROCESS_NAME, id), NULL, 0, name,
			    subject && subject->name ? subject->length : 1);
}

static int need_device(struct log_writer *writer, const struct bcos_entry *entry, u32 id)
{
	const struct subject *subject = subject_of(&writer->devices, id);
	const char *name = subject && subject->name ? subject->name : "?";
	u32 driver = subject && bcoslog_process(writer->state, subject->owner) ? subject->owner : BCOS_PROCESS_KERNEL;

	if (bcoslog_device(writer->state, id))
		return 0;
	return log_put_made(writer, reborn_entry(writer, entry, subject, BCOS_SET_DEVICE_NAME, id), &driver,
			    sizeof(driver), name, subject && subject->name ? subject->length : 1);
}

static int need_core(struct log_writer *writer, const struct bcos_entry *entry, u32 id)
{
	const struct subject *subject = subject_of(&writer->cores, id);
	static const u16 unknown[2];

	if (bcoslog_core(writer->state, id))
		return 0;
	return log_put_core(writer, at_once(entry, BCOS_CORE_ONLINE, id), subject ? subject->power : unknown,
			    subject ? subject->name : NULL, subject ? subject->length : 0);
}

static int need_cpu(struct log_writer *writer, const struct bcos_entry *entry, u32 id)
{
	const struct subject *subject = subject_of(&writer->cpus, id);
	u32 core = subject ? subject->owner : id;
	int r;

	if (bcoslog_cpu(writer->state, id))
		return 0;
	r = need_core(writer, entry, core);
	return r ? r : log_put_made(writer, at_once(entry, BCOS_CPU_ONLINE, id), &core, sizeof(core), NULL, 0);
}

static int put_assign(struct log_writer *writer, const struct bcos_entry *entry, u32 cpu, u32 process)
{
	return log_put_made(writer, at_once(entry, BCOS_ASSIGN_CPU, cpu), &process, sizeof(process), NULL, 0);
}

/* ---- ends --------------------------------------------------------------------- */

static void note_end(struct table *table, u32 id, u64 time)
{
	struct subject *subject = subject_of(table, id);

	if (!subject)
		return;
	subject->ended = true;
	subject->end = time;
}

static int end_device(struct log_writer *writer, const struct bcos_entry *entry, u32 id, u32 status)
{
	note_end(&writer->devices, id, entry->time);
	return log_put_made(writer, at_once(entry, BCOS_CANCEL_DEVICE_NAME, id), &status, sizeof(status), NULL, 0);
}

/* Cancels the devices of a driver that ends, in the order of their IDs. */
static int end_devices(struct log_writer *writer, const struct bcos_entry *entry)
{
	const struct bcoslog_process *process = bcoslog_process(writer->state, entry->source);
	u32 i, count = writer->state->devices.count;
	struct node **devices;
	int r = 0;

	if (!process || !process->devices)
		return 0;
	devices = table_sorted(&writer->state->devices);
	if (!devices)
		return -ENOMEM;
	for (i = 0; !r && i < count; i++)
		if (((struct device *)devices[i])->public.driver == entry->source)
			r = end_device(writer, entry, devices[i]->id, BCOS_STATUS_UNKNOWN);
	free(devices);
	return r;
}

static int end_process(struct log_writer *writer, const struct bcos_entry *entry)
{
	const struct process *process;
	int r = need_process(writer, entry, entry->source);

	while (!r && (process = table_find(&writer->state->processes, entry->source)) && process->cpu)
		r = put_assign(writer, entry, process->cpu->node.id, BCOS_PROCESS_KERNEL);
	r = r ? r : end_devices(writer, entry);
	note_end(&writer->processes, entry->source, entry->time);
	return r ? r : log_put(writer, entry);
}

static int end_cpu(struct log_writer *writer, const struct bcos_entry *entry, u32 id)
{
	const struct bcoslog_cpu *cpu = bcoslog_cpu(writer->state, id);
	int r = 0;

	if (!cpu)
		return 0;
	if (cpu->assigned && cpu->process != BCOS_PROCESS_IDLE)
		r = put_assign(writer, entry, id, BCOS_PROCESS_IDLE);
	return r ? r : log_put_made(writer, at_once(entry, BCOS_CPU_OFFLINE, id), NULL, 0, NULL, 0);
}

/* Writes that a core goes offline, after its CPUs in the order of their IDs. */
static int end_core(struct log_writer *writer, const struct bcos_entry *entry)
{
	u32 i, count = writer->state->cpus.count;
	struct node **cpus;
	int r = 0;

	if (!bcoslog_core(writer->state, entry->source))
		return 0;
	cpus = table_sorted(&writer->state->cpus);
	if (!cpus)
		return -ENOMEM;
	for (i = 0; !r && i < count; i++)
		if (((struct cpu *)cpus[i])->public.core == entry->source)
			r = end_cpu(writer, entry, cpus[i]->id);
	free(cpus);
	return r ? r : log_put(writer, entry);
}

/* ---- beginnings ------------------------------------------------------------------ */

static int begin_cpu(struct log_writer *writer, const struct bcos_entry *entry)
{
	u32 core = ((const struct bcos_cpu_online *)entry)->core;
	const struct bcoslog_cpu *cpu = bcoslog_cpu(writer->state, entry->source);
	int r = 0;

	if (cpu && cpu->core == core)
		return 0;
	if (cpu)
		r = end_cpu(writer, entry, entry->source);
	r = r ? r : need_core(writer, entry, core);
	return r ? r : log_put(writer, entry);
}

static int begin_core(struct log_writer *writer, const struct bcos_entry *entry)
{
	const struct bcos_core_online *core = (const struct bcos_core_online *)entry;
	u16 power[2] = { core->idle_power, core->power_difference };

	return log_put_core(writer, at_once(entry, BCOS_CORE_ONLINE, entry->source), power, core->performance,
			    entry->size - sizeof(*core));
}

/*
 * The reader of the log that is converted was overtaken. After that notice the new log states a group again, as the old
 * one does.
 */
static int take_overtaken(struct log_writer *writer, const struct bcos_entry *entry)
{
	int r;

	/* A group has at least one CPU. */
	if (!writer->state->cpus.count) {
		writer->dropped++;
		return 0;
	}
	r = log_write(writer, entry);
	r = r ? r : log_group_again(writer);
	/* So the end of a process must not give the kernel the CPUs that it had before. */
	cpus_forget(writer->state);
	return r;
}

static int put_event(struct log_writer *writer, const struct bcos_entry *entry)
{
	int r;

	switch (entry->type & BCOS_TYPE_SUBJECT_MASK) {
	case BCOS_SUBJECT_PROCESS:
		r = need_process(writer, entry, entry->source);
		break;
	case BCOS_SUBJECT_CORE:
		r = need_core(writer, entry, entry->source);
		break;
	case BCOS_SUBJECT_CPU:
		r = need_cpu(writer, entry, entry->source);
		break;
	default:
		r = need_device(writer, entry, entry->source);
		break;
	}
	if (!r && bcoslog_is_missed(entry))
		return take_overtaken(writer, entry);
	return r ? r : log_put(writer, entry);
}

static int put_assignment(struct log_writer *writer, const struct bcos_entry *entry)
{
	u32 process = ((const struct bcos_assign_cpu *)entry)->process;
	int r = need_cpu(writer, entry, entry->source);

	r = r ? r : need_process(writer, entry, process);
	return r ? r : log_put(writer, entry);
}

static int put_device(struct log_writer *writer, const struct bcos_entry *entry)
{
	int r = need_process(writer, entry, ((const struct bcos_device_name *)entry)->driver);

	return r ? r : log_put(writer, entry);
}

static int put_device_end(struct log_writer *writer, const struct bcos_entry *entry)
{
	int r = need_device(writer, entry, entry->source);

	return r ? r : end_device(writer, entry, entry->source, ((const struct bcos_cancel_name *)entry)->status);
}

int log_rules_apply(struct log_writer *writer, const struct bcos_entry *entry)
{
	switch (entry->type) {
	case BCOS_ASSIGN_CPU:
		return put_assignment(writer, entry);
	case BCOS_CANCEL_PROCESS_NAME:
		return end_process(writer, entry);
	case BCOS_SET_DEVICE_NAME:
		return put_device(writer, entry);
	case BCOS_CANCEL_DEVICE_NAME:
		return put_device_end(writer, entry);
	case BCOS_CORE_ONLINE:
		return begin_core(writer, entry);
	case BCOS_CORE_OFFLINE:
		return end_core(writer, entry);
	case BCOS_CPU_ONLINE:
		return begin_cpu(writer, entry);
	case BCOS_CPU_OFFLINE:
		return end_cpu(writer, entry, entry->source);
	case BCOS_SET_PROCESS_NAME:
		return log_put(writer, entry);
	default:
		return put_event(writer, entry);
	}
}
