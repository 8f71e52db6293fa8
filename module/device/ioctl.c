// SPDX-License-Identifier: GPL-2.0-only
/*
 * Carries out the ioctls of /dev/bcos_evlog (module/DESIGN.md, 9.3; structures in
 * uapi/bcos_evlog.h).
 */
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "capture/clock.h"
#include "capture/staging.h"
#include "control/mask.h"
#include "core/format/entry.h"
#include "core/rules/rules.h"
#include "keep/mapping.h"
#include "memory.h"
#include "version.h"
#include "writer/command.h"
#include "writer/writer.h"
#include "chrdev.h"
#include "read.h"
#include "write.h"

union bcos_argument {
	u32 flags;			/* every structure begins with flags */
	struct bcos_status status;
	struct bcos_compaction compaction;
	struct bcos_watermark watermark;
	struct bcos_flush flush;
	struct bcos_mask mask;
	struct bcos_emit emit;
	struct bcos_request request;
};

static long bcos_ioctl_status(struct file *file, union bcos_argument *argument)
{
	struct bcos_status *status = &argument->status;

	bcos_writer_status(status);
	if (READ_ONCE(bcos_clock_is_ticks))
		status->flags |= BCOS_STATUS_TSC;
	status->abi_version = BCOS_ABI_VERSION;
	strscpy(status->version, BCOS_VERSION, sizeof(status->version));
	status->staging_bytes = bcos_staging_bytes();
	status->staging_kb = bcos_staging_kb();
	status->memory = bcos_memory_total();
	status->readers = bcos_waiters_count();
	bcos_mask_query(&status->mask, &status->active);
	return 0;
}

static long bcos_ioctl_compaction(struct file *file, union bcos_argument *argument)
{
	struct bcos_reader *reader = file->private_data;
	struct bcos_compaction *compaction = &argument->compaction;
	struct bcos_marks *known = &reader->waiter.known, marks;

	if (compaction->reserved)
		return -EINVAL;
	spin_lock(&reader->waiter.acknowledge);
	bcos_ring_marks(bcos_writer_ring(), &marks);
	compaction->count = marks.compactions - known->compactions;
	compaction->bytes = marks.oldest.offset - known->oldest.offset;
	compaction->entries = marks.oldest.entry - known->oldest.entry;
	compaction->time = marks.compaction_time;
	known->oldest = marks.oldest;
	WRITE_ONCE(known->compactions, marks.compactions);
	spin_unlock(&reader->waiter.acknowledge);
	return 0;
}

/*
 * Takes back the acknowledgement, since the answer did not reach the caller. A later call then
 * reports these compactions.
 */
static void bcos_ioctl_compaction_undo(struct file *file, const union bcos_argument *argument)
{
	struct bcos_reader *reader = file->private_data;
	const struct bcos_compaction *compaction = &argument->compaction;
	struct bcos_marks *known = &reader->waiter.known;

	spin_lock(&reader->waiter.acknowledge);
	known->oldest.offset -= compaction->bytes;
	known->oldest.entry -= compaction->entries;
	WRITE_ONCE(known->compactions, known->compactions - compaction->count);
	spin_unlock(&reader->waiter.acknowledge);
}

static long bcos_ioctl_watermark(struct file *file, union bcos_argument *argument)
{
	struct bcos_reader *reader = file->private_data;
	u32 bytes = argument->watermark.bytes;

	if (!bytes || bytes > bcos_mapping_ring_size() / 2)
		return -EINVAL;
	WRITE_ONCE(reader->waiter.watermark, bytes);
	/* A thread that already waits may have enough to read now. */
	wake_up_interruptible_poll(&reader->waiter.wait, bcos_waiter_events(&reader->waiter));
	return 0;
}

static long bcos_ioctl_flush(struct file *file, union bcos_argument *argument)
{
	struct bcos_marks marks;
	long error;

	if (argument->flush.reserved)
		return -EINVAL;
	error = bcos_reader_flush(file->private_data);
	if (error)
		return error;
	bcos_ring_marks(bcos_writer_ring(), &marks);
	argument->flush.head = marks.head.offset;
	return 0;
}

static bool bcos_mask_valid(u32 *mask)
{
	if (*mask == BCOS_CLASS_EVERY)
		*mask = BCOS_CLASS_ALL;
	return !(*mask & ~BCOS_CLASS_ALL);
}

static long bcos_ioctl_mask(struct file *file, union bcos_argument *argument)
{
	struct bcos_mask *mask = &argument->mask;
	bool change = mask->clear || mask->set;

	if (mask->reserved || !bcos_mask_valid(&mask->clear) || !bcos_mask_valid(&mask->set))
		return -EINVAL;
	if (!change) {
		bcos_mask_query(&mask->mask, &mask->active);
		return 0;
	}
	if (!(file->f_mode & FMODE_WRITE))
		return -EACCES;
	if (!perfmon_capable())
		return -EPERM;
	return bcos_mask_change(mask->clear, mask->set, &mask->mask, &mask->active);
}

static bool bcos_emit_valid(const struct bcos_emit *emit)
{
	return !emit->reserved && !emit->reserved2 &&
	       bcos_event_id_valid(emit->type, emit->event_id) &&
	       (emit->type & ~BCOS_TYPE_SUBJECT_MASK) == BCOS_GENERIC_PROCESS &&
	       bcos_utf8_valid(emit->text, emit->length) &&
	       !memchr_inv(emit->text + emit->length, 0, sizeof(emit->text) - emit->length);
}

static long bcos_ioctl_emit(struct file *file, union bcos_argument *argument)
{
	struct bcos_reader *reader = file->private_data;
	const struct bcos_emit *emit = &argument->emit;

	if (emit->length > sizeof(emit->text))
		return -EMSGSIZE;
	if (!bcos_emit_valid(emit))
		return -EINVAL;
	if (!(file->f_mode & FMODE_WRITE))
		return -EACCES;
	if (emit->type == BCOS_GENERIC_PROCESS) {
		if (emit->source)
			return -EINVAL;
		return bcos_event_emit(&reader->owner, emit->event_id, emit->severity, emit->text,
				       emit->length);
	}
	if (!perfmon_capable())
		return -EPERM;
	return bcos_write_event(emit->type, emit->source, emit->event_id, emit->severity,
				emit->text, emit->length);
}

static long bcos_ioctl_request(struct file *file, union bcos_argument *argument)
{
	const struct bcos_request *request = &argument->request;

	if (!request->classes || request->on > 1)
		return -EINVAL;
	if (request->classes == BCOS_CLASS_API ? !request->source :
						 request->classes & ~BCOS_LOG_REQUESTS)
		return -EINVAL;
	if (!(file->f_mode & FMODE_WRITE))
		return -EACCES;
	if (!perfmon_capable())
		return -EPERM;
	return bcos_mask_request(request->classes, request->source, request->on);
}

/* @least is the size of the structure in its first version, @size that in this module. */
static const struct bcos_command {
	unsigned int command;
	u16 least;
	u16 size;
	bool without_read;	/* also allowed without read access */
	long (*run)(struct file *file, union bcos_argument *argument);
	void (*undo)(struct file *file, const union bcos_argument *argument);
} bcos_commands[] = {
	{
		.command = BCOS_IOC_STATUS,
		.least = sizeof(struct bcos_status),
		.size = sizeof(struct bcos_status),
		.run = bcos_ioctl_status,
	}, {
		.command = BCOS_IOC_COMPACTION,
		.least = sizeof(struct bcos_compaction),
		.size = sizeof(struct bcos_compaction),
		.run = bcos_ioctl_compaction,
		.undo = bcos_ioctl_compaction_undo,
	}, {
		.command = BCOS_IOC_WATERMARK,
		.least = sizeof(struct bcos_watermark),
		.size = sizeof(struct bcos_watermark),
		.run = bcos_ioctl_watermark,
	}, {
		.command = BCOS_IOC_FLUSH,
		.least = sizeof(struct bcos_flush),
		.size = sizeof(struct bcos_flush),
		.run = bcos_ioctl_flush,
	}, {
		.command = BCOS_IOC_MASK,
		.least = sizeof(struct bcos_mask),
		.size = sizeof(struct bcos_mask),
		.without_read = true,
		.run = bcos_ioctl_mask,
	}, {
		.command = BCOS_IOC_EMIT,
		.least = offsetof(struct bcos_emit, text),
		.size = sizeof(struct bcos_emit),
		.without_read = true,
		.run = bcos_ioctl_emit,
	}, {
		.command = BCOS_IOC_REQUEST,
		.least = sizeof(struct bcos_request),
		.size = sizeof(struct bcos_request),
		.without_read = true,
		.run = bcos_ioctl_request,
	},
};

/*
 * Finds the command with this number. The size in the number may be that of another version of the
 * structure, so it is ignored here.
 */
static const struct bcos_command *bcos_find_command(unsigned int number)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bcos_commands); i++)
		if (!((bcos_commands[i].command ^ number) & ~IOCSIZE_MASK))
			return &bcos_commands[i];
	return NULL;
}

long bcos_ioctl(struct file *file, unsigned int number, unsigned long user)
{
	const struct bcos_command *command = bcos_find_command(number);
	void __user *pointer = (void __user *)user;
	struct bcos_reader *reader = file->private_data;
	size_t size = _IOC_SIZE(number);
	union bcos_argument argument = {};
	long error;

	if (!command)
		return -ENOTTY;
	if (size < command->least)
		return -EINVAL;
	error = copy_struct_from_user(&argument, command->size, pointer, size);
	if (error)
		return error;
	if (argument.flags)
		return -EINVAL;
	if (!command->without_read && !(file->f_mode & FMODE_READ))
		return -EACCES;
	WRITE_ONCE(reader->waiter.user, current->tgid);
	error = command->run(file, &argument);
	if (error || !(_IOC_DIR(number) & _IOC_READ))
		return error;
	if (!copy_to_user(pointer, &argument, min_t(size_t, size, command->size)))
		return 0;
	if (command->undo)
		command->undo(file, &argument);
	return -EFAULT;
}
