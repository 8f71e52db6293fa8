// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* How processes enter, are named in, and leave the model. */
#include "device.h"
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

/* ---- entering and leaving ------------------------------------------------------------ */

/* Doubles the table. Without memory the old table stays: slower, but right. */
static noinline void grow(struct bcos_model *model)
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

/* Initialises all of a new process except its name and links. */
static void init(struct bcos_process *process, u32 id, bool hidden)
{
	process->ready = ~0ull;
	process->id = id;
	process->cpus = 0;
	process->stated = 0;
	process->start = 0;
	process->named = 0;
	process->user_signals = 0;
	process->senders = NULL;
	process->precision = 0;
	process->tag = 0;
	process->status = 0;
	process->walk = 0;
	process->devices = NULL;
	process->parent = BCOS_PROCESS_NONE;
	process->hidden = hidden;
	process->exited = false;
}

/* The table is at most half full, so nearly every search finds its process at once. */
static bool is_full(const struct bcos_model *model)
{
	return 2 * model->process_count > model->process_mask;
}

/* Enters an initialised and named process into the model. */
static void enter(struct bcos_model *model, struct bcos_process *process)
{
	struct bcos_process **at = &model->processes[bcos_model_bucket(model, process->id)];
	struct bcos_link *head = &model->recent;

	process->same_hash = *at;
	*at = process;
	process->recent.next = head->next;
	process->recent.previous = head;
	head->next->previous = &process->recent;
	head->next = &process->recent;
	model->process_count++;
	if (!process->hidden) {
		model->named_processes++;
		model->process_bytes += process->bytes;
	}
}

/* Removes a process from the model and keeps its memory. It must not be the driver of a device. */
static void leave(struct bcos_model *model, struct bcos_process *process)
{
	struct bcos_process **at = &model->processes[bcos_model_bucket(model, process->id)];

	while (*at != process)
		at = &(*at)->same_hash;
	*at = process->same_hash;
	process->recent.previous->next = process->recent.next;
	process->recent.next->previous = process->recent.previous;
	model->process_count--;
	if (!process->hidden) {
		model->named_processes--;
		model->process_bytes -= process->bytes;
	}
}

/* Takes the memory of a dead process. The model must have some. */
static struct bcos_process *take_spare(struct bcos_model *model)
{
	struct bcos_process *process = model->spare;

	model->spare = process->same_hash;
	model->spares--;
	return process;
}

/* Keeps the memory of a dead process. There must be room. */
static void keep_spare(struct bcos_model *model, struct bcos_process *process)
{
	process->same_hash = model->spare;
	model->spare = process;
	model->spares++;
}

struct bcos_process *bcos_model_add_process(struct bcos_model *model, u32 id, bool hidden,
					    const char *comm)
{
	struct bcos_process *process;

	if (likely(model->spare))
		process = take_spare(model);
	else
		process = bcos_heap_alloc(&model->heap, sizeof(*process));
	if (unlikely(!process))
		return NULL;
	init(process, id, hidden);
	bcos_process_set_name(process, comm);
	if (unlikely(is_full(model)))
		grow(model);
	enter(model, process);
	return process;
}

void bcos_model_remove_process(struct bcos_model *model, struct bcos_process *process)
{
	while (unlikely(process->devices))
		bcos_model_set_driver(model, process->devices, BCOS_PROCESS_KERNEL);
	leave(model, process);
	if (unlikely(process->senders))
		bcos_heap_free(&model->heap, process->senders, sizeof(*process->senders));
	if (likely(model->spares < model->spare_limit))
		keep_spare(model, process);
	else
		bcos_heap_free(&model->heap, process, sizeof(*process));
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
		bcos_heap_free(&model->heap, take_spare(model), sizeof(struct bcos_process));
}
