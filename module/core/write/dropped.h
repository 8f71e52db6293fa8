/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Counts failed allocations, and records whose subject is unknown or above a limit. */
#ifndef BCOS_CORE_DROPPED_H
#define BCOS_CORE_DROPPED_H

#include "log.h"

/*
 * Counts a failed allocation, and asks for a walk, which finds the process, CPU or device that the
 * model lacks for it.
 */
void bcos_log_starved(struct bcos_log *log);
/* Counts what a source of devices missed, and asks for a walk: it finds what came and went. */
void bcos_log_missed(struct bcos_log *log, enum bcos_missed_kind kind,
		     const struct bcos_missed *missed);
/* Counts a record with an ID that the model lacks. */
void bcos_log_unnamed(struct bcos_log *log);
/* Counts a dropped record, whose core, CPU or device the model lacks. */
void bcos_log_stray(struct bcos_log *log);
/* Counts a record above a limit; @count points into log->beyond. */
void bcos_log_beyond(struct bcos_log *log, u64 *count);

#endif
