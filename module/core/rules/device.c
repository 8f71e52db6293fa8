// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Applies raw records about devices and interrupts to the model and the log (module/DESIGN.md, 2.4). */
#include "core/write/emit.h"

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

/* Does the log record @class for this device? */
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

/*
 * Returns the termination status: that of the driver if the driver is ending, else by how the
 * device was removed.
 */
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
		/*
		 * Devices that went with the driver are cancelled by now. The kernel keeps the
		 * others, such as a persistent tun.
		 */
		if (device->item.key) {
			bcos_emit_cancel_device(log, device, status);
			adopt(log, device);
		} else {
			cancel(log, device, status);
		}
		/*
		 * A driver may have more devices than fit into the ring without a group in between.
		 */
		bcos_log_settle(log);
	}
}

/* ---- interrupt lines ----------------------------------------------------------- */

/* Removes a line. A device that exists only for its lines goes with the last of them. */
static void drop_line(struct bcos_log *log, struct bcos_line *line)
{
	if (line->own && !line->device->lines->sibling)
		cancel(log, line->device, 0);
	else
		bcos_model_remove_line(&log->model, line);
}

/*
 * Removes the actions that a new action on a line replaces: all actions if the line is not shared,
 * else only that of the same name.
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

/* Returns the unannounced device that already owns lines of the same bus function, or NULL. */
static struct bcos_device *device_of_function(const struct bcos_log *log, const struct bcos_line *line)
{
	const struct bcos_line *other = log->model.own_lines;

	while (other && (!line->bus[0] || strcmp(other->bus, line->bus)))
		other = other->next_own;
	return other ? other->device : NULL;
}

/*
 * Returns the length of the common part of a function's line names: "virtio2" of "virtio2-config",
 * "nvme0" of "nvme0q0".
 */
static size_t stem(const struct bcos_line *line)
{
	size_t i;

	for (i = 1; line->bus[0] && i < line->name_length; i++)
		if (line->name[i - 1] >= '0' && line->name[i - 1] <= '9' && (line->name[i] == '-' || line->name[i] == 'q'))
			return i;
	return line->name_length;
}

/*
 * Finds the device of a line: an announced device, else that of other lines of the same function,
 * else a new one. Returns false if there is no memory.
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

	/* The model names a nameless action "?", so the search must use the same name. */
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
			/* The name was lost with an earlier device of the line. */
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

/* Gives @device those of its interrupt lines that were known before it. */
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

/*
 * Is the limit for interfaces of other network namespaces reached? Anybody may create these, so
 * their number is limited.
 */
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
	/* The kernel stands for a driver that is unknown, or is a helper before its exec. */
	if (driver && !driver->hidden && (!event->tag || driver->tag == event->tag))
		bcos_model_set_driver(&log->model, device, event->event_id);
	if (name + 1 < length && !bcos_model_hang(&log->model, device, names + name + 1, length - name - 1))
		bcos_log_starved(log);
	device->named = log->time;
	/* A device that was found came at some unknown time since boot. */
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
	/*
	 * A rename requires that the log has stated the old name, else it would look like a new
	 * device.
	 */
	bcos_emit_stated_device(log, device);
	bcos_model_rename_device(&log->model, device, names, length);
	device->named = log->time;
	bcos_emit_set_device(log, device);
}

/* Names a device that a walk found, unless it is known under this name. */
void bcos_devices_found(struct bcos_log *log, const struct bcos_raw *raw)
{
	/* A device above the limit was above it before, and the log stated that. */
	if (bcos_model_device_of(&log->model, bcos_raw_key(raw)) || !is_beyond(log, raw))
		device(log, raw);
}

void bcos_devices_absent(struct bcos_log *log, struct bcos_device *device)
{
	static const struct bcos_raw unseen = { .kind = BCOS_RAW_DEVICE_GONE };

	cancel(log, device, reason_to_go(log, device, &unseen));
}

/* States the link only if it changed. */
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
	/* An entry has 32 bits for the number of bytes. */
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
	/* A flush has no sector. */
	if (operation != BCOS_OPERATION_FLUSH)
		length += host_format(text + length, sizeof(text) - (size_t)length, " of %u bytes at sector %llu", raw->id,
				      (unsigned long long)device_of(raw)->amount);
	length += host_format(text + length, sizeof(text) - (size_t)length, " failed: errno %u", BCOS_RAW_ERROR(raw->aux));
	bcos_log_event(log, BCOS_GENERIC_DEVICE, device->id, log->time, log->time_precision,
		       BCOS_EVENT_UNSPECIFIED, BCOS_SEVERITY_ERROR, text, (size_t)length);
}

/*
 * Returns how much later than its time the event may have been, in ns: devices are not always
 * announced at once.
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
static void unknown(struct bcos_log *log, const struct bcos_raw *raw)
{
	bool transfer = raw->kind == BCOS_RAW_INPUT || raw->kind == BCOS_RAW_OUTPUT;

	/* The kernel may announce a removal more than once. */
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
	if (raw->kind == BCOS_RAW_DEVICE_GONE)
		bcos_log_gone_device(log, what->key);
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
