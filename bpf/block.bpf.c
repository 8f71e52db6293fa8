// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Records the requests that disks complete: the counterpart of module/capture/probes/block.c. */
#include "task.h"
#include "device.h"

#define BCOS_REQUEST_BIT(flags, name) \
	((flags) >> bpf_core_enum_value(enum req_flag_bits, __REQ_##name) & 1)
#include "core/capture/disk_request.h"

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

/* Kernels without control groups of block devices lack this field. */
struct bio___paid {
	struct blkcg_gq___paid *bi_blkg;
} __attribute__((preserve_access_index));

struct blkcg_gq___paid {
	struct blkcg___paid *blkcg;
} __attribute__((preserve_access_index));

struct blkcg___paid {
	struct cgroup_subsys_state css;
} __attribute__((preserve_access_index));

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

/* Returns the number by which the log knows a request; @bio: the request's first one. */
static __always_inline u64 number_of(const struct request *request, const struct bio *bio)
{
	if (bcos_config.requests_by_bio && bio)
		return BCOS_RAW_REQUEST((unsigned long)bio);
	return BCOS_RAW_REQUEST((unsigned long)request);
}

/* Returns the ID of the control group that pays for @bio; 0: unknown. */
static __always_inline u32 payer_of(const struct bio *bio)
{
	const struct bio___paid *paid = (const void *)bio;

	if (!paid || !bpf_core_field_exists(paid->bi_blkg))
		return 0;
	return (u32)BPF_CORE_READ(paid, bi_blkg, blkcg, css.cgroup, kn, id);
}

/* Records that the current task asks for a request, whose first bio is @bio. */
static __always_inline void put_start(u64 number, const struct bio *bio, u32 flags)
{
	struct {
		struct bcos_raw raw;
		struct bcos_raw_request_start start;
	} record = {
		.raw = { .kind = BCOS_RAW_REQUEST_START, .units = 2,
			 .aux = bcos_disk_request_flags(flags) },
	};
	struct task_struct *task = bpf_get_current_task_btf();
	u32 whose;

	record.raw.id = bcos_task_actor(task);
	whose = record.raw.id == BCOS_PROCESS_KERNEL ? payer_of(bio) : bcos_task_tag(task);
	record.start = bcos_disk_request_start(number, (u32)task->pid, whose);
	bcos_put(&record, sizeof(record));
}

static __always_inline bool is_passthrough(u32 flags)
{
	u32 operation = flags & REQ_OP_MASK_;

	return operation == OP_DRV_IN || operation == OP_DRV_OUT;
}

SEC("raw_tp/block_io_start")
int bcos_on_block_io_start(struct bpf_raw_tracepoint_args *context)
{
	const struct request *request = (void *)context->args[0];
	const struct bio *bio = BPF_CORE_READ(request, bio);
	u32 flags = BPF_CORE_READ(request, cmd_flags);

	if (!is_passthrough(flags))
		put_start(number_of(request, bio), bio, flags);
	return 0;
}

/* In place of block_io_start, which older kernels lack. */
SEC("raw_tp/block_getrq")
int bcos_on_block_getrq(struct bpf_raw_tracepoint_args *context)
{
	const struct bio *bio = (void *)context->args[0];
	u32 flags = BPF_CORE_READ(bio, bi_opf);

	if (!is_passthrough(flags))
		put_start(BCOS_RAW_REQUEST((unsigned long)bio), bio, flags);
	return 0;
}

SEC("raw_tp/block_rq_issue")
int bcos_on_block_rq_issue(struct bpf_raw_tracepoint_args *context)
{
	const struct request *request = (void *)context->args[0];
	u64 number = number_of(request, BPF_CORE_READ(request, bio));

	if (!is_passthrough(BPF_CORE_READ(request, cmd_flags)))
		bcos_put_here(BCOS_RAW_REQUEST_ISSUE, (u16)(number >> 32), (u32)number);
	return 0;
}

static __always_inline void put_end(const struct request *request, const struct gendisk *disk,
				    u16 result, u32 bytes)
{
	struct {
		struct bcos_raw raw;
		struct bcos_raw_request_end end;
	} record = {
		.raw = { .kind = BCOS_RAW_REQUEST_END, .units = 2, .aux = result },
	};
	u64 number = number_of(request, BPF_CORE_READ(request, bio));

	record.raw.id = BCOS_RAW_NUMBERS(BPF_CORE_READ(disk, major),
					 BPF_CORE_READ(disk, first_minor));
	record.end = bcos_disk_request_end(number, BPF_CORE_READ(request, __sector), bytes);
	bcos_put(&record, sizeof(record));
}

static __always_inline void put_transfer(const struct request *request, u64 key,
					 enum bcos_operation what, u32 bytes, u32 error)
{
	if (error)
		bcos_device_put(BCOS_RAW_FAULT, BCOS_RAW_FAULTY(what, error), bytes, key,
				BPF_CORE_READ(request, __sector));
	else if (bytes && what <= BCOS_OPERATION_WRITE)
		bcos_device_put(what == BCOS_OPERATION_READ ? BCOS_RAW_INPUT : BCOS_RAW_OUTPUT, 0,
				0, key, bytes);
}

/* A request may complete in parts, and each part is recorded. */
SEC("raw_tp/block_rq_complete")
int bcos_on_block_rq_complete(struct bpf_raw_tracepoint_args *context)
{
	const struct request *request = (void *)context->args[0];
	u32 bytes = (u32)context->args[2], flags = BPF_CORE_READ(request, cmd_flags);
	const struct gendisk *disk = BPF_CORE_READ(request, q, disk);
	int error = (int)context->args[1];
	enum bcos_operation what = operation_of(flags & REQ_OP_MASK_);
	bool requests = bcos_config.classes & BCOS_CLASS_REQUEST;
	u64 key;

	if (!disk || is_passthrough(flags))
		return 0;
	key = key_of(disk);
	error = bcos_config.block_error_is_errno ? error : error & 0xFF;
	if (error)
		error = (int)errno_of((u32)error);
	if (!requests && !error && (!bytes || what > BCOS_OPERATION_WRITE))
		return 0;
	if (!bcos_is_named(key)) {
		if (BPF_CORE_READ(disk, state) >> GD_DEAD & 1)
			return 0;
		bcos_name_device(key, 0, &disk->disk_name, NULL);
	}
	if (bcos_config.classes & BCOS_CLASS_IO)
		put_transfer(request, key, what, bytes, (u32)error);
	if (requests)
		put_end(request, disk,
			BCOS_RAW_RESULT(what, bcos_disk_request_flags(flags) |
					(bytes < BPF_CORE_READ(request, __data_len) ?
					 BCOS_REQUEST_PART : 0), error), bytes);
	return 0;
}
