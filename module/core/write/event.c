// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes generic events: see event.h. */
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

void bcos_log_event(struct bcos_log *log, u16 type, u32 source, u64 time, u32 precision, u32 id,
		    u8 severity, const char *text, size_t length)
{
	struct bcos_generic *entry;

	if (!log->begun)
		return;
	if (length > BCOS_RAW_TEXT)
		length = BCOS_RAW_TEXT;
	bcos_log_at(log, time, precision);
	state_source(log, type, source);
	entry = bcos_event_open(log, length);
	memcpy(entry->text, text, length);
	bcos_event_close(log, entry, type, source, id, severity, length);
	bcos_log_settle(log);
}
