// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes control/processes and control/interrupts. */
#include <stdlib.h>

#include "write.h"

/* Interrupt numbers of a device from here on share the last bit of ltt_device.seen. */
#define NUMBERS 64

int ltt_control_process(struct ltt_writer *writer, u64 time, u32 pid, const char *name, size_t length,
			enum ltt_state state)
{
	/* The parent, the tracer, four users and four groups, which a log does not tell. */
	static const u8 nothing[10 * 4];
	struct ltt_blocks *blocks = &writer->processes;
	u8 *at = ltt_event(blocks, LTT_PROCESS, time, length + 1 + 4 + sizeof(nothing) + 4);

	if (!at)
		return ltt_fail(writer, blocks->error, blocks->path);
	at = ltt_put_text(at, name, length);
	at = ltt_put32(at, pid);
	memcpy(at, nothing, sizeof(nothing));
	ltt_put32(at + sizeof(nothing), state);
	return 0;
}

/* Writes interrupt @number of a device to control/interrupts. */
static int put_interrupt(struct ltt_writer *writer, u64 time, const struct ltt_device *device, u32 number,
			 const char *name, size_t length)
{
	struct ltt_blocks *blocks = &writer->interrupts;
	u8 *at = ltt_event(blocks, LTT_INTERRUPT, time, 4 + 4 + 1 + length + 1);

	if (!at)
		return ltt_fail(writer, blocks->error, blocks->path);
	at = ltt_put32(at, device->ordinal * NUMBERS + number);
	at = ltt_put32(at, 0);
	at = ltt_put_text(at, "", 0);
	ltt_put_text(at, name, length);
	return 0;
}

static struct ltt_device *add_device(struct ltt_writer *writer, u32 id)
{
	struct ltt_device *device = calloc(1, sizeof(*device));

	if (!device)
		return NULL;
	device->node.id = id;
	device->ordinal = writer->ordinals++;
	if (table_add(&writer->devices, &device->node)) {
		free(device);
		return NULL;
	}
	return device;
}

int ltt_control_irq(struct ltt_writer *writer, u64 time, u32 id, u32 number)
{
	struct ltt_device *device = table_find(&writer->devices, id);
	const struct bcoslog_device *named;
	u32 bit = number < NUMBERS ? number : NUMBERS - 1;

	if (likely(device && device->seen >> bit & 1))
		return 0;
	/* The interrupts of a device without a name are left out. */
	named = bcoslog_device(writer->state, id);
	if (!named)
		return 0;
	if (!device)
		device = add_device(writer, id);
	if (!device)
		return ltt_fail(writer, -ENOMEM, "devices");
	device->seen |= 1ull << bit;
	return put_interrupt(writer, time, device, bit, named->name, named->name_length);
}

int ltt_control_device(struct ltt_writer *writer, u64 time, u32 id, const char *name, size_t length)
{
	struct ltt_device *device = table_find(&writer->devices, id);
	int r = 0;
	u32 bit;

	if (!device)
		return 0;
	for (bit = 0; !r && bit < NUMBERS; bit++)
		if (device->seen >> bit & 1)
			r = put_interrupt(writer, time, device, bit, name ? name : "", name ? length : 0);
	if (!name) {
		table_remove(&writer->devices, &device->node);
		free(device);
	}
	return r;
}
