// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes entries of processes: assignments, births and ends, and generic events. */
#include "bcos_message.h"
#include "entry/who.h"
#include "core/format/thread_text.h"
#include "../../words.h"
#include "write.h"

void ctf_put_assign(struct ctf_writer *writer, struct ctf_cpu *cpu, const struct bcos_entry *entry)
{
	u32 process = ((const struct bcos_assign_cpu *)entry)->process;

	writer->home = cpu;
	ctf_put_switch(writer, cpu, entry, process, ctf_tid(process));
}

/* ---- processes ------------------------------------------------------------------- */

/* Returns the parent that an entry tells, or BCOS_PROCESS_IDLE if @told is NULL or tells none. */
static u32 parent_of(const struct bcos_entry *told)
{
	size_t length;
	const char *text = told ? bcoslog_text(told, &length) : NULL;
	struct bcoslog_parent parent;

	return text && !bcoslog_parent(&parent, text, length) ? parent.process : BCOS_PROCESS_IDLE;
}

void ctf_put_birth(struct ctf_writer *writer, const struct bcos_entry *entry, const struct bcos_entry *told)
{
	struct ctf_event event = ctf_begin(writer, NULL, CTF_SCHED_PROCESS_FORK, entry);
	u32 parent = parent_of(told);
	s32 tid = ctf_tid(entry->source);
	size_t length;
	const char *name = bcoslog_text(entry, &length);

	if (parent == BCOS_PROCESS_IDLE)
		ctf_put_text(&event, "", 0);
	else
		ctf_put_comm(writer, &event, 0, parent);
	ctf_put_signed(&event, ctf_tid(parent));
	ctf_put_signed(&event, ctf_tid(parent));
	ctf_put(&event, 0);
	ctf_put_text(&event, name, length);
	ctf_put_signed(&event, tid);
	/* The log does not have the namespaces of the process, nor its number in each of them. */
	ctf_put_list(&event, NULL, 0);
	ctf_put_signed(&event, tid);
	ctf_put(&event, 0);
}

void ctf_put_process_end(struct ctf_writer *writer, const struct bcos_entry *entry)
{
	struct ctf_cpu *cpu = ctf_ending_stays(writer, entry);
	struct ctf_event event = ctf_begin(writer, cpu, CTF_SCHED_PROCESS_EXIT, entry);

	ctf_put_comm(writer, &event, 0, entry->source);
	ctf_put_signed(&event, ctf_tid(entry->source));
	ctf_put_signed(&event, CTF_PRIORITY);
	ctf_put(&event, ((const struct bcos_cancel_name *)entry)->status);
	if (cpu)
		return;
	event = ctf_begin(writer, NULL, CTF_SCHED_PROCESS_FREE, entry);
	ctf_put_comm(writer, &event, 0, entry->source);
	ctf_put_signed(&event, ctf_tid(entry->source));
	ctf_put_signed(&event, CTF_PRIORITY);
}

/* ---- generic events -------------------------------------------------------------- */

static void put_exec(struct ctf_writer *writer, const struct bcos_entry *entry, const char *text, size_t length)
{
	struct ctf_event event = ctf_begin(writer, NULL, CTF_SCHED_PROCESS_EXEC, entry);
	static struct bcoslog_exec exec;
	const char *path = bcoslog_exec(&exec, text, length) ? "" : exec.path;

	ctf_put_text(&event, path, strlen(path));
	ctf_put_signed(&event, ctf_tid(entry->source));
	ctf_put_signed(&event, ctf_tid(entry->source));
	ctf_put(&event, ((const struct bcos_generic *)entry)->severity);
	ctf_put_text(&event, text, length);
}

/* Writes what a thread's state means for viewers. Returns whether nothing else has to become of the entry. */
static bool put_state(struct ctf_writer *writer, const struct bcos_entry *entry)
{
	struct bcos_thread_phrase phrase;

	if (!bcos_thread_told(&phrase, entry))
		return false;
	if (phrase.state != BCOS_STATE_WOKEN) {
		ctf_tell_thread(writer, entry, &phrase);
		return false;
	}
	ctf_put_wakeup(writer, entry, &phrase);
	return true;
}

void ctf_put_generic(struct ctf_writer *writer, struct ctf_cpu *cpu, const struct bcos_entry *entry)
{
	const struct bcos_generic *generic = (const struct bcos_generic *)entry;
	struct worded worded;
	size_t length;
	const char *text = bcoslog_text(entry, &length);

	if (entry->type == BCOS_GENERIC_PROCESS && generic->event_id == BCOS_EVENT_EXEC) {
		put_exec(writer, entry, text, length);
		return;
	}
	if (put_state(writer, entry))
		return;
	ctf_put_fields(writer, cpu, entry_in_words(&worded, entry));
}
