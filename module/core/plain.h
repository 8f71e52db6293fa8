/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The records of which there are most, inlined into the merge: bcos_log_apply()
 * of those that change nothing but what a CPU runs, or nothing at all, in a log
 * that has room for them, has named whom they are about, and is known to hold
 * news for readers. Each returns false if that is not so, and has done nothing.
 */
#ifndef BCOS_CORE_PLAIN_H
#define BCOS_CORE_PLAIN_H

#include "emit.h"

/* Can there be plain records of this CPU now?  Applying one does not change that. */
static __always_inline bool bcos_log_is_plain(const struct bcos_log *log, const struct bcos_cpu *cpu)
{
	return log->begun && log->interesting && cpu->assigned;
}

/* Is there room at this time? */
static __always_inline bool bcos_log_is_easy(const struct bcos_log *log, u64 time)
{
	return likely(time >= log->time && bcos_ring_is_easy(&log->ring, sizeof(struct bcos_assign_cpu)));
}

/* SWITCH to process @id on @cpu, which has this @number. */
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
 * BIRTH, EXEC, EXIT and DEAD, in one piece, of a process with a name like others. Not inlined, and needs no
 * bcos_log_is_plain().
 */
bool bcos_log_life(struct bcos_log *log, u32 cpu, u64 time, u32 precision, const struct bcos_raw *raw);

/* IRQ of an action on a line. */
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
