// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Applies raw records about devices to the model and the log (module/DESIGN.md, 2.4). */
#include "core/model/device.h"
#include "core/model/space.h"
#include "core/write/dropped.h"
#include "core/write/emit.h"
#include "core/write/event.h"
#include "rules.h"

static const struct bcos_raw_device *device_of(const struct bcos_raw *raw)
{
	return (const struct bcos_raw_device *)(raw + (raw->kind == BCOS_RAW_DEVICE ? 2 : 1));
}

u32 bcos_devices_id(const struct bcos_log *log, u64 key)
{
	const struct bcos_device *device = bcos_model_device_of(&log->model, key);

	return device ? device->id : BCOS_NO_DEVICE;
}

/*
 * Is the record about another network namespace, and is a limit for interfaces of such namespaces
 * reached? Anybody may create these interfaces, so their number is limited, and so is the part of
 * it that one namespace can have.
 */
static bool is_beyond(const struct bcos_log *log, const struct bcos_raw *raw)
{
	return raw->aux & BCOS_RAW_ELSEWHERE &&
	       (log->model.elsewhere_count >= log->elsewhere_limit ||
		bcos_model_space_devices(&log->model, raw->id) >= bcos_log_space_limit(log));
}

/* Adds a device to the model. Returns NULL if there is no memory. */
static struct bcos_device *add_device(struct bcos_log *log, const struct bcos_raw *raw,
				      const char *name, size_t length)
{
	u64 key = device_of(raw)->key;
	struct bcos_device *device;

	device = bcos_model_add_device(&log->model, BCOS_RAW_RANGE(key), key, name, length);
	if (!device || !(raw->aux & BCOS_RAW_ELSEWHERE) ||
	    bcos_model_enter_space(&log->model, device, raw->id))
		return device;
	bcos_model_remove_device(&log->model, device);
	return NULL;
}

/*
 * Notes the bus names of a device, which follow its own name of @name bytes in @names, and gives
 * the device its interrupt lines. If memory was short when the device appeared, a walk's record
 * makes up for that.
 */
static void note_buses(struct bcos_log *log, struct bcos_device *device, const char *names,
		       size_t name, size_t length)
{
	if (device->buses || name + 1 >= length)
		return;
	if (bcos_model_hang(&log->model, device, names + name + 1, length - name - 1))
		bcos_interrupt_take_lines(log, device);
	else
		bcos_log_starved(log);
}

static void device_appeared(struct bcos_log *log, const struct bcos_raw *raw, const char *names,
			    size_t length)
{
	const struct bcos_raw_event *event = (const struct bcos_raw_event *)(raw + 1);
	size_t name = strnlen(names, length);
	struct bcos_process *driver = bcos_model_process(&log->model, event->event_id);
	struct bcos_device *device;

	if (is_beyond(log, raw)) {
		bcos_log_beyond(log, &log->beyond.interfaces);
		return;
	}
	device = add_device(log, raw, names, name);
	if (!device) {
		bcos_log_starved(log);
		return;
	}
	/* The kernel stays the driver if the process is unknown, or is a helper before its exec. */
	if (driver && !driver->hidden && (!event->tag || driver->tag == event->tag))
		bcos_model_set_driver(&log->model, device, event->event_id);
	device->named = log->time;
	/* A device that existed before recording began came at some unknown time since boot. */
	device->start = raw->aux & BCOS_RAW_FOUND ? 0 : log->time;
	device->precision = log->time_precision;
	if (raw->aux & BCOS_RAW_FOUND)
		device->precision = bcos_precision(log->time, 0);
	bcos_emit_set_device(log, device);
	note_buses(log, device, names, name, length);
}

static void apply_device(struct bcos_log *log, const struct bcos_raw *raw)
{
	const struct bcos_raw_event *event = (const struct bcos_raw_event *)(raw + 1);
	struct bcos_device *device = bcos_model_device_of(&log->model, device_of(raw)->key);
	size_t before = sizeof(struct bcos_raw_device);
	size_t length = event->length > before ? event->length - before : 0, name;
	const char *names = (const char *)(raw + 3);

	if (length >= BCOS_RAW_DEVICE_TEXT)
		length = BCOS_RAW_DEVICE_TEXT - 1;
	if (!device) {
		if (!(raw->aux & BCOS_RAW_KNOWN))
			device_appeared(log, raw, names, length);
		return;
	}
	name = strnlen(names, length);
	note_buses(log, device, names, name, length);
	if (bcos_model_device_has_name(device, names, name))
		return;
	/*
	 * The log must have named the device before it is renamed, else the rename would look like
	 * a new device.
	 */
	bcos_emit_stated_device(log, device);
	bcos_model_rename_device(&log->model, device, names, name);
	device->named = log->time;
	bcos_emit_set_device(log, device);
}

/* Names a device that a walk found, unless the device is known under this name. */
void bcos_devices_found(struct bcos_log *log, const struct bcos_raw *raw)
{
	/*
	 * An unknown interface above the limit was above it before the walk, too, and the log has
	 * stated that.
	 */
	if (bcos_model_device_of(&log->model, bcos_raw_key(raw)) || !is_beyond(log, raw))
		apply_device(log, raw);
}

/* States whether the link is up, if that has changed. */
static void write_link(struct bcos_log *log, struct bcos_device *device, bool up)
{
	if (device->link == up)
		return;
	device->link = up;
	bcos_log_event(log, BCOS_GENERIC_DEVICE, device->id, log->time, log->time_precision,
		       BCOS_EVENT_UNSPECIFIED, BCOS_SEVERITY_INFO, up ? "link up" : "link down",
		       up ? 7 : 9);
}

static void apply_transfer(struct bcos_log *log, struct bcos_device *device, u16 type, u64 bytes)
{
	u32 part;

	if (!log->begun || !bcos_device_is_wanted(log, device, BCOS_CLASS_IO))
		return;
	/* An entry has 32 bits for the number of bytes. */
	do {
		part = bytes < 0xFFFFFFFFu ? (u32)bytes : 0xFFFFFFFFu;
		bcos_emit_stated_device(log, device);
		bcos_emit_word(log, type, device->id, part, log->time, log->time_precision);
		bytes -= part;
	} while (bytes);
}

static void write_fault(struct bcos_log *log, struct bcos_device *device,
			const struct bcos_raw *raw)
{
	static const char *const what[BCOS_OPERATIONS] = { "read", "write", "flush", "discard",
							   "request" };
	u32 operation = BCOS_RAW_OPERATION(raw->aux);
	char text[120];
	int length;

	if (!bcos_device_is_wanted(log, device, BCOS_CLASS_IO))
		return;
	if (operation >= BCOS_OPERATIONS)
		operation = BCOS_OPERATION_OTHER;
	length = host_format(text, sizeof(text), "%s", what[operation]);
	/* A flush has no sector. */
	if (operation != BCOS_OPERATION_FLUSH)
		length += host_format(text + length, sizeof(text) - (size_t)length,
				      " of %u bytes at sector %llu", raw->id,
				      (unsigned long long)device_of(raw)->amount);
	length += host_format(text + length, sizeof(text) - (size_t)length, " failed: errno %u",
			      BCOS_RAW_ERROR(raw->aux));
	bcos_log_event(log, BCOS_GENERIC_DEVICE, device->id, log->time, log->time_precision,
		       BCOS_EVENT_UNSPECIFIED, BCOS_SEVERITY_ERROR, text, (size_t)length);
}

/*
 * Returns how much later than its time the event of the record may have been, in ns. Some devices
 * are announced late.
 */
static u32 span_of(const struct bcos_raw *raw)
{
	u64 span = 0;

	if (raw->kind == BCOS_RAW_DEVICE)
		span = ((const struct bcos_raw_event *)(raw + 1))->precision;
	else if (raw->kind == BCOS_RAW_DEVICE_GONE || raw->kind == BCOS_RAW_LINK)
		span = device_of(raw)->amount;
	return bcos_precision(span, 0);
}

/* Handles a record about a device that the model lacks. */
static void apply_unknown(struct bcos_log *log, const struct bcos_raw *raw)
{
	bool transfer = raw->kind == BCOS_RAW_INPUT || raw->kind == BCOS_RAW_OUTPUT;

	/*
	 * The kernel may announce a removal more than once, so an unknown device is no loss here.
	 */
	if (raw->kind == BCOS_RAW_DEVICE_GONE || raw->kind == BCOS_RAW_LINK)
		return;
	if (transfer && is_beyond(log, raw))
		bcos_log_beyond(log, &log->beyond.packets);
	else
		bcos_log_stray(log);
}

void bcos_devices_apply(struct bcos_log *log, const struct bcos_raw *raw)
{
	const struct bcos_raw_device *what = device_of(raw);
	struct bcos_device *known;
	u32 span = span_of(raw);

	if (span)
		log->time_precision = bcos_reach(log->time, bcos_latest(log->latest, span));
	if (raw->kind == BCOS_RAW_DEVICE) {
		apply_device(log, raw);
		return;
	}
	if (raw->kind == BCOS_RAW_DEVICE_GONE)
		bcos_log_gone_device(log, what->key);
	known = bcos_model_device_of(&log->model, what->key);
	if (!known) {
		apply_unknown(log, raw);
		return;
	}
	switch (raw->kind) {
	case BCOS_RAW_DEVICE_GONE:
		bcos_device_cancel(log, known, bcos_device_reason_to_go(log, known, raw));
		break;
	case BCOS_RAW_LINK:
		write_link(log, known, raw->aux);
		break;
	case BCOS_RAW_INPUT:
		apply_transfer(log, known, BCOS_DEVICE_INPUT, what->amount);
		break;
	case BCOS_RAW_OUTPUT:
		apply_transfer(log, known, BCOS_DEVICE_OUTPUT, what->amount);
		break;
	case BCOS_RAW_FAULT:
		write_fault(log, known, raw);
		break;
	}
}
