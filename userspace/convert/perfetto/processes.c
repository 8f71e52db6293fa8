// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Export to Perfetto: processes and their threads, which packets with trees describe. */
#include "perfetto.h"

static void put_process(struct perfetto *perfetto, const struct fxt_thread *process)
{
	proto_number(&perfetto->item, PROCESS_PID, perfetto_pid(process->pid));
	proto_bytes(&perfetto->item, PROCESS_CMDLINE, process->name, process->length);
	proto_message(&perfetto->tree, TREE_PROCESS, &perfetto->item);
}

/*
 * Stores the fields that describe the thread in a switch, its ID and its name as the thread that leaves the CPU, in
 * place of its name.
 */
static void set_side(struct perfetto *perfetto, const struct fxt_thread *process, struct fxt_thread *thread)
{
	struct proto *side = &perfetto->item;
	size_t length;

	proto_number(side, PREV_PID, perfetto_tid(thread->pid, thread->cpu));
	proto_bytes(side, PREV_COMM, process->name, process->length);
	length = side->used;
	/* Makes room for SIDE_ROOM bytes, which side_put() in switches.c copies. */
	if (side->used + SIDE_ROOM > side->room && !proto_grow(side, SIDE_ROOM))
		return;
	if (fxt_thread_rename(thread, (const char *)side->bytes, length < SIDE_ROOM ? SIDE_ROOM : length))
		side->starved = true;
	else
		thread->length = length;
	side->used = 0;
}

static void put_thread(struct perfetto *perfetto, const struct fxt_thread *process, struct fxt_thread *thread)
{
	set_side(perfetto, process, thread);
	proto_number(&perfetto->item, THREAD_TID, perfetto_tid(thread->pid, thread->cpu));
	proto_bytes(&perfetto->item, THREAD_NAME, process->name, process->length);
	proto_number(&perfetto->item, THREAD_TGID, perfetto_pid(thread->pid));
	proto_message(&perfetto->tree, TREE_THREAD, &perfetto->item);
}

struct fxt_thread *perfetto_process(struct perfetto *perfetto, u32 pid, const char *name, size_t length)
{
	struct fxt_thread *process = fxt_thread_find(&perfetto->threads, pid, A_PROCESS);

	if (process)
		return process;
	process = fxt_thread_add(&perfetto->threads, pid, A_PROCESS);
	if (!process || fxt_thread_rename(process, name, length)) {
		perfetto->packet.starved = true;
		return NULL;
	}
	put_process(perfetto, process);
	perfetto_write_tree(perfetto);
	return process;
}

struct fxt_thread *perfetto_thread(struct perfetto *perfetto, u32 pid, u64 cpu)
{
	struct fxt_thread *thread = fxt_thread_find(&perfetto->threads, pid, cpu), *process;
	const char *name = pid == BCOSLOG_NO_PROCESS ? "unknown" : pid ? "?" : "kernel";

	if (likely(thread))
		return thread;
	process = perfetto_process(perfetto, pid, name, strlen(name));
	if (!process)
		return NULL;
	thread = fxt_thread_add(&perfetto->threads, pid, cpu);
	if (!thread) {
		perfetto->packet.starved = true;
		return NULL;
	}
	thread->sibling = process->sibling;
	process->sibling = thread;
	put_thread(perfetto, process, thread);
	perfetto_write_tree(perfetto);
	return thread->name ? thread : NULL;
}

void perfetto_named(struct perfetto *perfetto, const struct bcos_entry *entry)
{
	struct fxt_thread *process = fxt_thread_find(&perfetto->threads, entry->source, A_PROCESS), *thread;
	size_t length;
	const char *name = bcoslog_text(entry, &length);

	if (process && entry->type & BCOS_TYPE_HISTORICAL)
		return;
	if (!process) {
		perfetto_process(perfetto, entry->source, name, length);
		return;
	}
	if (fxt_thread_rename(process, name, length)) {
		perfetto->packet.starved = true;
		return;
	}
	put_process(perfetto, process);
	for (thread = process->sibling; thread; thread = thread->sibling)
		put_thread(perfetto, process, thread);
	perfetto_write_tree(perfetto);
}

static void put_free(struct perfetto *perfetto, u64 time, u32 cpu, const struct fxt_thread *process,
		     const struct fxt_thread *thread)
{
	u32 tid = perfetto_tid(thread->pid, thread->cpu), id;

	proto_bytes(&perfetto->detail, FREE_COMM, process->name, process->length);
	proto_number(&perfetto->detail, FREE_PID, tid);
	perfetto_put_event(perfetto, cpu, time, tid, EVENT_FREE);
	if (thread->cpu < perfetto->cpu_count && perfetto->cpus[thread->cpu].runs == thread)
		perfetto->cpus[thread->cpu].runs = NULL;
	for (id = 0; thread->cpu >> 32 && id < perfetto->cpu_count; id++)
		if (perfetto->cpus[id].runs == thread)
			perfetto->cpus[id].runs = NULL;
}

void perfetto_ended(struct perfetto *perfetto, const struct bcos_entry *entry)
{
	struct fxt_thread *process = fxt_thread_find(&perfetto->threads, entry->source, A_PROCESS), *thread;

	if (!process)
		return;
	for (thread = process->sibling; thread; thread = thread->sibling)
		put_free(perfetto, entry->time, thread->cpu >> 32 ? 0 : (u32)thread->cpu, process, thread);
	fxt_thread_remove(&perfetto->threads, process);
}

void perfetto_thread_ended(struct perfetto *perfetto, u64 time, u32 cpu, u32 pid, u64 id)
{
	struct fxt_thread *process = fxt_thread_find(&perfetto->threads, pid, A_PROCESS), **link;
	struct fxt_thread *thread = fxt_thread_find(&perfetto->threads, pid, id);

	if (!process || !thread)
		return;
	put_free(perfetto, time, cpu, process, thread);
	for (link = &process->sibling; *link != thread; link = &(*link)->sibling)
		;
	*link = thread->sibling;
	thread->sibling = NULL;
	fxt_thread_remove(&perfetto->threads, thread);
}
