// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Adds, names and removes devices in the model: see device.h. */
#include "core/format/entry.h"
#include "device.h"
#include "space.h"
#include "line.h"

#define FIRST_SLOTS 16
#define MOST_SLOTS 0x3FFFFFFFu	/* the last ID of the last range is BCOS_NO_DEVICE */

static u64 name_bytes(const struct bcos_device *device)
{
	return bcos_entry_size(sizeof(struct bcos_device_name), device->name_length);
}

static void set_name(struct bcos_device *device, const char *name, size_t length)
{
	device->name_length = (u8)bcos_name_clean(device->name, sizeof(device->name), name, length);
}

bool bcos_model_device_has_name(const struct bcos_device *device, const char *name, size_t length)
{
	char clean[BCOS_DEVICE_NAME_MAX];

	return bcos_name_clean(clean, sizeof(clean), name, length) == device->name_length &&
	       !memcmp(clean, device->name, device->name_length);
}

struct bcos_device *bcos_model_next_device(const struct bcos_model *model,
					   const struct bcos_device *device)
{
	u32 number = device ? (device->id & MOST_SLOTS) + 1 : 0;
	u32 range = device ? device->id >> 30 : 0;

	for (; range < BCOS_DEVICE_RANGES; range++, number = 0)
		for (; number < model->ids[range].used; number++)
			if (model->ids[range].slot[number].device)
				return model->ids[range].slot[number].device;
	return NULL;
}

/* ---- IDs ------------------------------------------------------------------------- */

/* Makes sure that a slot is free. Returns false if there is no memory or no ID left. */
static bool have_slot(struct bcos_model *model, struct bcos_device_ids *ids)
{
	u32 size = ids->size ? 2 * ids->size : FIRST_SLOTS;
	struct bcos_device_slot *slot;

	if (ids->free || ids->used < ids->size)
		return true;
	if (ids->used >= MOST_SLOTS)
		return false;
	slot = bcos_heap_alloc(&model->heap, size * sizeof(*slot));
	if (!slot)
		return false;
	if (ids->used)
		memcpy(slot, ids->slot, ids->used * sizeof(*slot));
	bcos_heap_free(&model->heap, ids->slot, ids->size * sizeof(*slot));
	ids->slot = slot;
	ids->size = size;
	return true;
}

/* Takes a free slot, which must exist, and returns its number. */
static u32 take_slot(struct bcos_device_ids *ids, struct bcos_device *device)
{
	u32 number = ids->free ? ids->free - 1 : ids->used++;

	if (ids->free)
		ids->free = ids->slot[number].free;
	ids->slot[number].device = device;
	return number;
}

static void give_slot_back(struct bcos_device_ids *ids, u32 number)
{
	ids->slot[number].device = NULL;
	ids->slot[number].free = ids->free;
	ids->free = number + 1;
}

/* ---- devices --------------------------------------------------------------------- */

struct bcos_device *bcos_model_add_device(struct bcos_model *model, u32 range, u64 key,
					  const char *name, size_t length)
{
	struct bcos_device_ids *ids = &model->ids[range >> 30];
	struct bcos_device *device;

	if (!have_slot(model, ids))
		return NULL;
	device = bcos_heap_alloc(&model->heap, sizeof(*device));
	if (!device)
		return NULL;
	device->id = (range & ~MOST_SLOTS) | take_slot(ids, device);
	device->item.key = key;
	set_name(device, name, length);
	if (key)
		bcos_index_add(&model->keys, &model->heap, &device->item);
	model->device_count++;
	model->changes++;
	model->device_bytes += name_bytes(device);
	return device;
}

void bcos_model_rename_device(struct bcos_model *model, struct bcos_device *device,
			      const char *name, size_t length)
{
	model->device_bytes -= name_bytes(device);
	set_name(device, name, length);
	model->device_bytes += name_bytes(device);
}

bool bcos_model_hang(struct bcos_model *model, struct bcos_device *device, const char *buses,
		     size_t bytes)
{
	struct bcos_device **at = &model->hung;

	if (!bytes || !*buses)
		return true;
	device->buses = bcos_heap_alloc(&model->heap, bytes + 2);
	if (!device->buses)
		return false;
	device->bus_bytes = (u16)(bytes + 2);
	memcpy(device->buses, buses, bytes);
	while (*at && (*at)->id < device->id)
		at = &(*at)->hung;
	device->hung = *at;
	*at = device;
	return true;
}

static void unhang_device(struct bcos_model *model, struct bcos_device *device)
{
	struct bcos_device **at = &model->hung;

	if (!device->buses)
		return;
	while (*at != device)
		at = &(*at)->hung;
	*at = device->hung;
	bcos_heap_free(&model->heap, device->buses, device->bus_bytes);
}

void bcos_model_set_driver(struct bcos_model *model, struct bcos_device *device, u32 driver)
{
	struct bcos_process *process;

	model->driven_count += (driver != BCOS_PROCESS_KERNEL) -
			       (device->driver != BCOS_PROCESS_KERNEL);
	device->driver = driver;
	if (device->driven_at) {
		*device->driven_at = device->driven;
		if (device->driven)
			device->driven->driven_at = device->driven_at;
		device->driven_at = NULL;
	}
	process = driver == BCOS_PROCESS_KERNEL ? NULL : bcos_model_process(model, driver);
	if (!process)
		return;
	device->driven = process->devices;
	device->driven_at = &process->devices;
	if (device->driven)
		device->driven->driven_at = &device->driven;
	process->devices = device;
}

void bcos_model_set_requests(struct bcos_model *model, struct bcos_device *device, u32 classes)
{
	model->requests[0] += !!(classes & BCOS_CLASS_IO) - !!(device->requests & BCOS_CLASS_IO);
	model->requests[1] += !!(classes & BCOS_CLASS_IRQ) - !!(device->requests & BCOS_CLASS_IRQ);
	device->requests = classes;
	model->changes++;
}

void bcos_model_remove_device(struct bcos_model *model, struct bcos_device *device)
{
	while (device->lines)
		bcos_model_remove_line(model, device->lines);
	bcos_model_set_driver(model, device, BCOS_PROCESS_KERNEL);
	bcos_model_set_requests(model, device, 0);
	unhang_device(model, device);
	if (device->item.key)
		bcos_index_remove(&model->keys, &device->item);
	give_slot_back(&model->ids[device->id >> 30], device->id & MOST_SLOTS);
	model->device_count--;
	model->changes++;
	bcos_model_leave_space(model, device);
	model->device_bytes -= name_bytes(device);
	bcos_heap_free(&model->heap, device, sizeof(*device));
}
