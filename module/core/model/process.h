/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* How processes enter, are named in, and leave the model. */
#ifndef BCOS_CORE_PROCESS_H
#define BCOS_CORE_PROCESS_H

#include "core/format/entry.h"
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

/*
 * Returns NULL if there is no memory. The model must not have this ID. @comm has BCOS_RAW_NAME
 * bytes.
 */
struct bcos_process *bcos_model_add_process(struct bcos_model *model, u32 id, bool hidden,
					    const char *comm);
void bcos_model_remove_process(struct bcos_model *model, struct bcos_process *process);
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
