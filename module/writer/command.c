// SPDX-License-Identifier: GPL-2.0-only
/* Lets the log writer carry out commands of callers: see command.h. */
#include <linux/errno.h>
#include <linux/minmax.h>

#include "capture/clock.h"
#include "core/rules/rules.h"
#include "core/write/event.h"
#include "command.h"
#include "writer.h"

struct bcos_mask_statement {
	u32 mask;
	const char *text;
	size_t length;
};

/*
 * Writes an event (5.7, 5.11, 5.16) of a subject that the log knows, after everything that is
 * merged.
 */
static void bcos_append(struct bcos_log *log, u16 type, u32 source, u32 id, u8 severity,
			const char *text, size_t length)
{
	u64 horizon = bcos_writer_horizon(), now = bcos_now();
	/*
	 * The event gets the time of the horizon, since later records are not older than the
	 * horizon. The event happened at some time between the horizon and now.
	 */
	u32 precision = min_t(u64, log->precision + (now > horizon ? now - horizon : 0), U32_MAX);

	bcos_log_event(log, type, source, horizon, precision, id, severity, text, length);
	log->interesting = true;
}

static void bcos_want_only(struct bcos_log *log, u32 mask)
{
	log->on_request = BCOS_LOG_REQUESTS & ~mask;
	bcos_log_recorded(log, mask);
}

static void bcos_append_mask(struct bcos_log *log, void *data)
{
	const struct bcos_mask_statement *command = data;

	bcos_append(log, BCOS_GENERIC_CPU, bcos_log_spokesman(log), BCOS_EVENT_MASK,
		    BCOS_SEVERITY_INFO, command->text, command->length);
	bcos_want_only(log, command->mask);
}

void bcos_write_mask(u32 mask, const char *text, size_t length)
{
	struct bcos_mask_statement command = { .mask = mask, .text = text, .length = length };

	bcos_writer_settle();
	bcos_writer_do(bcos_append_mask, &command);
}

static void bcos_begin_with_mask(struct bcos_log *log, void *mask)
{
	bcos_want_only(log, *(u32 *)mask);
}

void bcos_start_mask(u32 mask)
{
	bcos_writer_do(bcos_begin_with_mask, &mask);
}

struct bcos_device_request {
	u32 device, classes;
	bool on;
	int result;
};

static void bcos_request_now(struct bcos_log *log, void *data)
{
	struct bcos_device_request *request = data;

	request->result = bcos_log_request(log, request->device, request->classes, request->on);
}

int bcos_request_device(u32 device, u32 classes, bool on)
{
	struct bcos_device_request request = { .device = device, .classes = classes, .on = on };

	/* The device may have appeared just now. */
	bcos_writer_settle();
	bcos_writer_do(bcos_request_now, &request);
	return request.result;
}

static void bcos_find_requested(struct bcos_log *log, void *classes)
{
	*(u32 *)classes = bcos_log_requested(log);
}

u32 bcos_requested_of_devices(void)
{
	u32 classes;

	bcos_writer_do(bcos_find_requested, &classes);
	return classes;
}

struct bcos_event_statement {
	u16 type;
	u8 severity;
	u32 source, id;
	const char *text;
	size_t length;
	int result;
};

static void bcos_append_event(struct bcos_log *log, void *data)
{
	struct bcos_event_statement *command = data;

	if (!bcos_log_knows(log, command->type & BCOS_TYPE_SUBJECT_MASK, command->source)) {
		command->result = -ENODEV;
		return;
	}
	bcos_append(log, command->type, command->source, command->id, command->severity,
		    command->text, command->length);
}

int bcos_write_event(u16 type, u32 source, u32 id, u8 severity, const char *text, size_t length)
{
	struct bcos_event_statement command = {
		.type = type,
		.source = source,
		.id = id,
		.severity = severity,
		.text = text,
		.length = length,
	};
	int error = bcos_writer_flush();

	if (error)
		return error;
	bcos_writer_do(bcos_append_event, &command);
	return command.result;
}
