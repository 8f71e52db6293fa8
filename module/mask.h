/* SPDX-License-Identifier: GPL-2.0-only */
/* The class mask: what is recorded (section 4 of the design, "Classes"). */
#ifndef BCOS_MASK_H
#define BCOS_MASK_H

#include <linux/types.h>

#include "uapi/bcos_evlog.h"

/* Classes that this module records; others may be asked for. */
#define BCOS_CLASS_SUPPORTED BCOS_CLASS_ALL

/**
 * bcos_mask_parse() - a mask as people write it
 * @text: numbers and names of classes, separated by commas; may end with a newline
 * @mask: out
 *
 * Any context.
 * Return: 0 or -EINVAL.
 */
int bcos_mask_parse(const char *text, u32 *mask);

/**
 * bcos_mask_format() - a mask as bcos_mask_parse() takes it
 * @text: buffer
 * @size: of it, in bytes
 * @mask: classes
 *
 * Any context.
 * Return: bytes written, without the zero.
 */
int bcos_mask_format(char *text, size_t size, u32 mask);

/* Is the mask no more than a parameter yet? */
bool bcos_mask_is_parameter(void);

/* What is asked for, and what of it is recorded.  Any context. */
void bcos_mask_query(u32 *mask, u32 *active);

/**
 * bcos_mask_change() - clear, then set classes
 * @clear: classes to turn off
 * @set: classes to turn on; both in BCOS_CLASS_ALL
 * @mask: out, may be NULL: what is asked for now
 * @active: out, may be NULL: what of it is recorded
 *
 * Before the load it only notes what to begin with.  On a running log the
 * change is an entry, exactly between what came before and after.
 *
 * Context: may sleep; not under the writer's lock nor the hotplug lock.
 * Return: 0; -EINTR; -EBUSY while the module is loaded or unloaded; an error
 * of the tracepoints, and then the classes that could not be turned on are off.
 */
int bcos_mask_change(u32 clear, u32 set, u32 *mask, u32 *active);

/**
 * bcos_mask_request() - record classes of one process or device whatever the mask says, or no more
 * @classes: BCOS_CLASS_API, of a process; else in BCOS_LOG_REQUESTS, of a device
 * @source: its ID
 * @on: record
 *
 * Context: may sleep.
 * Return: 0; -EINTR; -EBUSY while the module is loaded or unloaded; as bcos_calls_request() and bcos_log_request(); an
 * error of the tracepoints.
 */
int bcos_mask_request(u32 classes, u32 source, bool on);

/* Bring-up: hooks the tracepoints of the classes asked for; and then lets the mask change. */
int bcos_mask_up(void);
void bcos_mask_down(void);
int bcos_mask_live_up(void);
void bcos_mask_live_down(void);

#endif
