/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Interrupt lines of a trace become devices of a log: a device for each line and handler's name on it. */
#ifndef CONVERT_INTERRUPTS_H
#define CONVERT_INTERRUPTS_H

#include "core/host/user.h"

struct interrupts;

/* Return: NULL if there is no memory. */
struct interrupts *interrupts_new(void);
void interrupts_free(struct interrupts *interrupts);

/**
 * interrupts_device() - get the device of a line and a handler
 * @interrupts: all known lines
 * @number: the number of the line
 * @name: the name of the handler; NULL: not known
 * @length: bytes of @name
 * @device: out: the device's ID, from the range of other devices
 * @is_new: out: this is the first call for this device; interrupts_name() returns its name
 *
 * Return: 0, -ENOSPC if there are more lines than the table can hold, or -ENOMEM.
 */
int interrupts_device(struct interrupts *interrupts, u32 number, const char *name, size_t length, u32 *device,
		      bool *is_new);

/* Returns the name of the device that interrupts_device() made last, such as "irq 27 virtio0-input.0". */
const char *interrupts_name(const struct interrupts *interrupts);

#endif
