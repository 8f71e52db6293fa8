/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Adds, names and removes processes in the model. A short life consists mostly of these functions,
 * so they are inlined into the rules of births and deaths.
 */
#ifndef BCOS_CORE_PROCESS_H
#define BCOS_CORE_PROCESS_H

#include "cgroup.h"
#include "core/format/entry.h"
#include "device.h"
#include "model.h"
#include "name.h"

/* The model keeps the memory of up to this many dead processes for new ones. */
#define BCOS_SPARE_PROCESSES 64

/* Returns the termination status (5.2.1) of a process, from the status that wait(2) reports. */
static inline u32 bcos_process_termination(const struct bcos_process *process)
{
	u32 signal = process->status & 0x7F;

	/* The process is gone, but the log has no record of its end. */
	if (!process->exited)
		return BCOS_STATUS_UNKNOWN;
	if (!signal)
		return process->status >> 8 & 0xFF;
	if (process->user_signals & 1ull << ((signal - 1) & 63))
		return BCOS_STATUS_OWNER + signal;
	return BCOS_STATUS_KERNEL + signal;
}

/* Sets the fields of a new process that neither the caller nor bcos_model_enter() sets. */
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
	process->cgroup = NULL;
	process->cgroup_until = 0;
	process->precision = 0;
	process->tag = 0;
	process->status = 0;
	process->walk = 0;
	process->devices = NULL;
	process->parent = BCOS_PROCESS_NONE;
	process->hidden = hidden;
	process->exited = false;
	process->dying = false;
}

/*
 * Doubles the table of processes. Without memory the old table stays, which is slower, but right.
 */
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

/* Removes a process from the model, but does not free its memory. */
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

/* Takes the memory of a dead process. There must be a spare one. */
static __always_inline struct bcos_process *bcos_model_take_spare(struct bcos_model *model)
{
	struct bcos_process *process = model->spare;

	model->spare = process->same_hash;
	model->spares--;
	return process;
}

/*
 * Adds a process. The model must not have a process with this ID. @comm has BCOS_RAW_NAME bytes.
 * Returns NULL if there is no memory.
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

/* Removes a process, and makes the kernel the driver of its devices. */
static __always_inline void bcos_model_remove_process(struct bcos_model *model,
						      struct bcos_process *process)
{
	while (unlikely(process->devices))
		bcos_model_set_driver(model, process->devices, BCOS_PROCESS_KERNEL);
	bcos_model_leave(model, process);
	bcos_cgroup_leave(model, process);
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

/* Gives a process another name, made of @comm, which has BCOS_RAW_NAME bytes. */
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
 * Moves the process to the front of the list of processes, since it runs for the first time since
 * the newest group. Later switches to it need not change the list.
 */
void bcos_model_ran(struct bcos_model *model, struct bcos_process *process);
/* Makes a hidden process a named one. */
void bcos_model_reveal(struct bcos_model *model, struct bcos_process *process);
/* Frees the memory of dead processes. */
void bcos_model_free_spares(struct bcos_model *model);

#endif
