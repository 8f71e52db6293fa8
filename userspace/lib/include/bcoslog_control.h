/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Functions of libbcoslog that control the device; programs include bcoslog.h.
 *
 * Each function returns 0 or a negative errno.  -ENOTTY means that the log is a file or a stream.
 * -ENOTSUP means that BPF programs record the log.  Such a log supports only bcoslog_status(), bcoslog_compaction(),
 * bcoslog_flush(), and a bcoslog_mask() that changes no class.
 */
#ifndef BCOSLOG_CONTROL_H
#define BCOSLOG_CONTROL_H

#include <stdbool.h>
#include <stddef.h>

#include "bcoslog_reader.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Ask for the status of the log. */
int bcoslog_status(struct bcoslog *log, struct bcos_status *status);

/* Ask for the newest compaction, and acknowledge it. */
int bcoslog_compaction(struct bcoslog *log, struct bcos_compaction *compaction);

/* Let bcoslog_wait() and poll() return only when at least @bytes bytes are unread. */
int bcoslog_watermark(struct bcoslog *log, __u32 bytes);

/* Write all events that have happened before the call into the log.  @head receives the position after them. */
int bcoslog_flush(struct bcoslog *log, __u64 *head);

/* Stop recording the classes @clear, then record the classes @set.  @mask receives the result, and may be NULL. */
int bcoslog_mask(struct bcoslog *log, __u32 clear, __u32 set, struct bcos_mask *mask);

/**
 * bcoslog_request() - record classes of a single process or device
 * @log: the log, opened with BCOSLOG_CONTROL
 * @classes: BCOS_CLASS_API for a process; BCOS_CLASS_IO, BCOS_CLASS_IRQ or both for a device
 * @source: ID of the process or device
 * @on: true records the classes of @source although the mask excludes them; false takes such a request back
 *
 * Return: 0 or a negative errno; -ENOSPC if there are requests for too many processes, -ENODEV if the log knows no
 * such device, -ENOENT if there is no such request to take back.
 */
int bcoslog_request(struct bcoslog *log, __u32 classes, __u32 source, bool on);

/**
 * bcoslog_emit() - write a generic event into the log (5.3, 5.7, 5.11, 5.16)
 * @log: the log, opened with BCOSLOG_CONTROL
 * @type: BCOS_GENERIC_PROCESS for an event of the caller; with CAP_PERFMON also the types of a core, CPU or device
 * @source: 0 for the caller; otherwise the ID of the core, CPU or device
 * @id: the event ID
 * @severity: 0 to 255 (5.3.2)
 * @text: UTF-8, at most BCOS_EVENT_TEXT_MAX bytes
 *
 * BCOSLOG_CONTROL requires the right to read the device.  A program that may only write to it uses write(2).
 *
 * Return: 0 or a negative errno; -EMSGSIZE or -EINVAL for the text, -ENODEV for the source, -EPERM without
 * CAP_PERFMON where it is required, -ENOBUFS if the event was lost, which the log states.
 */
int bcoslog_emit(struct bcoslog *log, __u16 type, __u32 source, __u32 id, __u8 severity, const char *text);

/*
 * Wait until there is a compaction that bcoslog_compaction() has not acknowledged.
 * Context: sleeps.  Return: as bcoslog_wait().
 */
int bcoslog_wait_compaction(struct bcoslog *log, int timeout);

/* Return: the name of the class with the number @bit; NULL if there is none. */
const char *bcoslog_class(unsigned int bit);

/**
 * bcoslog_class_mask() - convert the name of a class to its mask
 * @word: the name of a class, "all", "none", "default", or a number
 * @length: length of @word in bytes
 * @mask: receives the mask, BCOS_CLASS_*
 *
 * Return: 0 or -EINVAL.
 */
int bcoslog_class_mask(const char *word, size_t length, __u32 *mask);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
