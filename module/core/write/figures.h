/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The log writer publishes counters and sizes of the log. Readers of these figures take no lock and
 * delay nobody.
 */
#ifndef BCOS_CORE_FIGURES_H
#define BCOS_CORE_FIGURES_H

#include "log.h"

/*
 * Sets the counters and sizes for the status ioctl. Fields that only the host knows (version,
 * masks, memory, readers) stay as they are.
 */
void bcos_log_status(const struct bcos_log *log, struct bcos_status *status);

/* status[generation & 1] is valid; the writer fills in the other one. */
struct bcos_figures {
	struct bcos_status status[2];
	u32 generation;
};

/**
 * bcos_figures_publish() - publish the figures of log and merge as they are now
 * @figures: zeroed before the first time
 * @log: between two passes
 * @passes: number of passes of the log writer so far
 *
 * Context: the log writer.
 */
void bcos_figures_publish(struct bcos_figures *figures, const struct bcos_log *log, u64 passes);

/**
 * bcos_figures_get() - get a consistent set of figures
 * @figures: all zeros before the first publication
 * @status: out: the fields that bcos_log_status() sets, and batches; the others are zero
 *
 * Context: any, also while the writer publishes.
 */
void bcos_figures_get(const struct bcos_figures *figures, struct bcos_status *status);

#endif
