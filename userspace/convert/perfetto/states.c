// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Export to Perfetto: states of threads. They tell which thread a CPU runs, in which state it leaves the CPU, and who
 * woke it.
 */
#include "core/format/thread_text.h"
#include "perfetto.h"

/* The values for prev_state of a switch. */
static const u8 kernel_states[BCOS_STATES] = {
	[BCOS_STATE_BLOCKED] = 1,
	[BCOS_STATE_BLOCKED_HARD] = 2,
	[BCOS_STATE_STOPPED] = 4,
	[BCOS_STATE_DEAD] = STATE_DEAD,
};

static struct lane *lane_of(const struct perfetto *perfetto, const struct bcos_thread_phrase *phrase)
{
	return phrase->has_cpu && phrase->cpu < perfetto->cpu_count ? &perfetto->cpus[phrase->cpu] : NULL;
}

static bool is_on(const struct lane *cpu, u32 process, u64 thread)
{
	return cpu->known && cpu->process == process && cpu->threaded && cpu->runs && cpu->runs->cpu == thread;
}

static void thread_runs(struct perfetto *perfetto, const struct bcos_entry *entry,
			const struct bcos_thread_phrase *phrase)
{
	struct lane *cpu = lane_of(perfetto, phrase);

	if (!cpu)
		return;
	/* A thread whose process has ended belongs to the kernel, which has threads by CPU. */
	if (entry->source == BCOS_PROCESS_KERNEL)
		return;
	cpu->next_process = entry->source;
	cpu->next_thread = phrase->thread;
	/* If another process has the CPU, an assignment follows, which makes the switch. */
	if (cpu->known && cpu->process == entry->source && !is_on(cpu, entry->source, A_THREAD | phrase->thread))
		perfetto_switch(perfetto, entry->time, phrase->cpu, entry->source);
}

static void thread_leaves(struct perfetto *perfetto, const struct bcos_entry *entry,
			  const struct bcos_thread_phrase *phrase)
{
	const struct fxt_thread *thread = fxt_thread_find(&perfetto->threads, entry->source, A_THREAD | phrase->thread);
	u32 id = thread ? thread->own.thread.cpu : perfetto->cpu_count;
	struct lane *cpu = id < perfetto->cpu_count ? &perfetto->cpus[id] : NULL;

	if (cpu && is_on(cpu, entry->source, A_THREAD | phrase->thread))
		cpu->state = kernel_states[phrase->state];
	else if (cpu && cpu->behind == thread)
		perfetto_leave_parked(perfetto, entry->time, id, kernel_states[phrase->state]);
}

/* Returns the thread that stands for interrupts. The thread that one interrupts did not wake anybody. */
static u32 interrupt_thread(struct perfetto *perfetto)
{
	if (!perfetto->interrupted) {
		perfetto->interrupted = true;
		perfetto_process(perfetto, BCOS_PROCESS_KERNEL, "kernel", 6);
		proto_number(&perfetto->item, THREAD_TID, INTERRUPT);
		proto_bytes(&perfetto->item, THREAD_NAME, "interrupt", 9);
		proto_number(&perfetto->item, THREAD_TGID, KERNEL);
		proto_message(&perfetto->tree, TREE_THREAD, &perfetto->item);
		perfetto_write_tree(perfetto);
	}
	return INTERRUPT;
}

/* Returns the thread that readers show as the waker. A waker that is not known for certain is "unknown". */
static u32 waker_of(struct perfetto *perfetto, const struct bcos_thread_phrase *phrase, u32 id)
{
	const struct fxt_thread *thread;

	if (phrase->by == BCOS_WOKEN_BY_INTERRUPT)
		return interrupt_thread(perfetto);
	if (phrase->by != BCOS_WOKEN_BY_THREAD)
		thread = perfetto_thread(perfetto, BCOSLOG_NO_PROCESS, id);
	else if (!phrase->waker_thread)
		return 0;
	else	/* The kernel has threads by CPU. */
		thread = perfetto_thread(perfetto, phrase->waker,
					 phrase->waker == BCOS_PROCESS_KERNEL ? id : A_THREAD | phrase->waker_thread);
	return thread ? perfetto_tid(thread->pid, thread->cpu) : 0;
}

static void thread_woken(struct perfetto *perfetto, const struct bcos_entry *entry,
			 const struct bcos_thread_phrase *phrase)
{
	const struct fxt_thread *thread;
	struct proto *detail = &perfetto->detail;
	u32 id = lane_of(perfetto, phrase) ? phrase->cpu : 0, waker;
	const char *name;
	size_t length;

	if (entry->source == BCOS_PROCESS_KERNEL)
		return;
	thread = perfetto_thread(perfetto, entry->source, A_THREAD | phrase->thread);
	/* A parked thread has not blocked, so it does not begin to wait for a CPU. */
	if (!thread || thread->own.thread.parked)
		return;
	waker = waker_of(perfetto, phrase, id);
	name = perfetto_thread_name(thread, &length);
	proto_bytes(detail, WAKING_COMM, name, length);
	proto_number(detail, WAKING_PID, perfetto_tid(thread->pid, thread->cpu));
	proto_number(detail, WAKING_PRIO, PRIORITY);
	proto_number(detail, WAKING_SUCCESS, 1);
	proto_number(detail, WAKING_CPU, id);
	perfetto_put_event(perfetto, id, entry->time, waker, EVENT_WAKING);
}

bool perfetto_put_state(struct perfetto *perfetto, const struct bcos_entry *entry)
{
	struct bcos_thread_phrase phrase;

	if (!bcos_thread_told(&phrase, entry))
		return false;
	if (phrase.state == BCOS_STATE_RUNS)
		thread_runs(perfetto, entry, &phrase);
	else if (phrase.state == BCOS_STATE_WOKEN)
		thread_woken(perfetto, entry, &phrase);
	else
		thread_leaves(perfetto, entry, &phrase);
	return true;
}
