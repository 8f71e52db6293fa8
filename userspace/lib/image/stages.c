// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Where the records of each stage end: see recovery.h. */
#include <stdlib.h>

#include "recovery.h"
#include "resume/raw_check.h"

/* Return: the end that the seal or memory tells; NULL if nothing does. */
static const struct bcos_image_head *told_end(const struct recovery *recovery, u32 number)
{
	if (recovery->image.seal)
		return &recovery->image.seal->head[number];
	if (recovery->ends && recovery->ends[number].known)
		return &recovery->ends[number].head;
	return NULL;
}

/* Copy the record at unit @at in one piece.  Return: its units, or 0 if there is no record. */
static u32 copy_record(const struct recovery_stage *own, u64 at, u64 room, u32 cpus, struct bcos_unit *record)
{
	const struct bcos_stage *stage = &own->stage;
	struct bcos_raw raw;
	u32 i;

	memcpy(&raw, &stage->ring[at & stage->mask], sizeof(raw));
	if (!raw.units || raw.units > BCOS_RAW_UNITS_MAX || raw.units > room)
		return 0;
	for (i = 0; i < raw.units; i++)
		record[i] = stage->ring[(at + i) & stage->mask];
	return raw_is_sound((const struct bcos_raw *)record, raw.units, cpus) ? raw.units : 0;
}

/* Can a record with this time follow one with the time @last? 0: nothing precedes it. */
static bool may_follow(u64 time, u64 last)
{
	if ((time & ~BCOS_RAW_TICKS) == 0 || (!(time & BCOS_RAW_TICKS) && time >= RECOVERY_NEVER))
		return false;
	/* The engine takes one clock or the other, and may change from ticks to ns when the counter fails. */
	return !last || time >= last || (last & BCOS_RAW_TICKS && !(time & BCOS_RAW_TICKS));
}

u32 recovery_tag_of(void *context, u32 process)
{
	const struct recovery *recovery = context;

	return tags_find(&recovery->tags, process);
}

/* ---- the ends ------------------------------------------------------------------------ */

/* Walk over the records of a stage up to @limit units after its tail.  Return: 0 or -ENOMEM. */
static int walk_stage(struct recovery *recovery, struct recovery_stage *own, u64 limit)
{
	struct bcos_unit record[BCOS_RAW_UNITS_MAX];
	const struct bcos_raw *raw = (const struct bcos_raw *)record;
	struct bcos_stage *stage = &own->stage;
	u64 at = stage->tail, end = stage->tail + limit, time;
	u32 units;
	int r = 0;

	while (at < end && !r) {
		units = copy_record(own, at, end - at, recovery->image.header->cpus, record);
		if (!units || !may_follow(raw->time, own->last))
			break;
		/* All records before the horizon are in the log: this one is left from an earlier lap of the ring. */
		time = bcos_timebase_time(&recovery->timebase, raw->time);
		if (time < recovery->image.pass->horizon)
			break;
		own->last = raw->time;
		at += units;
		r = tags_note(&recovery->tags, raw, time);
	}
	stage->head = at;
	return r;
}

/* Return: whether the losses that the end tells can be those of the stage. */
static bool losses_fit(const struct bcos_image_head *end, const struct bcos_image_source *source)
{
	u32 class;

	/* Counts only grow: others are damaged. While the sequence is odd, the CPU was counting a loss. */
	for (class = 0; class < BCOS_LOSS_CLASSES; class++)
		if (end->lost[class] < source->lost[class])
			return false;
	return !(end->sequence & 1);
}

/* Let the stage have the losses that the end tells, or none but those that the log has. */
static void set_losses(struct recovery *recovery, u32 number, const struct bcos_image_head *end)
{
	const struct bcos_image_source *source = &recovery->image.pass->source[number];
	struct recovery_stage *own = &recovery->stage[number];
	struct bcos_stage *stage = &own->stage;

	stage->lost.stretch = source->stretch;
	stage->nested = source->nested;
	stage->nmi = source->nmi;
	memcpy(stage->lost.count, source->lost, sizeof(stage->lost.count));
	own->uncounted = end && !losses_fit(end, source);
	if (!end || own->uncounted)
		return;
	stage->lost.stretch = end->stretch;
	stage->lost.first = end->first;
	stage->lost.last = end->latest;
	stage->lost.assign_time = end->assign_time;
	stage->lost.assign_id = end->assign_id;
	memcpy(stage->lost.count, end->lost, sizeof(stage->lost.count));
	if (end->nested > source->nested)
		stage->nested = end->nested;
	if (end->nmi > source->nmi)
		stage->nmi = end->nmi;
}

/* Births and deaths from the raw time @from on may be missing; 0: those from the horizon on. */
static void doubt_from(struct recovery *recovery, u64 from)
{
	u64 time = from ? bcos_timebase_time(&recovery->timebase, from) : 0;

	if (time < recovery->tags.doubt)
		recovery->tags.doubt = time;
}

/* Note from when on births and deaths of a CPU may be missing. */
static void note_doubt(struct recovery *recovery, u32 number)
{
	const struct bcos_image_source *source = &recovery->image.pass->source[number];
	const struct recovery_stage *own = &recovery->stage[number];
	const struct bcos_stage_lost *lost = &own->stage.lost;

	if (own->absent || own->uncounted)
		doubt_from(recovery, 0);
	else if (own->unread)
		doubt_from(recovery, own->last);
	else if (own->amid)
		doubt_from(recovery, own->last);
	/* A stretch of losses that the log knows does not tell when the losses after that began. */
	if (lost->count[BCOS_LOSS_LIFE] != source->lost[BCOS_LOSS_LIFE])
		doubt_from(recovery, lost->stretch != source->stretch ? lost->first : 0);
}

/* Return: the ring of a stage, of @units units, in the image or beside it; NULL if it is in neither. */
static const struct bcos_unit *find_ring(const struct recovery *recovery, u32 number, u64 *units)
{
	if (!recovery->ends || !recovery->ends[number].ring)
		return bcos_image_ring(&recovery->image, number, units);
	*units = recovery->ends[number].units;
	return recovery->ends[number].ring;
}

static int find_end(struct recovery *recovery, u32 number)
{
	const struct bcos_image_source *source = &recovery->image.pass->source[number];
	const struct bcos_image_head *end = told_end(recovery, number);
	struct recovery_stage *own = &recovery->stage[number];
	struct bcos_stage *stage = &own->stage;
	u64 units, limit, ahead;
	bool told;
	int r;

	stage->ring = (struct bcos_unit *)(uintptr_t)find_ring(recovery, number, &units);
	stage->tail = stage->head = source->tail;
	set_losses(recovery, number, end);
	/* A pass after the seal has taken all that the end tells. */
	told = end && end->head >= source->tail;
	ahead = told ? end->head - source->tail : 0;
	own->amid = end && end->mark;
	if (!stage->ring) {
		/* Without a ring as of the pass, the CPU may have got one since then, if the end tells so. */
		own->absent = ahead || (units && !end);
		own->unread = ahead;
		return 0;
	}
	own->endless = recovery->ends && !end;
	stage->size = units;
	stage->mask = units - 1;
	/* After a clean end the kernel went on for a while: there may be records after those that the seal tells. */
	limit = told && ahead <= units && recovery->image.header->state != BCOS_IMAGE_CLEAN ? ahead : units;
	r = walk_stage(recovery, own, limit);
	/* Without a told end, the records end where the walk ends. */
	if (stage->head - stage->tail < ahead)
		own->unread = (ahead < units ? ahead : units) - (stage->head - stage->tail);
	/* Where the kernel went on after a clean end, what comes behind the told records begins with the one that was begun. */
	if (end && stage->head > end->head)
		own->amid = false;
	recovery->result->unread += own->unread;
	return r;
}

int recovery_find_ends(struct recovery *recovery)
{
	u32 number;
	int r = 0;

	recovery->tags.doubt = ~0ull;
	for (number = 0; number < recovery->image.header->stages && !r; number++) {
		r = find_end(recovery, number);
		/* The stage of the kernel's log has no births. */
		if (number < recovery->image.header->cpus)
			note_doubt(recovery, number);
	}
	tags_sort(&recovery->tags);
	return r;
}
