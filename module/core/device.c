// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The model: devices. */
#include "entry.h"
#include "model.h"

static u64 name_bytes(const struct bcos_device *device)
{
	return bcos_entry_size(sizeof(struct bcos_device_name), device->name_length);
}

static struct bcos_device **key_bucket(struct bcos_model *model, u32 key)
{
	return &model->keys[key % BCOS_DEVICE_BUCKETS];
}

struct bcos_device *bcos_model_device(const struct bcos_model *model, u32 id)
{
	struct bcos_device *device = model->devices;

	while (device && device->id < id)
		device = device->next;
	return device && device->id == id ? device : NULL;
}

struct bcos_device *bcos_model_device_of(const struct bcos_model *model, u32 key)
{
	struct bcos_device *device = model->keys[key % BCOS_DEVICE_BUCKETS];

	while (device && device->key != key)
		device = device->same_hash;
	return device;
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

struct bcos_device *bcos_model_add_device(struct bcos_model *model, u32 range, u32 key, const char *name,
					  size_t length)
{
	struct bcos_device *device, **at = &model->devices;
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
	device->key = key;
	set_name(device, name, length);
	device->next = *at;
	*at = device;
	if (key) {
		device->same_hash = *key_bucket(model, key);
		*key_bucket(model, key) = device;
	}
	model->device_count++;
	model->device_bytes += name_bytes(device);
	return device;
}

void bcos_model_rename_device(struct bcos_model *model, struct bcos_device *device, const char *name, size_t length)
{
	model->device_bytes -= name_bytes(device);
	set_name(device, name, length);
	model->device_bytes += name_bytes(device);
}

static void remove_lines(struct bcos_model *model, const struct bcos_device *device)
{
	struct bcos_line *line, *next;
	u32 bucket;

	for (bucket = 0; bucket < BCOS_LINE_BUCKETS; bucket++) {
		for (line = model->lines[bucket]; line; line = next) {
			next = line->same_hash;
			if (line->device == device)
				bcos_model_remove_line(model, line);
		}
	}
}

void bcos_model_set_driver(struct bcos_model *model, struct bcos_device *device, u32 driver)
{
	model->driven_count += (driver != BCOS_PROCESS_KERNEL) - (device->driver != BCOS_PROCESS_KERNEL);
	device->driver = driver;
}

void bcos_model_remove_device(struct bcos_model *model, struct bcos_device *device)
{
	struct bcos_device **at = &model->devices;

	bcos_model_set_driver(model, device, BCOS_PROCESS_KERNEL);
	remove_lines(model, device);
	while (*at != device)
		at = &(*at)->next;
	*at = device->next;
	if (device->key) {
		at = key_bucket(model, device->key);
		while (*at != device)
			at = &(*at)->same_hash;
		*at = device->same_hash;
	}
	model->device_count--;
	model->device_bytes -= name_bytes(device);
	bcos_model_free(model, device, sizeof(*device));
}
