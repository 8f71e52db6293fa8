// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Adds and removes interrupt lines, and finds their devices: see line.h. */
#include "core/format/entry.h"
#include "line.h"

struct bcos_line *bcos_model_add_line(struct bcos_model *model, u32 number, u16 tag,
				      const char *name, size_t length)
{
	struct bcos_line *line = bcos_heap_alloc(&model->heap, sizeof(*line));

	if (!line)
		return NULL;
	line->item.key = number;
	line->tag = tag;
	line->name_length = (u8)(length < sizeof(line->name) ? length : sizeof(line->name) - 1);
	memcpy(line->name, name, line->name_length);
	bcos_index_add(&model->lines, &model->heap, &line->item);
	model->changes++;
	return line;
}

/* Removes a line from its device. The line stays in the model. */
static void take_line(struct bcos_line *line)
{
	struct bcos_line **at;

	if (!line->device)
		return;
	for (at = &line->device->lines; *at != line; at = &(*at)->sibling)
		;
	*at = line->sibling;
	line->device = NULL;
	if (!line->own)
		return;
	line->own = false;
	*line->own_at = line->next_own;
	if (line->next_own)
		line->next_own->own_at = line->own_at;
}

void bcos_model_remove_line(struct bcos_model *model, struct bcos_line *line)
{
	take_line(line);
	bcos_index_remove(&model->lines, &line->item);
	model->changes++;
	bcos_heap_free(&model->heap, line, sizeof(*line));
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/*
 * Does @name belong to @thing or to a part of it? "virtio1-req.0" belongs to virtio1 and "nvme0q1"
 * to nvme0, but "virtio10-req.0" does not belong to virtio1. A thing without a number matches only
 * its own name, since other names may begin with the same letters by chance.
 */
static bool is_of(const char *name, const char *thing, size_t length)
{
	if (!length || memcmp(name, thing, strnlen(name, length)) || strnlen(name, length) < length)
		return false;
	return !name[length] || (is_digit(thing[length - 1]) && !is_digit(name[length]));
}

bool bcos_model_is_owner(const struct bcos_device *device, const struct bcos_line *line)
{
	const char *bus = device->buses, *end = bus + device->bus_bytes;
	size_t length;

	if (!bus)
		return false;
	if (is_of(line->name, device->name, device->name_length))
		return true;
	for (; bus < end && *bus; bus += length + 1) {
		length = strnlen(bus, (size_t)(end - bus));
		if (is_of(line->name, bus, length))
			return true;
		if (line->bus[0] && length < sizeof(line->bus) && !memcmp(line->bus, bus, length) &&
		    !line->bus[length])
			return true;
	}
	return false;
}

struct bcos_device *bcos_model_owner(const struct bcos_model *model, const struct bcos_line *line)
{
	struct bcos_device *device = model->hung;

	while (device && !bcos_model_is_owner(device, line))
		device = device->hung;
	return device;
}

void bcos_model_give_line(struct bcos_model *model, struct bcos_line *line,
			  struct bcos_device *device, bool own)
{
	struct bcos_line **at = &device->lines;
	u32 number = 0;

	take_line(line);
	for (; *at && (*at)->number == number; at = &(*at)->sibling)
		number++;
	line->sibling = *at;
	*at = line;
	line->device = device;
	line->number = number;
	line->own = own;
	model->changes++;
	if (!own)
		return;
	line->next_own = model->own_lines;
	line->own_at = &model->own_lines;
	if (line->next_own)
		line->next_own->own_at = &line->next_own;
	model->own_lines = line;
}
