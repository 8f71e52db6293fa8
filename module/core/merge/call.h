/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* This part of the merge gathers the kernel calls of a stretch into one entry (5.4). */
#ifndef BCOS_CORE_CALLS_H
#define BCOS_CORE_CALLS_H

#include "source.h"

/* The maximum number of calls in one entry. */
#define BCOS_CALLS_MAX 256

/**
 * bcos_call_apply() - apply an API record, with the calls that follow it
 * @log: the log
 * @source: the source, whose next record is an API record
 * @timebase: converts the times of @source
 * @until: ns since boot; calls from then on belong to the next pass
 * @call: scratch memory for BCOS_CALLS_MAX numbers
 *
 * The entry holds all calls of the record's process on this CPU until another process runs there,
 * as far as they are staged. Later calls of this function skip the records that are in an entry
 * already.
 *
 * Context: the log writer.
 */
void bcos_call_apply(struct bcos_log *log, struct bcos_source *source,
		     struct bcos_timebase *timebase, u64 until, u32 *call);

#endif
