// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Export to Perfetto: processes and their threads, which packets with trees describe. */
#include "core/format/thread_text.h"
#include "entry/text.h"
#include "entry/who.h"
#include "perfetto.h"

/* The program that a process executes, NULL if that is not known. */
static void put_process(struct perfetto *perfetto, const struct fxt_thread *process, const struct bcoslog_exec *exec)
{
	struct proto *item = &perfetto->item;
	u32 pid = perfetto_pid(process->pid);
	unsigned int i;

	proto_number(item, PROCESS_PID, pid);
	if (process->own.process.has_parent)
		proto_number(item, PROCESS_PARENT, perfetto_pid(process->own.process.parent));
	for (i = 0; exec && i < exec->count; i++)
		proto_bytes(item, PROCESS_CMDLINE, exec->argument[i], strlen(exec->argument[i]));
	/* The name is all that is known of the command line. */
	if (!process->own.process.has_arguments)
		proto_bytes(item, PROCESS_CMDLINE, process->name, process->length);
	if (process->own.process.has_begin)
		proto_number(item, PROCESS_BEGIN, process->own.process.begin);
	proto_message(&perfetto->tree, TREE_PROCESS, item);
	/* The first thread stands for the process: it has the events of the process, and ends with it. */
	proto_number(item, THREAD_TID, pid);
	proto_bytes(item, THREAD_NAME, process->name, process->length);
	proto_number(item, THREAD_TGID, pid);
	proto_message(&perfetto->tree, TREE_THREAD, item);
}

/*
 * Stores the fields that describe the thread in a switch, its ID and its name as the thread that leaves the CPU, in
 * place of its name.
 */
static void set_side(struct perfetto *perfetto, struct fxt_thread *thread, const char *name, size_t name_length)
{
	struct proto *side = &perfetto->item;
	size_t length;

	proto_number(side, PREV_PID, perfetto_tid(thread->pid, thread->cpu));
	proto_bytes(side, PREV_COMM, name, name_length);
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

const char *perfetto_thread_name(const struct fxt_thread *thread, size_t *length)
{
	bool own = thread->cpu >> 32 && thread->own.thread.length;

	*length = own ? thread->own.thread.length : thread->process->length;
	return own ? thread->own.thread.name : thread->process->name;
}

static void put_thread(struct perfetto *perfetto, struct fxt_thread *thread)
{
	size_t length;
	const char *name = perfetto_thread_name(thread, &length);

	thread->renames = thread->process->renames;
	set_side(perfetto, thread, name, length);
	proto_number(&perfetto->item, THREAD_TID, perfetto_tid(thread->pid, thread->cpu));
	proto_bytes(&perfetto->item, THREAD_NAME, name, length);
	proto_number(&perfetto->item, THREAD_TGID, perfetto_pid(thread->pid));
	proto_message(&perfetto->tree, TREE_THREAD, &perfetto->item);
}

/* Writes a thread again whose process has a new name. */
static void refresh_thread(struct perfetto *perfetto, struct fxt_thread *thread)
{
	if (likely(!fxt_thread_is_stale(thread)))
		return;
	put_thread(perfetto, thread);
	perfetto_write_tree(perfetto);
}

static void refresh_any(void *context, struct fxt_thread *thread)
{
	refresh_thread(context, thread);
}

void perfetto_refresh_threads(struct perfetto *perfetto)
{
	fxt_threads_stale(&perfetto->threads, refresh_any, perfetto);
}

static struct fxt_thread *add_process(struct perfetto *perfetto, u32 pid, const char *name, size_t length)
{
	struct fxt_thread *process = fxt_thread_add(&perfetto->threads, pid, A_PROCESS);

	if (process && !fxt_thread_rename(process, name, length))
		return process;
	perfetto->packet.starved = true;
	return NULL;
}

struct fxt_thread *perfetto_process(struct perfetto *perfetto, u32 pid, const char *name, size_t length)
{
	struct fxt_thread *process = fxt_thread_find(&perfetto->threads, pid, A_PROCESS);

	if (process)
		return process;
	process = add_process(perfetto, pid, name, length);
	if (process) {
		put_process(perfetto, process, NULL);
		perfetto_write_tree(perfetto);
	}
	return process;
}

/*
 * Readers take a process of another parent for another process, so a new one is written only once its parent is known.
 */
void perfetto_settle_birth(struct perfetto *perfetto, const struct bcos_entry *entry)
{
	struct fxt_thread *process = perfetto->born;
	struct bcoslog_parent parent;
	size_t length;
	const char *text;

	perfetto->born = NULL;
	if (!process)
		return;
	if (entry && entry->type == BCOS_GENERIC_PROCESS && entry->source == process->pid &&
	    ((const struct bcos_generic *)entry)->event_id == BCOS_EVENT_PARENT) {
		text = bcoslog_text(entry, &length);
		if (!bcoslog_parent(&parent, text, length)) {
			process->own.process.has_parent = true;
			process->own.process.parent = parent.process;
		}
	}
	put_process(perfetto, process, NULL);
	perfetto_write_tree(perfetto);
}

void perfetto_executed(struct perfetto *perfetto, const struct bcos_entry *entry)
{
	struct fxt_thread *process = fxt_thread_find(&perfetto->threads, entry->source, A_PROCESS);
	static struct bcoslog_exec exec;
	size_t length;
	const char *text = bcoslog_text(entry, &length);

	if (!process || length > BCOS_EVENT_TEXT_MAX || bcoslog_exec(&exec, text, length) || !exec.told || !exec.count)
		return;
	process->own.process.has_arguments = true;
	put_process(perfetto, process, &exec);
	perfetto_write_tree(perfetto);
}

struct fxt_thread *perfetto_thread(struct perfetto *perfetto, u32 pid, u64 cpu)
{
	struct fxt_thread *thread = fxt_thread_find(&perfetto->threads, pid, cpu), *process;
	const char *name = pid == BCOSLOG_NO_PROCESS ? "unknown" : pid ? "?" : "kernel";

	if (likely(thread)) {
		refresh_thread(perfetto, thread);
		return thread;
	}
	process = perfetto_process(perfetto, pid, name, strlen(name));
	if (!process)
		return NULL;
	thread = fxt_thread_add(&perfetto->threads, pid, cpu);
	if (!thread) {
		perfetto->packet.starved = true;
		return NULL;
	}
	fxt_thread_join(process, thread);
	put_thread(perfetto, thread);
	perfetto_write_tree(perfetto);
	return thread->name ? thread : NULL;
}

bool perfetto_thread_named(struct perfetto *perfetto, const struct bcos_entry *entry)
{
	struct bcos_thread_name told;
	struct fxt_thread *thread;
	size_t length;

	if (entry->source == BCOS_PROCESS_KERNEL || !bcos_thread_name_read(&told, entry))
		return false;
	thread = perfetto_thread(perfetto, entry->source, A_THREAD | told.thread);
	if (!thread)
		return false;
	length = utf8_fit(told.name, told.length, sizeof(thread->own.thread.name));
	if (length == thread->own.thread.length && !memcmp(thread->own.thread.name, told.name, length))
		return true;
	thread->own.thread.length = (u8)length;
	memcpy(thread->own.thread.name, told.name, length);
	put_thread(perfetto, thread);
	perfetto_write_tree(perfetto);
	return false;
}

void perfetto_named(struct perfetto *perfetto, const struct bcos_entry *entry)
{
	struct fxt_thread *process = fxt_thread_find(&perfetto->threads, entry->source, A_PROCESS);
	size_t length;
	const char *name = bcoslog_text(entry, &length);

	if (process && entry->type & BCOS_TYPE_HISTORICAL)
		return;
	if (!process) {
		process = add_process(perfetto, entry->source, name, length);
		if (!process)
			return;
		/* A process whose begin is unknown has one of which any later time may be the truth. */
		process->own.process.has_begin = entry->precision != 0xFFFFFFFF;
		process->own.process.begin = entry->time;
		perfetto->born = process;
		if (entry->type & BCOS_TYPE_HISTORICAL)
			perfetto_settle_birth(perfetto, NULL);
		return;
	}
	if (fxt_thread_rename(process, name, length)) {
		perfetto->packet.starved = true;
		return;
	}
	/* Its threads follow when they are next shown, or at the end: all at once for each name would be a square. */
	process->renames++;
	put_process(perfetto, process, NULL);
	perfetto_write_tree(perfetto);
}

void perfetto_leave_lane(struct perfetto *perfetto, struct fxt_thread *thread)
{
	/* A thread that the log does not name is that of one CPU. */
	u32 id = thread->cpu >> 32 ? thread->own.thread.cpu : (u32)thread->cpu;
	struct lane *cpu = id < perfetto->cpu_count ? &perfetto->cpus[id] : NULL;

	if (cpu && cpu->runs == thread)
		cpu->runs = NULL;
	if (cpu && cpu->behind == thread)
		cpu->behind = NULL;
	thread->own.thread.parked = false;
}

static void put_free(struct perfetto *perfetto, u64 time, u32 cpu, const struct fxt_thread *process, u32 tid)
{
	proto_bytes(&perfetto->detail, FREE_COMM, process->name, process->length);
	proto_number(&perfetto->detail, FREE_PID, tid);
	perfetto_put_event(perfetto, cpu, time, 0, EVENT_FREE);
}

/* The first thread ends the process, so its end comes last. Threads leave their CPUs before they end. */
void perfetto_ended(struct perfetto *perfetto, const struct bcos_entry *entry)
{
	struct fxt_thread *process = fxt_thread_find(&perfetto->threads, entry->source, A_PROCESS), *thread;
	u32 pid = perfetto_pid(entry->source), lane = perfetto_lane(perfetto, entry->time, entry->source);

	if (!process)
		return;
	for (thread = process->sibling; thread; thread = thread->sibling) {
		refresh_thread(perfetto, thread);
		if (perfetto_tid(thread->pid, thread->cpu) != pid)
			put_free(perfetto, entry->time, lane, process, perfetto_tid(thread->pid, thread->cpu));
		perfetto_leave_lane(perfetto, thread);
	}
	put_free(perfetto, entry->time, lane, process, pid);
	perfetto->freed = entry->time;
	fxt_thread_remove(&perfetto->threads, process);
}

void perfetto_thread_ended(struct perfetto *perfetto, u64 time, u32 cpu, u32 pid, u64 id)
{
	struct fxt_thread *process = fxt_thread_find(&perfetto->threads, pid, A_PROCESS);
	struct fxt_thread *thread = fxt_thread_find(&perfetto->threads, pid, id);

	if (!process || !thread)
		return;
	/* The first thread stands for the process, which goes on. */
	if (perfetto_tid(pid, id) != perfetto_pid(pid))
		put_free(perfetto, time, cpu, process, perfetto_tid(pid, id));
	perfetto_leave_lane(perfetto, thread);
	fxt_thread_remove(&perfetto->threads, thread);
}
