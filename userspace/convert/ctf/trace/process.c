// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes entries of processes: assignments, births and ends, and generic events. */
#include "bcos_message.h"
#include "../../exec_path.h"
#include "core/format/phrase.h"
#include "writer.h"

#define PRIORITY 20

int ctf_put_assign(struct ctf_writer *writer, struct ctf_cpu *cpu, const struct bcos_entry *entry)
{
	u32 process = ((const struct bcos_assign_cpu *)entry)->process;

	writer->home = cpu;
	return ctf_put_switch(writer, cpu, entry, process, ctf_tid(process));
}

/* ---- processes ------------------------------------------------------------------- */

/* Returns the parent that an entry tells, or BCOS_PROCESS_IDLE if @told is NULL or tells none. */
static u32 parent_of(const struct bcos_entry *told)
{
	char text[32];
	size_t length;
	const char *from = told ? bcoslog_text(told, &length) : NULL;
	u32 parent;

	if (!from)
		return BCOS_PROCESS_IDLE;
	snprintf(text, sizeof(text), "%.*s", (int)(length < sizeof(text) ? length : sizeof(text) - 1), from);
	return sscanf(text, "parent %u", &parent) == 1 ? parent : BCOS_PROCESS_IDLE;
}

int ctf_put_birth(struct ctf_writer *writer, const struct bcos_entry *entry, const struct bcos_entry *told)
{
	struct ctf_trace *trace = &writer->trace;
	u32 parent = parent_of(told);
	s32 tid = ctf_tid(entry->source);
	struct ctf_event event;
	size_t length;
	const char *name = bcoslog_text(entry, &length);
	int r = ctf_begin(writer, &event, NULL, CTF_SCHED_PROCESS_FORK, entry);

	if (r)
		return r;
	r = parent == BCOS_PROCESS_IDLE ? ctf_put_text(trace, &event, "", 0) : ctf_put_comm(writer, &event, 0, parent);
	ctf_put_signed(&event, ctf_tid(parent));
	ctf_put_signed(&event, ctf_tid(parent));
	ctf_put(&event, 0);
	r = r ? r : ctf_put_text(trace, &event, name, length);
	ctf_put_signed(&event, tid);
	/* The log does not have the namespaces of the process, nor its number in each of them. */
	r = r ? r : ctf_put_list(trace, &event, NULL, 0);
	ctf_put_signed(&event, tid);
	ctf_put(&event, 0);
	return r;
}

int ctf_put_rename(struct ctf_writer *writer, const struct bcos_entry *entry)
{
	struct ctf_event event;
	size_t length;
	const char *name = bcoslog_text(entry, &length);
	int r = ctf_begin(writer, &event, NULL, CTF_PROCESS_RENAME, entry);

	if (r)
		return r;
	ctf_put_signed(&event, ctf_tid(entry->source));
	return ctf_put_text(&writer->trace, &event, name, length);
}

int ctf_put_process_end(struct ctf_writer *writer, const struct bcos_entry *entry)
{
	struct ctf_event event;
	int r = ctf_begin(writer, &event, NULL, CTF_SCHED_PROCESS_EXIT, entry);

	r = r ? r : ctf_put_comm(writer, &event, 0, entry->source);
	if (r)
		return r;
	ctf_put_signed(&event, ctf_tid(entry->source));
	ctf_put_signed(&event, PRIORITY);
	ctf_put(&event, ((const struct bcos_cancel_name *)entry)->status);
	r = ctf_begin(writer, &event, NULL, CTF_SCHED_PROCESS_FREE, entry);
	r = r ? r : ctf_put_comm(writer, &event, 0, entry->source);
	if (r)
		return r;
	ctf_put_signed(&event, ctf_tid(entry->source));
	ctf_put_signed(&event, PRIORITY);
	return 0;
}

int ctf_put_calls(struct ctf_writer *writer, const struct bcos_entry *entry)
{
	const struct bcos_kernel_api *calls = (const struct bcos_kernel_api *)entry;
	struct ctf_event event;
	int r = ctf_begin(writer, &event, NULL, CTF_KERNEL_CALL, entry);

	if (r)
		return r;
	ctf_put_signed(&event, ctf_tid(entry->source));
	return ctf_put_list(&writer->trace, &event, calls->function, (entry->size - sizeof(*calls)) / 4);
}

/* ---- generic events -------------------------------------------------------------- */

static int put_exec(struct ctf_writer *writer, const struct bcos_entry *entry, const char *text, size_t length)
{
	struct ctf_event event;
	size_t size;
	const char *path = convert_exec_path(text, length, &size);
	int r = ctf_begin(writer, &event, NULL, CTF_SCHED_PROCESS_EXEC, entry);

	if (r)
		return r;
	r = ctf_put_text(&writer->trace, &event, path, size);
	ctf_put_signed(&event, ctf_tid(entry->source));
	ctf_put_signed(&event, ctf_tid(entry->source));
	ctf_put(&event, ((const struct bcos_generic *)entry)->severity);
	return r ? r : ctf_put_text(&writer->trace, &event, text, length);
}

int ctf_put_generic(struct ctf_writer *writer, struct ctf_cpu *cpu, const struct bcos_entry *entry)
{
	const struct bcos_generic *generic = (const struct bcos_generic *)entry;
	enum ctf_layout_id layout = CTF_GENERIC_PROCESS + (entry->type >> 13 & 3);
	struct ctf_event event;
	size_t length;
	const char *text = bcoslog_text(entry, &length);
	struct bcos_thread_phrase phrase;
	int r;

	if (entry->type == BCOS_GENERIC_PROCESS && generic->event_id == BCOS_EVENT_EXEC)
		return put_exec(writer, entry, text, length);
	if (entry->type == BCOS_GENERIC_PROCESS && generic->event_id == BCOS_EVENT_TASK_STATE &&
	    bcos_phrase_thread_parse(text, length, &phrase)) {
		if (phrase.state == BCOS_STATE_WOKEN)
			return ctf_put_wakeup(writer, entry, &phrase);
		r = ctf_tell_thread(writer, entry, &phrase);
		if (r)
			return r;
	}
	r = ctf_begin(writer, &event, cpu, layout, entry);
	if (r)
		return r;
	if (layout == CTF_GENERIC_PROCESS)
		ctf_put_signed(&event, ctf_tid(entry->source));
	else
		ctf_put(&event, entry->source);
	ctf_put(&event, generic->event_id);
	ctf_put(&event, generic->severity);
	return ctf_put_text(&writer->trace, &event, text, length);
}
