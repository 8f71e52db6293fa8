// SPDX-License-Identifier: GPL-2.0-only
/* Stages generic events: see event.h. */
#include <linux/hardirq.h>
#include <linux/sched.h>

#include "event.h"
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
	bool kernel = !bcos_task_is_user(current) || over;
	struct bcos_raw raw = {
		.kind = BCOS_RAW_EVENT,
		.aux = BCOS_RAW_ABOUT(BCOS_SUBJECT_PROCESS, severity),
		.id = kernel ? BCOS_PROCESS_KERNEL : current->tgid,
	};

	return bcos_event_stage(raw, event_id, kernel ? 0 : bcos_task_tag(current), text, length);
}
