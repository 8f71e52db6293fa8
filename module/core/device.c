// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The model: devices. */
#include "entry.h"
#include "model.h"

static u64 name_bytes(const struct bcos_device *device)
{
	return bcos_entry_size(sizeof(struct bcos_device_name), device->name_length);
}

static struct bcos_device **line_bucket(struct bcos_model *model, u32 line)
{
	return &model->lines[line % BCOS_LINE_BUCKETS];
}

struct bcos_device *bcos_model_device(const struct bcos_model *model, u32 id)
{
	struct bcos_device *device = model->devices;

	while (device && device->id < id)
		device = device->next;
	return device && device->id == id ? device : NULL;
}

struct bcos_device *bcos_model_add_device(struct bcos_model *model, u32 range, u32 line, u16 tag,
					  const char *name, size_t length)
{
	struct bcos_device *device, **at = &model->devices, **bucket = line_bucket(model, line);
	u32 id = range;

	/* Ordered by ID: the lowest free one is where the sequence first breaks. */
	while (*at && (*at)->id < range)
		at = &(*at)->next;
	while (*at && (*at)->id == id) {
		if (++id >> 30 != range >> 30)
			return NULL;
		at = &(*at)->next;
	}
	device = bcos_model_alloc(model, sizeof(*device));
	if (!device)
		return NULL;
	device->id = id;
	device->line = line;
	device->tag = tag;
	device->name_length = (u8)bcos_utf8_clean(device->name, sizeof(device->name), name, length);
	if (!device->name_length) {
		device->name[0] = '?';
		device->name_length = 1;
	}
	device->next = *at;
	*at = device;
	if (line != BCOS_NO_LINE) {
		device->same_hash = *bucket;
		*bucket = device;
	}
	model->device_count++;
	model->device_bytes += name_bytes(device);
	return device;
}

void bcos_model_remove_device(struct bcos_model *model, struct bcos_device *device)
{
	struct bcos_device **at = &model->devices;

	while (*at != device)
		at = &(*at)->next;
	*at = device->next;
	if (device->line != BCOS_NO_LINE) {
		at = line_bucket(model, device->line);
		while (*at != device)
			at = &(*at)->same_hash;
		*at = device->same_hash;
	}
	model->device_count--;
	model->device_bytes -= name_bytes(device);
	bcos_model_free(model, device, sizeof(*device));
}
