/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * How processes enter, are named in, and leave the model. A short life is mostly that, so these are
 * inlined into the rules of births and deaths.
 */
#ifndef BCOS_CORE_PROCESS_H
#define BCOS_CORE_PROCESS_H

#include "core/format/entry.h"
#include "device.h"
#include "model.h"
#include "name.h"

/* The memory of up to this many dead processes is kept: where processes die, others are born. */
#define BCOS_SPARE_PROCESSES 64

/* Converts a wait(2) status to a termination status (5.2.1). */
static inline u32 bcos_process_termination(const struct bcos_process *process)
{
	u32 signal = process->status & 0x7F;

	if (!process->exited)
		return 0;
	if (!signal)
		return process->status >> 8 & 0xFF;
	if (process->user_signals & 1ull << ((signal - 1) & 63))
		return BCOS_STATUS_OWNER + signal;
	return BCOS_STATUS_KERNEL + signal;
}

/* Sets what a new process does not get from its caller or from entering the model. */
static __always_inline void bcos_process_init(struct bcos_process *process, u32 id, bool hidden)
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

/* Doubles the table of processes. Without memory the old table stays: slower, but right. */
void bcos_model_grow(struct bcos_model *model);

/* Enters an initialised and named process into the model. */
static __always_inline void bcos_model_enter(struct bcos_model *model, struct bcos_process *process)
{
	struct bcos_link *head = &model->recent;
	struct bcos_process **at;

	/* The table is at most half full, so nearly every search finds its process at once. */
	if (unlikely(2 * model->process_count > model->process_mask))
		bcos_model_grow(model);
	at = &model->processes[bcos_model_bucket(model, process->id)];
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

/* Removes a process from the model and keeps its memory. */
static __always_inline void bcos_model_leave(struct bcos_model *model, struct bcos_process *process)
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
static __always_inline struct bcos_process *bcos_model_take_spare(struct bcos_model *model)
{
	struct bcos_process *process = model->spare;

	model->spare = process->same_hash;
	model->spares--;
	return process;
}

/*
 * Adds a process, whose ID the model must not have. @comm has BCOS_RAW_NAME bytes. Returns NULL if
 * there is no memory.
 */
static __always_inline struct bcos_process *bcos_model_add_process(struct bcos_model *model, u32 id,
								   bool hidden, const char *comm)
{
	struct bcos_process *process;

	if (likely(model->spare))
		process = bcos_model_take_spare(model);
	else
		process = bcos_heap_alloc(&model->heap, sizeof(*process));
	if (unlikely(!process))
		return NULL;
	bcos_process_init(process, id, hidden);
	bcos_process_set_name(process, comm);
	bcos_model_enter(model, process);
	return process;
}

/* Removes a process. The kernel becomes the driver of its devices. */
static __always_inline void bcos_model_remove_process(struct bcos_model *model,
						      struct bcos_process *process)
{
	while (unlikely(process->devices))
		bcos_model_set_driver(model, process->devices, BCOS_PROCESS_KERNEL);
	bcos_model_leave(model, process);
	if (unlikely(process->senders))
		bcos_heap_free(&model->heap, process->senders, sizeof(*process->senders));
	if (likely(model->spares < model->spare_limit)) {
		process->same_hash = model->spare;
		model->spare = process;
		model->spares++;
	} else {
		bcos_heap_free(&model->heap, process, sizeof(*process));
	}
}

/* Gives a process another name, cleaned. @comm has BCOS_RAW_NAME bytes. */
static __always_inline void bcos_model_rename_process(struct bcos_model *model,
						      struct bcos_process *process,
						      const char *comm)
{
	if (likely(!process->hidden))
		model->process_bytes -= process->bytes;
	bcos_process_set_name(process, comm);
	if (likely(!process->hidden))
		model->process_bytes += process->bytes;
}

/* Is @comm, once cleaned, the name of the process? */
bool bcos_model_process_has_name(const struct bcos_process *process, const char *comm);
/*
 * Notes that the process runs for the first time since the newest group. Later switches to it need
 * not change the list.
 */
void bcos_model_ran(struct bcos_model *model, struct bcos_process *process);
/* Makes a hidden process one that the log names. */
void bcos_model_reveal(struct bcos_model *model, struct bcos_process *process);
/* Frees the memory of dead processes. */
void bcos_model_free_spares(struct bcos_model *model);

#endif
