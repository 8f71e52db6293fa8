// SPDX-License-Identifier: GPL-2.0-only
/* Announces input devices such as keyboards and mice, and records their reports. */
#include <linux/input.h>
#include <linux/slab.h>

#include "device.h"

bool bcos_io_on;

static struct {
	bool replaying;		/* the callback runs for devices that exist already */
	bool closing;
	struct bcos_seen_devices *seen;	/* result of the current walk */
} bcos_input;

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

static int bcos_input_connect(struct input_handler *handler, struct input_dev *device,
			      const struct input_device_id *id)
{
	struct bcos_input_handle *own = kzalloc(sizeof(*own), GFP_KERNEL);
	struct bcos_found found;
	int error;

	if (!own)
		return -ENOMEM;
	own->handle.dev = device;
	own->handle.handler = handler;
	own->handle.name = "bcos_evlog";
	/* The handle gets events as if it had opened the device, but never keeps the device on. */
	own->handle.open = 1;
	error = input_register_handle(&own->handle);
	if (error) {
		kfree(own);
		return error;
	}
	found = bcos_input_found(device, bcos_input.replaying);
	bcos_device_announce(&found);
	return 0;
}

static void bcos_input_disconnect(struct input_handle *handle)
{
	struct bcos_input_handle *own = container_of(handle, struct bcos_input_handle, handle);

	if (!bcos_input.closing)
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

int bcos_input_up(void)
{
	int error;

	bcos_input.closing = false;
	bcos_input.replaying = true;
	error = input_register_handler(&bcos_input_handler);
	bcos_input.replaying = false;
	return error;
}

void bcos_input_down(void)
{
	bcos_input.closing = true;
	input_unregister_handler(&bcos_input_handler);
}
