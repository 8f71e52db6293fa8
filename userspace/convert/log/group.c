// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes groups. The first one states what was told, and later ones what the log itself has stated so far. */
#include <stdlib.h>

#include "store.h"

int log_put(struct log_writer *writer, const struct bcos_entry *entry)
{
	int r = bcoslog_state_apply(writer->state, entry);

	writer->historical = entry->type & BCOS_TYPE_HISTORICAL;
	return r ? r : log_write(writer, entry);
}

int log_put_made(struct log_writer *writer, struct bcos_entry header, const void *body, size_t size, const char *name,
		 size_t length)
{
	struct bcos_entry *entry = (struct bcos_entry *)writer->made;
	char *to = (char *)(entry + 1) + size;

	*entry = header;
	if (size)
		memcpy(entry + 1, body, size);
	length = name ? bcos_name_clean(to, (BCOS_ENTRY_MAX & ~3u) - sizeof(*entry) - size, name, length) : 0;
	memset(to + length, 0, 3);
	entry->size = (u16)bcos_entry_size(sizeof(*entry) + size, length);
	return log_put(writer, entry);
}

int log_put_core(struct log_writer *writer, struct bcos_entry header, const u16 *power, const void *table, size_t size)
{
	struct bcos_core_online *core = (struct bcos_core_online *)writer->made;
	const struct subject *subject = subject_of(&writer->cores, header.source);
	size_t least = subject ? subject->cpus * sizeof(u32) : 0;

	core->header = header;
	core->idle_power = power[0];
	core->power_difference = power[1];
	if (size)
		memcpy(core->performance, table, size);
	if (size < least) {
		memset((char *)core->performance + size, 0, least - size);
		size = least;
	}
	core->header.size = (u16)(sizeof(*core) + size);
	return log_put(writer, &core->header);
}

typedef int (*put_item)(struct log_writer *writer, const struct node *node, u64 time);

/* Calls @put for each item of a table, in the order of the IDs. */
static int put_each(struct log_writer *writer, const struct table *table, put_item put, u64 time)
{
	struct node **items = table_sorted(table);
	u32 i, count = table->count;
	int r = 0;

	if (!items)
		return -ENOMEM;
	for (i = 0; !r && i < count; i++)
		r = put(writer, items[i], time);
	free(items);
	return r;
}

/* ---- the first group ----------------------------------------------------------- */

/* Did the subject exist before the first event about it? */
static bool was_there(const struct subject *subject)
{
	return subject->known || (!subject->born && subject->first != ~0ull);
}

/* Makes the header of a historical entry of the first group. @time is the time of the first entry after that group. */
static struct bcos_entry historical_header(u16 type, const struct subject *subject, struct moment start, u64 time)
{
	struct bcos_entry header = { .type = type, .source = subject->node.id };

	if (subject->known && start.time <= time) {
		header.time = start.time;
		header.precision = start.precision;
	} else {
		header.precision = SINCE_BOOT;
	}
	if (header.precision > ~header.time)
		header.precision = (u32)~header.time;
	return header;
}

static int first_core(struct log_writer *writer, const struct node *node, u64 time)
{
	const struct subject *core = (const struct subject *)node;

	if (!was_there(core))
		return 0;
	return log_put_core(writer, historical_header(BCOS_HIST_CORE_ONLINE, core, core->start, time), core->power,
			    core->name, core->length);
}

static int first_cpu(struct log_writer *writer, const struct node *node, u64 time)
{
	const struct subject *cpu = (const struct subject *)node;

	if (!was_there(cpu))
		return 0;
	return log_put_made(writer, historical_header(BCOS_HIST_CPU_ONLINE, cpu, cpu->start, time), &cpu->owner,
			    sizeof(cpu->owner), NULL, 0);
}

static int first_process(struct log_writer *writer, const struct node *node, u64 time)
{
	const struct subject *process = (const struct subject *)node;
	bool kernel = node->id == BCOS_PROCESS_KERNEL;

	if (!was_there(process) && !kernel)
		return 0;
	return log_put_made(writer, historical_header(BCOS_HIST_SET_PROCESS_NAME, process, process->start, time), NULL,
			    0,
			    kernel	    ? "kernel"
			    : process->name ? process->name
					    : "?",
			    kernel	    ? strlen("kernel")
			    : process->name ? process->length
					    : 1);
}

static int first_device(struct log_writer *writer, const struct node *node, u64 time)
{
	const struct subject *device = (const struct subject *)node;
	u32 driver = bcoslog_process(writer->state, device->owner) ? device->owner : BCOS_PROCESS_KERNEL;

	if (!was_there(device))
		return 0;
	return log_put_made(writer, historical_header(BCOS_HIST_SET_DEVICE_NAME, device, device->start, time), &driver,
			    sizeof(driver), device->name ? device->name : "?", device->name ? device->length : 1);
}

static int first_assignment(struct log_writer *writer, const struct node *node, u64 time)
{
	const struct subject *cpu = (const struct subject *)node;

	if (!cpu->assigned || !bcoslog_cpu(writer->state, node->id) ||
	    (cpu->process != BCOS_PROCESS_IDLE && !bcoslog_process(writer->state, cpu->process)))
		return 0;
	return log_put_made(writer, historical_header(BCOS_HIST_ASSIGN_CPU, cpu, cpu->since, time), &cpu->process,
			    sizeof(cpu->process), NULL, 0);
}

/*
 * Completes the first group: the core of each CPU and the process that each CPU runs at first exist, and at least one
 * CPU does.
 */
static int complete_group(struct log_writer *writer)
{
	struct table *cpus = &writer->cpus;
	struct subject *cpu, *lowest = NULL, *other;
	struct node *node;
	bool any = false;
	size_t i;

	for (i = 0; i < (size_t)1 << cpus->bits; i++) {
		for (node = cpus->buckets[i]; node; node = node->next) {
			cpu = (struct subject *)node;
			other = cpu->assigned ? subject_of(&writer->processes, cpu->process) : NULL;
			if (other && !other->born)
				other->first = 0;
			if (!lowest || cpu->first < lowest->first ||
			    (cpu->first == lowest->first && node->id < lowest->node.id))
				lowest = cpu;
			if (!was_there(cpu))
				continue;
			any = true;
			/*
			 * The facts may never have told the core of this CPU, such as when they only say which process
			 * it runs.
			 */
			if (!cpu->cpus && log_known_cpu(writer, (struct moment){ 0, SINCE_BOOT }, node->id, node->id))
				return writer->error;
			other = subject_of(&writer->cores, cpu->owner);
			other->born = false;
			if (other->first == ~0ull)
				other->first = 0;
		}
	}
	if (!any) {
		/*
		 * The first CPU that comes online is stated as being there already, at some time up to its coming
		 * online.
		 */
		if (log_known_cpu(writer, (struct moment){ 0, SINCE_BOOT }, lowest ? lowest->node.id : 0,
				  lowest ? lowest->owner : 0))
			return writer->error;
		cpu = subject_of(cpus, lowest ? lowest->node.id : 0);
		other = subject_of(&writer->cores, cpu->owner);
		other->born = false;
		other->first = 0;
	}
	other = subject_of(&writer->processes, BCOS_PROCESS_KERNEL);
	if (other && other->known)
		return 0;
	return log_known_process(writer, (struct moment){ 0, SINCE_BOOT }, BCOS_PROCESS_KERNEL, NULL, 0);
}

int log_group_first(struct log_writer *writer, u64 time)
{
	int r = complete_group(writer);

	writer->begun = true;
	r = r ? r : put_each(writer, &writer->cores, first_core, time);
	r = r ? r : put_each(writer, &writer->cpus, first_cpu, time);
	r = r ? r : put_each(writer, &writer->processes, first_process, time);
	r = r ? r : put_each(writer, &writer->devices, first_device, time);
	return r ? r : put_each(writer, &writer->cpus, first_assignment, time);
}

/* ---- later groups: the state already holds what they say ---------------------------- */

static int again_core(struct log_writer *writer, const struct node *node, u64 time)
{
	const struct bcoslog_core *core = &((const struct core *)node)->public;
	u16 power[2] = { core->idle_power, core->power_difference };

	(void)time;
	return log_put_core(writer, (struct bcos_entry){ .type = BCOS_HIST_CORE_ONLINE, .source = node->id,
							 .time = core->start, .precision = core->precision },
			    power, core->performance, core->performances * sizeof(*core->performance));
}

static int again_cpu(struct log_writer *writer, const struct node *node, u64 time)
{
	const struct bcoslog_cpu *cpu = &((const struct cpu *)node)->public;

	(void)time;
	return log_put_made(writer, (struct bcos_entry){ .type = BCOS_HIST_CPU_ONLINE, .source = node->id,
							 .time = cpu->start, .precision = cpu->precision },
			    &cpu->core, sizeof(cpu->core), NULL, 0);
}

static int again_process(struct log_writer *writer, const struct node *node, u64 time)
{
	const struct bcoslog_process *process = &((const struct process *)node)->public;

	(void)time;
	return log_put_made(writer, (struct bcos_entry){ .type = BCOS_HIST_SET_PROCESS_NAME, .source = node->id,
							 .time = process->start, .precision = process->precision },
			    NULL, 0, process->name, process->name_length);
}

static int again_device(struct log_writer *writer, const struct node *node, u64 time)
{
	const struct bcoslog_device *device = &((const struct device *)node)->public;

	(void)time;
	return log_put_made(writer, (struct bcos_entry){ .type = BCOS_HIST_SET_DEVICE_NAME, .source = node->id,
							 .time = device->start, .precision = device->precision },
			    &device->driver, sizeof(device->driver), device->name, device->name_length);
}

/* Leaves out the assignments: after a reader was overtaken, nobody knows what a CPU runs until its next assignment. */
int log_group_again(struct log_writer *writer)
{
	int r = put_each(writer, &writer->state->cores, again_core, 0);

	r = r ? r : put_each(writer, &writer->state->cpus, again_cpu, 0);
	r = r ? r : put_each(writer, &writer->state->processes, again_process, 0);
	return r ? r : put_each(writer, &writer->state->devices, again_device, 0);
}
