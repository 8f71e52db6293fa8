// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The log's figures: see figures.h. They are published in the same way as the ring's marks. */
#include "figures.h"

void bcos_figures_publish(struct bcos_figures *figures, const struct bcos_log *log, u64 batches)
{
	u32 next = figures->generation + 1;
	struct bcos_status *status = &figures->status[next & 1];

	/*
	 * This slot was valid one publication ago. The barrier makes anybody who still reads it see
	 * that the generation has moved on.
	 */
	smp_wmb();
	bcos_log_status(log, status);
	status->batches = batches;
	smp_store_release(&figures->generation, next);
}

void bcos_figures_get(const struct bcos_figures *figures, struct bcos_status *status)
{
	u32 generation;

	do {
		generation = smp_load_acquire(&figures->generation);
		host_copy_racy(status, &figures->status[generation & 1], sizeof(*status));
		smp_rmb();
	} while (READ_ONCE(figures->generation) != generation);
}
