// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Limits of cores' frequencies, which is also how Linux throttles them: as the module's core.c. */
#include "engine_log.h"
#include "machine.h"

#define CPUS_MAX 1024

/* The CPU with which is kept what was said of this one's core. */
static struct engine_cpu *first_of_core(struct engine *engine, u32 cpu)
{
	u32 first;

	for (first = 0; first < cpu; first++)
		if (engine->cpu[first].has_core && engine->cpu[first].core == engine->cpu[cpu].core)
			break;
	return &engine->cpu[first];
}

static int say(struct engine *engine, u32 by, const struct bcos_bpf_limits *limits, u32 cpu)
{
	struct engine_cpu *first;
	struct {
		struct bcos_raw raw;
		struct bcos_raw_event event;
		char text[80];
	} record;
	int length;

	if (cpu >= engine->cpus || !engine_core(engine, cpu))
		return 0;
	first = first_of_core(engine, cpu);
	if (first->least == limits->least && first->most == limits->most)
		return 0;
	first->least = limits->least;
	first->most = limits->most;
	memset(&record, 0, sizeof(record));
	record.raw = limits->raw;
	record.raw.id = engine->cpu[cpu].core;
	length = host_format(record.text, sizeof(record.text), "frequency limits %u to %u kHz", limits->least, limits->most);
	record.event.length = (u16)length;
	record.raw.units = (u8)(2 + ((u32)length + sizeof(struct bcos_unit) - 1) / sizeof(struct bcos_unit));
	return stream_add(&engine->cpu[by].stream, (const struct bcos_unit *)&record, record.raw.units);
}

int engine_take_limits(struct engine *engine, u32 by, const struct bcos_bpf_limits *limits)
{
	u32 cpu[CPUS_MAX], count = machine_policy(limits->raw.id, cpu, CPUS_MAX), i;
	int r = 0;

	/* It may be gone by now. */
	if (!count)
		cpu[count++] = limits->raw.id;
	for (i = 0; i < count && !r; i++)
		r = say(engine, by, limits, cpu[i]);
	return r;
}
