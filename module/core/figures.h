/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The log's figures, as the log writer publishes them: whoever reads them takes no lock and holds nobody up. */
#ifndef BCOS_CORE_FIGURES_H
#define BCOS_CORE_FIGURES_H

#include "merge.h"

/* status[generation & 1] is valid, the other one is being written. */
struct bcos_figures {
	struct bcos_status status[2];
	u32 generation;
};

/**
 * bcos_figures_publish() - the figures of log and merge as they are now
 * @figures: zeroed before the first time
 * @log: between two passes
 * @batches: passes so far
 *
 * Context: the log writer.
 */
void bcos_figures_publish(struct bcos_figures *figures, const struct bcos_log *log, u64 batches);

/**
 * bcos_figures_get() - a consistent set of figures
 * @figures: all zeros before the first publication
 * @status: out: what bcos_log_status() sets, and batches; the rest is zero
 *
 * Context: any, at any time, against the running writer.
 */
void bcos_figures_get(const struct bcos_figures *figures, struct bcos_status *status);

#endif
