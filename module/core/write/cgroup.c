// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes the control groups of processes: see cgroup.h. */
#include "cgroup.h"
#include "core/format/who_text.h"
#include "core/model/cgroup.h"
#include "dropped.h"
#include "emit.h"

/* The host is asked for this many processes at a time. */
#define ASKED_MAX 4096

/* Between two groups the host is asked once in this many ns. */
#define ASKED_SPAN 1000000000ull

static bool is_recorded(const struct bcos_log *log)
{
	return log->mask & BCOS_CLASS_WHO;
}

void bcos_cgroup_tell(struct bcos_log *log, const struct bcos_process *process, const char *path,
		      u32 length, u16 flags)
{
	bool read = process->cgroup_until > log->time;
	struct bcos_generic *entry = bcos_event_open(log, BCOS_CGROUP_TEXT);

	bcos_event_close(log, entry, BCOS_GENERIC_PROCESS, process->id, BCOS_EVENT_CGROUP,
			 BCOS_SEVERITY_DEBUG,
			 bcos_cgroup_format(entry->text, path, length, flags, read));
	if (read)
		entry->header.precision = bcos_reach(log->time, process->cgroup_until);
}

void bcos_cgroup_put(struct bcos_log *log, const struct bcos_process *process)
{
	const struct bcos_cgroup *group = process->cgroup;

	if (group)
		bcos_cgroup_tell(log, process, group->path, group->length, group->flags);
}

static void ask_for(struct bcos_log *log, struct bcos_process *process)
{
	const struct bcos_heap *heap = &log->model.heap;
	char path[BCOS_RAW_PATH_MAX];
	u64 until = log->time;
	u16 flags = 0;
	u32 length;

	length = heap->host->cgroup(heap->context, process->id, process->tag, log->time, path,
				    &flags, &until);
	if (length && !bcos_cgroup_enter(&log->model, process, path, length, flags))
		bcos_log_starved(log);
	process->cgroup_until = until;
}

/* Asks for all processes whose group is unknown. @tell: writes the answers. */
static void ask_all(struct bcos_log *log, bool tell)
{
	struct bcos_model *model = &log->model;
	struct bcos_process *process;
	struct bcos_link *link;
	u32 asked = 0;

	log->cgroups_asked = log->time;
	log->cgroups_unknown = false;
	for (link = model->recent.next; link != &model->recent; link = link->next) {
		process = bcos_process_of(link);
		if (process->cgroup || process == model->kernel)
			continue;
		if (asked++ == ASKED_MAX)
			return;
		ask_for(log, process);
		if (!tell || !process->cgroup || process->hidden)
			continue;
		bcos_emit_stated(log, process);
		bcos_cgroup_put(log, process);
	}
}

static bool may_ask(const struct bcos_log *log)
{
	return log->model.heap.host->cgroup && is_recorded(log);
}

void bcos_cgroups_ask(struct bcos_log *log)
{
	if (may_ask(log))
		ask_all(log, false);
}

bool bcos_cgroups_learn(struct bcos_log *log)
{
	if (likely(!log->cgroups_unknown) || !may_ask(log) ||
	    log->time - log->cgroups_asked < ASKED_SPAN)
		return false;
	ask_all(log, true);
	return true;
}

void bcos_cgroups_write(struct bcos_log *log, u64 start, u64 room)
{
	struct bcos_model *model = &log->model;
	struct bcos_process *process;
	struct bcos_link *link;

	if (!is_recorded(log))
		return;
	for (link = model->recent.next; link != &model->recent; link = link->next) {
		process = bcos_process_of(link);
		if (!process->cgroup || process->hidden || process->stated <= start)
			continue;
		if (process->cgroup->bytes > room)
			return;
		room -= process->cgroup->bytes;
		bcos_cgroup_put(log, process);
	}
}
