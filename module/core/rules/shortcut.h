/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Fast paths for the most frequent records, inlined into the merge.
 * Each function does what bcos_log_apply() does for a record that changes only what a CPU runs, or
 * changes nothing. It requires that the log has room, has named the subject, and is known to hold
 * news for readers. Otherwise it returns false and has done nothing.
 */
#ifndef BCOS_CORE_PLAIN_H
#define BCOS_CORE_PLAIN_H

#include "core/write/emit.h"

/* Can this CPU have plain records now? Applying a plain record does not change the answer. */
static __always_inline bool bcos_log_is_plain(const struct bcos_log *log, const struct bcos_cpu *cpu)
{
	return log->begun && log->interesting && cpu->assigned;
}

/* Is there room for an entry at this time? */
static __always_inline bool bcos_log_is_easy(const struct bcos_log *log, u64 time)
{
	return likely(time >= log->time && bcos_ring_is_easy(&log->ring, sizeof(struct bcos_assign_cpu)));
}

/* Applies a SWITCH to process @id on @cpu, whose number is @number. */
static __always_inline bool bcos_log_switch(struct bcos_log *log, struct bcos_cpu *cpu, u32 number, u64 time,
					    u32 precision, u32 id)
{
	struct bcos_process *process = NULL;

	if (!bcos_log_is_easy(log, time))
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
	bcos_put_word(&log->ring, BCOS_ASSIGN_CPU, number, id, time, precision);
	return true;
}

/*
 * Applies BIRTH, EXEC, EXIT and DEAD of a process whose name is plain (bcos_plain_name()). This
 * function is not inlined and does not require bcos_log_is_plain().
 */
bool bcos_log_life(struct bcos_log *log, u32 cpu, u64 time, u32 precision, const struct bcos_raw *raw);

/* Applies an IRQ record of a known action on @line. */
static __always_inline bool bcos_log_interrupt(struct bcos_log *log, struct bcos_cpu *cpu, u64 time, u32 precision,
					       u32 line, u16 tag)
{
	struct bcos_line *known;

	if (!bcos_log_is_easy(log, time))
		return false;
	known = bcos_model_line(&log->model, line, tag);
	if (unlikely(!known || !bcos_is_stated(log, known->device->stated) || log->on_request & BCOS_CLASS_IRQ))
		return false;
	log->time = time;
	cpu->interrupted_by = known->device->id;
	bcos_put_word(&log->ring, BCOS_IRQ, known->device->id, known->number, time, precision);
	return true;
}

#endif
