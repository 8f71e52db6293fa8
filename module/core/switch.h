/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The record of which there are most, inlined into the merge. */
#ifndef BCOS_CORE_SWITCH_H
#define BCOS_CORE_SWITCH_H

#include "emit.h"

/* Can there be plain switches of this CPU now?  Applying one does not change that. */
static __always_inline bool bcos_log_is_plain(const struct bcos_log *log, const struct bcos_cpu *cpu)
{
	return log->begun && log->interesting && cpu->assigned;
}

/**
 * bcos_log_switch() - bcos_log_apply() of a SWITCH, where that is a plain one
 * @log: for which bcos_log_is_plain()
 * @cpu: on which it was staged
 * @number: of the CPU
 * @time: ns since boot
 * @precision: ns
 * @id: of the process that runs next
 *
 * Plain is what changes no more than what a CPU runs, in a log that has room
 * for it, has named who it runs, and is known to hold news for readers.
 *
 * Return: false if it is not plain: nothing was done.
 */
static __always_inline bool bcos_log_switch(struct bcos_log *log, struct bcos_cpu *cpu, u32 number, u64 time,
					    u32 precision, u32 id)
{
	struct bcos_process *process = NULL;

	if (unlikely(time < log->time || !bcos_ring_is_easy(&log->ring, sizeof(struct bcos_assign_cpu))))
		return false;
	if (likely(id != BCOS_PROCESS_IDLE)) {
		process = bcos_model_process(&log->model, id);
		if (unlikely(!process || !bcos_is_ready(log, process)))
			return false;
	}
	log->time = time;
	cpu->actual = id;
	if (unlikely(cpu->holder == process))
		return true;
	bcos_model_hold(cpu, process, id, time, precision);
	bcos_put_assign(&log->ring, number, id, time, precision);
	return true;
}

#endif
