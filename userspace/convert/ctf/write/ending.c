// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Follows threads of processes that end. Once the last thread of a process has begun to exit, the log counts it for the
 * kernel. In a trace of LTTng it keeps its name until it leaves its CPU for the last time, and is freed after that.
 */
#include <stdlib.h>
#include <string.h>

#include "write.h"

void ctf_note_number(struct ctf_writer *writer, struct table *table, u32 id, u32 number)
{
	struct ctf_device *known = table_find(table, id);

	if (!known) {
		known = calloc(1, sizeof(*known));
		if (known)
			known->node.id = id;
		if (!known || table_add(table, &known->node)) {
			free(known);
			ctf_trace_fail(&writer->trace, -ENOMEM, "no memory");
			return;
		}
	}
	known->ordinal = number;
}

void ctf_note_thread(struct ctf_writer *writer, u32 process, const struct bcos_thread_phrase *phrase)
{
	struct node *known;

	if (process == BCOS_PROCESS_KERNEL || phrase->thread == process)
		return;
	if (phrase->state != BCOS_STATE_DEAD) {
		ctf_note_number(writer, &writer->threads, phrase->thread, process);
		return;
	}
	known = table_find(&writer->threads, phrase->thread);
	if (known) {
		table_remove(&writer->threads, known);
		node_free(known);
	}
}

u32 ctf_owner(const struct ctf_writer *writer, u32 process, u32 thread)
{
	const struct ctf_device *known;

	if (process != BCOS_PROCESS_KERNEL || !thread)
		return process;
	/* The first thread of a process has its number. */
	if (bcoslog_process(writer->state, thread))
		return thread;
	known = table_find(&writer->threads, thread);
	return known && bcoslog_process(writer->state, known->ordinal) ? known->ordinal : process;
}

void ctf_ending_runs(struct ctf_writer *writer, const struct ctf_cpu *cpu)
{
	ctf_note_number(writer, &writer->endings, cpu->owner, cpu->node.id);
}

struct ctf_cpu *ctf_ending_stays(struct ctf_writer *writer, const struct bcos_entry *entry)
{
	const struct bcoslog_process *process = bcoslog_process(writer->state, entry->source);
	const struct ctf_device *ending = table_find(&writer->endings, entry->source);
	struct ctf_cpu *cpu = ending ? table_find(&writer->trace.cpus, ending->ordinal) : NULL;

	if (!process || !cpu || !cpu->known || cpu->owner != entry->source || cpu->process == cpu->owner || cpu->ended)
		return NULL;
	cpu->ended_process = entry->source;
	cpu->ended = strndup(process->name, process->name_length);
	if (!cpu->ended)
		ctf_trace_fail(&writer->trace, -ENOMEM, "no memory");
	return cpu->ended ? cpu : NULL;
}

void ctf_ending_left(struct ctf_writer *writer, struct ctf_cpu *cpu, u64 time, u32 precision)
{
	struct ctf_event event;

	if (likely(!cpu->ended))
		return;
	event = ctf_event_begin(&writer->trace, cpu, CTF_SCHED_PROCESS_FREE, time > cpu->last ? time : cpu->last, precision);
	ctf_put_text(&event, cpu->ended, strlen(cpu->ended));
	ctf_put_signed(&event, ctf_tid(cpu->ended_process));
	ctf_put_signed(&event, CTF_PRIORITY);
	free(cpu->ended);
	cpu->ended = NULL;
}
