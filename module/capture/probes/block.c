// SPDX-License-Identifier: GPL-2.0-only
/* Announces disks, and records the requests that they complete. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/blkdev.h>
#include <linux/blk-mq.h>
#include <linux/device/class.h>
#include <linux/pci.h>
#include <linux/string.h>
#include <trace/events/block.h>

#include "core/capture/device_name.h"
#include "device.h"

static struct {
	struct gendisk *own;	/* a disk that is never added; it yields the class of disks */
	bool replaying;		/* the callback runs for disks that exist already */
	bool closing;
	struct bcos_seen_devices *seen;	/* result of the current walk */
} bcos_block;

static __always_inline u64 bcos_disk_key(const struct gendisk *disk)
{
	return BCOS_RAW_DISK((u32)disk->major, disk->first_minor);
}

static struct bcos_found bcos_disk_found(const struct device *device, bool found)
{
	const struct gendisk *disk = dev_to_bdev(device)->bd_disk;

	return (struct bcos_found) {
		.key = bcos_disk_key(disk),
		.name = disk->disk_name,
		.parent = device->parent,
		.stacked = bcos_disk_is_stacked(disk->disk_name),
		.found = found,
		/* The server of a ublk disk adds the disk itself. */
		.by_user = !found && !strncmp(disk->disk_name, "ublkb", 5),
	};
}

static int bcos_block_add(struct device *device)
{
	struct bcos_found found;

	if (bdev_is_partition(dev_to_bdev(device)))
		return 0;
	found = bcos_disk_found(device, bcos_block.replaying);
	bcos_device_announce(&found);
	return 0;
}

/* Was the disk removed by surprise? The disk itself does not tell, but its PCI device does. */
static bool bcos_is_pulled_out(const struct device *device)
{
	for (; device; device = device->parent)
		if (dev_is_pci(device))
			return to_pci_dev(device)->error_state == pci_channel_io_perm_failure;
	return false;
}

static void bcos_block_remove(struct device *device)
{
	struct gendisk *disk = dev_to_bdev(device)->bd_disk;

	if (!bcos_block.closing && !bdev_is_partition(dev_to_bdev(device)))
		bcos_device_gone(bcos_disk_key(disk), bcos_is_pulled_out(device));
}

BCOS_CLASS_INTERFACE(bcos_block_interface, bcos_block_add, bcos_block_remove);

/*
 * Adds a disk to the list of a walk. Runs under the lock of the class, as at load, so nobody adds
 * or removes a disk meanwhile.
 */
static int bcos_block_see(struct device *device)
{
	struct bcos_found found;

	if (bdev_is_partition(dev_to_bdev(device)))
		return 0;
	found = bcos_disk_found(device, true);
	bcos_device_see(bcos_block.seen, &found);
	return 0;
}

static void bcos_block_ignore(struct device *device)
{
}

BCOS_CLASS_INTERFACE(bcos_block_walker, bcos_block_see, bcos_block_ignore);

int bcos_block_walk(struct bcos_seen_devices *seen)
{
	int error;

	bcos_block.seen = seen;
	bcos_block_walker.class = bcos_block_interface.class;
	error = class_interface_register(&bcos_block_walker);
	if (!error)
		class_interface_unregister(&bcos_block_walker);
	return error;
}

/*
 * Returns the operation of a request. Reads and writes are transfers; other operations matter only
 * if they fail.
 */
static __always_inline enum bcos_operation bcos_request_operation(const struct request *request)
{
	switch (req_op(request)) {
	case REQ_OP_READ:
		return BCOS_OPERATION_READ;
	case REQ_OP_WRITE:
	case REQ_OP_ZONE_APPEND:
		return BCOS_OPERATION_WRITE;
	case REQ_OP_FLUSH:
		return BCOS_OPERATION_FLUSH;
	case REQ_OP_DISCARD:
	case REQ_OP_SECURE_ERASE:
		return BCOS_OPERATION_DISCARD;
	default:
		return BCOS_OPERATION_OTHER;
	}
}

/* A request may complete in parts, and each part is recorded. */
notrace void bcos_on_block_rq_complete(void *data, struct request *request, blk_status_t error,
				       unsigned int bytes)
{
	const struct gendisk *disk = request->q->disk;
	enum bcos_operation operation = bcos_request_operation(request);

	if (!disk || blk_rq_is_passthrough((struct request *)request))
		return;
	if (unlikely(error))
		bcos_device_put(BCOS_RAW_FAULT,
				BCOS_RAW_FAULTY(operation, -blk_status_to_errno(error)), bytes,
				bcos_disk_key(disk), blk_rq_pos(request));
	else if (bytes && operation <= BCOS_OPERATION_WRITE)
		bcos_device_put(operation == BCOS_OPERATION_READ ? BCOS_RAW_INPUT : BCOS_RAW_OUTPUT,
				0, 0, bcos_disk_key(disk), bytes);
}

int bcos_block_up(void)
{
	int error;

	/* The class of disks is not exported, but every disk points to it. */
	bcos_block.own = bcos_alloc_disk();
	if (IS_ERR_OR_NULL(bcos_block.own))
		return -ENOMEM;
	bcos_block_interface.class = disk_to_dev(bcos_block.own)->class;
	bcos_block.closing = false;
	bcos_block.replaying = true;
	error = class_interface_register(&bcos_block_interface);
	bcos_block.replaying = false;
	if (error)
		put_disk(bcos_block.own);
	return error;
}

void bcos_block_down(void)
{
	bcos_block.closing = true;
	class_interface_unregister(&bcos_block_interface);
	put_disk(bcos_block.own);
}

static void __maybe_unused bcos_check_prototypes(void)
{
	check_trace_callback_type_block_rq_complete(bcos_on_block_rq_complete);
}
