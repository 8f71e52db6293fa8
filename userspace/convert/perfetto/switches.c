// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Export to Perfetto: each switch says which thread leaves a CPU and which one gets it. */
#include "perfetto.h"

/* The fields of the idle thread, in the form that set_side() in processes.c gives those of other threads. */
static const char idle_side[SIDE_ROOM] = "\x10\x00\x0A\x07swapper";

/*
 * The thread that gets the CPU has the fields 5 to 7, which correspond to the fields 1 to 3 of the thread that leaves
 * it.
 */
#define NEXT ((NEXT_COMM - PREV_COMM) << 3)

static u8 *number_put(u8 *to, u32 field, u64 number)
{
	*to++ = (u8)(field << 3);
	return proto_put(to, number);
}

/* Puts the fields of one thread. Nearly all of them are short, and a copy of fixed size is fast. */
static u8 *side_put(u8 *to, const char *side, size_t length, u32 tid, u8 fields)
{
	if (likely(length <= SIDE_ROOM))
		memcpy(to, side, SIDE_ROOM);
	else
		memcpy(to, side, length);
	to[0] += fields;
	to[1 + proto_size(tid)] += fields;
	return to + length;
}

/* The two threads of a switch. */
struct turn {
	const char *out, *in;
	size_t out_length, in_length;
	u32 out_tid, in_tid;
	u8 state;
};

/* Appends a switch in one piece, since nearly all events are switches. */
static void put_turn(struct lane *cpu, u64 time, const struct turn *turn)
{
	const u8 middle[] = { PREV_PRIO << 3, PRIORITY, PREV_STATE << 3, turn->state },
		 last[] = { NEXT_PRIO << 3, PRIORITY };
	size_t size = turn->out_length + sizeof(middle) + turn->in_length + sizeof(last);
	u8 head[40], *to = head;

	to = number_put(to, EVENT_TIME, time);
	to = number_put(to, EVENT_PID, turn->out_tid);
	*to++ = EVENT_SWITCH << 3 | 2;
	to = proto_put(to, size);
	proto_varint(&cpu->events, BUNDLE_EVENT << 3 | 2);
	proto_varint(&cpu->events, (size_t)(to - head) + size);
	if (unlikely(cpu->events.used + sizeof(head) + size + SIDE_ROOM > cpu->events.room) &&
	    !proto_grow(&cpu->events, sizeof(head) + size + SIDE_ROOM))
		return;
	memcpy(cpu->events.bytes + cpu->events.used, head, sizeof(head));
	to = cpu->events.bytes + cpu->events.used + (to - head);
	to = side_put(to, turn->out, turn->out_length, turn->out_tid, 0);
	memcpy(to, middle, sizeof(middle));
	to = side_put(to + sizeof(middle), turn->in, turn->in_length, turn->in_tid, NEXT);
	memcpy(to, last, sizeof(last));
	cpu->events.used = (size_t)(to + sizeof(last) - cpu->events.bytes);
}

/* Switches from the kernel to the thread that it interrupts, for no time. The CPU must have such a thread. */
static void take_parked(struct perfetto *perfetto, u64 time, u32 id, u8 state)
{
	struct lane *cpu = &perfetto->cpus[id];
	struct fxt_thread *thread = cpu->behind;
	u32 process = cpu->next_process, next = cpu->next_thread;

	thread->own.thread.parked = false;
	cpu->behind = NULL;
	cpu->next_process = thread->pid;
	cpu->next_thread = (u32)thread->cpu;
	perfetto_switch(perfetto, time, id, thread->pid);
	cpu->next_process = process;
	cpu->next_thread = next;
	cpu->state = state;
}

/*
 * The kernel gives up its CPU, behind which there is a parked thread. If that does not get its CPU back, and has not
 * blocked, it was preempted, and waits for a CPU.
 */
static struct lane *return_parked(struct perfetto *perfetto, u64 time, u32 id, u32 process)
{
	struct lane *cpu = &perfetto->cpus[id];
	const struct fxt_thread *thread = cpu->behind;

	if (process == BCOSLOG_NO_PROCESS ||
	    (process == thread->pid && cpu->next_process == process && cpu->next_thread == (u32)thread->cpu)) {
		cpu->behind->own.thread.parked = false;
		cpu->behind = NULL;
	} else {
		take_parked(perfetto, time, id, 0);
	}
	return cpu;
}

void perfetto_leave_parked(struct perfetto *perfetto, u64 time, u32 id, u8 state)
{
	take_parked(perfetto, time, id, state);
	perfetto_switch(perfetto, time, id, BCOS_PROCESS_KERNEL);
}

/* A thread that the log names gets the CPU @id. If another CPU still shows it, that one forgets which thread it has. */
static void claim_thread(struct perfetto *perfetto, struct fxt_thread *thread, u32 id)
{
	if (thread->own.thread.cpu != id)
		perfetto_leave_lane(perfetto, thread);
	thread->own.thread.cpu = id;
}

void perfetto_switch(struct perfetto *perfetto, u64 time, u32 id, u32 process)
{
	struct turn turn = { .out = idle_side, .in = idle_side, .out_length = IDLE_LENGTH, .in_length = IDLE_LENGTH };
	struct lane *cpu = perfetto_cpu(perfetto, id);
	struct fxt_thread *out = NULL, *in = NULL, *parked = NULL;
	u64 key = id, dead = 0;
	u32 before;

	if (!cpu)
		return;
	if (unlikely(id > perfetto->last_cpu))
		perfetto->last_cpu = id;
	if (unlikely(cpu->behind))
		cpu = return_parked(perfetto, time, id, process);
	before = cpu->known ? cpu->process : BCOS_PROCESS_IDLE;
	perfetto->left_at = time;
	perfetto->left_cpu = id;
	perfetto->left_process = before;
	if (before != BCOS_PROCESS_IDLE)
		out = cpu->runs && !fxt_thread_is_stale(cpu->runs) ?
			      cpu->runs :
			      perfetto_thread(perfetto, before, cpu->runs ? cpu->runs->cpu : id);
	if (unlikely(cpu->next_thread && cpu->next_process == process))
		key = A_THREAD | cpu->next_thread;
	if (process != BCOS_PROCESS_IDLE)
		in = perfetto_thread(perfetto, process, key);
	if (unlikely(key != id && in))
		claim_thread(perfetto, in, id);
	if (out) {
		turn.out = out->name;
		turn.out_length = out->length;
		turn.out_tid = perfetto_tid(before, out->cpu);
		/*
		 * An assignment does not tell whether a process blocks or is preempted, nor whether the kernel has work
		 * left. State 1 means sleep.
		 */
		turn.state = cpu->threaded ? cpu->state : 1;
		if (unlikely(cpu->threaded && !cpu->state && process == BCOS_PROCESS_KERNEL)) {
			turn.state = STATE_PARKED;
			parked = out;
			parked->own.thread.parked = true;
		}
		dead = cpu->threaded && cpu->state == STATE_DEAD && out != in ? out->cpu : 0;
	}
	if (in) {
		turn.in = in->name;
		turn.in_length = in->length;
		turn.in_tid = perfetto_tid(process, key);
	}
	cpu->known = true;
	cpu->process = process;
	cpu->runs = in;
	cpu->threaded = key != id;
	cpu->state = 0;
	cpu->behind = parked;
	cpu_set_add(&perfetto->cached, id);
	cpu_set_add(&perfetto->filled, id);
	if (process != BCOSLOG_NO_PROCESS)
		cpu_set_add(&perfetto->known, id);
	put_turn(cpu, time, &turn);
	perfetto->packet.starved |= cpu->events.starved;
	if (unlikely(cpu->events.used > BUNDLE))
		perfetto_write_bundles(perfetto);
	if (unlikely(dead))
		perfetto_thread_ended(perfetto, time, id, before, dead);
}

void perfetto_assigned(struct perfetto *perfetto, const struct bcos_assign_cpu *entry)
{
	bool historical = entry->header.type & BCOS_TYPE_HISTORICAL;
	struct lane *cpu;

	if (entry->header.source >= CPUS_MAX) {
		perfetto->beyond++;
		return;
	}
	cpu = perfetto_cpu(perfetto, entry->header.source);
	if (!cpu || (historical && (cpu->stated || (cpu->known && cpu->process != BCOSLOG_NO_PROCESS))))
		return;
	if (historical) {
		cpu->stated_process = entry->process;
		cpu->stated = true;
		cpu_set_add(&perfetto->stated, entry->header.source);
	} else {
		cpu->stated = false;
		perfetto_switch(perfetto, entry->header.time, entry->header.source, entry->process);
	}
}

void perfetto_unknown(struct perfetto *perfetto, u64 time, u32 id)
{
	if (id >= perfetto->cpu_count)
		return;
	perfetto->cpus[id].stated = false;
	if (perfetto->cpus[id].known && perfetto->cpus[id].process != BCOSLOG_NO_PROCESS)
		perfetto_switch(perfetto, time, id, BCOSLOG_NO_PROCESS);
}

void perfetto_all_unknown(struct perfetto *perfetto, u64 time)
{
	u32 id;

	while (cpu_set_take(&perfetto->stated, &id))
		perfetto->cpus[id].stated = false;
	while (cpu_set_take(&perfetto->known, &id))
		perfetto_unknown(perfetto, time, id);
}

void perfetto_forget(struct perfetto *perfetto)
{
	u32 id;

	while (cpu_set_take(&perfetto->cached, &id))
		perfetto->cpus[id].runs = perfetto->cpus[id].behind = NULL;
	perfetto->born = NULL;
	perfetto_refresh_threads(perfetto);
	fxt_threads_clear(&perfetto->threads);
}

void perfetto_settle(struct perfetto *perfetto)
{
	u32 id;

	while (cpu_set_take(&perfetto->stated, &id)) {
		if (perfetto->cpus[id].stated)
			perfetto_switch(perfetto, perfetto->time, id, perfetto->cpus[id].stated_process);
		perfetto->cpus[id].stated = false;
	}
}
