// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Switches: each says which thread leaves a CPU, and which one gets it. */
#include "perfetto.h"

/* The names of both sides are short: then every length of a switch is one byte, but that of the event two at most. */
#define NAME_SHORT 24u

static u8 *number_put(u8 *to, u32 field, u64 number)
{
	*to++ = (u8)(field << 3);
	for (; number > 0x7F; number >>= 7)
		*to++ = (u8)(number | 0x80);
	*to++ = (u8)number;
	return to;
}

static u8 *name_put(u8 *to, u32 field, const char *name, size_t length)
{
	*to++ = (u8)(field << 3 | 2);
	*to++ = (u8)length;
	memcpy(to, name, length);
	return to + length;
}

/* Both sides of a switch. */
struct turn {
	const char *out_name, *in_name;
	size_t out_length, in_length;
	u32 out_tid, in_tid, state;
};

/* Puts a switch together at once: nearly everything is one. */
static void put_short(struct lane *cpu, u64 time, const struct turn *turn)
{
	u8 inner[128], head[32], *to = inner, *end;
	size_t size;

	to = name_put(to, PREV_COMM, turn->out_name, turn->out_length);
	to = number_put(to, PREV_PID, turn->out_tid);
	to = number_put(to, PREV_PRIO, PRIORITY);
	to = number_put(to, PREV_STATE, turn->state);
	to = name_put(to, NEXT_COMM, turn->in_name, turn->in_length);
	to = number_put(to, NEXT_PID, turn->in_tid);
	to = number_put(to, NEXT_PRIO, PRIORITY);
	size = (size_t)(to - inner);
	end = number_put(head, EVENT_TIME, time);
	end = number_put(end, EVENT_PID, turn->out_tid);
	*end++ = EVENT_SWITCH << 3 | 2;
	*end++ = (u8)size;
	proto_varint(&cpu->events, BUNDLE_EVENT << 3 | 2);
	proto_varint(&cpu->events, (size_t)(end - head) + size);
	if (cpu->events.used + sizeof(head) + size > cpu->events.room && !proto_grow(&cpu->events, sizeof(head) + size))
		return;
	memcpy(cpu->events.bytes + cpu->events.used, head, (size_t)(end - head));
	memcpy(cpu->events.bytes + cpu->events.used + (end - head), inner, size);
	cpu->events.used += (size_t)(end - head) + size;
}

static void put_long(struct perfetto *perfetto, u32 id, u64 time, const struct turn *turn)
{
	proto_bytes(&perfetto->detail, PREV_COMM, turn->out_name, turn->out_length);
	proto_number(&perfetto->detail, PREV_PID, turn->out_tid);
	proto_number(&perfetto->detail, PREV_PRIO, PRIORITY);
	proto_number(&perfetto->detail, PREV_STATE, turn->state);
	proto_bytes(&perfetto->detail, NEXT_COMM, turn->in_name, turn->in_length);
	proto_number(&perfetto->detail, NEXT_PID, turn->in_tid);
	proto_number(&perfetto->detail, NEXT_PRIO, PRIORITY);
	perfetto_put_event(perfetto, id, time, turn->out_tid, EVENT_SWITCH);
}

static void switch_to(struct perfetto *perfetto, u64 time, u32 id, u32 process)
{
	struct turn turn = { .out_name = "swapper", .in_name = "swapper", .out_length = 7, .in_length = 7 };
	struct lane *cpu = perfetto_cpu(perfetto, id);
	const struct fxt_thread *out = NULL, *in = NULL;
	u32 before;

	if (!cpu)
		return;
	before = cpu->known ? cpu->process : BCOS_PROCESS_IDLE;
	if (before != BCOS_PROCESS_IDLE)
		out = cpu->runs ? cpu->runs : perfetto_thread(perfetto, before, id);
	if (process != BCOS_PROCESS_IDLE)
		in = perfetto_thread(perfetto, process, id);
	if (out) {
		turn.out_name = out->name;
		turn.out_length = out->length;
		turn.out_tid = perfetto_tid(before, id);
		/* An assignment does not tell whether a process blocks or is preempted. 1: it sleeps. */
		turn.state = before != BCOS_PROCESS_KERNEL;
	}
	if (in) {
		turn.in_name = in->name;
		turn.in_length = in->length;
		turn.in_tid = perfetto_tid(process, id);
	}
	cpu->known = true;
	cpu->process = process;
	cpu->runs = in;
	if (unlikely(turn.out_length > NAME_SHORT || turn.in_length > NAME_SHORT)) {
		put_long(perfetto, id, time, &turn);
		return;
	}
	put_short(cpu, time, &turn);
	perfetto->packet.starved |= cpu->events.starved;
	if (cpu->events.used > BUNDLE)
		perfetto_write_bundles(perfetto);
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
	if (!cpu || (historical && cpu->known && cpu->process != BCOSLOG_NO_PROCESS))
		return;
	if (historical && !perfetto->time) {
		/* It is shown from where the log begins on. */
		cpu->known = true;
		cpu->process = entry->process;
		return;
	}
	switch_to(perfetto, historical ? perfetto->time : entry->header.time, entry->header.source, entry->process);
}

void perfetto_unknown(struct perfetto *perfetto, u64 time, u32 id)
{
	if (id < perfetto->cpu_count && perfetto->cpus[id].known && perfetto->cpus[id].process != BCOSLOG_NO_PROCESS)
		switch_to(perfetto, time, id, BCOSLOG_NO_PROCESS);
}

void perfetto_all_unknown(struct perfetto *perfetto, u64 time)
{
	u32 id;

	for (id = 0; id < perfetto->cpu_count; id++)
		perfetto_unknown(perfetto, time, id);
}

void perfetto_forget(struct perfetto *perfetto)
{
	u32 id;

	for (id = 0; id < perfetto->cpu_count; id++)
		perfetto->cpus[id].runs = NULL;
	fxt_threads_clear(&perfetto->threads);
}

void perfetto_begin_switches(struct perfetto *perfetto)
{
	u32 id, process;

	for (id = 0; id < perfetto->cpu_count; id++) {
		if (!perfetto->cpus[id].known)
			continue;
		process = perfetto->cpus[id].process;
		perfetto->cpus[id].known = false;
		switch_to(perfetto, perfetto->time, id, process);
	}
}
