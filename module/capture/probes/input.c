// SPDX-License-Identifier: GPL-2.0-only
/* Announces input devices such as keyboards and mice, and records their reports. */
#include <linux/atomic.h>
#include <linux/input.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "capture/missed.h"
#include "device.h"
#include "memory.h"

bool bcos_io_on;

static struct {
	/* The task that attaches the handler to all devices, or detaches it from them; or NULL. */
	struct task_struct *mover;
	bool attached;
	bool closing;
	int error;		/* of a device that the mover could not attach to */
	atomic64_t since;	/* a device has no handle since then, ns since boot; 0: all have */
	struct bcos_seen_devices *seen;	/* result of the current walk */
} bcos_input;

/* The time between two attempts to attach to a device. */
#define BCOS_INPUT_RETRY (HZ / 10)

static void bcos_input_retry(struct work_struct *work);
static DECLARE_DELAYED_WORK(bcos_input_work, bcos_input_retry);

/* Do the callbacks run for devices that neither come nor go? They hold the lock of all devices. */
static bool bcos_input_is_moving(void)
{
	return READ_ONCE(bcos_input.mover) == current;
}

struct bcos_input_handle {
	struct input_handle handle;
	u32 values;		/* number of values in the report so far */
};

static __always_inline u64 bcos_input_key(const struct input_dev *device)
{
	return bcos_device_key(BCOS_DEVICE_USER_IO, device);
}

/*
 * Counts the values of a report. At the end of the report, stages the size that a reader of the
 * event device gets. Interrupts are off and the device is locked.
 */
static void bcos_input_event(struct input_handle *handle, unsigned int type, unsigned int code,
			     int value)
{
	struct bcos_input_handle *own = container_of(handle, struct bcos_input_handle, handle);

	own->values++;
	if (type != EV_SYN || code != SYN_REPORT)
		return;
	if (READ_ONCE(bcos_io_on))
		bcos_device_put(BCOS_RAW_INPUT, 0, 0, bcos_input_key(handle->dev),
				own->values * sizeof(struct input_event));
	own->values = 0;
}

static struct bcos_found bcos_input_found(const struct input_dev *device, bool found)
{
	return (struct bcos_found) {
		.key = bcos_input_key(device),
		.name = device->name ?: dev_name(&device->dev),
		.parent = device->dev.parent,
		.found = found,
		/* Devices made by uinput have no parent. */
		.by_user = !found && !device->dev.parent,
	};
}

static int bcos_input_attach_one(struct input_handler *handler, struct input_dev *device)
{
	struct bcos_input_handle *own = kzalloc(sizeof(*own), BCOS_GFP);
	int error;

	if (!own)
		return -ENOMEM;
	own->handle.dev = device;
	own->handle.handler = handler;
	own->handle.name = "bcos_evlog";
	/* The handle gets events as if it had opened the device, but never keeps the device on. */
	own->handle.open = 1;
	error = input_register_handle(&own->handle);
	if (error)
		kfree(own);
	return error;
}

/*
 * Memory may be short, or a signal may have come to the task that makes the device. Nobody records
 * the device's reports and its end until a retry works.
 */
static void bcos_input_failed(int error)
{
	if (bcos_input_is_moving()) {
		bcos_input.error = error;
		return;
	}
	atomic64_cmpxchg(&bcos_input.since, 0, bcos_now());
	if (!READ_ONCE(bcos_input.closing))
		queue_delayed_work(system_unbound_wq, &bcos_input_work, BCOS_INPUT_RETRY);
}

static int bcos_input_connect(struct input_handler *handler, struct input_dev *device,
			      const struct input_device_id *id)
{
	struct bcos_found found = bcos_input_found(device, bcos_input_is_moving());
	int error = bcos_input_attach_one(handler, device);

	bcos_device_announce(&found);
	if (error)
		bcos_input_failed(error);
	return error;
}

static void bcos_input_disconnect(struct input_handle *handle)
{
	struct bcos_input_handle *own = container_of(handle, struct bcos_input_handle, handle);

	if (!bcos_input_is_moving())
		bcos_device_gone(bcos_input_key(handle->dev), false);
	input_unregister_handle(handle);
	kfree(own);
}

static const struct input_device_id bcos_input_ids[] = {
	{ .driver_info = 1 },	/* matches all devices */
	{},
};

static struct input_handler bcos_input_handler = {
	.event = bcos_input_event,
	.connect = bcos_input_connect,
	.disconnect = bcos_input_disconnect,
	.name = "bcos_evlog",
	.id_table = bcos_input_ids,
};

/*
 * Adds a device to the list of the walk, and does not connect to it. Runs under the lock of all
 * input devices, as at load.
 */
static int bcos_input_see(struct input_handler *handler, struct input_dev *device,
			  const struct input_device_id *id)
{
	struct bcos_found found = bcos_input_found(device, true);

	bcos_device_see(bcos_input.seen, &found);
	return -ENODEV;
}

static struct input_handler bcos_input_walker = {
	.connect = bcos_input_see,
	.name = "bcos_evlog_walk",
	.id_table = bcos_input_ids,
};

int bcos_input_walk(struct bcos_seen_devices *seen)
{
	int error;

	bcos_input.seen = seen;
	error = input_register_handler(&bcos_input_walker);
	if (!error)
		input_unregister_handler(&bcos_input_walker);
	return error;
}

/* Attaches the handler to all devices. Returns an error if it failed for any of them. */
static int bcos_input_attach(void)
{
	int error;

	bcos_input.error = 0;
	WRITE_ONCE(bcos_input.mover, current);
	error = input_register_handler(&bcos_input_handler);
	WRITE_ONCE(bcos_input.mover, NULL);
	bcos_input.attached = !error;
	return error ?: bcos_input.error;
}

static void bcos_input_detach(void)
{
	if (!bcos_input.attached)
		return;
	WRITE_ONCE(bcos_input.mover, current);
	input_unregister_handler(&bcos_input_handler);
	WRITE_ONCE(bcos_input.mover, NULL);
	bcos_input.attached = false;
}

/*
 * The kernel attaches a handler to a device only when one of the two comes, so this begins anew
 * with all devices. Their reports meanwhile are a part of the loss.
 */
static void bcos_input_retry(struct work_struct *work)
{
	u64 since;

	if (READ_ONCE(bcos_input.closing))
		return;
	since = atomic64_xchg(&bcos_input.since, 0) ?: bcos_now();
	bcos_input_detach();
	if (bcos_input_attach()) {
		atomic64_cmpxchg(&bcos_input.since, 0, bcos_now());
		queue_delayed_work(system_unbound_wq, &bcos_input_work, BCOS_INPUT_RETRY);
	}
	bcos_missed_note(BCOS_MISSED_INPUTS, 1, since);
}

int bcos_input_up(void)
{
	int error;

	bcos_input.closing = false;
	atomic64_set(&bcos_input.since, 0);
	error = bcos_input_attach();
	if (error)
		bcos_input_detach();
	return error;
}

void bcos_input_down(void)
{
	WRITE_ONCE(bcos_input.closing, true);
	cancel_delayed_work_sync(&bcos_input_work);
	bcos_input_detach();
	/* A device that came meanwhile may have queued the work again, which now does nothing. */
	cancel_delayed_work_sync(&bcos_input_work);
}
