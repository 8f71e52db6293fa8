/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Staging: a ring of raw records for each CPU, with one producer and one consumer.
 *
 * The producer is whatever runs on that CPU with interrupts off. The consumer is the log writer.
 * The order of the log follows from these steps (module/DESIGN.md, 6.2):
 *
 *	producer				log writer
 *	P1  mark = 1				C1  W = clock
 *	P2  smp_mb, done before P3		C2  smp_mb, not before C1 is done
 *	P3  time = clock			C3  load-acquire mark
 *	P4  store the record			C4  load-acquire head
 *	P5  store-release head
 *	P6  store-release mark = 0
 *
 * The clock is ordered: reading it waits for what precedes it. But later accesses need not wait for
 * the clock, and a barrier for memory alone does not make them wait. So C2 is an exchange that
 * stores W.
 *
 * Not every clock waits for a memory barrier either. On x86 the barrier is an instruction that the
 * ordered clock of P3 waits for. On arm64 dmb orders memory alone, and reading a counter is no
 * access to memory: even after an isb the counter may be read while the store of P1 is still in the
 * CPU's buffer, where C3 does not see it. So P2 is dsb there, which completes only once all CPUs
 * see P1, and no instruction after the dsb begins before that. C2 begins with isb, which waits for
 * the counter.
 *
 * If C3 reads a 0 that is older than P1, then by P2 and C2 the clock of P3 is read after that of
 * C1, so time >= W. If C3 reads the 0 of P6, or a later one, then C4 sees the head of P5. So an
 * unmarked CPU has published everything older than W. If C3 reads 1, the CPU's next record cannot
 * be older than its last published one, and the time of the last published record bounds the
 * horizon instead.
 *
 * A record that finds no room is lost. It is counted by class, cumulatively, under a sequence
 * counter that the writer reads together with head. The newest lost assignment is kept, so the log
 * is right again about what the CPU runs as soon as the writer reads this ring.
 *
 * head and tail count units, have 64 bits and never wrap.
 */
#ifndef BCOS_CORE_STAGE_H
#define BCOS_CORE_STAGE_H

#include "raw.h"

struct bcos_stage {
	/* The producer writes these. */
	u32 mark;
	u32 current_id;			/* process of the last SWITCH, also of a lost one */
	u64 head;
	u64 soft;			/* tail need not be read until head passes this */
	u64 last;			/* time of the newest record */
	/* Events refused because the CPU was inside bcos_stage_put(). */
	u64 nested;
	u64 nmi;			/* events refused because they were asked for in an NMI */
	struct bcos_unit *ring;
	u64 mask;			/* size - 1 */
	u64 size;			/* units, a power of two */
	u32 kicked;			/* the writer was woken, and has not looked since */
	struct bcos_stage_lost lost;

	/* The log writer writes these. */
	u64 tail ____cacheline_aligned;
	u32 taken;			/* newest stretch of losses that the writer has seen */
};

/* The result of staging a record. On a KICK the caller wakes the log writer. */
enum bcos_staged {
	BCOS_STAGED,
	BCOS_STAGED_KICK,		/* staged; a quarter of the ring is full */
	BCOS_STAGE_LOST,
	BCOS_STAGE_LOST_KICK,		/* lost; the writer has not been woken yet */
	BCOS_STAGE_NESTED,		/* refused: this CPU is inside bcos_stage_put() already */
};

/**
 * bcos_stage_init() - initialise an empty ring
 * @stage: zeroed
 * @ring: memory of @size units
 * @size: a power of two, at least 64
 */
void bcos_stage_init(struct bcos_stage *stage, struct bcos_unit *ring, u64 size);

/*
 * Promises that the next record of the stage is not older than now. Context: on the CPU of @stage,
 * with interrupts off.
 */
static inline void bcos_stage_touch(struct bcos_stage *stage, u64 (*clock)(void))
{
	if (!stage->mark)
		WRITE_ONCE(stage->last, clock());
}

/*
 * The slow path of bcos_stage_put(), which runs with the mark set: reads tail, and may lose the
 * record.
 */
enum bcos_staged bcos_stage_full(struct bcos_stage *stage, const struct bcos_raw *raw);

/*
 * The rest of bcos_stage_put_short() when head passes soft. It runs with the mark set, and clears
 * the mark.
 */
enum bcos_staged bcos_stage_put_full(struct bcos_stage *stage, u64 time, u64 what, u64 more,
				     u64 third, u64 fourth);

/**
 * bcos_stage_put_text() - stage an event with its text
 * @stage: of this CPU
 * @clock: as for bcos_stage_put()
 * @raw: the first unit; this function sets its time and units
 * @event: the second unit; this function sets its length
 * @text: any bytes
 * @length: bytes of @text; what is beyond BCOS_RAW_TEXT is cut
 *
 * Context: as for bcos_stage_put().
 * Return: whether the event is staged, and whether to wake the writer.
 */
enum bcos_staged bcos_stage_put_text(struct bcos_stage *stage, u64 (*clock)(void),
				     struct bcos_raw *raw, struct bcos_raw_event *event,
				     const char *text, size_t length);

/*
 * Stages an event where the log writer itself is the producer; @time is ns since boot. Returns
 * false if there is no room.
 */
bool bcos_stage_append(struct bcos_stage *stage, u64 time, struct bcos_raw *raw,
		       struct bcos_raw_event *event, const char *text, size_t length);

/* Builds the second word of a record's first unit. */
static __always_inline u64 bcos_stage_head(enum bcos_raw_kind kind, u8 units, u16 aux, u32 id)
{
	struct bcos_raw raw = { .kind = (u8)kind, .units = units, .aux = aux, .id = id };
	struct bcos_unit unit;

	memcpy(&unit, &raw, sizeof(unit));
	return unit.word[1];
}

/* Builds the second word of a record of one unit. */
static __always_inline u64 bcos_stage_word(enum bcos_raw_kind kind, u16 aux, u32 id)
{
	return bcos_stage_head(kind, 1, aux, id);
}

/* Builds the first word of struct bcos_raw_life. */
static __always_inline u64 bcos_stage_life(u32 tag, u32 status)
{
	struct bcos_raw_life life = { .tag = tag, .status = status };
	struct bcos_unit unit;

	memcpy(&unit, &life, sizeof(unit));
	return unit.word[0];
}

/*
 * Does steps P1 and P2 and reads head. If this CPU is staging a record already, counts the new
 * event as refused and returns false.
 */
static __always_inline bool bcos_stage_enter(struct bcos_stage *stage, u64 *head)
{
	if (unlikely(stage->mark)) {
		WRITE_ONCE(stage->nested, stage->nested + 1);
		return false;
	}
	WRITE_ONCE(stage->mark, 1);
	barrier();
	*head = stage->head;
	host_barrier_before();
	return true;
}

/*
 * Writes the first unit of a record, after the others, and its time last of all. Who finds the ring
 * after a reset does not know head, and walks over the records until their times fall. The time
 * that was there before is mostly that of a record of a former lap, where the walk ends; so what a
 * reset cut is no mixture of two records. The stores stay in this order in the instructions, and
 * x86 keeps it. An architecture that does not has no barrier here, since that would cost each
 * record more than a reset in that moment is worth.
 */
static __always_inline void bcos_stage_put_first(struct bcos_unit *unit, u64 time, u64 what)
{
	unit->word[1] = what;
	barrier();
	WRITE_ONCE(unit->word[0], time);
}

/**
 * bcos_stage_put_short() - stage a record of up to three units
 * @stage: of this CPU
 * @clock: as for bcos_stage_put()
 * @units: of the record; a constant
 * @what: second word of the first unit, by bcos_stage_head()
 * @more: first word of the second unit, whose second word is zero if a third unit follows
 * @third: first word of the third unit
 * @fourth: second word of the last unit, if that is not the first one
 *
 * The most frequent records are staged by this function, so it keeps everything in registers. With
 * one more argument, the call of bcos_stage_put_full() would pass arguments in memory, which costs
 * a switch three instructions.
 *
 * Context: as for bcos_stage_put().
 * Return: whether the record is staged, and whether to wake the writer.
 */
static __always_inline enum bcos_staged bcos_stage_put_short(struct bcos_stage *stage,
							     u64 (*clock)(void), u32 units,
							     u64 what, u64 more, u64 third,
							     u64 fourth)
{
	struct bcos_unit *unit;
	u64 head, time, mask;

	if (unlikely(!bcos_stage_enter(stage, &head)))
		return BCOS_STAGE_NESTED;
	time = clock();
	if (unlikely(head + units > stage->soft))
		return bcos_stage_put_full(stage, time, what, more, third, fourth);
	mask = stage->mask;
	if (units > 1) {
		unit = &stage->ring[(head + 1) & mask];
		unit->word[0] = more;
		unit->word[1] = units > 2 ? 0 : fourth;
	}
	if (units > 2) {
		unit = &stage->ring[(head + 2) & mask];
		unit->word[0] = third;
		unit->word[1] = fourth;
	}
	bcos_stage_put_first(&stage->ring[head & mask], time, what);
	WRITE_ONCE(stage->last, time);
	/* P5, pairs with C4. */
	smp_store_release(&stage->head, head + units);
	/* P6, pairs with C3. */
	smp_store_release(&stage->mark, 0);
	return BCOS_STAGED;
}

/* Stages a record of one unit. */
static __always_inline enum bcos_staged bcos_stage_put_one(struct bcos_stage *stage,
							   u64 (*clock)(void), u64 what)
{
	return bcos_stage_put_short(stage, clock, 1, what, 0, 0, 0);
}

/**
 * bcos_stage_put() - stage a record
 * @stage: of this CPU
 * @clock: returns raw times, ordered after the barrier of P2; a constant, so it is inlined
 * @raw: the first unit; this function sets its time
 * @tail: the other units, @raw->units - 1 of them
 *
 * Context: interrupts off, on the CPU of @stage. An event that comes during a call on this CPU, as
 *   from an NMI, is refused and counted. Takes no lock, allocates nothing, wakes nobody.
 * Return: whether the record is staged, and whether to wake the writer.
 */
static __always_inline enum bcos_staged
bcos_stage_put(struct bcos_stage *stage, u64 (*clock)(void), struct bcos_raw *raw,
	       const struct bcos_unit *tail)
{
	enum bcos_staged result = BCOS_STAGED;
	struct bcos_unit first;
	u64 mask, head;
	u32 i;

	if (unlikely(!bcos_stage_enter(stage, &head)))
		return BCOS_STAGE_NESTED;
	raw->time = clock();
	if (unlikely(head + raw->units > stage->soft)) {
		result = bcos_stage_full(stage, raw);
		if (result == BCOS_STAGE_LOST || result == BCOS_STAGE_LOST_KICK)
			goto out;
	}
	mask = stage->mask;
	for (i = 1; i < raw->units; i++)
		stage->ring[(head + i) & mask] = tail[i - 1];
	memcpy(&first, raw, sizeof(first));
	bcos_stage_put_first(&stage->ring[head & mask], first.word[0], first.word[1]);
	WRITE_ONCE(stage->last, raw->time);
	/* P5, pairs with C4. */
	smp_store_release(&stage->head, head + raw->units);
out:
	/* P6, pairs with C3. */
	smp_store_release(&stage->mark, 0);
	return result;
}

#endif
