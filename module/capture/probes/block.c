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

/* ---- requests, from when a task asks to when the disk has done it ------------------- */

#define BCOS_REQUEST_BIT(flags, name) (!!((flags) & (__force u32)REQ_##name))
#include "core/capture/disk_request.h"

static __always_inline u64 bcos_request_number(const struct request *request)
{
	return BCOS_RAW_REQUEST((unsigned long)bcos_request_object(request));
}

/* Stages that the current task asks for a request, whose first bio is @bio. */
static __always_inline void bcos_put_request_start(const void *object, struct bio *bio, u32 flags)
{
	u32 process = bcos_task_actor(current);
	union {
		struct bcos_raw_request_start start;
		struct bcos_unit unit;
	} tail = {
		.start = bcos_disk_request_start(BCOS_RAW_REQUEST((unsigned long)object),
						 current->pid,
						 process == BCOS_PROCESS_KERNEL ?
						 bcos_bio_payer(bio) : bcos_task_tag(current)),
	};
	struct bcos_raw raw = { .kind = BCOS_RAW_REQUEST_START, .units = 2, .id = process,
				.aux = bcos_disk_request_flags(flags) };

	bcos_put_anywhere(&raw, &tail.unit);
}

notrace void bcos_on_block_io_start(void *data, struct request *request)
{
	if (!blk_rq_is_passthrough(request))
		bcos_put_request_start(bcos_request_object(request), request->bio,
				       (__force u32)request->cmd_flags);
}

notrace void bcos_on_block_getrq(void *data, struct bio *bio)
{
	if (!blk_op_is_passthrough(bio->bi_opf & REQ_OP_MASK))
		bcos_put_request_start(bio, bio, (__force u32)bio->bi_opf);
}

notrace void bcos_on_block_rq_issue(void *data, struct request *request)
{
	u64 number = bcos_request_number(request);

	if (!blk_rq_is_passthrough(request))
		bcos_put_one_anywhere(BCOS_RAW_REQUEST_ISSUE, (u16)(number >> 32), (u32)number);
}

notrace void bcos_on_request_end(void *data, struct request *request, blk_status_t error,
				 unsigned int bytes)
{
	const struct gendisk *disk = request->q->disk;
	u32 failed = unlikely(error) ? -blk_status_to_errno(error) : 0;
	u16 flags = bcos_disk_request_flags((__force u32)request->cmd_flags);
	union {
		struct bcos_raw_request_end end;
		struct bcos_unit unit;
	} tail = {
		.end = bcos_disk_request_end(bcos_request_number(request), blk_rq_pos(request),
					     bytes),
	};
	struct bcos_raw raw = { .kind = BCOS_RAW_REQUEST_END, .units = 2 };

	if (!disk || blk_rq_is_passthrough(request))
		return;
	if (bytes < blk_rq_bytes(request))
		flags |= BCOS_REQUEST_PART;
	raw.aux = BCOS_RAW_RESULT(bcos_request_operation(request), flags, failed);
	raw.id = BCOS_RAW_NUMBERS(disk->major, disk->first_minor);
	bcos_put_anywhere(&raw, &tail.unit);
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
	check_trace_callback_type_block_rq_complete(bcos_on_request_end);
	check_trace_callback_type_block_rq_issue(bcos_on_block_rq_issue);
	check_trace_callback_type_block_getrq(bcos_on_block_getrq);
	bcos_check_io_start(bcos_on_block_io_start);
}
