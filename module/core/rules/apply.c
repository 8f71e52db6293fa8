// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Applies raw records of each kind to the model and the log (module/DESIGN.md, 2). */
#include "core/format/message.h"
#include "core/write/dropped.h"
#include "core/write/emit.h"
#include "core/write/event.h"
#include "core/write/group.h"
#include "life.h"
#include "rules.h"

u32 bcos_log_speaker(struct bcos_log *log, u32 id, u32 tag)
{
	struct bcos_process *process = bcos_model_process(&log->model, id);

	if (process && (!tag || process->tag == tag))
		return process->hidden ? BCOS_PROCESS_KERNEL : id;
	bcos_log_unnamed(log);
	return BCOS_PROCESS_KERNEL;
}

/* Writes a generic event (5.3, 5.7, 5.11, 5.16). The text may be any bytes. */
static void apply_event(struct bcos_log *log, const struct bcos_raw *raw)
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
		source = bcos_devices_id(log, (u64)event->tag << 32 | source);
	else if (subject == BCOS_SUBJECT_CPU && event->event_id == BCOS_EVENT_LOSS &&
		 !bcos_log_knows(log, subject, source))
		/* The CPU that was chosen to state the loss has gone offline meanwhile. */
		source = bcos_log_spokesman(log);
	if (subject != BCOS_SUBJECT_PROCESS && !bcos_log_knows(log, subject, source))
		return bcos_log_stray(log);
	if (raw->kind == BCOS_RAW_MESSAGE)
		length = bcos_message_format(log->text, (const u32 *)text,
					     event->length / sizeof(u32));
	else
		length = bcos_utf8_clean(log->text, sizeof(log->text), text, event->length);
	bcos_log_event(log, type, source, log->time,
		       bcos_reach(log->time, bcos_latest(log->latest, event->precision)),
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

/*
 * The record has the earliest possible time of the assignment, and event->precision reaches to the
 * latest one. What the CPU ran before is lost, so the log states the assignment even if it repeats
 * the one before.
 */
static void apply_assign(struct bcos_log *log, u32 cpu, const struct bcos_raw *raw)
{
	const struct bcos_raw_event *event = (const struct bcos_raw_event *)(raw + 1);

	log->time_precision = bcos_reach(log->time, bcos_latest(log->latest, event->precision));
	log->model.cpus[cpu].assigned = false;
	bcos_cpu_assign(log, cpu, raw->id);
}

static void apply_record(struct bcos_log *log, u32 cpu, const struct bcos_raw *raw)
{
	if (bcos_raw_is_life(raw->kind))
		return bcos_life_apply(log, cpu, raw->kind, raw);
	switch (raw->kind) {
	case BCOS_RAW_SWITCH:
		bcos_cpu_assign(log, cpu, raw->id);
		break;
	case BCOS_RAW_CPU_DOWN:
		bcos_cpu_down(log, raw->id);
		break;
	case BCOS_RAW_ASSIGN:
		apply_assign(log, cpu, raw);
		break;
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
	case BCOS_RAW_PROGRAM:
		bcos_who_runs(log, raw);
		break;
	case BCOS_RAW_CGROUP:
		bcos_who_moved(log, raw);
		break;
	case BCOS_RAW_IDLE:
		bcos_states_idle(log, cpu, raw);
		break;
	case BCOS_RAW_STATE:
		bcos_states_task(log, cpu, raw);
		break;
	case BCOS_RAW_THREAD:
		bcos_threads_apply(log, raw);
		break;
	case BCOS_RAW_REQUEST_START:
	case BCOS_RAW_REQUEST_ISSUE:
	case BCOS_RAW_REQUEST_END:
		bcos_requests_apply(log, raw);
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
		apply_event(log, raw);
		break;
	}
}

/* Is the record @raw worth waking readers for? @written: applying it wrote an entry. */
static bool is_news(const struct bcos_log *log, const struct bcos_raw *raw, bool written)
{
	switch (raw->kind) {
	case BCOS_RAW_SWITCH:
		return !bcos_log_is_quiet(log, raw->id);
	case BCOS_RAW_CPU_DOWN:
		return true;
	case BCOS_RAW_IDLE:
		return false;
	case BCOS_RAW_STATE:
	case BCOS_RAW_THREAD:
		/* State changes of log readers are no news. */
		if (bcos_log_is_quiet(log, raw->id))
			return false;
		break;
	case BCOS_RAW_REQUEST_START:
	case BCOS_RAW_REQUEST_ISSUE:
	case BCOS_RAW_REQUEST_END:
	case BCOS_RAW_LIMITS:
		return written;
	}
	/*
	 * A record that wrote no entry may be of a class on request, whose device nobody asked for.
	 */
	return written || !log->on_request;
}

/*
 * Does the record come from a CPU that is not online, and for which there is no memory to come
 * online?
 */
static bool is_without_cpu(struct bcos_log *log, u32 cpu, const struct bcos_raw *raw)
{
	return raw->kind != BCOS_RAW_CPU_DOWN && cpu < log->model.cpu_limit &&
	       !bcos_cpu_up(log, cpu);
}

void bcos_log_apply(struct bcos_log *log, u32 cpu, u64 time, const struct bcos_raw *raw)
{
	u64 head;

	bcos_log_begin_if_due(log, time);
	bcos_wakings_look(log, time);
	bcos_log_at(log, time, log->precision);
	log->latest = bcos_latest(time, log->precision);
	head = log->ring.now.head.offset;
	if (unlikely(!log->model.cpus[cpu].online) && is_without_cpu(log, cpu, raw)) {
		/*
		 * Without a CPU the record is dropped. A walk finds a birth, death or device that
		 * it tells of.
		 */
		if (bcos_raw_class(raw->kind) == BCOS_LOSS_LIFE)
			bcos_who_forgets(log, time);
		log->needs_walk |= bcos_raw_class(raw->kind) == BCOS_LOSS_LIFE ||
				   bcos_raw_class(raw->kind) == BCOS_LOSS_DEVICE;
	} else {
		apply_record(log, cpu, raw);
	}
	if (unlikely(!log->interesting))
		log->interesting = is_news(log, raw, log->ring.now.head.offset != head);
	bcos_log_settle(log);
}
