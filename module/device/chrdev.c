// SPDX-License-Identifier: GPL-2.0-only
/* The operations of /dev/bcos_evlog: open, read, seek, poll, mmap. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "compat.h"
#include "keep/mapping.h"
#include "memory.h"
#include "params.h"
#include "writer/writer.h"
#include "chrdev.h"
#include "read.h"
#include "write.h"

/* ---- read ------------------------------------------------------------------ */

/*
 * Copies the next part of the log to @to: the notice of missed entries, or the entries that fit
 * into @size and the buffer. Returns the bytes copied; 0 at the end of the log; -ENOMEM, -EMSGSIZE
 * or -EFAULT.
 */
static long bcos_read_part(struct bcos_reader *reader, char __user *to, size_t size)
{
	struct bcos_cursor next;
	long part;

	part = bcos_reader_fill(reader, size, &next);
	if (part <= 0)
		return part;
	if (copy_to_user(to, reader->buffer, part))
		return -EFAULT;
	bcos_reader_advance(reader, &next);
	return part;
}

/*
 * Reads until @size bytes are full or the log ends. Returns the bytes read; 0 if there is nothing;
 * an error only if nothing was read.
 */
static ssize_t bcos_read_parts(struct bcos_reader *reader, char __user *to, size_t size)
{
	size_t done = 0;
	long part = 0;

	while (done < size) {
		part = bcos_read_part(reader, to + done, size - done);
		if (part <= 0)
			break;
		done += part;
		part = 0;
		if (signal_pending(current))
			break;
		cond_resched();
	}
	if (!part && done < size)
		WRITE_ONCE(reader->waiter.caught_up, true);
	return done ?: part;
}

static ssize_t bcos_read(struct file *file, char __user *to, size_t size, loff_t *position)
{
	struct bcos_reader *reader = file->private_data;
	bool flushed = false;
	ssize_t done;
	int error;

	if (!size)
		return 0;
	WRITE_ONCE(reader->waiter.user, current->tgid);
	for (;;) {
		if (mutex_lock_interruptible(&reader->lock))
			return -ERESTARTSYS;
		done = bcos_read_parts(reader, to, size);
		mutex_unlock(&reader->lock);
		if (done)
			return done;
		error = bcos_reader_await(reader,
					  file->f_flags & O_NONBLOCK ? 0 : MAX_SCHEDULE_TIMEOUT,
					  &flushed);
		if (error)
			return error;
	}
}

/* ---- seek, poll ------------------------------------------------------------ */

static loff_t bcos_llseek(struct file *file, loff_t offset, int whence)
{
	struct bcos_reader *reader = file->private_data;
	struct bcos_marks marks;
	loff_t result;
	int error;

	if (offset || (whence != SEEK_SET && whence != SEEK_END && whence != SEEK_DATA))
		return -EINVAL;
	WRITE_ONCE(reader->waiter.user, current->tgid);
	error = bcos_reader_flush(reader);
	if (error)
		return error;
	if (mutex_lock_interruptible(&reader->lock))
		return -ERESTARTSYS;
	bcos_ring_marks(bcos_writer_ring(), &marks);
	if (whence == SEEK_SET)
		bcos_reader_bind(reader, &marks.oldest, 0, false);
	else if (whence == SEEK_DATA)
		bcos_reader_bind(reader, &marks.group, 0, false);
	else
		bcos_reader_bind(reader, &marks.head, marks.last_time, true);
	result = reader->waiter.cursor.place.offset;
	mutex_unlock(&reader->lock);
	/* Other threads may wait with the old cursor. */
	wake_up_interruptible_poll(&reader->waiter.wait, bcos_waiter_events(&reader->waiter));
	return result;
}

static __poll_t bcos_poll(struct file *file, poll_table *table)
{
	struct bcos_reader *reader = file->private_data;
	/* A write never waits. */
	__poll_t writable = file->f_mode & FMODE_WRITE ? EPOLLOUT | EPOLLWRNORM : 0;

	if (!(file->f_mode & FMODE_READ))
		return writable;
	WRITE_ONCE(reader->waiter.user, current->tgid);
	poll_wait(file, &reader->waiter.wait, table);
	/*
	 * Pairs with wq_has_sleeper() in the log writer: this file is on the wait queue before the
	 * barrier, so a writer that checks later sees it.
	 */
	smp_mb();
	bcos_writer_arm();
	return bcos_waiter_events(&reader->waiter) | writable;
}

/* ---- mmap ------------------------------------------------------------------ */

static int bcos_mmap(struct file *file, struct vm_area_struct *vma)
{
	if (vma->vm_flags & (VM_WRITE | VM_EXEC))
		return -EPERM;
	if (vma->vm_pgoff || vma->vm_end - vma->vm_start > bcos_mapping_size())
		return -EINVAL;
	bcos_vm_flags_clear(vma, VM_MAYWRITE | VM_MAYEXEC);
	return remap_vmalloc_range(vma, bcos_mapping_base(), 0);
}

/* ---- open, release --------------------------------------------------------- */

int bcos_may_read(void)
{
	if (!perfmon_capable() && !capable(CAP_SYSLOG))
		return -EPERM;
	return security_locked_down(LOCKDOWN_TRACEFS);
}

static int bcos_open(struct inode *inode, struct file *file)
{
	struct bcos_reader *reader;
	int error;

	if (file->f_mode & FMODE_READ) {
		error = bcos_may_read();
		if (error)
			return error;
	}
	reader = bcos_memory_alloc_for_caller(sizeof(*reader));
	if (!reader)
		return -ENOMEM;
	reader->waiter.reads = file->f_mode & FMODE_READ;
	bcos_reader_begin(reader);
	file->private_data = reader;
	/* Reads use the cursor alone, so pread() and pwrite() fail. */
	file->f_mode &= ~(FMODE_PREAD | FMODE_PWRITE);
	/*
	 * A seek causes a merge, and its result tells how much happens, so only readers may seek.
	 */
	if (!reader->waiter.reads)
		file->f_mode &= ~FMODE_LSEEK;
	return 0;
}

static int bcos_release(struct inode *inode, struct file *file)
{
	struct bcos_reader *reader = file->private_data;

	bcos_reader_end(reader);
	bcos_memory_free(reader, sizeof(*reader));
	return 0;
}

static const struct file_operations bcos_operations = {
	.owner = THIS_MODULE,
	.open = bcos_open,
	.release = bcos_release,
	.read = bcos_read,
	.write = bcos_event_write,
	.llseek = bcos_llseek,
	.poll = bcos_poll,
	.mmap = bcos_mmap,
	.unlocked_ioctl = bcos_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

static struct miscdevice bcos_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "bcos_evlog",
	.fops = &bcos_operations,
};

int bcos_chrdev_up(void)
{
	bcos_device.mode = bcos_params.mode;
	return misc_register(&bcos_device);
}

void bcos_chrdev_down(void)
{
	misc_deregister(&bcos_device);
}
