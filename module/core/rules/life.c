// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Applies raw records of births, names and deaths to the model and the log (module/DESIGN.md, 2.2). */
#include "core/write/emit.h"
#include "shortcut.h"
#include "core/model/process.h"

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

/* Converts a wait(2) status to a termination status (5.2.1). */
u32 bcos_log_termination(const struct bcos_process *process)
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

void bcos_log_died(struct bcos_log *log, struct bcos_process *process)
{
	u32 status = bcos_log_termination(process);

	bcos_log_gone(log, process->id, process->tag);
	bcos_cpu_release(log, process);
	if (!process->hidden) {
		bcos_devices_of_driver_end(log, process, status);
		bcos_who_killed(log, process);
		bcos_emit_cancel_process(log, process, status);
	}
	bcos_model_remove_process(&log->model, process);
}

struct bcos_process *bcos_log_born(struct bcos_log *log, u32 id, u32 tag, bool hidden,
				   const char *name)
{
	struct bcos_process *process = bcos_model_process(&log->model, id);

	/* The previous process with this ID still has its last switch to come, on another CPU. */
	if (process)
		bcos_log_died(log, process);
	process = bcos_model_add_process(&log->model, id, hidden, name, BCOS_RAW_NAME);
	if (!process) {
		bcos_log_starved(log);
		log->needs_walk = true;
		return NULL;
	}
	process->tag = tag;
	process->start = log->time;
	process->precision = log->time_precision;
	if (hidden)
		return process;
	bcos_emit_set_process(log, process);
	/*
	 * A new process is about to run, and the model already lists it with those that have run.
	 */
	if (log->begun)
		process->ready = log->ring.now.group.offset;
	return process;
}

/*
 * Gives a living process another name. The log must have stated the old name before, else the
 * rename would look like a birth. Returns true if the name changed.
 */
bool bcos_log_rename(struct bcos_log *log, struct bcos_process *process, const char *name)
{
	if (bcos_model_process_has_name(process, name, BCOS_RAW_NAME))
		return false;
	if (!process->hidden)
		bcos_emit_stated(log, process);
	bcos_model_rename_process(&log->model, process, name, BCOS_RAW_NAME);
	return true;
}

/*
 * Did this happen before the walk at load? Not every probe was on then. A process that the walk did
 * not see has died, and the record of its death may be missing.
 */
static bool is_over(const struct bcos_log *log, u64 time)
{
	return unlikely(time < log->primed_from);
}

static void birth(struct bcos_log *log, const struct bcos_raw *raw)
{
	struct bcos_process *process = bcos_model_process(&log->model, raw->id);

	/* The walk of the task list has already seen this birth. */
	if (process && process->tag == life_of(raw)->tag)
		return;
	if (is_over(log, log->time))
		return;
	process = bcos_log_born(log, raw->id, life_of(raw)->tag, raw->kind == BCOS_RAW_HELPER, name_of(raw));
	if (!process || !(raw->aux & BCOS_RAW_PARENT))
		return;
	if (process->hidden)
		process->parent = life_of(raw)->status;
	else
		bcos_who_bore(log, process, life_of(raw)->status);
}

static void exec(struct bcos_log *log, const struct bcos_raw *raw)
{
	struct bcos_process *process = bcos_model_process(&log->model, raw->id);
	bool revealed;

	if (!process || process->tag != life_of(raw)->tag) {
		if (is_over(log, log->time))
			return;
		process = bcos_log_born(log, raw->id, life_of(raw)->tag, false, name_of(raw));
		if (process)
			bcos_cpu_reveal(log, process);
		return;
	}
	revealed = process->hidden;
	if (!revealed)
		bcos_emit_stated(log, process);
	bcos_model_rename_process(&log->model, process, name_of(raw), BCOS_RAW_NAME);
	if (revealed) {
		bcos_model_reveal(&log->model, process);
		process->start = log->time;
		process->precision = log->time_precision;
	}
	bcos_emit_set_process(log, process);
	if (revealed && process->parent != BCOS_PROCESS_NONE)
		bcos_who_bore(log, process, process->parent);
	/* No switch follows an exec, and the log has shown this CPU as the kernel's until now. */
	if (revealed)
		bcos_cpu_reveal(log, process);
}

static void change_name(struct bcos_log *log, const struct bcos_raw *raw)
{
	struct bcos_process *process = bcos_model_process(&log->model, raw->id);

	if (!process || process->tag != life_of(raw)->tag)
		return;
	if (bcos_log_rename(log, process, name_of(raw)) && !process->hidden)
		bcos_emit_set_process(log, process);
}

static void death(struct bcos_log *log, const struct bcos_raw *raw)
{
	struct bcos_process *process = bcos_model_process(&log->model, raw->id);

	if (!process || process->tag != life_of(raw)->tag) {
		/* The birth was lost; a walk may have seen the process since. */
		if (is_last(raw))
			bcos_log_gone(log, raw->id, life_of(raw)->tag);
		return;
	}
	process->status = life_of(raw)->status;
	process->exited = true;
	if (is_last(raw))
		bcos_log_died(log, process);
}

static void sent_signal(struct bcos_log *log, const struct bcos_raw *raw)
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

static void oom_victim(struct bcos_log *log, const struct bcos_raw *raw)
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

void bcos_log_apply_life(struct bcos_log *log, const struct bcos_raw *raw)
{
	switch (raw->kind) {
	case BCOS_RAW_BIRTH:
	case BCOS_RAW_HELPER:
		birth(log, raw);
		break;
	case BCOS_RAW_EXEC:
		exec(log, raw);
		break;
	case BCOS_RAW_RENAME:
		change_name(log, raw);
		break;
	case BCOS_RAW_EXIT:
	case BCOS_RAW_DEAD:
		death(log, raw);
		break;
	case BCOS_RAW_SIGNAL:
		sent_signal(log, raw);
		break;
	case BCOS_RAW_VICTIM:
		oom_victim(log, raw);
		break;
	}
}

/*
 * The most that a plain record may write: a birth and its parent. A death on a CPU writes less, two
 * entries of one word.
 */
#define ROOM (BCOS_PUT_NAME + BCOS_PUT_PARENT)

static __always_inline bool plain_birth(struct bcos_log *log, u64 time, u32 precision, const struct bcos_raw *raw)
{
	struct bcos_model *model = &log->model;
	struct bcos_process *process = model->spare;
	u8 length;

	if (unlikely(!process || bcos_model_is_full(model) || is_over(log, time)))
		return false;
	length = bcos_plain_name(process->name, name_of(raw));
	if (unlikely(!length))
		return false;
	bcos_model_take_spare(model);
	bcos_process_init(process, raw->id, false);
	process->tag = life_of(raw)->tag;
	process->start = time;
	process->named = time;
	process->precision = precision;
	process->name_length = length;
	bcos_model_enter(model, process);
	bcos_put_name(&log->ring, process, bcos_process_bytes(process), BCOS_SET_PROCESS_NAME, time, precision);
	process->ready = log->ring.now.group.offset;
	if (raw->aux & BCOS_RAW_PARENT)
		bcos_put_parent(log, process, life_of(raw)->status, time, precision);
	return true;
}

static __always_inline bool plain_exec(struct bcos_log *log, struct bcos_process *process, u64 time, u32 precision,
				       const struct bcos_raw *raw)
{
	u64 before = bcos_process_bytes(process);
	u32 bytes;
	u8 length;

	if (unlikely(process->hidden))
		return false;
	length = bcos_plain_name(process->name, name_of(raw));
	if (unlikely(!length))
		return false;
	process->name_length = length;
	process->named = time;
	bytes = bcos_process_bytes(process);
	log->model.process_bytes += bytes - before;
	bcos_put_name(&log->ring, process, bytes, BCOS_SET_PROCESS_NAME, time, precision);
	return true;
}

/* Assigns @cpu to the kernel if the log shows the process there and nowhere else. */
static __always_inline bool plain_release(struct bcos_log *log, struct bcos_process *process, u32 cpu, u64 time,
					  u32 precision)
{
	struct bcos_process *kernel = bcos_model_process(&log->model, BCOS_PROCESS_KERNEL);
	struct bcos_cpu *model = &log->model.cpus[cpu];

	if (process->cpus != 1 || model->holder != process || model->actual != process->id ||
	    !kernel || !bcos_is_ready(log, kernel))
		return false;
	model->actual = BCOS_PROCESS_KERNEL;
	bcos_model_hold(model, kernel, BCOS_PROCESS_KERNEL, time, precision);
	bcos_put_word(&log->ring, BCOS_ASSIGN_CPU, cpu, BCOS_PROCESS_KERNEL, time, precision);
	return true;
}

static __always_inline bool plain_death(struct bcos_log *log, struct bcos_process *process, u32 cpu, u64 time,
					u32 precision, const struct bcos_raw *raw)
{
	struct bcos_model *model = &log->model;

	if (unlikely(process->hidden || process->senders || log->remembers || process->devices ||
		     model->spares >= model->spare_limit))
		return false;
	if (process->cpus && !plain_release(log, process, cpu, time, precision))
		return false;
	process->status = life_of(raw)->status;
	process->exited = true;
	bcos_put_word(&log->ring, BCOS_CANCEL_PROCESS_NAME, process->id, bcos_log_termination(process), time,
		      precision);
	bcos_model_leave(model, process);
	bcos_model_keep_spare(model, process);
	return true;
}

/* Other threads of the group may still be switched out; the DEAD of the last one follows. */
static __always_inline bool plain_exit(const struct bcos_log *log, struct bcos_process *process,
				       const struct bcos_raw *raw)
{
	if (unlikely(log->on_request))
		return false;
	process->status = life_of(raw)->status;
	process->exited = true;
	return true;
}

bool bcos_log_life(struct bcos_log *log, u32 cpu, u64 time, u32 precision, const struct bcos_raw *raw)
{
	struct bcos_process *process;
	bool done;

	if (unlikely(!log->begun || time < log->time || !bcos_ring_is_easy(&log->ring, ROOM) ||
		     !log->model.cpus[cpu].online))
		return false;
	process = bcos_model_process(&log->model, raw->id);
	if (raw->kind == BCOS_RAW_BIRTH) {
		done = !process && plain_birth(log, time, precision, raw);
	} else {
		if (unlikely(!process || process->tag != life_of(raw)->tag || !bcos_is_stated(log, process->stated)))
			return false;
		if (raw->kind == BCOS_RAW_EXEC)
			done = plain_exec(log, process, time, precision, raw);
		else if (is_last(raw))
			done = plain_death(log, process, cpu, time, precision, raw);
		else
			done = plain_exit(log, process, raw);
	}
	if (unlikely(!done))
		return false;
	log->time = time;
	log->time_precision = precision;
	log->interesting = true;
	return true;
}
