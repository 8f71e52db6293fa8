// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes entries: see emit.h. */
#include "core/format/thread_text.h"
#include "core/model/process.h"
#include "core/model/thread.h"
#include "emit.h"

void *bcos_emit_open(struct bcos_log *log, u32 bytes, u16 type, u32 source, u64 time, u32 precision)
{
	struct bcos_entry *entry = bcos_ring_reserve(&log->ring, bytes, log->time);

	bcos_put_header(entry, bytes, type, source, time, precision);
	/* Zeros pad a string to the next word, which is the last one. */
	if (bytes > sizeof(*entry))
		memset((u8 *)entry + bytes - sizeof(u32), 0, sizeof(u32));
	if (type & BCOS_TYPE_HISTORICAL)
		log->stats.historical++;
	return entry;
}

void bcos_emit_close(struct bcos_log *log, u32 bytes)
{
	bcos_ring_commit(&log->ring, bytes);
}

void bcos_emit_process_slowly(struct bcos_log *log, struct bcos_process *process, u16 type,
			      u64 time, u32 precision)
{
	struct bcos_process_name *entry = bcos_emit_open(log, process->bytes, type, process->id,
							 time, precision);

	memcpy(entry->name, process->name, process->name_length);
	process->stated = log->ring.now.head.offset + 1;
	bcos_emit_close(log, process->bytes);
}

void bcos_emit_process(struct bcos_log *log, struct bcos_process *process, u16 type, u64 time,
		       u32 precision)
{
	bcos_put_process(log, process, type, time, precision);
}

void bcos_emit_device(struct bcos_log *log, struct bcos_device *device, u16 type, u64 time,
		      u32 precision)
{
	u32 bytes = (u32)bcos_entry_size(sizeof(struct bcos_device_name), device->name_length);
	struct bcos_device_name *entry =
		bcos_emit_open(log, bytes, type, device->id, time, precision);

	entry->driver = device->driver;
	memcpy(entry->name, device->name, device->name_length);
	device->stated = log->ring.now.head.offset + 1;
	bcos_emit_close(log, bytes);
}

/* Converts to units of 2 mW; 0xFFFF means "or more" (5.5.1). */
static u16 power_units(u32 mw)
{
	return mw >= 131072 ? 0xFFFF : (u16)(mw / 2);
}

void bcos_power_fields(const struct bcos_estimate *estimate, u16 *idle, u16 *difference)
{
	u32 idle_mw = estimate->idle_mw, busy_mw = estimate->busy_mw, stored;

	*idle = power_units(idle_mw);
	/* 0 means unknown, so the least known power is one unit. */
	if (idle_mw && !*idle)
		*idle = 1;
	/*
	 * Readers add the difference to the stored idle value, even where that was rounded or
	 * clamped.
	 */
	stored = *idle * 2u;
	*difference = busy_mw > stored ? power_units(busy_mw - stored) : 0;
}

void bcos_emit_core(struct bcos_log *log, const struct bcos_core *core, u16 type, u64 time,
		    u32 precision)
{
	u32 bytes = (u32)(sizeof(struct bcos_core_online) + core->present * sizeof(u32)), i;
	struct bcos_core_online *entry = bcos_emit_open(log, bytes, type, core->id, time,
							precision);

	bcos_power_fields(&core->estimate, &entry->idle_power, &entry->power_difference);
	for (i = 0; i < core->present; i++)
		entry->performance[i] = i < BCOS_SIBLINGS && core->estimate.counted[i] ?
			core->estimate.counted[i] : core->estimate.performance;
	bcos_emit_close(log, bytes);
}

void bcos_emit_word_slowly(struct bcos_log *log, u16 type, u32 source, u32 word, u64 time,
			   u32 precision)
{
	struct bcos_assign_cpu *entry = bcos_emit_open(log, sizeof(*entry), type, source, time,
						       precision);

	entry->process = word;
	bcos_emit_close(log, sizeof(*entry));
}

void bcos_emit_word(struct bcos_log *log, u16 type, u32 source, u32 word, u64 time, u32 precision)
{
	bcos_put_word(log, type, source, word, time, precision);
}

void bcos_emit_bare(struct bcos_log *log, u16 type, u32 source)
{
	bcos_emit_open(log, sizeof(struct bcos_entry), type, source, log->time,
		       log->time_precision);
	bcos_emit_close(log, sizeof(struct bcos_entry));
}

void bcos_emit_restated(struct bcos_log *log, struct bcos_process *process)
{
	log->stats.restated++;
	bcos_emit_process(log, process, BCOS_HIST_SET_PROCESS_NAME, process->start,
			  process->precision);
}

void bcos_emit_stated_device(struct bcos_log *log, struct bcos_device *device)
{
	struct bcos_process *driver;

	if (!log->begun || bcos_is_stated(log, device->stated))
		return;
	driver = bcos_model_process(&log->model, device->driver);
	if (driver)
		bcos_emit_stated(log, driver);
	log->stats.restated++;
	bcos_emit_device(log, device, BCOS_HIST_SET_DEVICE_NAME, device->start, device->precision);
}

void bcos_emit_thread(struct bcos_log *log, struct bcos_thread *thread)
{
	struct bcos_process *process = bcos_model_process_of_thread(&log->model, thread);
	struct bcos_thread_name name = {
		.thread = bcos_thread_id(thread),
		.name = thread->name,
		.length = thread->name_length,
	};
	char text[BCOS_THREAD_NAME_TEXT];
	struct bcos_generic *entry;
	size_t length;
	u32 bytes;

	if (!log->begun || !process || process->hidden)
		return;
	if (!log->ring.in_group)
		bcos_emit_stated(log, process);
	length = bcos_thread_name_format(text, &name);
	bytes = (u32)bcos_entry_size(BCOS_GENERIC_TEXT, length);
	entry = bcos_emit_open(log, bytes, BCOS_GENERIC_PROCESS, process->id, log->time,
			       log->time_precision);
	entry->event_id = BCOS_EVENT_THREAD_NAME;
	entry->severity = BCOS_SEVERITY_DEBUG;
	memcpy(entry->text, text, length);
	thread->stated = log->ring.now.head.offset + 1;
	bcos_emit_close(log, bytes);
}

void bcos_emit_stated_thread(struct bcos_log *log, u32 id)
{
	struct bcos_thread *thread = bcos_model_thread(&log->model, id);

	if (thread && !bcos_is_stated(log, thread->stated))
		bcos_emit_thread(log, thread);
}

void bcos_emit_set_device(struct bcos_log *log, struct bcos_device *device)
{
	struct bcos_process *driver = bcos_model_process(&log->model, device->driver);

	if (!log->begun)
		return;
	if (driver)
		bcos_emit_stated(log, driver);
	bcos_emit_device(log, device, BCOS_SET_DEVICE_NAME, log->time, log->time_precision);
}

void bcos_emit_cancel_device(struct bcos_log *log, struct bcos_device *device, u32 status)
{
	if (!log->begun)
		return;
	bcos_emit_stated_device(log, device);
	bcos_emit_word(log, BCOS_CANCEL_DEVICE_NAME, device->id, status, log->time,
		       log->time_precision);
}

void bcos_emit_irq(struct bcos_log *log, struct bcos_device *device, u32 number)
{
	if (!log->begun)
		return;
	bcos_emit_stated_device(log, device);
	bcos_emit_word(log, BCOS_IRQ, device->id, number, log->time, log->time_precision);
}
