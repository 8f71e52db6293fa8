// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What each kind of raw record means for model and log (section 4 of the design). */
#include "emit.h"
#include "words.h"

#define SIGKILL_BIT (1ull << 8)

static const struct bcos_raw_life *life_of(const struct bcos_raw *raw)
{
	return (const struct bcos_raw_life *)(raw + 1);
}

static const char *name_of(const struct bcos_raw *raw)
{
	return (const char *)(raw + 2);
}

/* Termination status (5.2.1) from what wait(2) would give. */
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
		if (log->model.driven_count && process->id != BCOS_PROCESS_KERNEL)
			bcos_devices_of_driver_end(log, process->id, status);
		bcos_emit_cancel_process(log, process, status);
	}
	bcos_model_remove_process(&log->model, process);
}

struct bcos_process *bcos_log_born(struct bcos_log *log, u32 id, u32 tag, bool hidden,
				   const char *name)
{
	struct bcos_process *process = bcos_model_process(&log->model, id);

	/* The old one's last switch is still to come, on another CPU. */
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
	if (!hidden)
		bcos_emit_set_process(log, process);
	return process;
}

/*
 * Another name for a living process.  A rename is a use: without its old name
 * before it, it would look like a birth.  Return: it is another name.
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
 * Before the walk at load not every probe was on: whoever that walk did not see
 * died before it, and the record of that may be missing.
 */
static bool is_over(const struct bcos_log *log)
{
	return unlikely(log->time < log->primed_from);
}

static void birth(struct bcos_log *log, const struct bcos_raw *raw)
{
	struct bcos_process *process = bcos_model_process(&log->model, raw->id);

	/* The walk of the task list saw it already. */
	if (process && process->tag == life_of(raw)->tag)
		return;
	if (is_over(log))
		return;
	bcos_log_born(log, raw->id, life_of(raw)->tag, raw->kind == BCOS_RAW_HELPER, name_of(raw));
}

static void exec(struct bcos_log *log, const struct bcos_raw *raw)
{
	struct bcos_process *process = bcos_model_process(&log->model, raw->id);
	bool revealed;

	if (!process || process->tag != life_of(raw)->tag) {
		if (is_over(log))
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
	/* No switch follows an exec, and until now the CPU was shown as the kernel's. */
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
	bool last = raw->kind == BCOS_RAW_DEAD || raw->aux & BCOS_RAW_FINAL;

	if (!process || process->tag != life_of(raw)->tag) {
		/* Its birth was lost; a walk may have seen it since. */
		if (last)
			bcos_log_gone(log, raw->id, life_of(raw)->tag);
		return;
	}
	process->status = life_of(raw)->status;
	process->exited = true;
	if (last)
		bcos_log_died(log, process);
}

static void sent_signal(struct bcos_log *log, const struct bcos_raw *raw)
{
	struct bcos_process *process = bcos_model_process(&log->model, raw->id);
	u64 bit = 1ull << (((raw->aux & ~BCOS_RAW_USER) - 1) & 63);

	if (!process)
		return;
	if (raw->aux & BCOS_RAW_USER)
		process->user_signals |= bit;
	else
		process->user_signals &= ~bit;
}

static void oom_victim(struct bcos_log *log, const struct bcos_raw *raw)
{
	static const char text[] = "chosen by the out-of-memory killer";
	struct bcos_process *process = bcos_model_process(&log->model, raw->id);

	if (!process)
		return;
	process->user_signals &= ~SIGKILL_BIT;
	if (!process->hidden)
		bcos_log_event(log, BCOS_GENERIC_PROCESS, raw->id, log->time, log->time_precision,
			       BCOS_EVENT_OOM_VICTIM, BCOS_SEVERITY_CRITICAL, text,
			       sizeof(text) - 1);
}

u32 bcos_log_speaker(struct bcos_log *log, u32 id, u32 tag)
{
	struct bcos_process *process = bcos_model_process(&log->model, id);

	if (process && (!tag || process->tag == tag))
		return process->hidden ? BCOS_PROCESS_KERNEL : id;
	bcos_log_unnamed(log);
	return BCOS_PROCESS_KERNEL;
}

/* 5.3, 5.7, 5.11, 5.16.  The text is any bytes. */
static void event(struct bcos_log *log, const struct bcos_raw *raw)
{
	const struct bcos_raw_event *event = (const struct bcos_raw_event *)(raw + 1);
	u16 subject = BCOS_RAW_SUBJECT(raw->aux), type = subject | BCOS_GENERIC_PROCESS;
	const char *text = (const char *)(raw + 2);
	u8 severity = BCOS_RAW_SEVERITY(raw->aux);
	u32 source = raw->id;
	size_t length;

	if (subject == BCOS_SUBJECT_PROCESS)
		source = bcos_log_speaker(log, source, event->tag);
	else if (subject == BCOS_SUBJECT_DEVICE)
		source = bcos_devices_id(log, source);
	if (subject != BCOS_SUBJECT_PROCESS && !bcos_log_knows(log, subject, source))
		return bcos_log_stray(log);
	if (raw->kind == BCOS_RAW_MESSAGE)
		length = bcos_words_format(log->text, (const u32 *)text, event->length / sizeof(u32));
	else
		length = bcos_utf8_clean(log->text, sizeof(log->text), text, event->length);
	bcos_log_event(log, type, source, log->time, bcos_precision(log->time_precision, event->precision),
		       event->event_id, severity, log->text, length);
}

bool bcos_log_is_quiet(const struct bcos_log *log, u32 id)
{
	u32 i;

	if (id == BCOS_PROCESS_IDLE || id == BCOS_PROCESS_KERNEL)
		return true;
	for (i = 0; i < log->quiets; i++)
		if (log->quiet[i] == id)
			return true;
	return false;
}

static void apply_rare(struct bcos_log *log, u32 cpu, const struct bcos_raw *raw)
{
	switch (raw->kind) {
	case BCOS_RAW_IRQ:
	case BCOS_RAW_IRQ_NAME:
		bcos_devices_interrupt(log, cpu, raw);
		break;
	case BCOS_RAW_DEVICE:
	case BCOS_RAW_DEVICE_GONE:
	case BCOS_RAW_LINK:
	case BCOS_RAW_INPUT:
	case BCOS_RAW_OUTPUT:
	case BCOS_RAW_FAULT:
		bcos_devices_apply(log, raw);
		break;
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
	case BCOS_RAW_IDLE:
		bcos_states_idle(log, cpu, raw);
		break;
	case BCOS_RAW_STATE:
		bcos_states_task(log, raw);
		break;
	case BCOS_RAW_LIMITS:
		bcos_cores_limits(log, raw);
		break;
	case BCOS_RAW_CHECK:
		bcos_cores_check(log, cpu, raw);
		break;
	case BCOS_RAW_EVENT:
	case BCOS_RAW_KMSG:
	case BCOS_RAW_MESSAGE:
		event(log, raw);
		break;
	}
}

void bcos_log_apply(struct bcos_log *log, u32 cpu, u64 time, const struct bcos_raw *raw)
{
	bool written;
	u64 head;

	if (unlikely(!log->begun) && time >= log->begin)
		bcos_log_passed(log, log->begin);
	bcos_log_at(log, time, log->precision);
	head = log->ring.now.head.offset;
	if (raw->kind == BCOS_RAW_CPU_DOWN) {
		bcos_cpu_down(log, raw->id);
		log->interesting = true;
	} else if (unlikely(!log->model.cpus[cpu].online) && cpu < log->model.cpu_limit && !bcos_cpu_up(log, cpu)) {
		/* No memory for the CPU, and what it said of lives is lost. */
		log->needs_walk |= bcos_raw_class(raw->kind) == BCOS_LOSS_LIFE;
	} else if (raw->kind == BCOS_RAW_SWITCH) {
		bcos_cpu_assign(log, cpu, raw->id);
		log->interesting |= !bcos_log_is_quiet(log, raw->id);
	} else {
		apply_rare(log, cpu, raw);
		written = log->ring.now.head.offset != head;
		/*
		 * A machine that is idle is no news, nor that who reads the log waits for it, nor what is not written
		 * since it was not asked for, or is as it was.
		 */
		if (raw->kind != BCOS_RAW_IDLE && (raw->kind != BCOS_RAW_STATE || !bcos_log_is_quiet(log, raw->id)) &&
		    (written || (!log->on_request && raw->kind != BCOS_RAW_LIMITS)))
			log->interesting = true;
	}
	bcos_log_settle(log);
}
