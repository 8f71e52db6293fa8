/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The log writer carries out these commands of callers between two passes: entries to write, and
 * requests to change.
 */
#ifndef BCOS_COMMAND_H
#define BCOS_COMMAND_H

#include <linux/types.h>

/**
 * bcos_write_mask() - write a change of the mask, with the lowest online CPU as source (5.11)
 * @mask: classes that are recorded from here on
 * @text: UTF-8
 * @length: bytes, at most 1024
 *
 * The entry stands after everything that happened before the call.
 *
 * Context: may sleep, uninterruptible; not the log writer.
 */
void bcos_write_mask(u32 mask, const char *text, size_t length);

/* Sets the mask before the log begins. May sleep. */
void bcos_start_mask(u32 mask);

/* These do bcos_log_request() and bcos_log_requested() in the log writer. May sleep. */
int bcos_request_device(u32 device, u32 classes, bool on);
u32 bcos_requested_of_devices(void);

/**
 * bcos_write_event() - write an event of a core, CPU or device (5.7, 5.11, 5.16)
 * @type: BCOS_GENERIC_*
 * @source: ID of the core, CPU or device
 * @id: event ID
 * @severity: 0-255
 * @text: UTF-8
 * @length: bytes, at most 1024
 *
 * The entry stands after everything that happened before the call.
 *
 * Context: may sleep; not the log writer.
 * Return: 0; -ENODEV: the log has no such source; -ERESTARTSYS on a signal.
 */
int bcos_write_event(u16 type, u32 source, u32 id, u8 severity, const char *text, size_t length);

#endif
