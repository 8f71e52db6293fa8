/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* bcoslog io as a drawing. */
#ifndef BCOSLOG_SVG_IO_H
#define BCOSLOG_SVG_IO_H

#include "chart.h"

void svg_io_width(u64 width);
/* A device that was asked for transferred something.  @origin: of the window. */
void svg_io_transfer(const struct bcoslog_account_device *device, u64 origin, bool out, u64 time, u32 bytes);
/* At the end.  Return: 0 or a negative errno after a complaint. */
void svg_io_interrupt(const struct bcoslog_account_device *device, u64 origin, u64 time);
void svg_io_fault(const struct bcoslog_account_device *device, u64 origin, u64 time);
int svg_io_draw(const struct report *report);

#endif
