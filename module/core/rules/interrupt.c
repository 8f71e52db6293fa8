// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Applies raw records about interrupts, and finds the devices of interrupt lines
 * (module/DESIGN.md, 2.4).
 */
#include "core/format/entry.h"
#include "core/model/device.h"
#include "core/model/line.h"
#include "core/write/dropped.h"
#include "core/write/emit.h"
#include "rules.h"

/*
 * Removes a line. If the line is the last one of a device that exists only for lines, cancels the
 * device, too.
 */
static void drop_line(struct bcos_log *log, struct bcos_line *line)
{
	if (line->own && !line->device->lines->sibling)
		bcos_device_cancel(log, line->device, 0);
	else
		bcos_model_remove_line(&log->model, line);
}

/*
 * Removes the actions that a new action on the line @number replaces: all actions if the line is
 * not shared, else only the action with the name of the new one.
 */
static void replace_line(struct bcos_log *log, u32 number, bool shared, const char *name,
			 size_t length)
{
	struct bcos_line *line = bcos_model_line_first(&log->model, number), *next;

	for (; line; line = next) {
		next = bcos_model_line_next(line);
		if (!shared || (line->name_length == length && !memcmp(line->name, name, length)))
			drop_line(log, line);
	}
}

/*
 * Returns the device that exists only for lines and already has lines of the bus function that
 * sends the interrupts of @line, or NULL.
 */
static struct bcos_device *device_of_function(const struct bcos_log *log,
					      const struct bcos_line *line)
{
	const struct bcos_line *other = log->model.own_lines;

	while (other && (!line->bus[0] || strcmp(other->bus, line->bus)))
		other = other->next_own;
	return other ? other->device : NULL;
}

/*
 * Returns the length of the part that the names of all lines of a bus function have in common:
 * "virtio2" of "virtio2-config", "nvme0" of "nvme0q0". Without a bus function, returns the whole
 * length.
 */
static size_t name_stem(const struct bcos_line *line)
{
	size_t i;

	for (i = 1; line->bus[0] && i < line->name_length; i++)
		if (line->name[i - 1] >= '0' && line->name[i - 1] <= '9' &&
		    (line->name[i] == '-' || line->name[i] == 'q'))
			return i;
	return line->name_length;
}

/*
 * Finds the device of a line: an announced device, else the device of other lines of the same bus
 * function, else a new one. Returns false if there is no memory.
 */
static bool find_device(struct bcos_log *log, struct bcos_line *line)
{
	struct bcos_device *device = bcos_model_owner(&log->model, line);
	bool own = !device;

	if (!device)
		device = device_of_function(log, line);
	if (device) {
		bcos_model_give_line(&log->model, line, device, own);
		return true;
	}
	device = bcos_model_add_device(&log->model, BCOS_DEVICE_OTHER, 0, line->name,
				       name_stem(line));
	if (!device)
		return false;
	device->start = log->time;
	device->precision = log->time_precision;
	bcos_model_give_line(&log->model, line, device, true);
	bcos_emit_set_device(log, device);
	return true;
}

static struct bcos_line *name_line(struct bcos_log *log, u32 number, u16 tag, bool shared,
				   const char *name, const char *bus)
{
	struct bcos_line *line = bcos_model_line(&log->model, number, tag);
	char clean[BCOS_DEVICE_NAME_MAX];
	size_t length = bcos_utf8_clean(clean, sizeof(clean), name, BCOS_RAW_IRQ_NAME_SIZE);

	/* An action without a name is entered as "?", so the search must use that name. */
	if (!length)
		clean[length++] = '?';
	if (line && line->name_length == length && !memcmp(line->name, clean, length))
		return line;
	if (line)
		drop_line(log, line);
	replace_line(log, number, shared, clean, length);
	line = bcos_model_add_line(&log->model, number, tag, clean, length);
	if (line && bus)
		memcpy(line->bus, bus, strnlen(bus, sizeof(line->bus) - 1));
	if (line && find_device(log, line))
		return line;
	if (line)
		bcos_model_remove_line(&log->model, line);
	bcos_log_starved(log);
	return NULL;
}

void bcos_devices_interrupt(struct bcos_log *log, u32 cpu, const struct bcos_raw *raw)
{
	u32 number = raw->id & ~BCOS_RAW_SHARED;
	char name[BCOS_RAW_IRQ_NAME_SIZE];
	struct bcos_line *line;

	if (raw->kind == BCOS_RAW_IRQ_NAME) {
		line = name_line(log, number, raw->aux, raw->id & BCOS_RAW_SHARED,
				 (const char *)(raw + 1),
				 (const char *)(raw + 1) + BCOS_RAW_IRQ_NAME_SIZE);
	} else {
		line = bcos_model_line(&log->model, number, raw->aux);
		if (!line) {
			/* The line went with an earlier device, and so did its name. */
			host_format(name, sizeof(name), "irq %u", number);
			line = name_line(log, number, raw->aux, true, name, NULL);
		}
	}
	if (!line)
		return;
	log->model.cpus[cpu].interrupted_by = line->device->id;
	if (bcos_device_is_wanted(log, line->device, BCOS_CLASS_IRQ))
		bcos_emit_irq(log, line->device, line->number);
}

void bcos_interrupt_take_lines(struct bcos_log *log, struct bcos_device *device)
{
	struct bcos_line *line = log->model.own_lines, *next;
	struct bcos_device *own;

	for (; line && device->buses; line = next) {
		next = line->next_own;
		if (!bcos_model_is_owner(device, line))
			continue;
		own = line->device;
		bcos_model_give_line(&log->model, line, device, false);
		if (!own->lines)
			bcos_device_cancel(log, own, 0);
	}
}
