// SPDX-License-Identifier: GPL-2.0-only
/* Generic events from programs: see event.h. */
#include <linux/hardirq.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "core/format/event_text.h"
#include "event.h"
#include "capture/probes/probes.h"
#include "writer/waiter.h"
#include "staging.h"
#include "task.h"

bool bcos_events_on;

int bcos_event_stage(struct bcos_raw raw, u32 event_id, u32 tag, const void *text, size_t length)
{
	struct bcos_raw_event event = { .event_id = event_id, .tag = tag };
	enum bcos_staged result;

	if (!READ_ONCE(bcos_events_on))
		return 0;
	if (in_nmi()) {
		this_cpu_inc(bcos_stages.nmi);
		return -EPERM;
	}
	result = bcos_put_text(&raw, &event, text, length);
	return result == BCOS_STAGED || result == BCOS_STAGED_KICK ? 0 : -ENOBUFS;
}

int bcos_event_of_current(u32 event_id, u8 severity, const char *text, size_t length)
{
	bool over = bcos_task_dying(current) && READ_ONCE(bcos_exit_is_final);
	bool kernel = current->flags & PF_KTHREAD || over;
	struct bcos_raw raw = {
		.kind = BCOS_RAW_EVENT,
		.aux = BCOS_RAW_ABOUT(BCOS_SUBJECT_PROCESS, severity),
		.id = kernel ? BCOS_PROCESS_KERNEL : current->tgid,
	};

	return bcos_event_stage(raw, event_id, kernel ? 0 : bcos_task_tag(current), text, length);
}

/* ---- events ------------------------------------------------------------------ */

int bcos_event_emit(const struct bcos_user *user, u32 id, u8 severity, const char *text, size_t length)
{
	if (!READ_ONCE(bcos_events_on) || !bcos_user_may_say(user))
		return 0;
	return bcos_event_of_current(id, severity, text, length);
}

ssize_t bcos_event_write(struct file *file, const char __user *from, size_t size, loff_t *position)
{
	struct bcos_reader *reader = file->private_data;
	struct bcos_said said;
	char *bytes;
	int error;

	if (!size)
		return 0;
	if (size > BCOS_SAID_MAX)
		return -EMSGSIZE;
	bytes = memdup_user(from, size);
	if (IS_ERR(bytes))
		return PTR_ERR(bytes);
	error = bcos_said_parse(bytes, size, &said);
	if (!error)
		error = bcos_event_emit(&reader->owner, said.event_id, said.severity, said.text, said.length);
	kfree(bytes);
	return error ?: size;
}
