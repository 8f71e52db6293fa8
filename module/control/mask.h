/* SPDX-License-Identifier: GPL-2.0-only */
/* The class mask says which events are recorded (module/DESIGN.md, 2.7). */
#ifndef BCOS_MASK_H
#define BCOS_MASK_H

#include <linux/types.h>

#include "uapi/bcos_evlog.h"

/* Classes that this module can record; users may set others. */
#define BCOS_CLASS_SUPPORTED BCOS_CLASS_ALL

/* Returns the requested classes, and those of them that are recorded. Context: any. */
void bcos_mask_query(u32 *mask, u32 *active);

/**
 * bcos_mask_change() - clear classes, then set classes
 * @clear: classes to turn off
 * @set: classes to turn on; both in BCOS_CLASS_ALL
 * @mask: out, may be NULL: the requested classes
 * @active: out, may be NULL: those of them that are recorded
 *
 * Before load the call only sets the initial mask. In a running log the change is an entry, which
 * stands between the events before and after the change.
 *
 * Context: may sleep; not in the log writer, not under the hotplug lock.
 * Return: 0; -EINTR; -EBUSY while the module is loaded or unloaded; an error of the tracepoints,
 *   and then the classes that could not be turned on are off.
 */
int bcos_mask_change(u32 clear, u32 set, u32 *mask, u32 *active);

/**
 * bcos_mask_request() - record classes for one process or device whatever the mask says, or no more
 * @classes: BCOS_CLASS_API, for a process; else a subset of BCOS_LOG_REQUESTS, for a device
 * @source: ID of the process or device
 * @on: true: record; false: take the request back
 *
 * Context: may sleep.
 * Return: 0; -EINTR; -EBUSY while the module is loaded or unloaded; errors of bcos_calls_request(),
 *   bcos_log_request() and the tracepoints.
 */
int bcos_mask_request(u32 classes, u32 source, bool on);

/*
 * Checks the parameter given at load. Returns 0, or -EINVAL after a message. Context: module load.
 */
int bcos_mask_check(void);

/*
 * bcos_mask_up() registers the tracepoints of the requested classes; bcos_mask_live_up() then lets
 * the mask change.
 */
int bcos_mask_up(void);
void bcos_mask_down(void);
int bcos_mask_live_up(void);
void bcos_mask_live_down(void);

#endif
