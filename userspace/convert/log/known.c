// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The table of subjects: those that were there when the log began, and the names of all; and the way out. */
#include <stdlib.h>

#include "store.h"

int log_write(struct log_writer *writer, const struct bcos_entry *entry)
{
	int r = guard_write(writer->options.guard, entry->size);

	return r ? r : writer->options.put(writer->options.context, entry);
}

struct subject *log_subject(struct log_writer *writer, struct table *table, u32 id)
{
	struct subject *subject = table_find(table, id);

	if (subject)
		return subject;
	writer->memory += sizeof(*subject);
	subject = writer->error || writer->memory > NAMES_MAX ? NULL : calloc(1, sizeof(*subject));
	if (!subject) {
		log_fail(writer, -ENOMEM);
		return NULL;
	}
	subject->node.id = id;
	subject->first = ~0ull;
	if (!table_add(table, &subject->node))
		return subject;
	free(subject);
	log_fail(writer, -ENOMEM);
	return NULL;
}

struct subject *log_used(struct log_writer *writer, struct table *table, u32 id, u64 time, bool born)
{
	struct subject *found = log_subject(writer, table, id);

	if (found && time < found->first) {
		found->first = time;
		found->born = born;
	}
	return found;
}

static int set_name(struct log_writer *writer, struct subject *subject, const void *name, size_t length)
{
	char *copy;

	if (!name)
		return 0;
	if (length > BCOS_ENTRY_MAX)
		length = BCOS_ENTRY_MAX;
	if (subject->length == length && subject->name && !memcmp(subject->name, name, length))
		return 0;
	writer->memory += length - subject->length;
	copy = writer->memory > NAMES_MAX ? NULL : malloc(length + 1);
	if (!copy)
		return log_fail(writer, -ENOMEM);
	if (length)
		memcpy(copy, name, length);
	free(subject->name);
	subject->name = copy;
	subject->length = length;
	return 0;
}

static struct subject *find_known(struct log_writer *writer, struct table *table, u32 id, struct moment start)
{
	struct subject *found = log_subject(writer, table, id);

	if (found) {
		found->known = true;
		found->start = start;
	}
	return found;
}

int log_name_process(struct log_writer *writer, u32 id, const char *name, size_t length)
{
	struct subject *process;

	if (id == BCOS_PROCESS_IDLE)
		return log_drop(writer);
	process = log_subject(writer, &writer->processes, id);
	return process ? set_name(writer, process, name, length) : writer->error;
}

u32 log_unknown_process(struct log_writer *writer)
{
	static const char name[] = "unknown";

	log_name_process(writer, PROCESS_UNKNOWN, name, sizeof(name) - 1);
	return PROCESS_UNKNOWN;
}

int log_known_process(struct log_writer *writer, struct moment start, u32 id, const char *name, size_t length)
{
	if (id != BCOS_PROCESS_IDLE && !find_known(writer, &writer->processes, id, start))
		return writer->error;
	writer->facts += id != BCOS_PROCESS_KERNEL;
	return log_name_process(writer, id, name, length);
}

int log_known_core(struct log_writer *writer, struct moment start, u32 id, u16 idle_power, u16 power_difference,
		   const u32 *performance, size_t performances)
{
	struct subject *core = find_known(writer, &writer->cores, id, start);

	if (!core)
		return writer->error;
	core->power[0] = idle_power;
	core->power[1] = power_difference;
	if (performances > PERFORMANCES_MAX)
		performances = PERFORMANCES_MAX;
	return set_name(writer, core, performance, performances * sizeof(*performance));
}

int log_set_core(struct log_writer *writer, struct subject *cpu, u32 id, u64 time)
{
	struct subject *core;

	/* A CPU whose core was never told is alone on a core of the same number. */
	if (cpu->cpus && cpu->owner == id)
		return writer->error;
	core = log_used(writer, &writer->cores, id, time, false);
	if (core && core->cpus == PERFORMANCES_MAX)
		return log_fail(writer, -E2BIG);
	if (core)
		core->cpus++;
	cpu->owner = id;
	cpu->cpus = 1;
	return writer->error;
}

int log_known_cpu(struct log_writer *writer, struct moment start, u32 id, u32 core)
{
	struct subject *cpu = find_known(writer, &writer->cpus, id, start);

	return cpu ? log_set_core(writer, cpu, core, 0) : writer->error;
}

int log_name_device(struct log_writer *writer, u32 id, u32 driver, const char *name, size_t length)
{
	struct subject *device = log_subject(writer, &writer->devices, id);

	if (!device)
		return writer->error;
	device->owner = driver == BCOS_PROCESS_IDLE ? BCOS_PROCESS_KERNEL : driver;
	return set_name(writer, device, name, length);
}

int log_known_device(struct log_writer *writer, struct moment start, u32 id, u32 driver, const char *name,
		     size_t length)
{
	if (!find_known(writer, &writer->devices, id, start))
		return writer->error;
	writer->facts++;
	return log_name_device(writer, id, driver, name, length);
}

int log_known_assign(struct log_writer *writer, struct moment start, u32 id, u32 process)
{
	struct subject *cpu = log_subject(writer, &writer->cpus, id);

	if (!cpu || (process != BCOS_PROCESS_IDLE && !log_subject(writer, &writer->processes, process)))
		return writer->error;
	cpu->known = true;
	cpu->assigned = true;
	cpu->process = process;
	cpu->since = start;
	return 0;
}
