/* SPDX-License-Identifier: GPL-2.0-only */
/* What is stated in the log, or changed about what is recorded, between two passes of the log writer. */
#ifndef BCOS_STATEMENTS_H
#define BCOS_STATEMENTS_H

#include <linux/types.h>

/**
 * bcos_state_mask() - states that the mask changed, of the lowest CPU that is online (5.11)
 * @mask: classes that are recorded from here on
 * @text: UTF-8
 * @length: bytes, at most 1024
 *
 * Stands after everything that happened before the call.
 * Context: may sleep, uninterruptible; not under the writer's lock.
 */
void bcos_state_mask(u32 mask, const char *text, size_t length);

/* What the mask is before the log begins.  May sleep. */
void bcos_start_mask(u32 mask);

/* bcos_log_request(), and bcos_log_requested().  May sleep. */
int bcos_request_device(u32 device, u32 classes, bool on);
u32 bcos_requested_of_devices(void);

/**
 * bcos_state_event() - an event of a core, CPU or device (5.7, 5.11, 5.16)
 * @type: BCOS_GENERIC_*
 * @source: its subject
 * @id: event ID
 * @severity: 0-255
 * @text: UTF-8
 * @length: bytes, at most 1024
 *
 * Stands after everything that happened before the call.
 * Context: may sleep; not under the writer's lock.
 * Return: 0; -ENODEV: the log knows none of this source; -ERESTARTSYS on a signal.
 */
int bcos_state_event(u16 type, u32 source, u32 id, u8 severity, const char *text, size_t length);

#endif
