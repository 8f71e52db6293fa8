/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The transfers of devices over time, which are the last column of bcoslog io. */
#ifndef BCOSLOG_VIEWS_IO_COURSE_H
#define BCOSLOG_VIEWS_IO_COURSE_H

#include "bcoslog_account.h"
#include "views/course/course.h"

/* Counts a transfer for its device and, if that is not stacked, in the sums. @origin: as course_add() has it. */
void io_course_transfer(const struct bcoslog_account_device *device, u64 origin, u64 time, u32 bytes);

/* Notes that row @row of the table is of this device, before the account forgets it. */
void io_course_row(const struct bcoslog_account_device *device, size_t row);

/* Notes that row @row is a sum: of a class, or of all devices, whose number is 4. */
void io_course_sum(unsigned int sum, size_t row);

/*
 * Fills the last column of these rows of @table for the time from @begin to @end. @lost: may a transfer of this time be
 * lost?  Frees the counts of the devices.
 */
void io_course_fill_devices(struct table_rows *table, u64 begin, u64 end, bool (*lost)(u64 begin, u64 end));
void io_course_fill_sums(struct table_rows *table, u64 begin, u64 end, bool (*lost)(u64 begin, u64 end));

#endif
