// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Generic events (5.3, 5.7, 5.11, 5.16). */
#include "event.h"
#include "group.h"

bool bcos_log_knows(const struct bcos_log *log, u16 subject, u32 source)
{
	const struct bcos_core *core = log->model.cores;

	switch (subject) {
	case BCOS_SUBJECT_PROCESS:
		return bcos_model_process(&log->model, source);
	case BCOS_SUBJECT_CPU:
		return source < log->model.cpu_limit && log->model.cpus[source].online;
	case BCOS_SUBJECT_DEVICE:
		return bcos_model_device(&log->model, source);
	default:
		break;
	}
	while (core && core->id != source)
		core = core->next;
	return core && core->online;
}

static void state_source(struct bcos_log *log, u16 type, u32 source)
{
	struct bcos_process *process;
	struct bcos_device *device;

	switch (type & BCOS_TYPE_SUBJECT_MASK) {
	case BCOS_SUBJECT_PROCESS:
		process = bcos_model_process(&log->model, source);
		if (process)
			bcos_emit_stated(log, process);
		break;
	case BCOS_SUBJECT_DEVICE:
		device = bcos_model_device(&log->model, source);
		if (device)
			bcos_emit_stated_device(log, device);
		break;
	}
}

void bcos_emit_event(struct bcos_log *log, u16 type, u32 source, u32 id, u8 severity, const char *text, size_t length)
{
	struct bcos_generic *entry;
	u32 bytes;

	if (!log->begun)
		return;
	state_source(log, type, source);
	bytes = (u32)bcos_entry_size(BCOS_GENERIC_TEXT, length);
	entry = bcos_emit_open(log, bytes, type, source, log->time, log->time_precision);
	entry->event_id = id;
	entry->severity = severity;
	memcpy(entry->text, text, length);
	bcos_emit_close(log, bytes);
}

void bcos_log_event(struct bcos_log *log, u16 type, u32 source, u64 time, u32 precision, u32 id,
		    u8 severity, const char *text, size_t length)
{
	if (!log->begun)
		return;
	if (length > BCOS_RAW_TEXT)
		length = BCOS_RAW_TEXT;
	bcos_log_at(log, time, precision);
	bcos_emit_event(log, type, source, id, severity, text, length);
	bcos_log_settle(log);
}
