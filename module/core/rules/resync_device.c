// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Resync of devices: the walk has listed the devices. Where the list differs from the model,
 * records of devices were lost.
 *
 * The log marks the devices that the walk saw. It then cancels the others, which frees their IDs
 * and makes room below limits. Last it names the devices that the model lacks. A record about a
 * device counts instead of the list if the record is newer than the beginning of the walk.
 * Interrupt lines need no walk: a CPU that could not stage the name of a line states it at the next
 * interrupt.
 */
#include "core/write/emit.h"
#include "core/write/group.h"
#include "rules.h"

/* One pass compares this many devices, each of which is looked at up to three times. */
#define STEP 4096

enum phase { MARK, CANCEL, NAME, DONE };

/* Returns the next device that the walk saw, or NULL. */
static const struct bcos_raw *next_record(struct bcos_log *log)
{
	const struct bcos_raw *raw = (const struct bcos_raw *)(log->seen_devices.unit +
							       log->resync_device);

	if (log->resync_device >= log->seen_devices.units)
		return NULL;
	log->resync_device += raw->units;
	return raw;
}

/* Marks the next device that the walk saw. Returns false if there is none. */
static bool mark_one(struct bcos_log *log)
{
	const struct bcos_raw *raw = next_record(log);
	struct bcos_device *device = NULL;

	if (raw)
		device = bcos_model_device_of(&log->model, bcos_raw_key(raw));
	if (device)
		device->walk = log->walks;
	return raw;
}

/*
 * Did the walk not see the device? A walk cannot see the log's own device, nor a device without a
 * key.
 */
static bool is_unseen(const struct bcos_log *log, const struct bcos_device *device)
{
	return device->item.key && device->id != BCOS_DEVICE_SELF && device->walk != log->walks &&
	       device->named < log->seen_from;
}

/* Cancels the next device if the walk did not see it. Returns false if there is none. */
static bool cancel_one(struct bcos_log *log)
{
	const struct bcos_device_ids *ids;
	struct bcos_device *device;

	while (log->resync_range < BCOS_DEVICE_RANGES) {
		ids = &log->model.ids[log->resync_range];
		if (log->resync_device < ids->used) {
			device = ids->slot[log->resync_device++].device;
			if (device && is_unseen(log, device))
				bcos_devices_absent(log, device);
			return true;
		}
		log->resync_range++;
		log->resync_device = 0;
	}
	return false;
}

/* Names the next device that the walk saw, if the log lacks it. Returns false if there is none. */
static bool name_one(struct bcos_log *log)
{
	const struct bcos_raw *raw = next_record(log);
	const struct bcos_device *device;

	if (!raw)
		return false;
	device = bcos_model_device_of(&log->model, bcos_raw_key(raw));
	if (device ? device->named < log->seen_from :
		     !bcos_log_is_gone_device(log, bcos_raw_key(raw)))
		bcos_devices_found(log, raw);
	return true;
}

bool bcos_log_resync_devices(struct bcos_log *log)
{
	static bool (*const one[])(struct bcos_log *) = {
		[MARK] = mark_one, [CANCEL] = cancel_one, [NAME] = name_one
	};
	u32 left;

	if (!log->seen_devices.unit)
		return true;
	for (left = 3 * STEP; left && log->resync_phase < DONE; left--) {
		if (!one[log->resync_phase](log)) {
			log->resync_phase++;
			log->resync_device = 0;
		}
		bcos_log_settle(log);
	}
	return log->resync_phase == DONE;
}
