// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Export to the Fuchsia trace format: switches, in the old layout, which every reader knows, or in the current one. */
#include <stdlib.h>

#include "../../cpus.h"
#include "write.h"

#define PRIORITY 1u

static struct fxt_thread *thread_of(struct fxt_export *fxt, u32 process, u32 cpu)
{
	return process == BCOS_PROCESS_IDLE ? fxt_idle_thread(fxt, cpu) : fxt_thread_of(fxt, process, cpu);
}

/*
 * Returns the state of the process that leaves the CPU. An assignment does not tell whether a process blocks or is
 * preempted.
 */
static u64 state_of(u32 process)
{
	return process == BCOS_PROCESS_IDLE || process == BCOS_PROCESS_KERNEL ? FXT_PREEMPTED : FXT_BLOCKED;
}

static void put_old(struct fxt_export *fxt, u64 time, u32 cpu, struct fxt_thread *out, u64 state, bool out_idle,
		    struct fxt_thread *in, bool in_idle)
{
	/* A dead thread gets no slot in the thread table; the record has its koids. */
	u8 out_ref = state == FXT_DEAD ? 0 : fxt_thread_ref(fxt, out), in_ref;
	struct record *record = &fxt->record;
	u64 header = FXT_SCHEDULING | (u64)cpu << 16 | state << 24 | (out_idle ? 0 : (u64)PRIORITY << 44) |
		     (in_idle ? 0 : (u64)PRIORITY << 52), *words;

	in_ref = fxt_thread_ref(fxt, in);
	/* The slot that @in got may have been the slot of @out. */
	out_ref = out->slot == out_ref ? out_ref : 0;
	header |= (u64)out_ref << 28 | (u64)in_ref << 36;
	if (likely(out_ref && in_ref)) {
		words = outfile_reserve(fxt->file, 16);
		words[0] = header | 2 << 4;
		words[1] = time;
		outfile_commit(fxt->file, 16);
		return;
	}
	record->count = record->arguments = 0;
	record_word(record, header);
	record_word(record, time);
	fxt_thread_inline(record, out, out_ref);
	fxt_thread_inline(record, in, in_ref);
	record->words[0] |= (u64)record->count << 4;
	outfile_bytes(fxt->file, record->words, (size_t)record->count * 8);
}

static void put_current(struct fxt_export *fxt, u64 time, u32 precision, u32 cpu, const struct fxt_thread *out,
			u64 state, bool out_idle, const struct fxt_thread *in, bool in_idle)
{
	u64 words[7], count = precision == 1 ? 6 : 7;

	words[0] = FXT_SCHEDULING | count << 4 | (count - 4) << 16 | (u64)cpu << 20 | state << 36 |
		   (u64)FXT_SWITCH << 60;
	words[1] = time;
	words[2] = out->koid;
	words[3] = in->koid;
	words[4] = FXT_INT32 | 1 << 4 | (u64)FXT_W_OUTGOING_WEIGHT << 16 |
		   (u64)(out_idle ? FXT_IDLE_WEIGHT : PRIORITY) << 32;
	words[5] = FXT_INT32 | 1 << 4 | (u64)FXT_W_INCOMING_WEIGHT << 16 |
		   (u64)(in_idle ? FXT_IDLE_WEIGHT : PRIORITY) << 32;
	words[6] = FXT_UINT32 | 1 << 4 | (u64)FXT_W_PRECISION << 16 | (u64)precision << 32;
	outfile_bytes(fxt->file, words, count * 8);
}

static int grow_cpus(struct fxt_export *fxt, u32 cpu)
{
	struct fxt_cpu *larger = cpus_grow(fxt->cpus, &fxt->cpu_count, sizeof(*larger), cpu);

	if (!larger)
		return -ENOMEM;
	fxt->cpus = larger;
	return 0;
}

static int put_switch(struct fxt_export *fxt, u64 time, u32 precision, u32 id, u32 process)
{
	struct fxt_cpu *cpu = &fxt->cpus[id];
	u32 before = cpu->known ? cpu->process : BCOS_PROCESS_IDLE;
	struct fxt_thread *out = cpu->dead.koid ? &cpu->dead : cpu->thread ? cpu->thread : thread_of(fxt, before, id),
			  *in;
	bool out_idle = before == BCOS_PROCESS_IDLE, in_idle = process == BCOS_PROCESS_IDLE;
	u64 state = cpu->dead.koid ? FXT_DEAD : state_of(before);

	in = out ? thread_of(fxt, process, id) : NULL;
	if (!in)
		return -ENOMEM;
	/* The old layout has eight bits for the CPU. */
	if (fxt->current || id > 0xFF)
		put_current(fxt, time, precision, id, out, state, out_idle, in, in_idle);
	else
		put_old(fxt, time, id, out, state, out_idle, in, in_idle);
	cpu->known = true;
	cpu->dead.koid = 0;
	cpu->process = process;
	cpu->thread = in;
	cpu_set_add(&fxt->cached, id);
	if (process != FXT_UNKNOWN)
		cpu_set_add(&fxt->known, id);
	return 0;
}

int fxt_assigned(struct fxt_export *fxt, const struct bcos_assign_cpu *entry)
{
	bool historical = entry->header.type & BCOS_TYPE_HISTORICAL;
	u64 time = historical ? fxt->time : entry->header.time;
	u32 cpu = entry->header.source;
	struct fxt_thread *thread;
	struct record *record;

	if (unlikely(cpu >= fxt->cpu_count && cpu < FXT_CPUS) && grow_cpus(fxt, cpu))
		return -ENOMEM;
	if (historical && cpu < FXT_CPUS && fxt->cpus[cpu].known && fxt->cpus[cpu].process != FXT_UNKNOWN)
		return 0;
	if (unlikely(historical || cpu >= FXT_CPUS)) {
		thread = fxt_thread_of(fxt, BCOS_PROCESS_KERNEL, 0);
		if (!thread)
			return -ENOMEM;
		record = fxt_event(fxt, FXT_INSTANT, time, thread, FXT_W_CPU, FXT_W_ASSIGNED, NULL, 0);
		record_u32(record, FXT_W_CPU, cpu);
		record_u32(record, FXT_W_TO, entry->process);
		fxt_event_end(fxt, &entry->header);
	}
	return cpu < FXT_CPUS ? put_switch(fxt, time, historical ? 1 : entry->header.precision, cpu, entry->process) :
				0;
}

int fxt_unknown(struct fxt_export *fxt, u64 time, u32 cpu)
{
	bool known = cpu < fxt->cpu_count && fxt->cpus[cpu].known && fxt->cpus[cpu].process != FXT_UNKNOWN;

	return known ? put_switch(fxt, time, 1, cpu, FXT_UNKNOWN) : 0;
}

int fxt_all_unknown(struct fxt_export *fxt, u64 time)
{
	u32 cpu;
	int r = 0;

	while (!r && cpu_set_take(&fxt->known, &cpu))
		r = fxt_unknown(fxt, time, cpu);
	return r;
}
