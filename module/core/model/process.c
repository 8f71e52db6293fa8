// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* How processes enter, are named in, and leave the model: see process.h. */
#include "process.h"

/* ---- names -------------------------------------------------------------------------- */

u8 bcos_name_clean_slowly(char *to, const char *comm)
{
	memset(to, 0, BCOS_RAW_NAME);
	/* comm has at most 15 bytes. A character that is cut there becomes bad bytes here. */
	return (u8)bcos_name_clean(to, BCOS_NAME_MAX, comm, BCOS_RAW_NAME - 1);
}

bool bcos_model_process_has_name(const struct bcos_process *process, const char *comm)
{
	char clean[BCOS_NAME_MAX];

	return bcos_name_of_comm(clean, comm) == process->name_length &&
	       !memcmp(clean, process->name, process->name_length);
}

/* ---- the table and the list of processes --------------------------------------------- */

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
		process = (struct bcos_process *)link;
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
