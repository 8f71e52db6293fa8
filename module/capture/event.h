/* SPDX-License-Identifier: GPL-2.0-only */
/* Stages generic events that programs and the kernel ask for. */
#ifndef BCOS_EVENTS_H
#define BCOS_EVENTS_H

#include <linux/types.h>

#include "core/raw/raw.h"

/**
 * bcos_event_stage() - stage a generic event of any subject (5.3, 5.7, 5.11, 5.16)
 * @raw: kind, subject and severity of the event, and the subject's ID
 * @event_id: event ID
 * @tag: of a process: bcos_task_tag(); of a device: the upper half of its key; else 0
 * @text: in the form of the kind
 * @length: bytes, at most BCOS_RAW_TEXT
 *
 * Records nothing while the class "user" is off.
 *
 * Context: any; in NMI the event is refused and counted.
 * Return: 0; -EPERM: in NMI; -ENOBUFS: this CPU's staging is full, or this CPU is recording another
 *   event. The log states both.
 */
int bcos_event_stage(struct bcos_raw raw, u32 event_id, u32 tag, const void *text, size_t length);

/**
 * bcos_event_of_current() - stage a generic event of the current process (5.3)
 * @event_id: event ID
 * @severity: 0-255
 * @text: any bytes
 * @length: bytes, at most BCOS_RAW_TEXT
 *
 * The kernel is the source for kernel threads, and for a process whose death the log already shows.
 *
 * Context: any; in NMI the event is refused and counted.
 * Return: as bcos_event_stage().
 */
int bcos_event_of_current(u32 event_id, u8 severity, const char *text, size_t length);

/* Is the class "user" on? Set by the mask. */
extern bool bcos_events_on;

#endif
