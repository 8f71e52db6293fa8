// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The records of the BPF programs, which the engine completes and adds to the streams of the CPUs. */
#include "engine_log.h"
#include "machine.h"

/* The greatest number of CPUs of a frequency policy that get a record. */
#define POLICY_CPUS 1024

/*
 * Find the device that sends the interrupts of a line. Lines that share a slot in the memory of the programs get new
 * names often, so the engine remembers the device of a line.
 */
static void find_sender(struct engine *engine, const struct bcos_raw *raw, char *name)
{
	u32 line = raw->id & ~BCOS_RAW_SHARED;
	struct engine_sender *sender = &engine->sender[line % ENGINE_SENDERS];

	if (sender->line != line || sender->tag != raw->aux || !sender->known) {
		*sender = (struct engine_sender){ .line = line, .tag = raw->aux, .known = true };
		machine_interrupt(line, sender->name, sizeof(sender->name));
	}
	memcpy(name, sender->name, sizeof(sender->name));
}

/* Add the device of an interrupt line or the ancestors of a device, which BPF programs cannot find, to the record. */
static int take_incomplete(struct engine *engine, u32 cpu, const struct bcos_unit *unit, u32 units)
{
	struct bcos_unit whole[BCOS_RAW_UNITS_MAX] = { 0 };
	struct bcos_raw *raw = (struct bcos_raw *)whole;

	memcpy(whole, unit, units * sizeof(*unit));
	if (raw->kind == BCOS_RAW_DEVICE)
		units = hardware_complete(whole);
	else
		find_sender(engine, raw, (char *)(whole + 3));
	return stream_add(&engine->cpu[cpu].stream, whole, units);
}

/* Create a record for each CPU of a frequency policy. */
static int take_limits(struct engine *engine, u32 by, const struct bcos_unit *unit)
{
	struct {
		struct bcos_raw raw;
		struct bcos_raw_limits limits;
	} own;
	u32 cpu[POLICY_CPUS], count, i;
	int r = 0;

	memcpy(&own, unit, sizeof(own));
	count = machine_policy(own.raw.id, cpu, POLICY_CPUS);
	/* The CPU may be offline by now. */
	if (!count)
		cpu[count++] = own.raw.id;
	for (i = 0; i < count && !r; i++) {
		own.raw.id = cpu[i];
		r = stream_add(&engine->cpu[by].stream, (const struct bcos_unit *)&own, own.raw.units);
	}
	return r;
}

static int take_switch(struct engine *engine, u32 cpu, const struct bcos_unit *unit)
{
	struct engine_cpu *own = &engine->cpu[cpu];
	const struct bcos_raw *raw = (const struct bcos_raw *)unit;
	int r;

	r = raw->aux & BCOS_BPF_UNSEEN ? engine_unseen(engine, cpu, raw) : stream_add(&own->stream, unit, 1);
	own->switched = raw->time;
	return r;
}

int engine_take(void *context, u32 cpu, const struct bcos_unit *unit, u32 units)
{
	const struct bcos_raw *raw = (const struct bcos_raw *)unit;
	struct engine *engine = context;

	/* The former recorder had this record in the log before it was killed. */
	if (raw->time < engine->keep.since)
		return 0;
	if (raw->kind == BCOS_RAW_SWITCH && units == 1)
		return take_switch(engine, cpu, unit);
	if (raw->kind == BCOS_RAW_LIMITS && units == 2)
		return take_limits(engine, cpu, unit);
	if ((raw->kind == BCOS_RAW_IRQ_NAME && units == 5) || (raw->kind == BCOS_RAW_DEVICE && units == 5))
		return take_incomplete(engine, cpu, unit, units);
	return stream_add(&engine->cpu[cpu].stream, unit, units);
}
