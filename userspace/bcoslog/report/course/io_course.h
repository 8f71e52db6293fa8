/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Courses of the transfers of devices, which are the last column of bcoslog io. */
#ifndef BCOSLOG_COURSE_IO_COURSE_H
#define BCOSLOG_COURSE_IO_COURSE_H

#include "bcoslog_account.h"
#include "course.h"

/* Counts a transfer for its device. @origin is that of course_add(). */
void io_course_transfer(const struct bcoslog_account_device *device, u64 origin, u64 time, u32 bytes);

/*
 * Notes that the row @row of the table is that of the device, before the account forgets the device, and counts its
 * transfers in the sums unless it is stacked.
 */
void io_course_row(const struct bcoslog_account_device *device, u64 origin, size_t row);

/* Notes that the row @row is that of a sum: 0 to 3 are the ranges of device IDs, and 4 is all devices. */
void io_course_sum(unsigned int sum, size_t row);

/* Return: true if a transfer of the time from @begin to @end may be lost. */
typedef bool io_course_lost(const void *context, u64 begin, u64 end);

/* Fill the last column of the rows of devices or sums, for the time from @begin to @end. @lost gets @context. */
void io_course_fill_devices(struct table_rows *table, u64 begin, u64 end, io_course_lost *lost, const void *context);
void io_course_fill_sums(struct table_rows *table, u64 begin, u64 end, io_course_lost *lost, const void *context);

/* Frees the courses of the devices. */
void io_course_free(void);

#endif
