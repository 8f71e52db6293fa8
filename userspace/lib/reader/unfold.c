// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Gives a reader the wakings of threads at their own time: see unfold.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/format/thread_text.h"
#include "unfold.h"

/* A log in which all entries are of one moment does not hold back more bytes than this, with all that belongs to them. */
#define HELD_MOST (8u << 20)

/*
 * A waking that the caller has not got yet. It comes before the entry at @before at the latest. The entry that tells of it
 * is at @offset of the log. @number is that of wakings that were added before it.
 */
struct waking {
	u64 time, number, before, offset;
	u32 source, precision;
	u8 severity;
	struct bcos_thread_phrase phrase;
};

/* What is held back from @position on comes from @offset of the log on. */
struct part {
	u64 position, offset;
};

/* Positions count the bytes that were ever held back. */
struct unfold {
	bool threads;			/* the log tells of threads, so entries are held back */
	bool at_end;			/* @result is what comes after all that is held back */
	int result;
	u8 *bytes;			/* the entries that are held back, from @begin to @end */
	size_t begin, end, room;
	u64 base;			/* position of the first byte */
	u64 newest;			/* time of the newest entry that was read, and is not historical */
	u64 given;			/* the same of those that the caller got */
	struct waking *wakings;		/* a heap: the first one is the first in the order of time, then of @number */
	size_t count, waking_room;
	u64 number;			/* wakings that were ever added */
	struct part *parts;		/* the one at @part has the entry at @begin, if there is one */
	size_t part, part_end, part_room;
	struct bcoslog_batch rest;	/* read, and held back once all before it is given, since the time goes back here */
	struct bcoslog_batch each;	/* what unfold_next() has not given yet */
	u32 made[(BCOS_GENERIC_TEXT + BCOS_THREAD_TEXT) / sizeof(u32) + 2];
};

static bool is_normal(const struct bcos_entry *entry)
{
	return !(entry->type & BCOS_TYPE_HISTORICAL);
}

/* Return: the bytes that an entry takes: one whose size is odd has zeros after it, as the reader gives it. */
static size_t room_of(const struct bcos_entry *entry)
{
	size_t least = bcoslog_is_generic(entry->type) ? BCOS_GENERIC_TEXT + 1 : 0;

	return ((entry->size > least ? entry->size : least) + 3) / 4 * 4;
}

/* Return: whether the entry says something about a thread's state, in a form that may tell of a waking. */
static bool tells_of_thread(const struct bcos_entry *entry)
{
	u32 id = entry->type == BCOS_GENERIC_PROCESS ? ((const struct bcos_generic *)entry)->event_id : 0;

	return id >= BCOS_EVENT_THREAD_LEFT && id <= BCOS_EVENT_THREAD_WOKEN;
}

/* Notes entries that the caller gets as they are.  Return: whether there are others, since they tell of threads. */
static bool has_threads(struct unfold *unfold, const struct bcoslog_batch *batch)
{
	const struct bcos_entry *entry;
	u64 newest = unfold->newest;

	bcoslog_each(entry, batch) {
		if (unlikely(entry->type == BCOS_GENERIC_PROCESS) && tells_of_thread(entry))
			return true;
		if (is_normal(entry))
			newest = entry->time;
	}
	unfold->newest = unfold->given = newest;
	return false;
}

/* ---- holding back ------------------------------------------------------------------- */

static void *grow_to(void *memory, size_t *room, size_t needed, size_t size)
{
	size_t more = *room ? *room : 64;
	void *larger;

	if (needed <= *room)
		return memory;
	while (more < needed)
		more *= 2;
	larger = reallocarray(memory, more, size);
	if (larger)
		*room = more;
	return larger;
}

/* What is held back from here on comes from @offset of the log on. */
static int add_part(struct unfold *unfold, u64 offset)
{
	struct part part = { .position = unfold->base + unfold->end, .offset = offset };
	struct part *larger;

	/* Nothing is held back that would come from the part before. */
	if (unfold->part != unfold->part_end && unfold->parts[unfold->part_end - 1].position == part.position) {
		unfold->parts[unfold->part_end - 1] = part;
		return 0;
	}
	if (unfold->part > unfold->part_end / 2) {
		unfold->part_end -= unfold->part;
		memmove(unfold->parts, unfold->parts + unfold->part, unfold->part_end * sizeof(part));
		unfold->part = 0;
	}
	larger = grow_to(unfold->parts, &unfold->part_room, unfold->part_end + 1, sizeof(part));
	if (!larger)
		return -ENOMEM;
	unfold->parts = larger;
	larger[unfold->part_end++] = part;
	return 0;
}

static bool is_before(const struct waking *one, const struct waking *other)
{
	return one->time < other->time || (one->time == other->time && one->number < other->number);
}

/* Puts a waking into the heap, where @at is a place without one and those above it are in order. */
static void put_up(struct unfold *unfold, size_t at, const struct waking *waking)
{
	size_t above;

	for (; at; at = above) {
		above = (at - 1) / 2;
		if (!is_before(waking, &unfold->wakings[above]))
			break;
		unfold->wakings[at] = unfold->wakings[above];
	}
	unfold->wakings[at] = *waking;
}

static void drop_first_waking(struct unfold *unfold)
{
	size_t at, below;

	unfold->count--;
	for (at = 0; (below = 2 * at + 1) < unfold->count; at = below) {
		if (below + 1 < unfold->count && is_before(&unfold->wakings[below + 1], &unfold->wakings[below]))
			below++;
		unfold->wakings[at] = unfold->wakings[below];
	}
	if (at != unfold->count)
		put_up(unfold, at, &unfold->wakings[unfold->count]);
}

/*
 * Adds a waking that an entry at @offset of the log tells of, which is at the end of what is held back, or would be.
 */
static int add_waking(struct unfold *unfold, const struct bcos_entry *entry, u64 offset,
		      const struct bcos_thread_phrase *phrase)
{
	struct waking *larger = grow_to(unfold->wakings, &unfold->waking_room, unfold->count + 1, sizeof(*larger));
	struct waking waking = {
		.time = entry->time > phrase->delay ? entry->time - phrase->delay : 0, .number = unfold->number,
		.before = unfold->base + unfold->end, .offset = offset, .source = entry->source,
		.precision = entry->precision, .severity = ((const struct bcos_generic *)entry)->severity,
		.phrase = *phrase,
	};

	if (!larger)
		return -ENOMEM;
	unfold->wakings = larger;
	/* What the caller has got is not in the future. */
	if (waking.time < unfold->given)
		waking.time = unfold->given;
	waking.phrase.state = BCOS_STATE_WOKEN;
	waking.phrase.delay = 0;
	waking.phrase.has_priority = false;
	waking.phrase.priority = 0;
	if (phrase->has_waker_cpu)
		waking.phrase.cpu = phrase->waker_cpu;
	put_up(unfold, unfold->count++, &waking);
	unfold->number++;
	return 0;
}

/* Takes from an event that a thread runs, which is held back, how the thread was woken. */
static void strip_waking(struct bcos_generic *event, struct bcos_thread_phrase *phrase)
{
	char text[BCOS_THREAD_TEXT];
	size_t length, room = event->header.size - BCOS_GENERIC_TEXT;

	phrase->by = BCOS_WOKEN_BY_UNKNOWN;
	phrase->has_waker_cpu = false;
	length = bcos_thread_format(text, phrase, event->header.source);
	if (length > room)
		return;
	memset(event->text, 0, room);
	memcpy(event->text, text, length);
}

static int hold_entry(struct unfold *unfold, const struct bcos_entry *entry, u64 offset)
{
	struct bcos_thread_phrase phrase;
	bool told = unlikely(entry->type == BCOS_GENERIC_PROCESS) && tells_of_thread(entry) && bcos_thread_read(&phrase, entry);
	u8 *larger;

	if (is_normal(entry))
		unfold->newest = entry->time;
	/* Who woke a thread, and when, is lost: that is no waking with a time. */
	if (told && (!phrase.by || phrase.by == BCOS_WOKEN_LOST))
		told = false;
	if (told && phrase.state == BCOS_STATE_WOKEN && phrase.delay)
		return add_waking(unfold, entry, offset, &phrase) ?: add_part(unfold, offset + entry->size);
	told = told && phrase.state == BCOS_STATE_RUNS;
	if (told && add_waking(unfold, entry, offset, &phrase))
		return -ENOMEM;
	larger = grow_to(unfold->bytes, &unfold->room, unfold->end + room_of(entry), 1);
	if (!larger)
		return -ENOMEM;
	unfold->bytes = larger;
	memset(larger + unfold->end + room_of(entry) - 4, 0, 4);
	memcpy(larger + unfold->end, entry, entry->size);
	if (told)
		strip_waking((struct bcos_generic *)(larger + unfold->end), &phrase);
	unfold->end += room_of(entry);
	return entry->size == room_of(entry) ? 0 : add_part(unfold, offset + entry->size);
}

/*
 * Holds entries back up to one at which the time goes back, so that no waking after it gets among those before it. That one,
 * and what follows, is the rest.
 */
static int hold_batch(struct unfold *unfold, struct bcoslog_batch batch)
{
	const struct bcos_entry *entry;
	int r;

	if (unfold->begin > unfold->end / 2) {
		memmove(unfold->bytes, unfold->bytes + unfold->begin, unfold->end - unfold->begin);
		unfold->base += unfold->begin;
		unfold->end -= unfold->begin;
		unfold->begin = 0;
	}
	unfold->rest.first = unfold->rest.end = NULL;
	r = add_part(unfold, batch.offset);
	for (entry = batch.first; !r && entry != batch.end; entry = bcoslog_after(entry)) {
		if (unlikely(is_normal(entry) && entry->time < unfold->newest)) {
			unfold->rest = (struct bcoslog_batch){
				.first = entry, .end = batch.end, .offset = bcoslog_batch_offset(&batch, entry),
			};
			break;
		}
		r = hold_entry(unfold, entry, bcoslog_batch_offset(&batch, entry));
	}
	return r;
}

/* All before the rest is given. */
static int hold_rest(struct unfold *unfold)
{
	unfold->newest = unfold->given = 0;
	return hold_batch(unfold, unfold->rest);
}

/* ---- giving ------------------------------------------------------------------------- */

static void give_waking(struct unfold *unfold, struct bcoslog_batch *batch)
{
	const struct waking *waking = &unfold->wakings[0];
	struct bcos_generic *event = (struct bcos_generic *)unfold->made;
	size_t length;

	memset(unfold->made, 0, sizeof(unfold->made));
	length = bcos_thread_format(event->text, &waking->phrase, waking->source);
	event->header = (struct bcos_entry){
		.size = (u16)bcos_entry_size(BCOS_GENERIC_TEXT, length), .type = BCOS_GENERIC_PROCESS,
		.source = waking->source, .time = waking->time, .precision = waking->precision,
	};
	event->event_id = BCOS_EVENT_THREAD_WOKEN;
	event->severity = waking->severity;
	if (waking->time > unfold->given)
		unfold->given = waking->time;
	batch->offset = waking->offset;
	drop_first_waking(unfold);
	batch->first = &event->header;
	batch->end = bcoslog_after(batch->first);
}

/* Is the first waking to be given before the entry at @position? */
static bool is_due(const struct unfold *unfold, const struct bcos_entry *entry, u64 position)
{
	const struct waking *first = unfold->wakings;

	return unfold->count && (first->before <= position || (is_normal(entry) && first->time < entry->time));
}

/* Return: the entry that is held back at @at. */
static const struct bcos_entry *held_at(const struct unfold *unfold, size_t at)
{
	return (const struct bcos_entry *)(unfold->bytes + at);
}

/* Drops parts of which all is given.  Return: the position up to which the first one that is left goes. */
static u64 first_part(struct unfold *unfold)
{
	while (unfold->part + 1 < unfold->part_end &&
	       unfold->parts[unfold->part + 1].position <= unfold->base + unfold->begin)
		unfold->part++;
	return unfold->part + 1 < unfold->part_end ? unfold->parts[unfold->part + 1].position : UINT64_MAX;
}

/* Gives entries up to the time @until and the next waking.  Return: whether there are any. */
static bool give_entries(struct unfold *unfold, u64 until, struct bcoslog_batch *batch)
{
	const struct bcos_entry *entry, *last = NULL;
	u64 part_end = first_part(unfold);
	size_t at = unfold->begin;
	const struct part *part;

	/* An entry whose size is odd is a batch by itself. */
	while (at != unfold->end && unfold->base + at < part_end && (!last || last->size == room_of(last))) {
		entry = held_at(unfold, at);
		if (is_due(unfold, entry, unfold->base + at) || (is_normal(entry) && entry->time > until) ||
		    (last && entry->size != room_of(entry)))
			break;
		if (is_normal(entry) && entry->time > unfold->given)
			unfold->given = entry->time;
		at += room_of(entry);
		last = entry;
	}
	if (!last)
		return false;
	batch->first = held_at(unfold, unfold->begin);
	batch->end = bcoslog_after(last);
	part = &unfold->parts[unfold->part];
	batch->offset = part->offset + (unfold->base + unfold->begin - part->position);
	unfold->begin = at;
	return true;
}

/* Gives entries up to the time @until, or a waking.  Return: whether there are any. */
static bool give_held(struct unfold *unfold, u64 until, struct bcoslog_batch *batch)
{
	size_t at = unfold->begin;

	if (give_entries(unfold, until, batch))
		return true;
	if (!unfold->count || unfold->wakings[0].time > until ||
	    (at != unfold->end && !is_due(unfold, held_at(unfold, at), unfold->base + at)))
		return false;
	give_waking(unfold, batch);
	return true;
}

static bool has_rest(const struct unfold *unfold)
{
	return unfold->rest.first != unfold->rest.end;
}

/* Return: up to which time all that there is is held back. */
static u64 held_until(const struct unfold *unfold)
{
	size_t held = unfold->end - unfold->begin + unfold->count * sizeof(*unfold->wakings) +
		      (unfold->part_end - unfold->part) * sizeof(*unfold->parts);

	if (unfold->at_end || has_rest(unfold) || held > HELD_MOST)
		return UINT64_MAX;
	return unfold->newest > BCOS_WAKING_SPAN ? unfold->newest - BCOS_WAKING_SPAN : 0;
}

int unfold_batch(struct bcoslog *log, struct bcoslog_batch *batch,
		 int (*read)(struct bcoslog *log, struct bcoslog_batch *batch))
{
	struct unfold *unfold = log->unfold;
	int r = 0;

	if (!unfold)
		unfold = log->unfold = calloc(1, sizeof(*unfold));
	if (!unfold)
		return error_set(&log->error, ENOMEM, "there is no memory for entries that are held back");
	while (!r) {
		if (unfold->threads && give_held(unfold, held_until(unfold), batch)) {
			log->offset = batch->offset;
			return 1;
		}
		if (unfold->at_end) {
			unfold->at_end = false;
			return unfold->result;
		}
		if (has_rest(unfold)) {
			r = hold_rest(unfold);
			continue;
		}
		unfold->result = read(log, batch);
		if (!unfold->result && log->parted)
			return 0;
		unfold->at_end = unfold->result <= 0;
		if (unfold->at_end)
			continue;
		if (log->folded)
			log->folded(log->folded_context, batch);
		if (!unfold->threads)
			unfold->threads = has_threads(unfold, batch);
		if (!unfold->threads)
			return 1;
		r = hold_batch(unfold, *batch);
	}
	return error_set(&log->error, ENOMEM, "there is no memory for entries that are held back");
}

int unfold_next(struct bcoslog *log, const struct bcos_entry **entry,
		int (*read)(struct bcoslog *log, struct bcoslog_batch *batch))
{
	struct bcoslog_batch batch;
	int r;

	if (!log->unfold || log->unfold->each.first == log->unfold->each.end) {
		r = unfold_batch(log, &batch, read);
		if (r <= 0)
			return r;
		log->unfold->each = batch;
	}
	*entry = log->unfold->each.first;
	log->offset = bcoslog_batch_offset(&log->unfold->each, *entry);
	log->unfold->each.offset += (*entry)->size;
	log->unfold->each.first = bcoslog_after(*entry);
	return 1;
}

void unfold_show(struct bcoslog *log, void (*folded)(void *context, const struct bcoslog_batch *batch), void *context)
{
	log->folded = folded;
	log->folded_context = context;
}

void unfold_forget(struct bcoslog *log)
{
	if (!log->unfold)
		return;
	free(log->unfold->bytes);
	free(log->unfold->parts);
	free(log->unfold->wakings);
	free(log->unfold);
	log->unfold = NULL;
}
