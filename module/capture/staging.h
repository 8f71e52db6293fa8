/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Staging in the kernel: for each CPU a struct bcos_stage and its ring, and the way to wake the log
 * writer.
 */
#ifndef BCOS_STAGING_H
#define BCOS_STAGING_H

#include <linux/irqflags.h>
#include <linux/percpu.h>

#include "core/raw/stage.h"
#include "clock.h"

DECLARE_PER_CPU_ALIGNED(struct bcos_stage, bcos_stages);

/*
 * Wakes the log writer from any context in which this CPU records an event. Context: interrupts
 * off.
 */
void bcos_staging_kick(struct bcos_stage *stage);

/**
 * bcos_put() - stage a record on this CPU
 * @stage: this_cpu_ptr(&bcos_stages)
 * @raw: the first unit; this function sets its time
 * @tail: the other units
 *
 * Context: interrupts off; any but NMI.
 * Return: as bcos_stage_put().
 */
static __always_inline enum bcos_staged
bcos_put(struct bcos_stage *stage, struct bcos_raw *raw, const struct bcos_unit *tail)
{
	enum bcos_staged result = bcos_stage_put(stage, bcos_clock, raw, tail);

	if (unlikely(result == BCOS_STAGED_KICK || result == BCOS_STAGE_LOST_KICK))
		bcos_staging_kick(stage);
	return result;
}

/*
 * Handles the results of bcos_stage_put_short() other than BCOS_STAGED: wakes the writer if
 * necessary. Returns as bcos_put_short() does.
 */
bool bcos_put_rest(struct bcos_stage *stage, enum bcos_staged result);

/**
 * bcos_put_short() - stage a record of up to three units on this CPU
 * @stage: this_cpu_ptr(&bcos_stages)
 * @units: number of units; a constant
 * @what: second word of the first unit, as for bcos_stage_put_short()
 * @more: first word of the second unit
 * @third: first word of the third unit
 * @fourth: second word of the last unit, if that is not the first one
 *
 * Context: as for bcos_put().
 * Return: false if the record was refused, because this CPU is staging another one.
 */
static __always_inline bool bcos_put_short(struct bcos_stage *stage, u32 units, u64 what, u64 more,
					   u64 third, u64 fourth)
{
	enum bcos_staged result = bcos_stage_put_short(stage, bcos_clock, units, what, more, third,
						       fourth);

	return likely(result == BCOS_STAGED) || bcos_put_rest(stage, result);
}

/* Stages a record of one unit. */
static __always_inline bool bcos_put_one(struct bcos_stage *stage, u64 what)
{
	return bcos_put_short(stage, 1, what, 0, 0, 0);
}

/* Like bcos_put_short(), on the current CPU, with interrupts on or off. */
static __always_inline void bcos_put_short_anywhere(u32 units, u64 what, u64 more, u64 third,
						    u64 fourth)
{
	unsigned long flags;

	local_irq_save(flags);
	bcos_put_short(this_cpu_ptr(&bcos_stages), units, what, more, third, fourth);
	local_irq_restore(flags);
}

/* Like bcos_put(), on the current CPU, with interrupts on or off. */
static __always_inline void bcos_put_anywhere(struct bcos_raw *raw, const struct bcos_unit *tail)
{
	unsigned long flags;

	local_irq_save(flags);
	bcos_put(this_cpu_ptr(&bcos_stages), raw, tail);
	local_irq_restore(flags);
}

/**
 * bcos_put_text() - stage an event with its text on the current CPU
 * @raw: kind, aux and id are set
 * @event: ID and tag are set
 * @text: any bytes
 * @length: bytes of @text; what is beyond BCOS_RAW_TEXT is cut
 *
 * Context: any.
 * Return: as bcos_stage_put().
 */
enum bcos_staged bcos_put_text(struct bcos_raw *raw, struct bcos_raw_event *event, const char *text,
			       size_t length);

/* Stages a record of one unit on the current CPU, with interrupts on or off. */
static __always_inline void bcos_put_one_anywhere(enum bcos_raw_kind kind, u16 aux, u32 id)
{
	bcos_put_short_anywhere(1, bcos_stage_word(kind, aux, id), 0, 0, 0);
}

/*
 * bcos_staging_up() determines the sizes of the rings. bcos_staging_down() frees the rings, after
 * everything that uses them has gone.
 */
int bcos_staging_up(void);
void bcos_staging_down(void);

/*
 * Sets the function that wakes the log writer, before bcos_kicks_up(). An interrupt handler calls
 * @wake.
 */
void bcos_staging_wake_by(void (*wake)(void));

/* Wakes the log writer. Context: as @wake of bcos_staging_wake_by(). */
void bcos_staging_wake(void);

/*
 * bcos_kicks_up() initialises the irq_work that wakes the writer. bcos_kicks_down() waits until no
 * CPU runs one; no probe may run by then.
 */
int bcos_kicks_up(void);
void bcos_kicks_down(void);

bool bcos_staging_has_ring(unsigned int cpu);

/**
 * bcos_staging_ring() - allocate the ring of a CPU that has none
 * @cpu: a possible CPU
 * @size: out: size of the ring in units
 *
 * Context: may sleep; one call at a time.
 * Return: the ring, or NULL: no memory.
 */
struct bcos_unit *bcos_staging_ring(unsigned int cpu, u64 *size);

/* These return the memory of all rings in bytes, and the regular size of a ring in KiB. */
u64 bcos_staging_bytes(void);
u32 bcos_staging_kb(void);

#endif
