// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Records the requests that disks complete: the counterpart of module/capture/probes/block.c. */
#include "device.h"

/* From include/linux/blk_types.h; these numbers never change. */
#define REQ_OP_MASK_		0xff
#define OP_READ			0
#define OP_WRITE		1
#define OP_FLUSH		2
#define OP_DISCARD		3
#define OP_SECURE_ERASE		5
#define OP_DRV_IN		34
#define OP_DRV_OUT		35
/* Older kernels have this number for zone append. */
#define OP_ZONE_APPEND_OLD	13
/* From include/linux/blkdev.h: a state bit of a disk that is being removed. */
#define GD_DEAD			2

enum req_op___append {
	REQ_OP_ZONE_APPEND___append = 7,
};

/*
 * Returns the errno of a request that failed. Newer kernels give a status of the block layer, which
 * is an index of this table. The numbers of these statuses never change.
 */
static __always_inline u32 errno_of(u32 error)
{
	static const u8 errnos[32] = {
		0, 95, 110, 28, 67, 121, 52, 61, 84, 12, 5, 78, 11, 16, 109, 75, 19, 62, 5, 22,
	};

	if (bcos_config.block_error_is_errno)
		return -error;
	return error < 20 ? errnos[error & 31] : 5;
}

static __always_inline bool is_append(u32 operation)
{
	if (bpf_core_enum_value_exists(enum req_op___append, REQ_OP_ZONE_APPEND___append))
		return operation ==
		       bpf_core_enum_value(enum req_op___append, REQ_OP_ZONE_APPEND___append);
	return operation == OP_ZONE_APPEND_OLD;
}

static __always_inline enum bcos_operation operation_of(u32 operation)
{
	if (operation == OP_READ)
		return BCOS_OPERATION_READ;
	if (operation == OP_WRITE || is_append(operation))
		return BCOS_OPERATION_WRITE;
	if (operation == OP_FLUSH)
		return BCOS_OPERATION_FLUSH;
	if (operation == OP_DISCARD || operation == OP_SECURE_ERASE)
		return BCOS_OPERATION_DISCARD;
	return BCOS_OPERATION_OTHER;
}

static __always_inline u64 key_of(const struct gendisk *disk)
{
	return BCOS_RAW_DISK((u32)BPF_CORE_READ(disk, major), BPF_CORE_READ(disk, first_minor));
}

/*
 * Names a disk that appears. It has no requests yet. User space gets the uevent only after the scan
 * for partitions.
 */
SEC("fentry/blk_register_queue")
int BPF_PROG(bcos_on_disk, struct gendisk *disk)
{
	bcos_name_device(key_of(disk), 0, &disk->disk_name, NULL);
	return 0;
}

/* Records that a disk is gone: it gets no more requests, and all earlier ones have completed. */
SEC("fexit/del_gendisk")
int BPF_PROG(bcos_on_disk_gone, struct gendisk *disk)
{
	bcos_device_gone(key_of(disk));
	return 0;
}

/* A request may complete in parts, and each part is recorded. */
SEC("raw_tp/block_rq_complete")
int bcos_on_block_rq_complete(struct bpf_raw_tracepoint_args *context)
{
	const struct request *request = (void *)context->args[0];
	u32 bytes = (u32)context->args[2], flags = BPF_CORE_READ(request, cmd_flags);
	u32 operation = flags & REQ_OP_MASK_;
	const struct gendisk *disk = BPF_CORE_READ(request, q, disk);
	int error = (int)context->args[1];
	enum bcos_operation what;
	u64 key;

	if (!disk || operation == OP_DRV_IN || operation == OP_DRV_OUT)
		return 0;
	key = key_of(disk);
	what = operation_of(operation);
	error = bcos_config.block_error_is_errno ? error : error & 0xFF;
	if (!error && (!bytes || what > BCOS_OPERATION_WRITE))
		return 0;
	if (!bcos_is_named(key)) {
		if (BPF_CORE_READ(disk, state) >> GD_DEAD & 1)
			return 0;
		bcos_name_device(key, 0, &disk->disk_name, NULL);
	}
	if (error)
		bcos_device_put(BCOS_RAW_FAULT,
				BCOS_RAW_FAULTY(what, errno_of(error)), bytes, key,
				BPF_CORE_READ(request, __sector));
	else
		bcos_device_put(what == BCOS_OPERATION_READ ? BCOS_RAW_INPUT : BCOS_RAW_OUTPUT, 0,
				0, key, bytes);
	return 0;
}
