// SPDX-License-Identifier: GPL-2.0-only
/* What is stated in the log between two passes of the log writer: see statements.h. */
#include <linux/errno.h>

#include "statements.h"
#include "writer.h"

/* Under the lock. */
static void bcos_want_only(struct bcos_log *log, u32 mask)
{
	log->on_request = BCOS_LOG_REQUESTS & ~mask;
}

void bcos_state_mask(u32 mask, const char *text, size_t length)
{
	struct bcos_log *log;
	u32 cpu = 0;

	bcos_writer_settle();
	log = bcos_writer_lock();
	while (cpu < log->model.cpu_limit - 1 && !log->model.cpus[cpu].online)
		cpu++;
	bcos_writer_append(BCOS_GENERIC_CPU, cpu, BCOS_EVENT_MASK, BCOS_SEVERITY_INFO, text, length);
	bcos_want_only(log, mask);
	bcos_writer_unlock();
}

void bcos_start_mask(u32 mask)
{
	bcos_want_only(bcos_writer_lock(), mask);
	bcos_writer_unlock();
}

int bcos_request_device(u32 device, u32 classes, bool on)
{
	int result;

	/* It may have come just now. */
	bcos_writer_settle();
	result = bcos_log_request(bcos_writer_lock(), device, classes, on);
	bcos_writer_unlock();
	return result;
}

u32 bcos_requested_of_devices(void)
{
	u32 classes = bcos_log_requested(bcos_writer_lock());

	bcos_writer_unlock();
	return classes;
}

int bcos_state_event(u16 type, u32 source, u32 id, u8 severity, const char *text, size_t length)
{
	int error = bcos_writer_flush();
	bool known;

	if (error)
		return error;
	known = bcos_log_knows(bcos_writer_lock(), type & BCOS_TYPE_SUBJECT_MASK, source);
	if (known)
		bcos_writer_append(type, source, id, severity, text, length);
	bcos_writer_unlock();
	return known ? 0 : -ENODEV;
}
