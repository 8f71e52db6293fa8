// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Removes devices that go by themselves or with their driver (5.13). */
#include "core/model/device.h"
#include "core/model/process.h"
#include "core/write/emit.h"
#include "core/write/group.h"
#include "rules.h"

void bcos_device_cancel(struct bcos_log *log, struct bcos_device *device, u32 status)
{
	bcos_wakings_tell_all(log);
	bcos_emit_cancel_device(log, device, status);
	log->request_gone |= device->requests != 0;
	bcos_model_remove_device(&log->model, device);
}

static void adopt_children(struct bcos_log *log, struct bcos_device *device)
{
	bcos_model_set_driver(&log->model, device, BCOS_PROCESS_KERNEL);
	log->request_gone |= device->requests != 0;
	bcos_model_set_requests(&log->model, device, 0);
	device->start = log->time;
	device->precision = log->time_precision;
	bcos_emit_set_device(log, device);
}

u32 bcos_device_reason_to_go(const struct bcos_log *log, const struct bcos_device *device,
			     const struct bcos_raw *raw)
{
	const struct bcos_process *driver = bcos_model_process(&log->model, device->driver);

	if (driver && driver->id != BCOS_PROCESS_KERNEL && driver->exited)
		return bcos_process_termination(driver);
	return raw->aux & BCOS_RAW_SURPRISE ? BCOS_STATUS_KERNEL : 0;
}

void bcos_devices_of_driver_end(struct bcos_log *log, struct bcos_process *driver, u32 status)
{
	struct bcos_device *device;

	bcos_wakings_tell_all(log);
	while ((device = driver->devices)) {
		/*
		 * The devices that went with the driver are cancelled by now. The kernel keeps the
		 * others, such as a persistent tun.
		 */
		if (device->item.key) {
			bcos_emit_cancel_device(log, device, status);
			adopt_children(log, device);
		} else {
			bcos_device_cancel(log, device, status);
		}
		/*
		 * A driver may have more devices than a zone has room for, so a group may have to
		 * follow each of them.
		 */
		bcos_log_settle(log);
	}
}

void bcos_devices_absent(struct bcos_log *log, struct bcos_device *device)
{
	static const struct bcos_raw unseen = { .kind = BCOS_RAW_DEVICE_GONE };

	bcos_device_cancel(log, device, bcos_device_reason_to_go(log, device, &unseen));
}
