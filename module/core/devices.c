// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What records that are about devices mean for model and log (section 4 of the design). */
#include "emit.h"

static const struct bcos_raw_device *device_of(const struct bcos_raw *raw)
{
	return (const struct bcos_raw_device *)(raw + (raw->kind == BCOS_RAW_DEVICE ? 2 : 1));
}

int bcos_log_request(struct bcos_log *log, u32 id, u32 classes, bool on)
{
	struct bcos_device *device = bcos_model_device(&log->model, id);
	u32 before = device ? device->requests : 0;

	if (!device)
		return -ENODEV;
	if (!on && !(before & classes))
		return -ENOENT;
	bcos_model_set_requests(&log->model, device, on ? before | classes : before & ~classes);
	return (int)before;
}

u32 bcos_log_requested(const struct bcos_log *log)
{
	return (log->model.requests[0] ? BCOS_CLASS_IO : 0) | (log->model.requests[1] ? BCOS_CLASS_IRQ : 0);
}

/* Is @class recorded of this device? */
static bool is_wanted(const struct bcos_log *log, const struct bcos_device *device, u32 class)
{
	return !(log->on_request & ~device->requests & class);
}

u32 bcos_devices_id(const struct bcos_log *log, u64 key)
{
	const struct bcos_device *device = bcos_model_device_of(&log->model, key);

	return device ? device->id : BCOS_NO_DEVICE;
}

static void cancel(struct bcos_log *log, struct bcos_device *device, u32 status)
{
	bcos_emit_cancel_device(log, device, status);
	log->request_gone |= device->requests != 0;
	bcos_model_remove_device(&log->model, device);
}

static void adopt(struct bcos_log *log, struct bcos_device *device)
{
	bcos_model_set_driver(&log->model, device, BCOS_PROCESS_KERNEL);
	log->request_gone |= device->requests != 0;
	bcos_model_set_requests(&log->model, device, 0);
	device->start = log->time;
	device->precision = log->time_precision;
	bcos_emit_set_device(log, device);
}

/* Its driver is about to end, and that is why. */
static u32 reason_to_go(const struct bcos_log *log, const struct bcos_device *device, const struct bcos_raw *raw)
{
	const struct bcos_process *driver = bcos_model_process(&log->model, device->driver);

	if (driver && driver->id != BCOS_PROCESS_KERNEL && driver->exited)
		return bcos_log_termination(driver);
	return raw->aux & BCOS_RAW_SURPRISE ? BCOS_STATUS_KERNEL : 0;
}

void bcos_devices_of_driver_end(struct bcos_log *log, struct bcos_process *driver, u32 status)
{
	struct bcos_device *device;

	while ((device = driver->devices)) {
		/* What went with it is gone by now; what stays is the kernel's, such as a persistent tun. */
		if (device->item.key) {
			bcos_emit_cancel_device(log, device, status);
			adopt(log, device);
		} else {
			cancel(log, device, status);
		}
		/* There may be more of them than the ring has room for. */
		bcos_log_settle(log);
	}
}

/* ---- interrupt lines ----------------------------------------------------------- */

/* The last line whose device it was goes with it, else it alone. */
static void drop_line(struct bcos_log *log, struct bcos_line *line)
{
	if (line->own && !line->device->lines->sibling)
		cancel(log, line->device, 0);
	else
		bcos_model_remove_line(&log->model, line);
}

/*
 * The actions that a new one on a line replaces: all of them if the line is
 * not shared, else only the one of the same name.
 */
static void replace_line(struct bcos_log *log, u32 number, bool shared, const char *name, size_t length)
{
	struct bcos_line *line = bcos_model_line_first(&log->model, number), *next;

	for (; line; line = next) {
		next = bcos_model_line_next(line);
		if (!shared || (line->name_length == length && !memcmp(line->name, name, length)))
			drop_line(log, line);
	}
}

/* The device of the other lines of the same function, if it is none that is announced. */
static struct bcos_device *device_of_function(const struct bcos_log *log, const struct bcos_line *line)
{
	const struct bcos_line *other = log->model.own_lines;

	while (other && (!line->bus[0] || strcmp(other->bus, line->bus)))
		other = other->next_own;
	return other ? other->device : NULL;
}

/* "virtio2-config" and "nvme0q0" are lines of virtio2 and nvme0: what the lines of a function have in common. */
static size_t stem(const struct bcos_line *line)
{
	size_t i;

	for (i = 1; line->bus[0] && i < line->name_length; i++)
		if (line->name[i - 1] >= '0' && line->name[i - 1] <= '9' && (line->name[i] == '-' || line->name[i] == 'q'))
			return i;
	return line->name_length;
}

/*
 * The device of a line that none has yet: one that is there, that of the other lines of its function, or one for it
 * alone.  Return: false: no memory.
 */
static bool find_device(struct bcos_log *log, struct bcos_line *line)
{
	struct bcos_device *device = bcos_model_owner(&log->model, line);
	bool own = !device;

	if (!device)
		device = device_of_function(log, line);
	if (device) {
		bcos_model_give_line(&log->model, line, device, own);
		return true;
	}
	device = bcos_model_add_device(&log->model, BCOS_DEVICE_OTHER, 0, line->name, stem(line));
	if (!device)
		return false;
	device->start = log->time;
	device->precision = log->time_precision;
	bcos_model_give_line(&log->model, line, device, true);
	bcos_emit_set_device(log, device);
	return true;
}

static struct bcos_line *name_line(struct bcos_log *log, u32 number, u16 tag, bool shared, const char *name,
				   const char *bus)
{
	struct bcos_line *line = bcos_model_line(&log->model, number, tag);
	char clean[BCOS_DEVICE_NAME_MAX];
	size_t length = bcos_utf8_clean(clean, sizeof(clean), name, BCOS_RAW_IRQ_NAME_SIZE);

	/* As the model names what has no name, so that it is found again. */
	if (!length)
		clean[length++] = '?';
	if (line && line->name_length == length && !memcmp(line->name, clean, length))
		return line;
	if (line)
		drop_line(log, line);
	replace_line(log, number, shared, clean, length);
	line = bcos_model_add_line(&log->model, number, tag, clean, length);
	if (line && bus)
		memcpy(line->bus, bus, strnlen(bus, sizeof(line->bus) - 1));
	if (line && find_device(log, line))
		return line;
	if (line)
		bcos_model_remove_line(&log->model, line);
	bcos_log_starved(log);
	return NULL;
}

void bcos_devices_interrupt(struct bcos_log *log, u32 cpu, const struct bcos_raw *raw)
{
	u32 number = raw->id & ~BCOS_RAW_SHARED;
	char name[BCOS_RAW_IRQ_NAME_SIZE];
	struct bcos_line *line;

	if (raw->kind == BCOS_RAW_IRQ_NAME) {
		line = name_line(log, number, raw->aux, raw->id & BCOS_RAW_SHARED, (const char *)(raw + 1),
				 (const char *)(raw + 1) + BCOS_RAW_IRQ_NAME_SIZE);
	} else {
		line = bcos_model_line(&log->model, number, raw->aux);
		if (!line) {
			/* Its name went with a cancelled incarnation. */
			host_format(name, sizeof(name), "irq %u", number);
			line = name_line(log, number, raw->aux, true, name, NULL);
		}
	}
	if (!line)
		return;
	log->model.cpus[cpu].interrupted_by = line->device->id;
	if (is_wanted(log, line->device, BCOS_CLASS_IRQ))
		bcos_emit_irq(log, line->device, line->number);
}

/* Lines that were there before their device. */
static void take_lines(struct bcos_log *log, struct bcos_device *device)
{
	struct bcos_line *line = log->model.own_lines, *next;
	struct bcos_device *own;

	for (; line && device->buses; line = next) {
		next = line->next_own;
		if (!bcos_model_is_owner(device, line))
			continue;
		own = line->device;
		bcos_model_give_line(&log->model, line, device, false);
		if (!own->lines)
			cancel(log, own, 0);
	}
}

/* ---- devices --------------------------------------------------------------------- */

/* Interfaces of other network namespaces, which anybody may make, do not come to more than that. */
static bool is_beyond(const struct bcos_log *log, const struct bcos_raw *raw)
{
	return raw->aux & BCOS_RAW_ELSEWHERE && log->model.elsewhere_count >= log->elsewhere_limit;
}

static void appeared(struct bcos_log *log, const struct bcos_raw *raw, const char *names, size_t length)
{
	const struct bcos_raw_event *event = (const struct bcos_raw_event *)(raw + 1);
	size_t name = strnlen(names, length);
	struct bcos_process *driver = bcos_model_process(&log->model, event->event_id);
	u64 key = device_of(raw)->key;
	struct bcos_device *device;

	if (is_beyond(log, raw)) {
		bcos_log_beyond(log, &log->beyond.interfaces);
		return;
	}
	device = bcos_model_add_device(&log->model, BCOS_RAW_RANGE(key), key, names, name);
	if (!device) {
		bcos_log_starved(log);
		return;
	}
	device->elsewhere = raw->aux & BCOS_RAW_ELSEWHERE;
	log->model.elsewhere_count += device->elsewhere;
	/* Of a helper before its exec, or one that the log does not know: the kernel's. */
	if (driver && !driver->hidden && (!event->tag || driver->tag == event->tag))
		bcos_model_set_driver(&log->model, device, event->event_id);
	if (name + 1 < length && !bcos_model_hang(&log->model, device, names + name + 1, length - name - 1))
		bcos_log_starved(log);
	/* There since some time after boot, if it was found. */
	device->start = raw->aux & BCOS_RAW_FOUND ? 0 : log->time;
	device->precision = raw->aux & BCOS_RAW_FOUND ? bcos_precision(log->time, 0) : log->time_precision;
	bcos_emit_set_device(log, device);
	take_lines(log, device);
}

static void device(struct bcos_log *log, const struct bcos_raw *raw)
{
	const struct bcos_raw_event *event = (const struct bcos_raw_event *)(raw + 1);
	struct bcos_device *device = bcos_model_device_of(&log->model, device_of(raw)->key);
	size_t before = sizeof(struct bcos_raw_device);
	size_t length = event->length > before ? event->length - before : 0;
	const char *names = (const char *)(raw + 3);

	if (length >= BCOS_RAW_DEVICE_TEXT)
		length = BCOS_RAW_DEVICE_TEXT - 1;
	if (!device) {
		if (!(raw->aux & BCOS_RAW_KNOWN))
			appeared(log, raw, names, length);
		return;
	}
	length = strnlen(names, length);
	if (bcos_model_device_has_name(device, names, length))
		return;
	/* A use of the old name: without it before, it would look like a new device. */
	bcos_emit_stated_device(log, device);
	bcos_model_rename_device(&log->model, device, names, length);
	bcos_emit_set_device(log, device);
}

/* What is said of it again is no news. */
static void link(struct bcos_log *log, struct bcos_device *device, bool up)
{
	if (device->link == up)
		return;
	device->link = up;
	bcos_log_event(log, BCOS_GENERIC_DEVICE, device->id, log->time, log->time_precision, BCOS_EVENT_UNSPECIFIED,
		       BCOS_SEVERITY_INFO, up ? "link up" : "link down", up ? 7 : 9);
}

static void transfer(struct bcos_log *log, struct bcos_device *device, u16 type, u64 bytes)
{
	u32 part;

	if (!log->begun || !is_wanted(log, device, BCOS_CLASS_IO))
		return;
	/* 32 bits of it an entry. */
	do {
		part = bytes < 0xFFFFFFFFu ? (u32)bytes : 0xFFFFFFFFu;
		bcos_emit_stated_device(log, device);
		bcos_emit_word(log, type, device->id, part, log->time, log->time_precision);
		bytes -= part;
	} while (bytes);
}

static void fault(struct bcos_log *log, struct bcos_device *device, const struct bcos_raw *raw)
{
	static const char *const what[BCOS_OPERATIONS] = { "read", "write", "flush", "discard", "request" };
	u32 operation = BCOS_RAW_OPERATION(raw->aux);
	char text[120];
	int length;

	if (!is_wanted(log, device, BCOS_CLASS_IO))
		return;
	length = host_format(text, sizeof(text), "%s", what[operation < BCOS_OPERATIONS ? operation : BCOS_OPERATION_OTHER]);
	/* A flush is of no place. */
	if (operation != BCOS_OPERATION_FLUSH)
		length += host_format(text + length, sizeof(text) - (size_t)length, " of %u bytes at sector %llu", raw->id,
				      (unsigned long long)device_of(raw)->amount);
	length += host_format(text + length, sizeof(text) - (size_t)length, " failed: errno %u", BCOS_RAW_ERROR(raw->aux));
	bcos_log_event(log, BCOS_GENERIC_DEVICE, device->id, log->time, log->time_precision,
		       BCOS_EVENT_UNSPECIFIED, BCOS_SEVERITY_ERROR, text, (size_t)length);
}

/* What is told of it is not always told when it happens: how much later it may have been, in ns. */
static u32 span_of(const struct bcos_raw *raw)
{
	u64 span = 0;

	if (raw->kind == BCOS_RAW_DEVICE)
		span = ((const struct bcos_raw_event *)(raw + 1))->precision;
	else if (raw->kind == BCOS_RAW_DEVICE_GONE || raw->kind == BCOS_RAW_LINK)
		span = device_of(raw)->amount;
	return bcos_precision(span, 0);
}

/* Of a device that the model lacks. */
static void unknown(struct bcos_log *log, const struct bcos_raw *raw)
{
	bool transfer = raw->kind == BCOS_RAW_INPUT || raw->kind == BCOS_RAW_OUTPUT;

	/* The kernel may say more than once that one is gone. */
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
		device(log, raw);
		return;
	}
	known = bcos_model_device_of(&log->model, what->key);
	if (!known) {
		unknown(log, raw);
		return;
	}
	switch (raw->kind) {
	case BCOS_RAW_DEVICE_GONE:
		cancel(log, known, reason_to_go(log, known, raw));
		break;
	case BCOS_RAW_LINK:
		link(log, known, raw->aux);
		break;
	case BCOS_RAW_INPUT:
		transfer(log, known, BCOS_DEVICE_INPUT, what->amount);
		break;
	case BCOS_RAW_OUTPUT:
		transfer(log, known, BCOS_DEVICE_OUTPUT, what->amount);
		break;
	case BCOS_RAW_FAULT:
		fault(log, known, raw);
		break;
	}
}
