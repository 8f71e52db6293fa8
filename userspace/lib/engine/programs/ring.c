// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reading the rings of the CPUs, which the programs fill (bpf/stage.h). */
#include <bpf/libbpf.h>

#include "programs.h"
#include "skeleton.h"

static struct bcos_unit *ring_slot(const struct programs *programs, u32 cpu, u64 at)
{
	return &programs->slots[(size_t)cpu * programs->units + (at & (programs->units - 1))];
}

/*
 * The unit @at of the ring of a CPU is empty, although a program has taken it.
 * Return: true if the unit was empty at the last pass, too. A grace period has passed since, so no program fills it any
 * more.
 */
static bool is_dead(struct programs *programs, u32 cpu, u64 at)
{
	bool dead = programs->stuck[cpu] == at + 1;

	programs->stuck[cpu] = dead ? 0 : at + 1;
	return dead;
}

/* Pass the records of a CPU to @take.  Return: 0; the value of @take; -EBADMSG if the ring is damaged. */
static int drain_cpu(struct programs *programs, u32 cpu, programs_take take, void *context)
{
	struct bcos_bpf_cpu *own = programs_cpu(programs, cpu);
	u64 head = smp_load_acquire(&own->head), tail = own->tail, word;
	struct bcos_unit record[256], *unit;
	u32 units, i;
	int r = 0;

	while (tail != head && !r) {
		word = smp_load_acquire(&ring_slot(programs, cpu, tail)->word[1]);
		if (!word) {
			if (!is_dead(programs, cpu, tail))
				break;
			programs->skipped++;
			tail++;
			continue;
		}
		units = word >> 8 & 0xFF;
		if (!units || units > head - tail)
			return -EBADMSG;
		for (i = 0; i < units; i++) {
			unit = ring_slot(programs, cpu, tail + i);
			record[i] = *unit;
			unit->word[1] = 0;
		}
		r = take(context, cpu, record, units);
		tail += units;
	}
	smp_store_release(&own->tail, tail);
	return r;
}

int programs_drain(struct programs *programs, programs_take take, void *context)
{
	u32 cpu;
	int r = 0;

	ring_buffer__consume(programs->kicks);
	for (cpu = 0; cpu < programs->rings && !r; cpu++)
		r = drain_cpu(programs, cpu, take, context);
	return r;
}
