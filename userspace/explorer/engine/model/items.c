// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The items of processes, devices and CPUs. Each owner of an ID has an item of its own. */
#include <stdlib.h>

#include "model.h"
#include "account/report.h"

#define TEXT_PART (64u << 10)

/* The greatest number of former names of a process or device, by which the page finds it, too. */
#define NAMES_MOST 16u

const char *keep_text(const char *text, size_t length)
{
	static char *part;
	static size_t left;
	char *kept;

	if (length > TEXT_PART / 4) {
		kept = malloc(length);
		if (kept)
			memcpy(kept, text, length);
		return kept;
	}
	if (length > left) {
		part = malloc(TEXT_PART);
		left = part ? TEXT_PART : 0;
		if (!part)
			return NULL;
	}
	kept = part;
	memcpy(kept, text, length);
	part += length;
	left -= length;
	return kept;
}

/* Keep a name as the newest former name, unless it is kept already. */
static void keep_former(u32 *former, const char *name, u32 length)
{
	struct former_name *kept;
	u32 i = *former, count = 0;

	for (; i; i = kept->before, count++) {
		kept = list_at(&model.names, i - 1);
		if (kept->length == length && !memcmp(kept->name, name, length))
			return;
	}
	kept = count < NAMES_MOST ? list_add(&model.names) : NULL;
	if (!kept)
		return;
	*kept = (struct former_name){ name, length, *former };
	*former = model.names.count;
}

/* Set the newest name, and keep the name before it as a former name. An unchanged name is not copied again. */
static void set_name(const char **name, u32 *length, u32 *former, const char *now, size_t size)
{
	if (*name && *length == size && !memcmp(*name, now, size))
		return;
	if (*name && *length)
		keep_former(former, *name, *length);
	*name = keep_text(now, size);
	*length = *name ? (u32)size : 0;
}

void item_renamed(bool device, u32 item, const char *name, size_t length)
{
	if (item >= WHO_NONE)
		return;
	if (device)
		set_name(&device_at(item)->name, &device_at(item)->length, &device_at(item)->former, name, length);
	else
		set_name(&process_at(item)->name, &process_at(item)->length, &process_at(item)->former, name, length);
}

static void learn_process(struct process_item *item, const struct bcoslog_account_process *process)
{
	item->id = process->id;
	item->start = process->start;
	item->precision = process->precision;
	item->born = process->born;
	item->ended = process->ended;
	item->vanished = process->vanished;
	item->at_least = process->at_least;
	item->status = process->status;
	item->end = process->end;
	item->time = process->time;
	item->turns = process->turns;
	item->events = process->events;
	item->calls = process->calls;
	item->work = process->work;
	set_name(&item->name, &item->length, &item->former, process->name, process->name_length);
}

u32 item_of_process(const struct bcoslog_account_process *process)
{
	struct process_item *item;

	if (!process)
		return WHO_NONE;
	if (process->user)
		return (u32)(uintptr_t)process->user - 1;
	item = list_add(&model.processes);
	if (!item)
		return WHO_NONE;
	learn_process(item, process);
	bcoslog_account_set_user(process, (void *)(uintptr_t)model.processes.count);
	return model.processes.count - 1;
}

void process_ended(void *context, const struct bcoslog_account_process *process)
{
	u32 number = item_of_process(process);

	(void)context;
	if (number < WHO_NONE)
		learn_process(process_at(number), process);
}

static void learn_device(struct device_item *item, const struct bcoslog_account_device *device)
{
	const struct bcoslog_account_process *driver = NULL;

	item->told = *device;
	item->gone = device->ended || device->vanished;
	bcoslog_account_latency(device, &item->latency);
	set_name(&item->name, &item->length, &item->former, device->name, device->name_length);
	/* If the process with the driver's ID has ended, the item keeps the driver that it has. */
	if (device->driver != BCOS_PROCESS_KERNEL)
		driver = bcoslog_account_process(model.account, device->driver);
	else
		item->driver = WHO_NONE;
	if (driver)
		item->driver = item_of_process(driver);
}

u32 item_of_device(const struct bcoslog_account_device *device)
{
	struct device_item *item;

	if (!device)
		return WHO_NONE;
	if (device->user)
		return (u32)(uintptr_t)device->user - 1;
	item = list_add(&model.devices);
	if (!item)
		return WHO_NONE;
	item->driver = WHO_NONE;
	learn_device(item, device);
	bcoslog_account_set_device_user(device, (void *)(uintptr_t)model.devices.count);
	return model.devices.count - 1;
}

void device_ended(void *context, const struct bcoslog_account_device *device)
{
	u32 number = item_of_device(device);

	(void)context;
	if (number < WHO_NONE)
		learn_device(device_at(number), device);
}

struct cpu_item *item_of_cpu(u32 id, u32 core)
{
	struct cpu_item *item;
	u32 i;

	if (model.last_cpu && model.last_cpu->id == id)
		return model.last_cpu;
	for (i = 0; i < model.cpus.count; i++) {
		item = cpu_at(i);
		if (item->id == id)
			return model.last_cpu = item;
	}
	item = list_add(&model.cpus);
	if (!item)
		return NULL;
	item->id = id;
	item->core = core;
	item->stretches.size = sizeof(struct stretch);
	return model.last_cpu = item;
}

void items_settled(void)
{
	const struct bcoslog_account_process *process = NULL;
	const struct bcoslog_account_device *device = NULL;

	while ((process = bcoslog_account_next_process(model.account, process)))
		process_ended(NULL, process);
	while ((device = bcoslog_account_next_device(model.account, device)))
		device_ended(NULL, device);
}
