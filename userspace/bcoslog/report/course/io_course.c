// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Courses of the transfers of devices: see io_course.h. */
#include <stdlib.h>

#include "account/report.h"
#include "io_course.h"

#define SUMS 5
#define NO_ROW ((size_t)-1)

/* The course of a device, which is @user of the device in the account. It stays in over_time when the device ends. */
struct io_course {
	struct course course;
	u64 last;			/* the time of the newest transfer */
	size_t row;
};

static struct {
	struct io_course **of;
	size_t count;
	struct io_course sums[SUMS];
	bool failed;
} over_time = {
	.sums = { { .row = NO_ROW }, { .row = NO_ROW }, { .row = NO_ROW }, { .row = NO_ROW }, { .row = NO_ROW } } };

static struct io_course *course_of(const struct bcoslog_account_device *device)
{
	struct io_course **larger, *course = device->user;

	if (course)
		return course;
	larger = reallocarray(over_time.of, over_time.count + 1, sizeof(*larger));
	over_time.of = larger ? larger : over_time.of;
	course = larger ? calloc(1, sizeof(*course)) : NULL;
	if (!course) {
		over_time.failed = true;
		return NULL;
	}
	course->row = NO_ROW;
	over_time.of[over_time.count++] = course;
	bcoslog_account_set_device_user(device, course);
	return course;
}

void io_course_transfer(const struct bcoslog_account_device *device, u64 origin, u64 time, u32 bytes)
{
	struct course_amount amount = { .part = bytes };
	struct io_course *course = course_of(device);

	if (!course)
		return;
	course_add(&course->course, origin, time, time, amount);
	course->last = time;
}

/* Adds a course to that of a sum. The latter's buckets are as wide or wider, so each bucket lies in one of these. */
static void add_to_sum(unsigned int sum, const struct io_course *of, u64 origin)
{
	const struct course *course = &of->course;
	struct course_amount amount = { 0 };
	u64 time;
	size_t i;

	course_add(&over_time.sums[sum].course, origin, of->last, of->last, amount);
	for (i = 0; i < COURSE_WIDTH; i++) {
		amount.part = course->part[i];
		time = (course->first + i) * course->width;
		if (amount.part > 0)
			course_add(&over_time.sums[sum].course, origin, time < origin ? origin : time,
				   time < origin ? origin : time, amount);
	}
}

void io_course_row(const struct bcoslog_account_device *device, u64 origin, size_t row)
{
	struct io_course *course = course_of(device);

	if (!course)
		return;
	course->row = row;
	if (device->stacked || !course->course.width)
		return;
	add_to_sum(device->id >> 30, course, origin);
	add_to_sum(SUMS - 1, course, origin);
}

void io_course_sum(unsigned int sum, size_t row)
{
	over_time.sums[sum].row = row;
}

static void fill_course(struct table_rows *table, struct io_course *of, u64 begin, u64 end,
			io_course_lost *lost, const void *context)
{
	struct course *course = &of->course;
	struct cell *cell;
	float *values;
	u64 from, to;
	size_t i;

	if (of->row == NO_ROW || of->row >= table->rows)
		return;
	cell = &table->cells[(of->row + 1) * table->width - 1];
	values = calloc(COURSE_WIDTH, sizeof(*values));
	table->failed |= !values;
	if (!values)
		return;
	course_reach(course, begin, end);
	for (i = 0; i < COURSE_WIDTH; i++) {
		from = (course->first + i) * course->width;
		to = from + course->width;
		if (from < end && lost(context, from < begin ? begin : from, to > end ? end : to))
			course->unknown[i] = 1;
	}
	*cell = course_rate_cell(course, begin, end, values);
}

void io_course_fill_devices(struct table_rows *table, u64 begin, u64 end, io_course_lost *lost, const void *context)
{
	size_t i;

	for (i = 0; i < over_time.count; i++)
		fill_course(table, over_time.of[i], begin, end, lost, context);
	table->failed |= over_time.failed;
}

void io_course_fill_sums(struct table_rows *table, u64 begin, u64 end, io_course_lost *lost, const void *context)
{
	size_t i;

	for (i = 0; i < SUMS; i++)
		fill_course(table, &over_time.sums[i], begin, end, lost, context);
}

void io_course_free(void)
{
	while (over_time.count)
		free(over_time.of[--over_time.count]);
	free(over_time.of);
	over_time.of = NULL;
}
