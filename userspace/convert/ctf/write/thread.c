// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Writes switches and, for a log with the class "state", states of threads: which thread a CPU runs, in which state it
 * leaves the CPU, and who woke it. In other logs each process counts as one thread.
 */
#include "../../words.h"
#include "write.h"

/* The kernel's number for the first priority that is not real-time. */
#define PRIORITY_ZERO 100

#define STATE_WAITS 1
/* The values for prev_state of sched_switch. */
static const s32 kernel_states[BCOS_STATES] = {
	[BCOS_STATE_BLOCKED] = STATE_WAITS,
	[BCOS_STATE_BLOCKED_HARD] = 2,
	[BCOS_STATE_STOPPED] = 4,
	[BCOS_STATE_DEAD] = 16,
};

static s32 thread_of(const struct ctf_cpu *cpu)
{
	if (!cpu->known)
		return cpu->gone ? ctf_tid(BCOS_PROCESS_IDLE) : CTF_TID_UNKNOWN;
	return cpu->threaded ? (s32)cpu->thread : ctf_tid(cpu->process);
}

/* Notes where a thread runs; of a turn whose thread the log has not named, where its process does. */
static void note_turn(void *context, struct ctf_cpu *cpu)
{
	struct ctf_writer *writer = context;

	if (cpu->known && cpu->owner != BCOS_PROCESS_IDLE)
		ctf_note_number(writer, &writer->turns, cpu->threaded ? cpu->thread : cpu->owner, cpu->node.id);
}

static void set_turn(struct ctf_writer *writer, struct ctf_cpu *cpu, u32 process)
{
	cpu->process = process;
	cpu->known = true;
	chain_add(&writer->known, &cpu->known_link);
	cpu->gone = cpu->stated = false;
	cpu->threaded = cpu->next_thread && cpu->next_process == process;
	cpu->thread = cpu->next_thread;
	cpu->owner = cpu->threaded ? ctf_owner(writer, process, cpu->thread) : process;
	if (unlikely(cpu->owner != process))
		ctf_ending_runs(writer, cpu);
	cpu->priority = cpu->threaded ? cpu->next_priority : CTF_PRIORITY;
	/* A log without states tells that a process leaves a CPU, but not why. */
	cpu->state = cpu->threaded || process == BCOS_PROCESS_IDLE ? 0 : STATE_WAITS;
	if (writer->follows)
		note_turn(writer, cpu);
}

/* Puts the fields of a switch about the thread that leaves the CPU. */
static void put_previous(struct ctf_writer *writer, struct ctf_event *event, const struct ctf_cpu *cpu)
{
	bool idle = cpu->known ? cpu->process == BCOS_PROCESS_IDLE : cpu->gone;

	if (unlikely(cpu->ended))
		ctf_put_text(event, cpu->ended, strlen(cpu->ended));
	else if (cpu->known || cpu->gone)
		ctf_put_comm(writer, event, cpu->node.id, cpu->known ? cpu->owner : BCOS_PROCESS_IDLE);
	else
		ctf_put_text(event, "unknown", 7);
	ctf_put_signed(event, thread_of(cpu));
	ctf_put_signed(event, cpu->threaded ? cpu->priority : CTF_PRIORITY);
	ctf_put_signed(event, idle ? 0 : cpu->state);
}

void ctf_lose_cpu(struct ctf_writer *writer, struct ctf_cpu *cpu, u64 time)
{
	struct ctf_event event;

	cpu->stated = false;
	if (!cpu->known)
		return;
	event = ctf_event_begin(&writer->trace, cpu, CTF_SCHED_SWITCH, time > cpu->last ? time : cpu->last, 0);
	put_previous(writer, &event, cpu);
	cpu->known = cpu->threaded = false;
	cpu->state = STATE_WAITS;
	ctf_put_text(&event, "unknown", 7);
	ctf_put_signed(&event, CTF_TID_UNKNOWN);
	ctf_put_signed(&event, CTF_PRIORITY);
	ctf_put_signed(&event, CTF_NO_ENTRY);
	ctf_ending_left(writer, cpu, cpu->last, 0);
}

void ctf_put_switch(struct ctf_writer *writer, struct ctf_cpu *cpu, const struct bcos_entry *entry, u32 process,
		    s32 tells)
{
	struct ctf_event event = ctf_begin(writer, cpu, CTF_SCHED_SWITCH, entry);

	put_previous(writer, &event, cpu);
	set_turn(writer, cpu, process);
	ctf_put_comm(writer, &event, cpu->node.id, cpu->owner);
	ctf_put_signed(&event, thread_of(cpu));
	ctf_put_signed(&event, cpu->priority);
	ctf_put_signed(&event, tells);
	ctf_ending_left(writer, cpu, cpu->last, entry->precision);
}

/* Returns the CPU that the text names, or the one that the last entry about a CPU named. */
static struct ctf_cpu *cpu_of(const struct ctf_writer *writer, const struct bcos_thread_phrase *phrase)
{
	struct ctf_cpu *cpu = phrase->has_cpu ? table_find(&writer->trace.cpus, phrase->cpu) : NULL;

	return cpu ? cpu : writer->home;
}

static struct ctf_event put_woken(struct ctf_writer *writer, enum ctf_layout_id layout, const struct bcos_entry *entry,
				  const struct bcos_thread_phrase *phrase)
{
	struct ctf_cpu *cpu = cpu_of(writer, phrase);
	struct ctf_event event = ctf_begin(writer, cpu, layout, entry);

	ctf_put_comm(writer, &event, 0, ctf_owner(writer, entry->source, phrase->thread));
	ctf_put_signed(&event, (s32)phrase->thread);
	ctf_put_signed(&event, CTF_PRIORITY);
	ctf_put_signed(&event, (s32)cpu->node.id);
	return event;
}

void ctf_put_wakeup(struct ctf_writer *writer, const struct bcos_entry *entry, const struct bcos_thread_phrase *phrase)
{
	struct ctf_event event;
	struct worded worded;
	size_t length;
	const char *text = bcoslog_text(entry_in_words(&worded, entry), &length);

	ctf_note_thread(writer, entry->source, phrase);
	put_woken(writer, CTF_SCHED_WAKING, entry, phrase);
	event = put_woken(writer, CTF_SCHED_WAKEUP, entry, phrase);
	ctf_put(&event, ((const struct bcos_generic *)entry)->severity);
	ctf_put_text(&event, text, length);
	ctf_put_signed(&event, ctf_tid(entry->source));
}

static bool is_on(const struct ctf_cpu *cpu, u32 process, u32 thread)
{
	return cpu->known && cpu->owner == process && (!cpu->threaded || cpu->thread == thread);
}

/* Returns the CPU that a thread is about to leave, or NULL. */
static struct ctf_cpu *find_cpu(const struct ctf_writer *writer, u32 process, u32 thread)
{
	const u32 ids[] = { thread, process };
	const struct ctf_device *turn;
	struct ctf_cpu *cpu;
	size_t i;

	if (is_on(writer->home, process, thread))
		return writer->home;
	for (i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		turn = table_find(&writer->turns, ids[i]);
		cpu = turn ? table_find(&writer->trace.cpus, turn->ordinal) : NULL;
		if (cpu && is_on(cpu, process, thread))
			return cpu;
	}
	return NULL;
}

void ctf_tell_thread(struct ctf_writer *writer, const struct bcos_entry *entry,
		     const struct bcos_thread_phrase *phrase)
{
	struct ctf_cpu *cpu;

	if (unlikely(!writer->follows)) {
		writer->follows = true;
		ctf_trace_each(&writer->trace, note_turn, writer);
	}
	ctf_note_thread(writer, entry->source, phrase);
	if (phrase->state != BCOS_STATE_RUNS) {
		cpu = find_cpu(writer, entry->source, phrase->thread);
		if (cpu)
			cpu->state = kernel_states[phrase->state];
		return;
	}
	cpu = phrase->has_cpu ? table_find(&writer->trace.cpus, phrase->cpu) : NULL;
	if (!cpu)
		return;
	cpu->next_process = entry->source;
	cpu->next_thread = phrase->thread;
	cpu->next_priority = phrase->has_priority ? phrase->priority - PRIORITY_ZERO : CTF_PRIORITY;
	/* If another process has the CPU, an assignment follows, which makes the switch. */
	if (!cpu->known || cpu->process != entry->source || thread_of(cpu) == (s32)phrase->thread)
		return;
	writer->home = cpu;
	ctf_put_switch(writer, cpu, entry, entry->source, CTF_NO_ENTRY);
}
