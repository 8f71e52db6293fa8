/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The shortcut for the most frequent records, inlined into the merge.
 *
 * For switches and interrupts the shortcut does what bcos_log_apply() does for a record that
 * changes only what a CPU runs, or changes nothing. It requires that the log has room, has named
 * the subject since the newest group, and is known to have news for readers. Otherwise it changes
 * nothing and returns false.
 */
#ifndef BCOS_CORE_SHORTCUT_H
#define BCOS_CORE_SHORTCUT_H

#include "core/write/emit.h"

/*
 * Is there room for an entry, @time not before the log's time, and no waking to be told first?
 */
static __always_inline bool bcos_shortcut_has_room(const struct bcos_log *log, u64 time)
{
	return likely(time >= log->time && time < log->wakings.due &&
		      bcos_ring_is_easy(&log->ring, sizeof(struct bcos_assign_cpu)));
}

/* Assigns @cpu to @process, which is ready and has the ID @id. @process is NULL for idle. */
static __always_inline bool bcos_shortcut_assign(struct bcos_log *log, struct bcos_cpu *cpu,
						 u64 time, u32 precision, u32 id,
						 struct bcos_process *process)
{
	if (!bcos_shortcut_has_room(log, time))
		return false;
	log->time = time;
	cpu->actual = id;
	if (unlikely(cpu->holder == process))
		return true;
	bcos_model_hold(cpu, process, id, time, precision);
	bcos_put_easy_word(&log->ring, BCOS_ASSIGN_CPU, cpu->number, id, time, precision);
	return true;
}

/* Applies a SWITCH to process @id. */
static __always_inline bool bcos_shortcut_switch(struct bcos_log *log, struct bcos_cpu *cpu,
						 u64 time, u32 precision, u32 id)
{
	struct bcos_process *process = NULL;

	if (likely(id != BCOS_PROCESS_IDLE)) {
		process = bcos_model_process(&log->model, id);
		if (unlikely(!process || !bcos_is_ready(log, process)))
			return false;
	}
	return bcos_shortcut_assign(log, cpu, time, precision, id, process);
}

/* Applies an IRQ record of a known action on @line. */
static __always_inline bool bcos_shortcut_interrupt(struct bcos_log *log, struct bcos_cpu *cpu,
						    u64 time, u32 precision, u32 line, u16 tag)
{
	struct bcos_line *known;

	if (!bcos_shortcut_has_room(log, time))
		return false;
	known = bcos_model_line(&log->model, line, tag);
	if (unlikely(!known || !bcos_is_stated(log, known->device->stated) ||
		     log->on_request & BCOS_CLASS_IRQ))
		return false;
	log->time = time;
	cpu->interrupted_by = known->device->id;
	bcos_put_easy_word(&log->ring, BCOS_IRQ, known->device->id, known->number, time,
			   precision);
	return true;
}

/*
 * May records of this CPU take the shortcut now? The log must have begun and have news for readers,
 * and the CPU must be assigned. A record that takes the shortcut does not change the answer.
 */
static __always_inline bool bcos_shortcut_is_open(const struct bcos_log *log,
						  const struct bcos_cpu *cpu)
{
	return log->begun && log->interesting && cpu->assigned;
}

/* Applies a SWITCH or an IRQ of @cpu, whose records may take the shortcut now. */
static __always_inline bool bcos_shortcut(struct bcos_log *log, struct bcos_cpu *cpu, u64 time,
					  u32 precision, const struct bcos_raw *raw)
{
	if (likely(raw->kind == BCOS_RAW_SWITCH))
		return bcos_shortcut_switch(log, cpu, time, precision, raw->id);
	if (raw->kind == BCOS_RAW_IRQ)
		return bcos_shortcut_interrupt(log, cpu, time, precision, raw->id, raw->aux);
	return false;
}

#endif
