// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The model: interrupt lines, and whose they are. */
#include "entry.h"
#include "model.h"

static struct bcos_line **bucket_of(struct bcos_model *model, u32 line)
{
	return &model->lines[line % BCOS_LINE_BUCKETS];
}

struct bcos_line *bcos_model_add_line(struct bcos_model *model, u32 number, u16 tag, const char *name, size_t length)
{
	struct bcos_line *line = bcos_model_alloc(model, sizeof(*line));
	struct bcos_line **bucket = bucket_of(model, number);

	if (!line)
		return NULL;
	line->line = number;
	line->tag = tag;
	line->name_length = (u8)(length < sizeof(line->name) ? length : sizeof(line->name) - 1);
	memcpy(line->name, name, line->name_length);
	line->same_hash = *bucket;
	*bucket = line;
	return line;
}

void bcos_model_remove_line(struct bcos_model *model, struct bcos_line *line)
{
	struct bcos_line **at = bucket_of(model, line->line);

	while (*at != line)
		at = &(*at)->same_hash;
	*at = line->same_hash;
	bcos_model_free(model, line, sizeof(*line));
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/*
 * Is @name that of @thing, or of a part of it?  "virtio1-req.0" and "nvme0q1" are of virtio1 and nvme0, but
 * "virtio10-req.0" is not of virtio1; and what has no number is too common to be the beginning of another name.
 */
static bool is_of(const char *name, const char *thing, size_t length)
{
	if (!length || memcmp(name, thing, strnlen(name, length)) || strnlen(name, length) < length)
		return false;
	return !name[length] || (is_digit(thing[length - 1]) && !is_digit(name[length]));
}

static bool is_owner(const struct bcos_device *device, const struct bcos_line *line)
{
	const char *bus = device->buses, *end = bus + sizeof(device->buses);
	size_t length;

	if (is_of(line->name, device->name, device->name_length))
		return true;
	for (; bus < end && *bus; bus += length + 1) {
		length = strnlen(bus, (size_t)(end - bus));
		if (is_of(line->name, bus, length))
			return true;
		if (line->bus[0] && length < sizeof(line->bus) && !memcmp(line->bus, bus, length) && !line->bus[length])
			return true;
	}
	return false;
}

struct bcos_device *bcos_model_owner(const struct bcos_model *model, const struct bcos_line *line)
{
	struct bcos_device *device = model->devices;

	while (device && !(device->key && is_owner(device, line)))
		device = device->next;
	return device;
}

static bool has_number(const struct bcos_model *model, const struct bcos_device *device, u32 number)
{
	const struct bcos_line *line;
	u32 bucket;

	for (bucket = 0; bucket < BCOS_LINE_BUCKETS; bucket++)
		for (line = model->lines[bucket]; line; line = line->same_hash)
			if (line->device == device && line->number == number)
				return true;
	return false;
}

void bcos_model_give_line(struct bcos_model *model, struct bcos_line *line, struct bcos_device *device)
{
	u32 number = 0;

	line->device = NULL;
	while (has_number(model, device, number))
		number++;
	line->device = device;
	line->number = number;
}
