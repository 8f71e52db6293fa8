/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Interrupt lines of a trace become devices of a log: one for each line and each name of a handler on it. */
#ifndef CONVERT_INTERRUPTS_H
#define CONVERT_INTERRUPTS_H

#include "core/host/user.h"

struct interrupts;

/* Return: NULL if there is no memory. */
struct interrupts *interrupts_new(void);
void interrupts_free(struct interrupts *interrupts);

/**
 * interrupts_device() - the device of a line and a handler
 * @interrupts: all of them
 * @number: of the line
 * @name: of the handler; NULL: not known
 * @length: of @name
 * @device: out: its ID, from the range of other devices
 * @is_new: out: it was not known before; interrupts_name() is its name
 *
 * Return: 0, -ENOSPC for more than there can be, or -ENOMEM.
 */
int interrupts_device(struct interrupts *interrupts, u32 number, const char *name, size_t length, u32 *device,
		      bool *is_new);

/* "irq 27 virtio0-input.0" */
const char *interrupts_name(const struct interrupts *interrupts);

#endif
