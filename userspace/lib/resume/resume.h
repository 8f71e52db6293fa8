/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A log that goes on.  The log writer is gone, and what it wrote is there.  A new log writer gets the model from the
 * entries, and from what the entries do not tell: the keys of devices, and the tags of processes.
 */
#ifndef BCOSLOG_RESUME_H
#define BCOSLOG_RESUME_H

#include "core/rules/rules.h"
#include "uapi/bcos_image.h"

#include "bcoslog_state.h"

/**
 * struct resume - what the entries of the log do not tell
 * @mask: classes that are recorded
 * @on_request: classes that only devices with a request record
 * @elsewhere: limit for interfaces of other network namespaces; 0: the usual one
 * @hide_calls: calls of the kernel are written without numbers
 * @begin: ns since boot; the records before this time are in the log
 * @time: time of the newest normal entry, ns since boot
 * @lost: events that were lost up to here
 * @device: what keys mean; NULL: unknown, so records about devices cannot be applied
 * @devices: number of @device
 * @tag_of: finds the tag of the incarnation of a process that the log has; optional
 * @context: argument of @tag_of
 */
struct resume {
	u32 mask, on_request, elsewhere;
	bool hide_calls;
	u64 begin, time, lost;
	const struct bcos_image_device *device;
	u32 devices;
	u32 (*tag_of)(void *context, u32 process);
	void *context;
};

/**
 * resume_log() - give a log writer the model that its predecessor had
 * @log: after bcos_log_init(); its ring may contain entries
 * @state: the state after the newest entry of the log
 * @resume: the rest
 *
 * The function writes a group, with which the log goes on.
 *
 * Return: 0 or -ENOMEM.
 */
int resume_log(struct bcos_log *log, const struct bcoslog_state *state, const struct resume *resume);

#endif
