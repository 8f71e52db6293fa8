/* SPDX-License-Identifier: GPL-2.0-only */
/* Generic events that programs ask for: text written to the device, and the emit ioctl. */
#ifndef BCOS_EVENTS_H
#define BCOS_EVENTS_H

#include <linux/fs.h>
#include <linux/types.h>

#include "core/raw.h"
#include "users.h"

/**
 * bcos_event_stage() - a generic event of any subject (5.3)
 * @raw: its kind, subject and severity, and the subject's ID
 * @event_id: event ID
 * @tag: of a process, bcos_task_tag(); else 0
 * @text: as the kind has it
 * @length: bytes, at most BCOS_RAW_TEXT
 *
 * Where the class is off nothing is recorded.
 *
 * Context: any; in NMI it is refused and counted.
 * Return: 0; -EPERM: in NMI; -ENOBUFS: this CPU's staging is full, or an event is being recorded here, which the log
 * states.
 */
int bcos_event_stage(struct bcos_raw raw, u32 event_id, u32 tag, const void *text, size_t length);

/**
 * bcos_event_of_current() - a generic event of the current process (5.3)
 * @event_id: event ID
 * @severity: of it
 * @text: any bytes
 * @length: of them, at most BCOS_RAW_TEXT
 *
 * Kernel threads, and who has exited so far that the log knows it no more, speak for the kernel.
 *
 * Context: any; in NMI it is refused and counted.
 * Return: as bcos_event_stage().
 */
int bcos_event_of_current(u32 event_id, u8 severity, const char *text, size_t length);

/**
 * bcos_event_emit() - one generic event of the caller (5.3)
 * @user: whose the file is that it comes by
 * @id: event ID
 * @severity: 0-255
 * @text: UTF-8
 * @length: bytes, at most BCOS_RAW_TEXT
 *
 * Where the class is off, or the user says more than the parameter user_rate allows, nothing is recorded: see users.h.
 *
 * Context: may sleep.
 * Return: 0; -ENOBUFS: this CPU's staging is full, which the log states.
 */
int bcos_event_emit(const struct bcos_user *user, u32 id, u8 severity, const char *text, size_t length);

/* write(2): one event, as core/said.h has it. */
ssize_t bcos_event_write(struct file *file, const char __user *from, size_t size, loff_t *position);

/* Is the class recorded?  Set by the mask. */
extern bool bcos_events_on;

#endif
