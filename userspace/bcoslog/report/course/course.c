// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Courses, which are amounts over time: see course.h. */
#include <stdlib.h>

#include "course.h"
#include "imprecise.h"

#define WIDTH_MIN 1024

/* Joins each two buckets to one. A first bucket of odd number becomes the second half of its new one. */
static void widen_course(struct course *course)
{
	struct course old = *course;
	u64 first = old.first / 2, to, i;

	memset(course, 0, sizeof(*course));
	course->width = old.width * 2;
	course->first = first;
	for (i = 0; i < COURSE_WIDTH; i++) {
		to = (old.first + i) / 2 - first;
		course->part[to] += old.part[i];
		course->whole[to] += old.whole[i];
		course->unknown[to] += old.unknown[i];
	}
}

void course_reach(struct course *course, u64 origin, u64 end)
{
	u64 last = end > origin ? end - 1 : origin;

	if (!course->width) {
		course->width = WIDTH_MIN;
		course->first = origin / WIDTH_MIN;
	}
	while (last / course->width - course->first >= COURSE_WIDTH)
		widen_course(course);
}

void course_add(struct course *course, u64 origin, u64 begin, u64 end, struct course_amount amount)
{
	u64 bucket, until, from = begin;
	double share;

	if (begin > end || begin < origin)
		return;
	course_reach(course, origin, end > begin || end == UINT64_MAX ? end : end + 1);
	do {
		bucket = from / course->width - course->first;
		/* The rest of the bucket is computed, since the end of the last possible bucket exceeds 64 bits. */
		until = course->width - from % course->width;
		until = until < end - from ? from + until : end;
		share = end > begin ? (double)(until - from) / (double)(end - begin) : 1;
		course->part[bucket] += amount.part * share;
		course->whole[bucket] += amount.whole * share;
		course->unknown[bucket] += amount.unknown * share;
		from = until;
	} while (from < end);
}

/* Marks the imprecise values of a cell. COURSE_WIDTH is the number of bits of @imprecise. */
static void mark_imprecise(const struct course *course, u64 begin, struct cell *cell)
{
	u64 from, until;
	size_t i;

	for (i = 0; i < cell->number; i++) {
		from = (course->first + i) * course->width;
		until = from > UINT64_MAX - course->width ? UINT64_MAX : from + course->width;
		if (imprecise_in(from < begin ? begin : from, until, course->width))
			cell->imprecise |= 1u << i;
	}
}

struct cell course_cell(struct course *course, u64 begin, u64 end, float *values)
{
	struct cell cell = { .course = values };
	size_t i;

	/* All rows of a table have the same scale, also those that cover only a part of the time. */
	course_reach(course, begin, end);
	for (i = 0; i < COURSE_WIDTH; i++) {
		if (course->whole[i] > 0)
			values[i] = (float)(course->part[i] / course->whole[i]);
		else
			values[i] = course->unknown[i] > 0 ? -1 : 0;
		if (course->whole[i] > 0 || course->unknown[i] > 0)
			cell.number = i + 1;
	}
	mark_imprecise(course, begin, &cell);
	return cell;
}

/* The edges of the time may cut its first and last bucket. Return: for how many ns from @begin to @end a bucket is there. */
static u64 bucket_span(const struct course *course, size_t bucket, u64 begin, u64 end)
{
	u64 from = (course->first + bucket) * course->width, last = end > begin ? end - 1 : begin, to;

	to = from > last || last - from < course->width ? end : from + course->width;
	from = from < begin ? begin : from;
	return to > from ? to - from : 0;
}

/*
 * Return: @part of a bucket in a unit of time. Of the neighbour of a bucket that the time cuts, so much counts with it as
 * makes a whole width: one transfer just before the end of a log is no peak.
 */
static double bucket_rate(const struct course *course, size_t bucket, size_t buckets, u64 begin, u64 end)
{
	u64 span = bucket_span(course, bucket, begin, end), there, more = 0;
	size_t neighbour = bucket ? bucket - 1 : 1;
	double part = course->part[bucket];

	if (span < course->width && neighbour < buckets) {
		there = bucket_span(course, neighbour, begin, end);
		more = course->width - span < there ? course->width - span : there;
		part += there ? course->part[neighbour] * (double)more / (double)there : 0;
	}
	return part / (double)(span + more ? span + more : 1);
}

struct cell course_rate_cell(struct course *course, u64 begin, u64 end, float *values)
{
	double rates[COURSE_WIDTH] = { 0 }, most = 0;
	struct cell cell = { .course = values };
	u64 last = end > begin ? end - 1 : begin;
	size_t i;

	course_reach(course, begin, end);
	cell.number = last / course->width - course->first + 1;
	/* An amount at the very end of the time may have a bucket of its own. */
	while (cell.number < COURSE_WIDTH && course->part[cell.number] > 0)
		cell.number++;
	for (i = 0; i < cell.number; i++) {
		rates[i] = bucket_rate(course, i, cell.number, begin, end);
		most = rates[i] > most ? rates[i] : most;
	}
	for (i = 0; i < cell.number; i++) {
		values[i] = rates[i] > 0 ? (float)(rates[i] / most) : 0;
		if (course->part[i] <= 0 && course->unknown[i] > 0)
			values[i] = -1;
	}
	mark_imprecise(course, begin, &cell);
	return cell;
}

struct course_of {
	struct node node;
	struct course course;
};

struct course *courses_of(struct courses *courses, u32 id)
{
	struct course_of *of = NULL;

	if (courses->of.buckets || !table_init(&courses->of)) {
		of = table_find(&courses->of, id);
		if (!of)
			of = item_add(&courses->of, &courses->memory, id, sizeof(*of));
	}
	courses->failed |= !of;
	return of ? &of->course : NULL;
}

void courses_free(struct courses *courses)
{
	if (courses->of.buckets)
		table_destroy(&courses->of, node_free);
	memset(courses, 0, sizeof(*courses));
}
