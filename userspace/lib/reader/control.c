// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Control of the device: status, compactions, watermark, flush and classes. */
#include <stdlib.h>
#include <sys/ioctl.h>

#include "reader.h"
#include "core/format/statement_text.h"
#include "handle_host.h"

int device_status(int fd, struct bcos_status *status)
{
	memset(status, 0, sizeof(*status));
	return ioctl(fd, BCOS_IOC_STATUS, status) ? -errno : 0;
}

static int control_device(struct bcoslog *log, unsigned long command, void *argument, const char *what)
{
	if (log->kind == BCOSLOG_BPF)
		return error_set(&log->error, ENOTSUP, "a log that BPF programs record cannot do this (%s): load the "
				 "module for that", what);
	if (log->kind != BCOSLOG_DEVICE)
		return error_set(&log->error, ENOTTY,
				 "%s is not the device, and only the device has %s", log->name,
				 what);
	if (!ioctl(log->fd, command, argument))
		return 0;
	switch (errno) {
	case EPERM:
	case EACCES:
	case EBADF:
		return error_set(&log->error, errno, "changing %s of %s needs write access and the "
				 "capability CAP_PERFMON: use sudo", what, log->name);
	case ENOTTY:
		return error_set(&log->error, ENOTTY,
				 "the loaded module is older than bcoslog %s and has "
				 "no %s: load the module of this version",
				 bcoslog_version(), what);
	default:
		return error_set(&log->error, errno, "%s of %s: %s", what, log->name,
				 strerror(errno));
	}
}

int bcoslog_status(struct bcoslog *log, struct bcos_status *status)
{
	memset(status, 0, sizeof(*status));
	if (log->kind == BCOSLOG_BPF) {
		engine_status(log->engine, status);
		return 0;
	}
	return control_device(log, BCOS_IOC_STATUS, status, "a status");
}

int bcoslog_compaction(struct bcoslog *log, struct bcos_compaction *compaction)
{
	memset(compaction, 0, sizeof(*compaction));
	if (log->kind == BCOSLOG_BPF) {
		engine_compaction(log->engine, compaction);
		return 0;
	}
	return control_device(log, BCOS_IOC_COMPACTION, compaction, "compactions");
}

int bcoslog_watermark(struct bcoslog *log, __u32 bytes)
{
	struct bcos_watermark watermark = { .bytes = bytes };

	return control_device(log, BCOS_IOC_WATERMARK, &watermark, "a watermark");
}

int bcoslog_flush(struct bcoslog *log, __u64 *head)
{
	struct bcos_flush flush = { 0 };
	int r;

	if (log->kind == BCOSLOG_BPF) {
		r = engine_flush(log->engine);
		flush.head = engine_end(log->engine);
		if (r)
			return error_read(log, -r);
	} else {
		r = control_device(log, BCOS_IOC_FLUSH, &flush, "a flush");
	}
	if (!r && head)
		*head = flush.head;
	return r;
}

int bcoslog_mask(struct bcoslog *log, __u32 clear, __u32 set, struct bcos_mask *mask)
{
	struct bcos_mask change = { .clear = clear, .set = set };
	struct bcos_status status;
	int r;

	/* The classes of a BPF log cannot change, and its status states them. */
	if (log->kind == BCOSLOG_BPF && !clear && !set) {
		r = bcoslog_status(log, &status);
		change.mask = status.mask;
		change.active = status.active;
	} else {
		r = control_device(log, BCOS_IOC_MASK, &change, "the classes");
	}
	if (!r && mask)
		*mask = change;
	return r;
}

int bcoslog_request(struct bcoslog *log, __u32 wanted, __u32 source, bool on)
{
	struct bcos_request request = { .classes = wanted, .source = source, .on = on };
	int r = control_device(log, BCOS_IOC_REQUEST, &request, "requests for processes and devices");

	if (r == -ENODEV)
		return error_set(&log->error, ENODEV, "there is no device 0x%08x: see bcoslog dump", source);
	if (r == -ENOENT && wanted == BCOS_CLASS_API)
		return error_set(&log->error, ENOENT, "there is no request for process %u", source);
	if (r == -ENOENT)
		return error_set(&log->error, ENOENT, "there is no request for device 0x%08x", source);
	if (r == -ENOSPC)
		return error_set(&log->error, ENOSPC,
				 "there are requests for as many processes as there can be: take one back");
	return r;
}

int bcoslog_emit(struct bcoslog *log, __u16 type, __u32 source, __u32 id, __u8 severity, const char *text)
{
	struct bcos_emit emit = { .type = type, .severity = severity, .source = source, .event_id = id };
	size_t length = strlen(text);

	if (length > sizeof(emit.text))
		return error_set(&log->error, EMSGSIZE, "an event has at most %zu bytes of text, not %zu",
				 sizeof(emit.text), length);
	/* Of all events of programs, a log of BPF programs takes those about itself. */
	if (log->kind == BCOSLOG_BPF && !log->shared && type == BCOS_GENERIC_DEVICE && source == BCOS_DEVICE_SELF)
		return engine_emit(log->engine, id, severity, text, length) ?
			       error_set(&log->error, ENOMEM, "there is no memory for an event") : 0;
	emit.length = (__u32)length;
	memcpy(emit.text, text, length);
	return control_device(log, BCOS_IOC_EMIT, &emit, "events of programs");
}

const char *bcoslog_class(unsigned int bit)
{
	return bit < BCOS_CLASSES ? bcos_class_names[bit] : NULL;
}

static bool is_word(const char *word, size_t length, const char *name)
{
	return strlen(name) == length && !memcmp(word, name, length);
}

int bcoslog_class_mask(const char *word, size_t length, __u32 *mask)
{
	unsigned long number;
	char copy[16], *end;
	unsigned int bit;

	for (bit = 0; bit < BCOS_CLASSES; bit++) {
		if (is_word(word, length, bcos_class_names[bit])) {
			*mask = 1u << bit;
			return 0;
		}
	}
	if (is_word(word, length, "all"))
		*mask = BCOS_CLASS_ALL;
	else if (is_word(word, length, "none"))
		*mask = 0;
	else if (is_word(word, length, "default"))
		*mask = BCOS_CLASS_DEFAULT;
	else {
		if (!length || length >= sizeof(copy) || word[0] < '0' || word[0] > '9')
			return -EINVAL;
		memcpy(copy, word, length);
		copy[length] = 0;
		number = strtoul(copy, &end, 0);
		if (*end || (number > BCOS_CLASS_ALL && number != BCOS_CLASS_EVERY))
			return -EINVAL;
		*mask = (__u32)number & BCOS_CLASS_ALL;
	}
	return 0;
}
