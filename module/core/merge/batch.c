// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Many records at once: see batch.h. */
#include "batch.h"
#include "run.h"

/* Fewer are not worth counting their digits and looking at all CPUs anew. */
#define LEAST 256

/* Nor are they where one CPU has more than this part: it mostly goes on, which needs no order. */
#define SHARE 3

/* How far a batch may go, in ns. */
#define WINDOW_LEAST (1ull << 12)
#define WINDOW_MOST (1ull << 31)

/* A key has 48 bits of time: what is further before a window than this, in raw time, must not be taken for later. */
#define FAR (1ull << 40)

/* Two digits are what mostly tells records of a window apart, and what they do not is put right afterwards. */
#define DIGIT_BITS 8

/* By so many places a record may have to move then, on average, or else the window was too wide. */
#define MOVES 2

/* After one that was in vain 2 are not tried, after another one 4, and so on, up to 2^this. */
#define IN_VAIN 4

/* What is sorted, and where its digits are. */
struct window {
	struct bcos_segment line;	/* on which all its raw times are; length: as far as it goes */
	u64 from;			/* ns since boot */
	u64 span;			/* ns that it was to have */
	u64 until;			/* ns since boot: nothing older is missing */
	u64 most;			/* records that one CPU has in it */
	u8 shift;			/* of the lower digit */
};

static __always_inline u8 digit(u64 key, u8 shift)
{
	return (u8)(key >> shift);
}

/* Have many CPUs many records, with no losses before them, nor times that nobody can compare? */
static bool is_worth_it(const struct bcos_merge *merge)
{
	const struct bcos_source *source;
	u64 total = 0, most = 0, units;
	u32 cpu;

	for (cpu = 0; cpu < merge->sources; cpu++) {
		source = &merge->source[cpu];
		if (source->pending || source->time < merge->base)
			return false;
		units = source->head - source->tail;
		total += units;
		most = units > most ? units : most;
	}
	return total >= LEAST && most <= total / SHARE;
}

/* About so many ticks. */
static u64 ticks_of(u64 ns, u64 rate)
{
	return rate >> 28 ? (ns << 32) / (rate >> 28) : ns;
}

/* It begins with the record that comes next.  Return: false if its line begins too long before it. */
static bool begin_window(struct bcos_merge *merge, struct window *window, u64 horizon)
{
	u32 cpu = bcos_tournament_winner(&merge->next) & BCOS_CPU_MASK;
	const struct bcos_source *source = &merge->source[cpu];
	const struct bcos_raw *raw = bcos_record_at(source, source->tail);
	struct bcos_segment *line = &window->line;
	u64 before, end, span;

	window->from = bcos_timebase_time(&merge->timebase, raw->time);
	window->until = horizon;
	window->span = horizon - window->from;
	if (window->span > merge->batch.window)
		window->span = merge->batch.window;
	*line = merge->timebase.line;
	before = raw->time - line->ticks;
	if (before > FAR) {
		/* Times that are ns already can begin anywhere. */
		if (line->rate != 1ull << BCOS_RATE_SHIFT)
			return false;
		line->ticks += before - FAR;
		line->time += before - FAR;
		line->length -= before - FAR;
		before = FAR;
	}
	end = before + ticks_of(window->span, line->rate);
	if (end < line->length)
		line->length = end;
	window->shift = BCOS_TIME_SHIFT;
	span = line->time + host_multiply_shift(line->length, line->rate, BCOS_RATE_SHIFT) - window->from;
	for (; span >> 2 * DIGIT_BITS; span >>= 1)
		window->shift++;
	return true;
}

/* A CPU's records in the window, while there is room for them.  Return: behind the last one. */
static struct bcos_batch_item *take(struct bcos_batch_room *room, const struct window *window,
				    struct bcos_source *source, u32 cpu, struct bcos_batch_item *to)
{
	const struct bcos_raw *first = bcos_record_at(source, source->tail), *raw = first, *all, *end;
	u64 units = source->head - source->tail, whole = source->mask + 1 - (source->tail & source->mask);
	u64 start = window->line.time - window->from, ticks, key = 0, previous;
	u64 line = window->line.ticks, length = window->line.length, rate = window->line.rate;
	const struct bcos_batch_item *stop = room->item + BCOS_BATCH_ITEMS;
	u8 shift = window->shift;
	u32 slot;

	/* In one piece: what is behind the end of the ring is for another batch. */
	all = first + (units < whole ? units : whole);
	do {
		end = all - raw < stop - to ? all : raw + (stop - to);
		for (; raw < end; raw += raw->units) {
			ticks = raw->time - line;
			if (ticks >= length)
				break;
			previous = key;
			key = ((start + host_multiply_shift(ticks, rate, BCOS_RATE_SHIFT)) << BCOS_TIME_SHIFT) +
			      bcos_ranks[raw->kind] + cpu;
			/* Its place is behind the one before it, whatever its time and rank are: even before the window. */
			if (unlikely((key - previous) >> 63)) {
				if (key >> BCOS_TIME_SHIFT != previous >> BCOS_TIME_SHIFT)
					break;
				key = previous;
			}
			to->key = key;
			to->raw = raw;
			to++;
			slot = (u32)(key >> shift);
			room->count[0][digit(slot, 0)]++;
			room->count[1][digit(slot, DIGIT_BITS)]++;
		}
		/* There is room for so many units, but that is for records. */
	} while (raw >= end && raw < all && to < stop);
	source->batched = source->tail + (u64)(raw - first);
	return to;
}

/* The records of all CPUs in the window.  Return: how many; more than there is room for: not all. */
static u32 take_all(struct bcos_merge *merge, struct window *window)
{
	struct bcos_batch_room *room = merge->batch.room;
	struct bcos_batch_item *to = room->item, *end = to + BCOS_BATCH_ITEMS, *before;
	struct bcos_source *source;
	u64 time;
	u32 cpu;

	window->most = 0;
	memset(room->count, 0, sizeof(room->count));
	for (cpu = 0; cpu < merge->sources; cpu++) {
		source = &merge->source[cpu];
		if (source->tail == source->head)
			continue;
		before = to;
		to = take(room, window, source, cpu, to);
		if ((u64)(to - before) > window->most)
			window->most = (u64)(to - before);
		if (source->batched >= source->head)
			continue;
		if (to == end)
			return BCOS_BATCH_ITEMS + 1;
		time = bcos_timebase_time(&merge->timebase, bcos_record_at(source, source->batched)->time);
		if (time < window->until)
			window->until = time;
	}
	return (u32)(to - room->item);
}

/* By one digit; what is equal keeps its order. */
static void distribute(const struct bcos_batch_item *from, struct bcos_batch_item *to, u32 n, u32 *count, u8 shift)
{
	const struct bcos_batch_item *end = from + n;
	u32 place = 0, here, i;

	for (i = 0; i < 1u << DIGIT_BITS; i++) {
		here = count[i];
		count[i] = place;
		place += here;
	}
	for (; from < end; from++)
		to[count[digit(from->key, shift)]++] = *from;
}

/* What the digits did not tell apart.  Return: false if that would be too much. */
static bool put_right(struct bcos_batch_item *item, u32 n)
{
	struct bcos_batch_item *end = item + n, *at, *to, late;
	u64 last = 0, moves = 0;

	for (at = item; at < end; at++) {
		if (likely(at->key >= last)) {
			last = at->key;
			continue;
		}
		late = *at;
		for (to = at; to > item && to[-1].key > late.key; to--)
			*to = to[-1];
		*to = late;
		moves += (u64)(at - to);
		if (unlikely(moves > (u64)MOVES * n))
			return false;
	}
	return true;
}

static void set_window(struct bcos_batch *batch, u64 window)
{
	batch->window = window < WINDOW_LEAST ? WINDOW_LEAST : window > WINDOW_MOST ? WINDOW_MOST : window;
}

/* The next one is to be full by three quarters, if there is so much in a window. */
static void next_window(struct bcos_batch *batch, const struct window *window, u32 n)
{
	if (n > BCOS_BATCH_ITEMS * 3 / 8)
		set_window(batch, window->span * (BCOS_BATCH_ITEMS * 3 / 4) / n);
	else if (window->span == batch->window && window->until - window->from >= window->span)
		set_window(batch, batch->window * 2);
}

/* It was work for nothing, or for little: so it may be the next time. */
static u32 in_vain(struct bcos_batch *batch)
{
	if (batch->misses < IN_VAIN)
		batch->misses++;
	batch->skip = 1u << batch->misses;
	return 0;
}

void bcos_batch_applied(struct bcos_batch *batch, u32 applied, u32 sorted)
{
	if (applied < sorted / 2 || (batch->cut && applied < LEAST))
		in_vain(batch);
	else
		batch->misses = 0;
}

u32 bcos_batch_sort(struct bcos_merge *merge, u64 horizon, u32 limit)
{
	struct bcos_batch *batch = &merge->batch;
	struct bcos_batch_room *room = batch->room;
	struct window window;
	u32 n;

	if (!room || limit < LEAST || !is_worth_it(merge))
		return 0;
	if (batch->skip) {
		batch->skip--;
		return 0;
	}
	for (;;) {
		if (!begin_window(merge, &window, horizon))
			return 0;
		n = take_all(merge, &window);
		if (n <= BCOS_BATCH_ITEMS)
			break;
		if (batch->window == WINDOW_LEAST)
			return in_vain(batch);
		set_window(batch, window.span / 2);
	}
	if (window.until <= window.from)
		return in_vain(batch);
	if (window.most > n / 2) {
		next_window(batch, &window, n);
		return in_vain(batch);
	}
	distribute(room->item, room->spare, n, room->count[0], window.shift);
	distribute(room->spare, room->item, n, room->count[1], window.shift + DIGIT_BITS);
	if (!put_right(room->item, n)) {
		set_window(batch, batch->window / 4);
		return in_vain(batch);
	}
	batch->from = window.from;
	batch->end = (window.until - window.from) << BCOS_TIME_SHIFT;
	batch->precision = window.line.precision;
	batch->cut = window.until < horizon && window.until - window.from < window.span;
	next_window(batch, &window, n);
	return n;
}
