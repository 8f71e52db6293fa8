// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Adds, names and removes processes in the model: see process.h. */
#include "process.h"

bool bcos_model_process_has_name(const struct bcos_process *process, const char *comm)
{
	char clean[BCOS_NAME_MAX];

	return bcos_name_of_comm(clean, comm) == process->name_length &&
	       !memcmp(clean, process->name, process->name_length);
}

void bcos_model_grow(struct bcos_model *model)
{
	struct bcos_process **old = model->processes;
	u32 buckets = bcos_model_buckets(model);
	struct bcos_process **table = bcos_heap_alloc(&model->heap, 2ul * buckets * sizeof(*table));
	struct bcos_process *process;
	struct bcos_link *link;
	u32 at;

	if (!table)
		return;
	model->processes = table;
	model->process_mask = 2 * buckets - 1;
	for (link = model->recent.next; link != &model->recent; link = link->next) {
		process = bcos_process_of(link);
		at = bcos_model_bucket(model, process->id);
		process->same_hash = table[at];
		table[at] = process;
	}
	bcos_heap_free(&model->heap, old, buckets * sizeof(*old));
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
	model->process_bytes += process->bytes;
}

void bcos_model_free_spares(struct bcos_model *model)
{
	while (model->spare)
		bcos_heap_free(&model->heap, bcos_model_take_spare(model),
			       sizeof(struct bcos_process));
}
