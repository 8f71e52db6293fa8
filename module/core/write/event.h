/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Writes generic events (5.3, 5.7, 5.11, 5.16). */
#ifndef BCOS_CORE_EVENT_H
#define BCOS_CORE_EVENT_H

#include "emit.h"

/**
 * bcos_log_event() - write a generic event of the kernel itself (5.7, 5.11, 5.16)
 * @log: the log; before it has begun, nothing is written
 * @type: BCOS_GENERIC_*
 * @source: the subject, which the model has
 * @time: ns since boot; a time before the newest entry is raised to the time of that entry
 * @precision: ns
 * @id: event ID
 * @severity: 0-255 (5.3.2)
 * @text: UTF-8
 * @length: bytes of @text; at most BCOS_RAW_TEXT are written
 *
 * Context: the log writer.
 */
void bcos_log_event(struct bcos_log *log, u16 type, u32 source, u64 time, u32 precision, u32 id,
		    u8 severity, const char *text, size_t length);

/* Does the model have this process, core, CPU or device? @subject is a BCOS_SUBJECT_*. */
bool bcos_log_knows(const struct bcos_log *log, u16 subject, u32 source);

#endif
