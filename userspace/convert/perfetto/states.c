// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Export to Perfetto: states of threads. They tell which thread a CPU runs, in which state it leaves the CPU, and who
 * woke it.
 */
#include "core/format/phrase.h"
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
	cpu->next_process = entry->source;
	cpu->next_thread = phrase->thread;
	/* If another process has the CPU, an assignment follows, which makes the switch. */
	if (cpu->known && cpu->process == entry->source && !is_on(cpu, entry->source, A_THREAD | phrase->thread))
		perfetto_switch(perfetto, entry->time, phrase->cpu, entry->source);
}

static void thread_leaves(struct perfetto *perfetto, const struct bcos_entry *entry,
			  const struct bcos_thread_phrase *phrase)
{
	u32 id;

	for (id = 0; id < perfetto->cpu_count; id++)
		if (is_on(&perfetto->cpus[id], entry->source, A_THREAD | phrase->thread))
			perfetto->cpus[id].state = kernel_states[phrase->state];
}

static void thread_woken(struct perfetto *perfetto, const struct bcos_entry *entry,
			 const struct bcos_thread_phrase *phrase)
{
	const struct fxt_thread *thread = perfetto_thread(perfetto, entry->source, A_THREAD | phrase->thread), *process,
				*runs;
	const struct lane *cpu = lane_of(perfetto, phrase);
	struct proto *detail = &perfetto->detail;
	u32 id = cpu ? phrase->cpu : 0, waker = phrase->waker_thread & 0x7FFFFFFF;

	process = thread ? fxt_thread_find(&perfetto->threads, entry->source, A_PROCESS) : NULL;
	if (!process)
		return;
	/* If one of two woke it, neither is named: thread 0 is an idle CPU, or nobody. */
	if (phrase->by == BCOS_WOKEN_BY_EITHER) {
		waker = 0;
	} else if (phrase->by != BCOS_WOKEN_BY_THREAD) {
		runs = cpu ? cpu->runs : NULL;
		waker = runs ? perfetto_tid(runs->pid, runs->cpu) : 0;
	}
	proto_bytes(detail, WAKING_COMM, process->name, process->length);
	proto_number(detail, WAKING_PID, perfetto_tid(thread->pid, thread->cpu));
	proto_number(detail, WAKING_PRIO, PRIORITY);
	proto_number(detail, WAKING_SUCCESS, 1);
	proto_number(detail, WAKING_CPU, id);
	perfetto_put_event(perfetto, id, entry->time, waker, EVENT_WAKING);
}

void perfetto_put_state(struct perfetto *perfetto, const struct bcos_entry *entry)
{
	struct bcos_thread_phrase phrase;
	size_t length;
	const char *text = bcoslog_text(entry, &length);

	if (!bcos_phrase_thread_parse(text, length, &phrase))
		return;
	if (phrase.state == BCOS_STATE_RUNS)
		thread_runs(perfetto, entry, &phrase);
	else if (phrase.state == BCOS_STATE_WOKEN)
		thread_woken(perfetto, entry, &phrase);
	else
		thread_leaves(perfetto, entry, &phrase);
}
