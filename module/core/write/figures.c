// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Publishes the log's figures, in the same way as the ring publishes its marks: see figures.h. */
#include "figures.h"
#include "group.h"
#include "statement.h"

/* Does any online core have a performance value that is neither counted nor stated? */
static bool is_estimated(const struct bcos_model *model)
{
	const struct bcos_core *core;
	u32 i;

	for (core = model->cores; core; core = core->next)
		for (i = 0; core->online && core->estimate.guessed && i < core->present; i++)
			if (i >= BCOS_SIBLINGS || !core->estimate.counted[i])
				return true;
	return false;
}

void bcos_log_status(const struct bcos_log *log, struct bcos_status *status)
{
	const struct bcos_ring *ring = &log->ring;
	const struct bcos_log_stats *stats = &log->stats;

	status->flags = (log->partial ? BCOS_STATUS_PARTIAL : 0) |
			(is_estimated(&log->model) ? BCOS_STATUS_ESTIMATED : 0);
	status->ring_size = ring->size;
	status->head = ring->now.head.offset;
	status->oldest = ring->now.oldest.offset;
	status->newest_group = ring->now.group.offset;
	status->entries = ring->now.head.entry;
	status->historical = stats->historical;
	status->groups = stats->groups;
	status->compactions = ring->now.compactions;
	status->discarded_bytes = ring->now.oldest.offset;
	status->discarded_entries = ring->now.oldest.entry;
	status->group_bytes = bcos_model_group_bytes(&log->model) + bcos_statements_bytes(log);
	status->advised_ring = bcos_log_ring_advice(log);
	status->partial_groups = stats->partial_groups;
	status->restated = stats->restated;
	status->groups_over_1_zone = stats->over_1_zone;
	status->groups_over_3_zones = stats->over_3_zones;
	status->groups_over_4_zones = stats->over_4_zones;
	status->clamped = stats->clamped;
	status->unnamed = stats->unnamed;
	memcpy(status->lost, stats->lost, sizeof(status->lost));
	status->last_time = log->time;
	status->processes = log->model.named_processes;
	status->cpus = log->model.cpus_online;
	status->cores = log->model.core_count;
	status->devices = log->model.device_count;
}

void bcos_figures_publish(struct bcos_figures *figures, const struct bcos_log *log, u64 passes)
{
	u32 next = figures->generation + 1;
	struct bcos_status *status = &figures->status[next & 1];

	/*
	 * The set that is filled in now was valid one publication ago. The barrier makes a reader
	 * that still copies this set see that the generation has moved on. It pairs with smp_rmb()
	 * in bcos_figures_get().
	 */
	smp_wmb();
	bcos_log_status(log, status);
	status->batches = passes;
	/* Pairs with the acquire in bcos_figures_get(). */
	smp_store_release(&figures->generation, next);
}

void bcos_figures_get(const struct bcos_figures *figures, struct bcos_status *status)
{
	u32 generation;

	do {
		/* Pairs with the release in bcos_figures_publish(). */
		generation = smp_load_acquire(&figures->generation);
		host_copy_racy(status, &figures->status[generation & 1], sizeof(*status));
		/* Pairs with smp_wmb() in bcos_figures_publish(). */
		smp_rmb();
	} while (READ_ONCE(figures->generation) != generation);
}
