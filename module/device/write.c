// SPDX-License-Identifier: GPL-2.0-only
/* Records what programs write to the device: see write.h. */
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "capture/event.h"
#include "core/format/event_text.h"
#include "memory.h"
#include "read.h"
#include "write.h"

int bcos_event_emit(const struct bcos_user *user, u32 id, u8 severity, const char *text,
		    size_t length)
{
	if (!READ_ONCE(bcos_events_on) || !bcos_user_may_say(user))
		return 0;
	return bcos_event_of_current(id, severity, text, length);
}

ssize_t bcos_event_write(struct file *file, const char __user *from, size_t size, loff_t *position)
{
	struct bcos_reader *reader = file->private_data;
	struct bcos_event_line line;
	char *bytes;
	int error;

	if (!size)
		return 0;
	if (size > BCOS_EVENT_LINE_MAX)
		return -EMSGSIZE;
	bytes = kmalloc(size, BCOS_GFP);
	if (!bytes)
		return -ENOMEM;
	error = copy_from_user(bytes, from, size) ? -EFAULT : 0;
	if (!error)
		error = bcos_event_line_parse(bytes, size, &line);
	if (!error)
		error = bcos_event_emit(&reader->owner, line.event_id, line.severity, line.text,
					line.length);
	kfree(bytes);
	return error ?: size;
}
