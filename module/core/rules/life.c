// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Applies raw records of births, names and deaths to the model and the log (module/DESIGN.md, 2.2).
 */
#include "core/model/process.h"
#include "core/write/cgroup.h"
#include "core/write/dropped.h"
#include "core/write/emit.h"
#include "core/write/event.h"
#include "life.h"
#include "rules.h"

#define SIGKILL_BIT (1ull << 8)

static const struct bcos_raw_life *life_of(const struct bcos_raw *raw)
{
	return (const struct bcos_raw_life *)(raw + 1);
}

static const char *name_of(const struct bcos_raw *raw)
{
	return (const char *)(raw + 2);
}

static bool is_last(const struct bcos_raw *raw)
{
	return raw->kind == BCOS_RAW_DEAD || raw->aux & BCOS_RAW_FINAL;
}

void bcos_log_died(struct bcos_log *log, struct bcos_process *process, u32 cpu)
{
	u32 status = bcos_process_termination(process);

	if (unlikely(log->remembers))
		bcos_log_gone(log, process->id, process->tag);
	bcos_wakings_tell_of(log, process->id);
	if (process->cpus || process->hidden)
		bcos_cpu_release(log, process, cpu);
	if (likely(!process->hidden)) {
		if (unlikely(process->devices))
			bcos_devices_of_driver_end(log, process, status);
		if (unlikely(process->senders))
			bcos_who_killed(log, process);
		bcos_emit_cancel_process(log, process, status);
	}
	bcos_model_remove_process(&log->model, process);
}

static __always_inline struct bcos_process *process_born(struct bcos_log *log,
							 struct bcos_process *previous, u32 id,
							 u32 tag, bool hidden, const char *name)
{
	struct bcos_process *process;

	/* The DEAD record of the previous process follows from another CPU. */
	if (unlikely(previous))
		bcos_log_died(log, previous, 0);
	process = bcos_model_add_process(&log->model, id, hidden, name);
	if (unlikely(!process)) {
		bcos_log_starved(log);
		return NULL;
	}
	process->tag = tag;
	process->start = log->time;
	process->precision = log->time_precision;
	if (unlikely(hidden))
		return process;
	bcos_emit_set_process(log, process);
	/*
	 * A new process counts as one that has run: it is about to run, and the model has put it in
	 * front of the list.
	 */
	if (likely(log->begun))
		process->ready = log->ring.now.group.offset;
	return process;
}

struct bcos_process *bcos_log_born(struct bcos_log *log, struct bcos_process *previous, u32 id,
				   u32 tag, bool hidden, const char *name)
{
	return process_born(log, previous, id, tag, hidden, name);
}

/* The log must have stated the old name before, else the rename would look like a birth. */
bool bcos_log_rename(struct bcos_log *log, struct bcos_process *process, const char *name)
{
	if (bcos_model_process_has_name(process, name))
		return false;
	if (!process->hidden)
		bcos_emit_stated(log, process);
	bcos_model_rename_process(&log->model, process, name);
	return true;
}

/*
 * Is @time before the walk at load? Not every probe was on then. A process that the walk did not
 * see has died, and the record of its death may be missing.
 */
static bool is_over(const struct bcos_log *log, u64 time)
{
	return unlikely(time < log->primed_from);
}

void bcos_life_birth(struct bcos_log *log, const struct bcos_raw *raw)
{
	struct bcos_process *process = bcos_model_process(&log->model, raw->id);

	/* The walk of the task list has already seen this birth. */
	if (process && process->tag == life_of(raw)->tag)
		return;
	if (is_over(log, log->time))
		return;
	process = process_born(log, process, raw->id, life_of(raw)->tag,
			       raw->kind == BCOS_RAW_HELPER, name_of(raw));
	if (!process || !(raw->aux & BCOS_RAW_PARENT))
		return;
	bcos_who_inherits(log, process, life_of(raw)->status);
	if (unlikely(process->hidden))
		process->parent = life_of(raw)->status;
	else
		bcos_who_bore(log, process, life_of(raw)->status);
}

void bcos_life_exec(struct bcos_log *log, const struct bcos_raw *raw)
{
	struct bcos_process *process = bcos_model_process(&log->model, raw->id);
	bool revealed;

	if (unlikely(!process || process->tag != life_of(raw)->tag)) {
		if (is_over(log, log->time))
			return;
		process = bcos_log_born(log, process, raw->id, life_of(raw)->tag, false,
					name_of(raw));
		if (process)
			bcos_cpu_reveal(log, process);
		return;
	}
	revealed = process->hidden;
	if (likely(!revealed))
		bcos_emit_stated(log, process);
	bcos_model_rename_process(&log->model, process, name_of(raw));
	if (unlikely(revealed)) {
		bcos_model_reveal(&log->model, process);
		process->start = log->time;
		process->precision = log->time_precision;
	}
	bcos_emit_set_process(log, process);
	if (revealed && process->parent != BCOS_PROCESS_NONE)
		bcos_who_bore(log, process, process->parent);
	if (revealed)
		bcos_cgroup_put(log, process);
	/* No switch follows an exec, and the log has assigned this CPU to the kernel until now. */
	if (revealed)
		bcos_cpu_reveal(log, process);
}

void bcos_life_rename(struct bcos_log *log, const struct bcos_raw *raw)
{
	struct bcos_process *process = bcos_model_process(&log->model, raw->id);

	if (!process || process->tag != life_of(raw)->tag)
		return;
	if (bcos_log_rename(log, process, name_of(raw)) && !process->hidden)
		bcos_emit_set_process(log, process);
}

void bcos_life_death(struct bcos_log *log, u32 cpu, const struct bcos_raw *raw)
{
	struct bcos_process *process = bcos_model_process(&log->model, raw->id);

	if (unlikely(!process || process->tag != life_of(raw)->tag)) {
		/* The birth was lost, but a walk may have seen the process since then. */
		if (is_last(raw))
			bcos_log_gone(log, raw->id, life_of(raw)->tag);
		return;
	}
	process->status = life_of(raw)->status;
	process->exited = true;
	if (is_last(raw))
		bcos_log_died(log, process, cpu);
}

void bcos_life_signal(struct bcos_log *log, const struct bcos_raw *raw)
{
	struct bcos_process *process = bcos_model_process(&log->model, raw->id);
	u64 bit = 1ull << (((raw->aux & ~BCOS_RAW_USER) - 1) & 63);

	/* The signal went to an earlier process with this ID, whose death is recorded later. */
	if (!process || (raw->units > 1 && process->tag != life_of(raw)->tag))
		return;
	if (raw->aux & BCOS_RAW_USER)
		process->user_signals |= bit;
	else
		process->user_signals &= ~bit;
	bcos_who_sent(log, process, raw);
}

void bcos_life_victim(struct bcos_log *log, const struct bcos_raw *raw)
{
	static const char text[] = "chosen by the out-of-memory killer";
	struct bcos_process *process = bcos_model_process(&log->model, raw->id);

	if (!process)
		return;
	process->user_signals &= ~SIGKILL_BIT;
	bcos_who_chose(process);
	if (!process->hidden)
		bcos_log_event(log, BCOS_GENERIC_PROCESS, raw->id, log->time, log->time_precision,
			       BCOS_EVENT_OOM_VICTIM, BCOS_SEVERITY_CRITICAL, text,
			       sizeof(text) - 1);
}
