// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes senders of signals, parents and programs as generic events of their processes (5.3). */
#include "core/format/who_text.h"
#include "core/model/cgroup.h"
#include "core/write/cgroup.h"
#include "core/write/dropped.h"
#include "core/write/emit.h"
#include "core/write/event.h"
#include "rules.h"

#define SIGKILL 9
#define CODE_KERNEL 0x80	/* SI_KERNEL */

static struct bcos_sender *sender_of(const struct bcos_process *process, u32 number)
{
	struct bcos_senders *senders = process->senders;
	u32 i;

	for (i = 0; senders && i < BCOS_SENDERS; i++)
		if (senders->sender[i].number == number)
			return &senders->sender[i];
	return NULL;
}

/*
 * Returns the place for the sender of signal @number: that of the last such signal, else that of
 * the oldest sender. Returns NULL if there is no memory.
 */
static struct bcos_sender *place_for(struct bcos_log *log, struct bcos_process *process, u32 number)
{
	struct bcos_sender *sender = sender_of(process, number);

	if (sender)
		return sender;
	if (!process->senders)
		process->senders = bcos_heap_alloc(&log->model.heap, sizeof(*process->senders));
	if (!process->senders)
		return NULL;
	return &process->senders->sender[process->senders->next++ % BCOS_SENDERS];
}

static void set_kernel(struct bcos_sender *sender)
{
	sender->id = BCOS_PROCESS_KERNEL;
	sender->name_length = 0;
}

/*
 * Sets the sender to the process in @raw. Copies its name now, since the sender may be gone when
 * its victim dies.
 */
static void set_process(struct bcos_log *log, struct bcos_sender *sender,
			const struct bcos_raw_sender *raw)
{
	const struct bcos_process *process = bcos_model_process(&log->model, raw->id);

	set_kernel(sender);
	if (process && process->tag == raw->tag && process->hidden)
		return;
	sender->id = raw->id;
	sender->user = raw->user;
	if (!process || process->tag != raw->tag)
		return;
	sender->name_length = process->name_length;
	memcpy(sender->name, process->name, process->name_length);
}

void bcos_who_sent(struct bcos_log *log, struct bcos_process *process, const struct bcos_raw *raw)
{
	const struct bcos_raw_life *life = (const struct bcos_raw_life *)(raw + 1);
	u32 number = raw->aux & ~BCOS_RAW_USER;
	struct bcos_sender *sender;

	/*
	 * The class "who" is off, so the sender is unknown. The sender of an earlier signal @number
	 * no longer counts.
	 */
	if (raw->units < 3) {
		sender = sender_of(process, number);
		if (sender)
			sender->number = 0;
		return;
	}
	sender = place_for(log, process, number);
	if (!sender)
		return bcos_log_starved(log);
	sender->number = number;
	sender->code = (s32)life->status;
	if (raw->aux & BCOS_RAW_USER)
		set_process(log, sender, (const struct bcos_raw_sender *)(raw + 2));
	else
		set_kernel(sender);
}

void bcos_who_chose(struct bcos_process *process)
{
	struct bcos_sender *sender = sender_of(process, SIGKILL);

	if (!sender)
		return;
	set_kernel(sender);
	sender->code = CODE_KERNEL;
}

void bcos_who_killed(struct bcos_log *log, struct bcos_process *process)
{
	u32 number = process->exited ? process->status & 0x7F : 0;
	const struct bcos_sender *sender = number ? sender_of(process, number) : NULL;
	struct bcos_generic *entry;
	u8 severity;

	if (!sender || !log->begun)
		return;
	severity = sender->id == BCOS_PROCESS_KERNEL ? BCOS_SEVERITY_ERROR : BCOS_SEVERITY_INFO;
	bcos_emit_stated(log, process);
	entry = bcos_event_open(log, BCOS_KILLED_TEXT);
	bcos_event_close(log, entry, BCOS_GENERIC_PROCESS, process->id, BCOS_EVENT_KILLED, severity,
			 bcos_killed_format(entry->text, sender));
}

static size_t parent_text(const struct bcos_log *log, char *text, u32 id)
{
	const struct bcos_process *parent = bcos_model_process(&log->model, id);

	if (parent && parent->hidden)
		parent = log->model.kernel;
	if (parent)
		return bcos_parent_format(text, parent->id, parent->name, parent->name_length);
	return bcos_parent_format(text, id, NULL, 0);
}

/*
 * The log shows the kernel as the parent of a hidden process's child, so nobody could tell the
 * child's control group from that of its parent.
 */
static void put_group_of_hidden(struct bcos_log *log, const struct bcos_process *process, u32 id)
{
	const struct bcos_process *parent = bcos_model_process(&log->model, id);

	if (process->cgroup && parent && parent->hidden)
		bcos_cgroup_put(log, process);
}

void bcos_who_inherits(struct bcos_log *log, struct bcos_process *process, u32 id)
{
	const struct bcos_process *parent = bcos_model_process(&log->model, id);

	if (parent)
		bcos_cgroup_inherit(process, parent, log->time);
	if (unlikely(!process->cgroup))
		log->cgroups_unknown = true;
}

void bcos_who_forgets(struct bcos_log *log, u64 until)
{
	bcos_cgroup_forget(&log->model);
	log->cgroups_unknown = true;
	if (until > log->moves_doubted)
		log->moves_doubted = until;
}

/* Keeps in which group the process is. While moves are lost, it may be in another one by now. */
static void note_group(struct bcos_log *log, struct bcos_process *process, const char *path,
		       u32 length, u16 flags)
{
	process->cgroup_until = 0;
	if (unlikely(log->time <= log->moves_doubted)) {
		bcos_cgroup_leave(&log->model, process);
		log->cgroups_unknown = true;
	} else if (!bcos_cgroup_enter(&log->model, process, path, length, flags)) {
		bcos_log_starved(log);
	}
}

void bcos_who_moved(struct bcos_log *log, const struct bcos_raw *raw)
{
	const struct bcos_raw_event *event = (const struct bcos_raw_event *)(raw + 1);
	struct bcos_process *process = bcos_model_process(&log->model, raw->id);
	u32 room = raw->units > 2 ? (raw->units - 2u) * sizeof(struct bcos_unit) : 0;
	u32 length = event->length < room ? event->length : room;
	const char *path = (const char *)(raw + 2);

	if (!(log->mask & BCOS_CLASS_WHO))
		return;
	/* The process is a later or an earlier one, whose own record tells its group. */
	if (!length || length > BCOS_RAW_PATH_MAX || !process || process->tag != event->tag)
		return;
	note_group(log, process, path, length, raw->aux);
	if (!log->begun || process->hidden)
		return;
	bcos_emit_stated(log, process);
	bcos_cgroup_tell(log, process, path, length, raw->aux);
}

void bcos_who_bore(struct bcos_log *log, const struct bcos_process *process, u32 parent)
{
	struct bcos_generic *entry;

	if (!log->begun)
		return;
	entry = bcos_event_open(log, BCOS_PARENT_TEXT);
	bcos_event_close(log, entry, BCOS_GENERIC_PROCESS, process->id, BCOS_EVENT_PARENT,
			 BCOS_SEVERITY_DEBUG, parent_text(log, entry->text, parent));
	if (process->cgroup)
		put_group_of_hidden(log, process, parent);
}

void bcos_who_runs(struct bcos_log *log, const struct bcos_raw *raw)
{
	const struct bcos_raw_program *program = (const struct bcos_raw_program *)(raw + 1);
	struct bcos_process *process = bcos_model_process(&log->model, raw->id);
	struct bcos_generic *entry;
	size_t length;

	/* The process is hidden, or its birth was lost. */
	if (raw->units < 2 || !process || process->tag != program->tag || process->hidden ||
	    !log->begun)
		return;
	bcos_emit_stated(log, process);
	entry = bcos_event_open(log, BCOS_RAW_TEXT);
	length = bcos_exec_format(entry->text, program, raw->aux, (const char *)(raw + 2),
				  (raw->units - 2u) * sizeof(struct bcos_unit));
	bcos_event_close(log, entry, BCOS_GENERIC_PROCESS, process->id, BCOS_EVENT_EXEC,
			 BCOS_SEVERITY_INFO, length);
}
