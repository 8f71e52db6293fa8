// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The model: processes and CPUs. Devices are in device.c. */
#include "process.h"

#define FIRST_BUCKETS 256

/* The memory of up to this many dead processes is kept. */
#define SPARES 64

void *bcos_model_alloc(struct bcos_model *model, size_t size)
{
	void *memory = model->host->alloc(model->context, size);

	if (memory)
		model->memory += size;
	return memory;
}

void bcos_model_free(struct bcos_model *model, void *memory, size_t size)
{
	if (!memory)
		return;
	model->memory -= size;
	model->host->free(model->context, memory, size);
}

int bcos_model_init(struct bcos_model *model, const struct bcos_host *host, void *context, u32 cpu_limit)
{
	model->host = host;
	model->context = context;
	model->recent.previous = &model->recent;
	model->recent.next = &model->recent;
	model->cpu_limit = cpu_limit;
	model->process_buckets = FIRST_BUCKETS;
	model->spare_limit = SPARES;
	model->processes = bcos_model_alloc(model, FIRST_BUCKETS * sizeof(*model->processes));
	model->cpus = bcos_model_alloc(model, (cpu_limit + 1ul) * sizeof(*model->cpus));
	if (model->processes && model->cpus && !bcos_index_init(&model->keys, model) &&
	    !bcos_index_init(&model->lines, model))
		return 0;
	bcos_model_destroy(model);
	return -ENOMEM;
}

void bcos_model_destroy(struct bcos_model *model)
{
	struct bcos_device *device, *next;
	struct bcos_core *core;
	u32 range;

	if (!model->host)
		return;
	while (model->processes && model->recent.next != &model->recent)
		bcos_model_remove_process(model, (struct bcos_process *)model->recent.next);
	while (model->spare)
		bcos_model_free(model, bcos_model_take_spare(model), sizeof(struct bcos_process));
	for (device = bcos_model_next_device(model, NULL); device; device = next) {
		next = bcos_model_next_device(model, device);
		bcos_model_remove_device(model, device);
	}
	for (range = 0; range < BCOS_DEVICE_RANGES; range++)
		bcos_model_free(model, model->ids[range].slot, model->ids[range].size * sizeof(*model->ids[range].slot));
	bcos_index_destroy(&model->keys, model);
	bcos_index_destroy(&model->lines, model);
	while ((core = model->cores)) {
		model->cores = core->next;
		bcos_model_free(model, core, sizeof(*core));
	}
	if (model->processes)
		bcos_model_free(model, model->processes,
				model->process_buckets * sizeof(*model->processes));
	bcos_model_free(model, model->cpus, (model->cpu_limit + 1ul) * sizeof(*model->cpus));
	model->processes = NULL;
	model->cpus = NULL;
}

/* Doubles the table. Without memory the old table stays: slower, but right. */
static void grow(struct bcos_model *model)
{
	struct bcos_process **old = model->processes;
	u32 buckets = model->process_buckets;
	struct bcos_process **table = bcos_model_alloc(model, 2ul * buckets * sizeof(*table));
	struct bcos_process *process;
	struct bcos_link *link;
	u32 at;

	if (!table)
		return;
	model->processes = table;
	model->process_buckets = 2 * buckets;
	for (link = model->recent.next; link != &model->recent; link = link->next) {
		process = (struct bcos_process *)link;
		at = bcos_model_bucket(model, process->id);
		process->same_hash = table[at];
		table[at] = process;
	}
	bcos_model_free(model, old, buckets * sizeof(*old));
}

/*
 * Writes the cleaned name to @to, BCOS_NAME_MAX bytes, and zeros up to BCOS_RAW_NAME bytes at
 * least. Returns its length.
 */
static u8 clean_name(char *to, const char *name, size_t length)
{
	u8 plain;

	/* comm has at most 15 bytes. A character that is cut there becomes bad bytes here. */
	if (length > BCOS_RAW_NAME - 1) {
		plain = bcos_plain_name(to, name);
		if (plain)
			return plain;
		length = BCOS_RAW_NAME - 1;
	}
	memset(to, 0, BCOS_RAW_NAME);
	return (u8)bcos_name_clean(to, BCOS_NAME_MAX, name, length);
}

static void set_name(struct bcos_process *process, const char *name, size_t length)
{
	process->name_length = clean_name(process->name, name, length);
}

bool bcos_model_process_has_name(const struct bcos_process *process, const char *name, size_t length)
{
	char clean[BCOS_NAME_MAX];

	return clean_name(clean, name, length) == process->name_length &&
	       !memcmp(clean, process->name, process->name_length);
}

struct bcos_process *bcos_model_add_process(struct bcos_model *model, u32 id, bool hidden,
					    const char *name, size_t length)
{
	struct bcos_process *process;

	if (model->spare)
		process = bcos_model_take_spare(model);
	else
		process = bcos_model_alloc(model, sizeof(*process));
	if (!process)
		return NULL;
	bcos_process_init(process, id, hidden);
	set_name(process, name, length);
	if (bcos_model_is_full(model))
		grow(model);
	bcos_model_enter(model, process);
	return process;
}

void bcos_model_remove_process(struct bcos_model *model, struct bcos_process *process)
{
	while (process->devices)
		bcos_model_set_driver(model, process->devices, BCOS_PROCESS_KERNEL);
	bcos_model_leave(model, process);
	bcos_model_free(model, process->senders, sizeof(*process->senders));
	process->senders = NULL;
	if (model->spares < model->spare_limit)
		bcos_model_keep_spare(model, process);
	else
		bcos_model_free(model, process, sizeof(*process));
}

void bcos_model_rename_process(struct bcos_model *model, struct bcos_process *process,
			       const char *name, size_t length)
{
	if (!process->hidden)
		model->process_bytes -= bcos_process_bytes(process);
	set_name(process, name, length);
	if (!process->hidden)
		model->process_bytes += bcos_process_bytes(process);
}

void bcos_model_ran(struct bcos_model *model, struct bcos_process *process)
{
	struct bcos_link *link = &process->recent, *head = &model->recent;

	link->previous->next = link->next;
	link->next->previous = link->previous;
	link->next = head->next;
	link->previous = head;
	head->next->previous = link;
	head->next = link;
}

void bcos_model_reveal(struct bcos_model *model, struct bcos_process *process)
{
	if (!process->hidden)
		return;
	process->hidden = false;
	model->named_processes++;
	model->process_bytes += bcos_process_bytes(process);
}

struct bcos_core *bcos_model_core(struct bcos_model *model, u32 id)
{
	struct bcos_core **at = &model->cores, *core;

	while (*at && (*at)->id < id)
		at = &(*at)->next;
	if (*at && (*at)->id == id)
		return *at;
	core = bcos_model_alloc(model, sizeof(*core));
	if (!core)
		return NULL;
	core->id = id;
	core->next = *at;
	*at = core;
	return core;
}

u64 bcos_model_group_bytes(const struct bcos_model *model)
{
	return model->core_bytes + model->process_bytes + model->device_bytes +
	       2ull * model->cpus_online * sizeof(struct bcos_cpu_online);
}
