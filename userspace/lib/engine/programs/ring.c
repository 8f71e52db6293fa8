// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The rings that programs fill, one a CPU: bpf/stage.h is the other side. */
#include <bpf/libbpf.h>

#include "programs.h"
#include "skeleton.h"

static struct bcos_unit *ring_slot(const struct programs *programs, u32 cpu, u64 at)
{
	return &programs->slots[(size_t)cpu * programs->units + (at & (programs->units - 1))];
}

/*
 * Is this the place of a record that nobody will store? A program took the place, and it was empty
 * when the last grace period began, too.
 */
static bool is_dead(struct programs *programs, u32 cpu, u64 at)
{
	bool dead = programs->stuck[cpu] == at + 1;

	programs->stuck[cpu] = dead ? 0 : at + 1;
	return dead;
}

/* Returns 0 or what @take returned. */
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
