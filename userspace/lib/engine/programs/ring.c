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
	u64 head = smp_load_acquire(&own->head), tail = programs->held ? programs->read[cpu] : own->tail, word;
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
			if (!programs->held)
				unit->word[1] = 0;
		}
		r = take(context, cpu, record, units);
		tail += units;
	}
	if (programs->held)
		programs->read[cpu] = tail;
	else
		smp_store_release(&own->tail, tail);
	return r;
}

u64 programs_tail(const struct programs *programs, u32 cpu, u64 horizon)
{
	const struct bcos_bpf_cpu *own = programs_cpu(programs, cpu);
	u64 tail = own->tail;
	const struct bcos_unit *unit;

	if (cpu >= programs->rings)
		return tail;
	while (tail < programs->read[cpu]) {
		unit = ring_slot(programs, cpu, tail);
		/* A place that was read and is empty belongs to a program that died. */
		if (unit->word[1] && unit->word[0] >= horizon)
			break;
		tail += unit->word[1] ? unit->word[1] >> 8 & 0xFF : 1;
	}
	return tail;
}

void programs_release(struct programs *programs, u32 cpu, u64 tail)
{
	struct bcos_bpf_cpu *own = programs_cpu(programs, cpu);
	u64 at;

	if (cpu >= programs->rings)
		return;
	for (at = own->tail; at < tail; at++)
		ring_slot(programs, cpu, at)->word[1] = 0;
	smp_store_release(&own->tail, tail);
	if (programs->read[cpu] < tail)
		programs->read[cpu] = tail;
}

int programs_drain(struct programs *programs, programs_take take, void *context)
{
	u32 cpu;
	int r = 0;

	/* Programs that ended wake nobody. */
	if (programs->kicks)
		ring_buffer__consume(programs->kicks);
	for (cpu = 0; cpu < programs->rings && !r; cpu++)
		r = drain_cpu(programs, cpu, take, context);
	return r;
}

int programs_skip(struct programs *programs, u32 cpu, u64 tail)
{
	const struct bcos_bpf_cpu *own = programs_cpu(programs, cpu);
	u64 head = smp_load_acquire(&own->head);

	/* After a release the tail is the published one, and before it the head is behind that. */
	if (cpu >= programs->rings || head - own->tail > programs->units || tail < own->tail || tail > head)
		return -EBADMSG;
	programs_release(programs, cpu, tail);
	return 0;
}

int programs_look(struct programs *programs, programs_take take, void *context)
{
	u64 read, stuck;
	u32 cpu;
	int r = 0;

	for (cpu = 0; cpu < programs->rings && !r; cpu++) {
		read = programs->read[cpu];
		stuck = programs->stuck[cpu];
		r = drain_cpu(programs, cpu, take, context);
		programs->read[cpu] = read;
		programs->stuck[cpu] = stuck;
	}
	return r;
}

bool programs_all_read(const struct programs *programs)
{
	u32 cpu;

	for (cpu = 0; cpu < programs->rings; cpu++)
		if (programs->read[cpu] != programs_cpu(programs, cpu)->head)
			return false;
	return true;
}

u64 programs_skipped(const struct programs *programs)
{
	return programs->skipped;
}
