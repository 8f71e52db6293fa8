/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Draws the report of bcoslog io. */
#ifndef BCOSLOG_SVG_IO_H
#define BCOSLOG_SVG_IO_H

#include "chart.h"

/* Sets the width of buckets in ns. Without this call they are so wide that the whole log fits. */
void svg_io_width(u64 width);
/* These add a transfer, an interrupt and a failure of a device. @origin is the begin of the window. */
void svg_io_transfer(const struct bcoslog_account_device *device, u64 origin, bool out, u64 time, u32 bytes);
void svg_io_interrupt(const struct bcoslog_account_device *device, u64 origin, u64 time);
void svg_io_fault(const struct bcoslog_account_device *device, u64 origin, u64 time);
/* Takes the row of a device out. */
void svg_io_drop(const struct bcoslog_account_device *device);
/* Draws the report at the end of the log.  Return: 0, or a negative errno after a complaint. */
int svg_io_draw(struct report *report);

#endif
