// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Creates and destroys a model: see init.h. */
#include "device.h"
#include "init.h"
#include "process.h"
#include "thread.h"

#define FIRST_BUCKETS 256

int bcos_model_init(struct bcos_model *model, const struct bcos_host *host, void *context,
		    u32 cpu_limit)
{
	u32 cpu;

	model->heap = (struct bcos_heap){ .host = host, .context = context };
	model->recent.previous = &model->recent;
	model->recent.next = &model->recent;
	model->cpu_limit = cpu_limit;
	model->process_mask = FIRST_BUCKETS - 1;
	model->spare_limit = BCOS_SPARE_PROCESSES;
	model->processes = bcos_heap_alloc(&model->heap, FIRST_BUCKETS * sizeof(*model->processes));
	model->cpus = bcos_heap_alloc(&model->heap, (cpu_limit + 1ul) * sizeof(*model->cpus));
	for (cpu = 0; model->cpus && cpu <= cpu_limit; cpu++)
		model->cpus[cpu].number = cpu;
	if (model->processes && model->cpus && !bcos_index_init(&model->keys, &model->heap) &&
	    !bcos_index_init(&model->lines, &model->heap) &&
	    !bcos_index_init(&model->spaces, &model->heap))
		return 0;
	bcos_model_destroy(model);
	return -ENOMEM;
}

void bcos_model_destroy(struct bcos_model *model)
{
	struct bcos_device *device, *next;
	struct bcos_core *core;
	u32 range;

	if (!model->heap.host)
		return;
	while (model->processes && model->recent.next != &model->recent)
		bcos_model_remove_process(model, bcos_process_of(model->recent.next));
	bcos_model_free_spares(model);
	bcos_model_forget_threads(model);
	bcos_heap_free(&model->heap, model->cgroups, BCOS_CGROUP_BUCKETS * sizeof(*model->cgroups));
	model->cgroups = NULL;
	for (device = bcos_model_next_device(model, NULL); device; device = next) {
		next = bcos_model_next_device(model, device);
		bcos_model_remove_device(model, device);
	}
	for (range = 0; range < BCOS_DEVICE_RANGES; range++)
		bcos_heap_free(&model->heap, model->ids[range].slot,
			       model->ids[range].size * sizeof(*model->ids[range].slot));
	bcos_index_destroy(&model->keys, &model->heap);
	bcos_index_destroy(&model->lines, &model->heap);
	bcos_index_destroy(&model->spaces, &model->heap);
	while ((core = model->cores)) {
		model->cores = core->next;
		bcos_heap_free(&model->heap, core, sizeof(*core));
	}
	if (model->processes)
		bcos_heap_free(&model->heap, model->processes,
			       bcos_model_buckets(model) * sizeof(*model->processes));
	bcos_heap_free(&model->heap, model->cpus, (model->cpu_limit + 1ul) * sizeof(*model->cpus));
	model->processes = NULL;
	model->cpus = NULL;
}
