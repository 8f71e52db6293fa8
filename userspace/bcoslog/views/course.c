// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Shares over time: buckets of absolute time, which double in width until all of the log fits. */
#include "report.h"

#define WIDTH_MIN 1024

/* Two buckets each become one.  An odd first one begins in the middle of its new one. */
static void widen(struct course *course)
{
	struct course old = *course;
	u64 first = old.first / 2, to, i;

	memset(course->part, 0, sizeof(course->part));
	memset(course->whole, 0, sizeof(course->whole));
	memset(course->unknown, 0, sizeof(course->unknown));
	course->width = old.width * 2;
	course->first = first;
	for (i = 0; i < COURSE_WIDTH; i++) {
		to = (old.first + i) / 2 - first;
		course->part[to] += old.part[i];
		course->whole[to] += old.whole[i];
		course->unknown[to] += old.unknown[i];
	}
}

void course_add(struct course *course, u64 origin, u64 begin, u64 end, enum course_is is)
{
	u64 bucket, until;

	if (begin >= end || begin < origin)
		return;
	if (!course->width) {
		course->width = WIDTH_MIN;
		course->first = origin / WIDTH_MIN;
	}
	while ((end - 1) / course->width - course->first >= COURSE_WIDTH)
		widen(course);
	while (begin < end) {
		bucket = begin / course->width;
		/* The end of the last bucket of all is beyond 64 bits. */
		until = course->width - begin % course->width;
		until = until < end - begin ? begin + until : end;
		course->whole[bucket - course->first] += until - begin;
		if (is == COURSE_PART)
			course->part[bucket - course->first] += until - begin;
		else if (is == COURSE_UNKNOWN)
			course->unknown[bucket - course->first] += until - begin;
		begin = until;
	}
}

struct cell course_cell(const struct course *course, float *values)
{
	struct cell cell = { .course = values };
	size_t i;

	for (i = 0; i < COURSE_WIDTH; i++) {
		if (!course->whole[i])
			values[i] = 0;
		else if (course->unknown[i] == course->whole[i])
			values[i] = -1;
		else
			values[i] = (float)course->part[i] / (float)(course->whole[i] - course->unknown[i]);
		if (course->whole[i])
			cell.number = i + 1;
	}
	return cell;
}
