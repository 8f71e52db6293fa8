// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The slow paths of staging: see stage.h. */
#include "stage.h"

void bcos_stage_init(struct bcos_stage *stage, struct bcos_unit *ring, u64 size)
{
	stage->ring = ring;
	stage->size = size;
	stage->mask = size - 1;
	stage->soft = size / 4;
	stage->current_id = BCOS_PROCESS_NONE;
}

/* Returns how many units may be in use when a record of a class is staged. */
static u64 class_limit(const struct bcos_stage *stage, enum bcos_loss_class class)
{
	return stage->size - bcos_raw_reserve(class, stage->size);
}

static void lose_record(struct bcos_stage *stage, const struct bcos_raw *raw)
{
	struct bcos_stage_lost *lost = &stage->lost;
	enum bcos_loss_class class = bcos_raw_class(raw->kind);

	WRITE_ONCE(lost->sequence, lost->sequence + 1);
	/*
	 * Pairs with smp_rmb() in read_lost(): a reader that sees a store below also sees that the
	 * sequence is odd.
	 */
	smp_wmb();
	if (lost->stretch == READ_ONCE(stage->taken)) {
		WRITE_ONCE(lost->stretch, lost->stretch + 1);
		WRITE_ONCE(lost->first, raw->time);
	}
	WRITE_ONCE(lost->last, raw->time);
	WRITE_ONCE(lost->count[class], lost->count[class] + 1);
	if (raw->kind == BCOS_RAW_SWITCH) {
		WRITE_ONCE(lost->assign_time, raw->time);
		WRITE_ONCE(lost->assign_id, raw->id);
	}
	/*
	 * Pairs with the acquire in read_lost(): a reader that sees the even sequence sees all
	 * stores above.
	 */
	smp_wmb();
	WRITE_ONCE(lost->sequence, lost->sequence + 1);
	WRITE_ONCE(stage->last, raw->time);
}

enum bcos_staged bcos_stage_full(struct bcos_stage *stage, const struct bcos_raw *raw)
{
	/* Pairs with bcos_source_release(). */
	u64 tail = smp_load_acquire(&stage->tail);
	u64 end = stage->head + raw->units;
	u64 limit = tail + class_limit(stage, bcos_raw_class(raw->kind));
	bool kick = end > tail + stage->size / 4 && !READ_ONCE(stage->kicked);

	if (kick)
		WRITE_ONCE(stage->kicked, 1);
	if (end > limit) {
		lose_record(stage, raw);
		return kick ? BCOS_STAGE_LOST_KICK : BCOS_STAGE_LOST;
	}
	/*
	 * The fast path suffices up to the next threshold: first that of the kick, then that above
	 * which the first class is lost. Above both, each record takes the slow path.
	 */
	if (end <= tail + stage->size / 4)
		stage->soft = tail + stage->size / 4;
	else if (end < tail + class_limit(stage, BCOS_LOSS_IRQ))
		stage->soft = tail + class_limit(stage, BCOS_LOSS_IRQ);
	else
		stage->soft = end;
	return kick ? BCOS_STAGED_KICK : BCOS_STAGED;
}

enum bcos_staged bcos_stage_put_full(struct bcos_stage *stage, u64 time, u64 what, u64 more,
				     u64 third, u64 fourth)
{
	struct bcos_unit unit[] = { { { time, what } }, { { more, 0 } }, { { third, fourth } } };
	enum bcos_staged result;
	struct bcos_raw raw;
	u32 i;

	memcpy(&raw, unit, sizeof(raw));
	if (raw.units == 2)
		unit[1].word[1] = fourth;
	result = bcos_stage_full(stage, &raw);
	if (result == BCOS_STAGED || result == BCOS_STAGED_KICK) {
		for (i = 1; i < raw.units; i++)
			stage->ring[(stage->head + i) & stage->mask] = unit[i];
		bcos_stage_put_first(&stage->ring[stage->head & stage->mask], time, what);
		WRITE_ONCE(stage->last, time);
		/* P5, pairs with C4. */
		smp_store_release(&stage->head, stage->head + raw.units);
	}
	/* P6, pairs with C3. */
	smp_store_release(&stage->mark, 0);
	return result;
}

static void store_text(struct bcos_stage *stage, u64 head, const char *text, size_t length)
{
	struct bcos_unit unit;
	size_t part;

	for (; length; length -= part, text += part) {
		part = length < sizeof(unit) ? length : sizeof(unit);
		memset(&unit, 0, sizeof(unit));
		memcpy(&unit, text, part);
		stage->ring[head++ & stage->mask] = unit;
	}
}

/* Sets the length and units of a record with text. */
static size_t measure_text(struct bcos_raw *raw, struct bcos_raw_event *event, size_t length)
{
	if (length > BCOS_RAW_TEXT)
		length = BCOS_RAW_TEXT;
	event->length = (u16)length;
	raw->units = (u8)(2 + (length + sizeof(struct bcos_unit) - 1) / sizeof(struct bcos_unit));
	return length;
}

static void store_event(struct bcos_stage *stage, u64 head, const struct bcos_raw *raw,
			const struct bcos_raw_event *event, const char *text, size_t length)
{
	struct bcos_unit first;

	memcpy(&first, raw, sizeof(first));
	memcpy(&stage->ring[(head + 1) & stage->mask], event, sizeof(*event));
	store_text(stage, head + 2, text, length);
	bcos_stage_put_first(&stage->ring[head & stage->mask], first.word[0], first.word[1]);
	WRITE_ONCE(stage->last, raw->time);
	/* P5, pairs with C4. */
	smp_store_release(&stage->head, head + raw->units);
}

bool bcos_stage_append(struct bcos_stage *stage, u64 time, struct bcos_raw *raw,
		       struct bcos_raw_event *event, const char *text, size_t length)
{
	length = measure_text(raw, event, length);
	if (stage->head + raw->units > stage->tail + stage->size)
		return false;
	raw->time = time;
	store_event(stage, stage->head, raw, event, text, length);
	return true;
}

enum bcos_staged bcos_stage_put_text(struct bcos_stage *stage, u64 (*clock)(void),
				     struct bcos_raw *raw, struct bcos_raw_event *event,
				     const char *text, size_t length)
{
	enum bcos_staged result = BCOS_STAGED;
	u64 head;

	length = measure_text(raw, event, length);
	if (unlikely(!bcos_stage_enter(stage, &head)))
		return BCOS_STAGE_NESTED;
	raw->time = clock();
	if (head + raw->units > stage->soft)
		result = bcos_stage_full(stage, raw);
	if (result == BCOS_STAGED || result == BCOS_STAGED_KICK)
		store_event(stage, head, raw, event, text, length);
	/* P6, pairs with C3. */
	smp_store_release(&stage->mark, 0);
	return result;
}
