/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the sources of devices could not receive, until the log writer states it: messages that the
 * kernel dropped, and input devices that no handle was attached to.
 */
#ifndef BCOS_MISSED_H
#define BCOS_MISSED_H

#include "core/write/dropped.h"

/**
 * bcos_missed_note() - note a loss, and wake the log writer
 * @kind: what was missed
 * @count: how often, at least 1
 * @since: time of the first miss, ns since boot
 *
 * The loss lasts until this call. Context: any in which the log writer may be woken.
 */
void bcos_missed_note(enum bcos_missed_kind kind, u64 count, u64 since);

/* Hands what was noted to @log. Context: the log writer. */
void bcos_missed_tell(struct bcos_log *log);

#endif
