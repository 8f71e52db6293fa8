// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Sets the classes that are recorded, and requests for single devices. */
#include "core/capture/hook.h"
#include "core/model/device.h"
#include "core/model/thread.h"
#include "rules.h"

/* A CPU may have been busy while the class of idle states was off. */
static void forget_idle_states(struct bcos_log *log)
{
	u32 number;

	for (number = 0; number < log->model.cpu_limit; number++)
		log->model.cpus[number].idle_since = 0;
}

void bcos_log_recorded(struct bcos_log *log, u32 mask)
{
	struct bcos_cpu *cpu;
	u32 number;

	if ((log->mask ^ mask) & BCOS_CLASS_REQUEST)
		bcos_requests_forget(log);
	bcos_wakings_tell_all(log);
	if ((log->mask ^ mask) & BCOS_CLASS_STATE)
		bcos_model_forget_threads(&log->model);
	/* While the class is off, nobody tells of moves. */
	if ((log->mask ^ mask) & BCOS_CLASS_WHO)
		bcos_who_forgets(log, log->time);
	log->mask = mask;
	forget_idle_states(log);
	if (mask & BCOS_CLASSES_SWITCHES)
		return;
	for (number = 0; number < log->model.cpu_limit; number++) {
		cpu = &log->model.cpus[number];
		if (cpu->assigned)
			bcos_model_hold(cpu, NULL, BCOS_PROCESS_IDLE, log->time,
					log->time_precision);
		cpu->assigned = false;
	}
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
	return (log->model.requests[0] ? BCOS_CLASS_IO : 0) |
	       (log->model.requests[1] ? BCOS_CLASS_IRQ : 0);
}
