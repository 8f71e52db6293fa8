// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The wall clock throughout a log: see clock.h. */
#include <errno.h>
#include <stdlib.h>

#include "state.h"
#include "clock.h"

struct bcoslog_clock {
	struct bcoslog_wall *readings;	/* in the order of time; each is another clock than the one before it */
	size_t count, room;
	size_t *steps, step_room;	/* indexes of the readings before which somebody set the clock */
	size_t step_count;
};

struct bcoslog_clock *bcoslog_clock_new(void)
{
	return calloc(1, sizeof(struct bcoslog_clock));
}

void bcoslog_clock_free(struct bcoslog_clock *clock)
{
	if (!clock)
		return;
	free(clock->readings);
	free(clock->steps);
	free(clock);
}

/* Return: by how much the two readings differ beyond their precisions, in ns. */
static u64 difference_between(const struct bcoslog_wall *before, const struct bcoslog_wall *after)
{
	u64 expected = bcoslog_wall_time(before, after->boot);
	u64 distance = expected > after->utc ? expected - after->utc : after->utc - expected;
	u64 precision = (u64)before->precision + after->precision;

	return distance > precision ? distance - precision : 0;
}

/* Make room for one more step.  Return: 0 or -ENOMEM. */
static int reserve_step(struct bcoslog_clock *clock)
{
	size_t room = 2 * clock->step_room + 4, *larger;

	if (clock->step_count < clock->step_room)
		return 0;
	larger = reallocarray(clock->steps, room, sizeof(*larger));
	if (!larger)
		return -ENOMEM;
	clock->steps = larger;
	clock->step_room = room;
	return 0;
}

static int reserve_reading(struct bcoslog_clock *clock)
{
	size_t room = 2 * clock->room + 4;
	struct bcoslog_wall *larger;

	if (clock->count < clock->room)
		return 0;
	larger = reallocarray(clock->readings, room, sizeof(*larger));
	if (!larger)
		return -ENOMEM;
	clock->readings = larger;
	clock->room = room;
	return 0;
}

/* Forget the readings after @time. */
static void forget_later(struct bcoslog_clock *clock, u64 time)
{
	while (clock->count && clock->readings[clock->count - 1].boot > time)
		clock->count--;
	while (clock->step_count && clock->steps[clock->step_count - 1] >= clock->count)
		clock->step_count--;
}

int bcoslog_clock_add(struct bcoslog_clock *clock, const struct bcoslog_wall *wall)
{
	const struct bcoslog_wall *known = bcoslog_clock_at(clock, wall->boot);
	bool older = clock->count && wall->boot < clock->readings[clock->count - 1].boot;
	u64 difference = known ? difference_between(known, wall) : 0;

	if (known && !difference && (older || known->precision <= wall->precision))
		return 0;
	/* Times went back: another log follows. */
	if (older) {
		forget_later(clock, wall->boot);
		difference = 0;
	}
	if (reserve_reading(clock) || reserve_step(clock))
		return -ENOMEM;
	if (difference > BCOSLOG_CLOCK_STEP)
		clock->steps[clock->step_count++] = clock->count;
	clock->readings[clock->count++] = *wall;
	return 0;
}

int bcoslog_clock_learn(struct bcoslog_clock *clock, const struct bcos_entry *entry)
{
	struct bcoslog_wall wall;
	int r;

	if (!bcoslog_wall_clock(entry, &wall))
		return 0;
	r = bcoslog_clock_add(clock, &wall);
	return r ? r : 1;
}

const struct bcoslog_wall *bcoslog_clock_at(const struct bcoslog_clock *clock, __u64 time)
{
	size_t low = 0, high = clock->count, middle;

	/* Most times are those of the end of the log as it was read so far. */
	if (clock->count && clock->readings[clock->count - 1].boot <= time)
		return clock->readings + clock->count - 1;
	/* The reading before @high is not later than @time, unless @high is 0. */
	while (low < high) {
		middle = low + (high - low) / 2;
		if (clock->readings[middle].boot <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return clock->count ? clock->readings + (high ? high - 1 : 0) : NULL;
}

__u64 bcoslog_clock_wall(const struct bcoslog_clock *clock, __u64 time)
{
	const struct bcoslog_wall *wall = bcoslog_clock_at(clock, time);

	return wall ? bcoslog_wall_time(wall, time) : 0;
}

/* A search for a time in the stretches of a clock, each of which has one reading. */
struct search {
	u64 utc;
	struct bcoslog_moments exact;
	u64 later, earlier;		/* the first time that shows a later time, the last one that shows an earlier one */
	bool has_later, has_earlier;
};

/* Search the stretch from @begin to @end, of which the wall clock is @wall. */
static void search_stretch(struct search *search, const struct bcoslog_wall *wall, u64 begin, u64 end)
{
	u64 from = bcoslog_wall_time(wall, begin), to = bcoslog_wall_time(wall, end), time;

	if (from <= search->utc && search->utc <= to) {
		time = begin + (search->utc - from);
		if (!search->exact.count)
			search->exact.first = time;
		/* A correction of the clock does not make two times of one. */
		if (!search->exact.count || time - search->exact.last > BCOSLOG_CLOCK_STEP)
			search->exact.count++;
		search->exact.last = time;
	}
	if (to > search->utc && !search->has_later) {
		search->has_later = true;
		search->later = from >= search->utc ? begin : begin + (search->utc - from);
	}
	if (from < search->utc) {
		search->has_earlier = true;
		search->earlier = to <= search->utc ? end : begin + (search->utc - from);
	}
}

static u64 sum_or_most(u64 time, u64 span)
{
	return span > ~0ull - time ? ~0ull : time + span;
}

__u64 bcoslog_clock_find(const struct bcoslog_clock *clock, __u64 utc, __u64 begin, __u64 end,
			 struct bcoslog_moments *moments)
{
	u64 first = bcoslog_clock_wall(clock, begin), last = bcoslog_clock_wall(clock, end), from, to;
	struct search search = { .utc = utc };
	size_t i;

	for (i = 0; i < clock->count; i++) {
		from = i ? clock->readings[i].boot : 0;
		to = i + 1 < clock->count ? clock->readings[i + 1].boot : ~0ull;
		/* The last one of several readings at one time holds. */
		if (i + 1 < clock->count && from == to--)
			continue;
		if (to >= begin && from <= end)
			search_stretch(&search, clock->readings + i, from > begin ? from : begin, to < end ? to : end);
	}
	*moments = search.exact;
	if (moments->count || !clock->count)
		return moments->count;
	if (!search.has_later)
		moments->first = sum_or_most(end, utc - last);
	else if (search.later > begin)
		moments->first = search.later;
	else
		moments->first = first - utc > begin ? 0 : begin - (first - utc);
	if (!search.has_earlier)
		moments->last = first - utc > begin ? 0 : begin - (first - utc);
	else if (search.earlier < end)
		moments->last = search.earlier;
	else
		moments->last = sum_or_most(end, utc - last);
	return 0;
}

bool bcoslog_clock_step(const struct bcoslog_clock *clock, __u64 index, struct bcoslog_clock_step *step)
{
	const struct bcoslog_wall *wall;

	if (index >= clock->step_count)
		return false;
	wall = clock->readings + clock->steps[index];
	step->time = wall->boot;
	step->from = bcoslog_wall_time(wall - 1, wall->boot);
	step->to = wall->utc;
	return true;
}
