// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads and releases the image of the former boot: see last.h. Who releases it may still read it,
 * so its memory stays until nobody has it open.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/uaccess.h>

#include "keep/last.h"
#include "params.h"
#include "uapi/bcos_image.h"
#include "chrdev.h"
#include "last.h"

/* Guards all of the following. */
static DEFINE_MUTEX(bcos_last_lock);
static bool bcos_last_shown;
static unsigned int bcos_last_users;

/* Frees the image if nobody can reach it any more. Context: under the lock. */
static void bcos_last_tidy(void)
{
	if (!bcos_last_shown && !bcos_last_users)
		bcos_last_drop();
}

static int bcos_last_open(struct inode *inode, struct file *file)
{
	int error = bcos_may_read();

	if (error)
		return error;
	mutex_lock(&bcos_last_lock);
	if (bcos_last_shown)
		bcos_last_users++;
	else
		error = -ENODEV;
	mutex_unlock(&bcos_last_lock);
	return error;
}

static int bcos_last_close(struct inode *inode, struct file *file)
{
	mutex_lock(&bcos_last_lock);
	bcos_last_users--;
	bcos_last_tidy();
	mutex_unlock(&bcos_last_lock);
	return 0;
}

static ssize_t bcos_last_read(struct file *file, char __user *to, size_t size, loff_t *position)
{
	u64 bytes;
	const void *image = bcos_last_image(&bytes);

	return simple_read_from_buffer(to, size, position, image, bytes);
}

static loff_t bcos_last_seek(struct file *file, loff_t offset, int whence)
{
	u64 bytes;

	bcos_last_image(&bytes);
	return fixed_size_llseek(file, offset, whence, bytes);
}

static int bcos_last_release(struct file *file);

static ssize_t bcos_last_write(struct file *file, const char __user *from, size_t size,
			       loff_t *position)
{
	int error = size ? bcos_last_release(file) : 0;

	return error ?: size;
}

static long bcos_last_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	struct bcos_image_release release;

	if (command != BCOS_IOC_IMAGE_RELEASE)
		return -ENOTTY;
	if (copy_from_user(&release, (void __user *)argument, sizeof(release)))
		return -EFAULT;
	if (release.flags || release.reserved)
		return -EINVAL;
	return bcos_last_release(file);
}

static const struct file_operations bcos_last_operations = {
	.owner = THIS_MODULE,
	.open = bcos_last_open,
	.release = bcos_last_close,
	.read = bcos_last_read,
	.write = bcos_last_write,
	.llseek = bcos_last_seek,
	.unlocked_ioctl = bcos_last_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

static struct miscdevice bcos_last_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "bcos_evlog.last",
	.fops = &bcos_last_operations,
};

/*
 * Takes the name away, if it is there; files that are open go on. The name goes outside of the
 * lock, since who opens the device holds that of all misc devices.
 */
static void bcos_last_hide(void)
{
	bool shown;

	mutex_lock(&bcos_last_lock);
	shown = bcos_last_shown;
	bcos_last_shown = false;
	mutex_unlock(&bcos_last_lock);
	if (shown)
		misc_deregister(&bcos_last_device);
}

static int bcos_last_release(struct file *file)
{
	if (!(file->f_mode & FMODE_WRITE))
		return -EBADF;
	bcos_last_hide();
	return 0;
}

int bcos_last_up(void)
{
	u64 bytes;
	int error;

	if (!bcos_last_image(&bytes))
		return 0;
	bcos_last_device.mode = bcos_params.mode;
	/* It may be opened at once. */
	bcos_last_shown = true;
	error = misc_register(&bcos_last_device);
	if (!error)
		return 0;
	/* The load must not fail any more, since /dev/bcos_evlog may be open. */
	pr_err("the former log is lost: no " BCOS_IMAGE_PATH ", error %d; unload a misc driver\n",
	       error);
	bcos_last_shown = false;
	bcos_last_drop();
	return 0;
}

void bcos_last_down(void)
{
	bcos_last_hide();
}
