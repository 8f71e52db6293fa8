/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The rows of CPUs and processes, as pixels. */
#ifndef EXPLORER_PAINT_H
#define EXPLORER_PAINT_H

#include "host_user.h"

enum row_kind { ROW_CPU, ROW_PROCESS };

/* As the page writes them. */
struct row {
	u32 kind;
	u32 number;		/* of the CPU or process */
	s32 top;		/* pixel */
	u32 height;
};

/* Colours as the canvas has them: red in the lowest byte, alpha in the highest. */
enum color { COLOR_BACK, COLOR_IDLE, COLOR_KERNEL, COLOR_UNKNOWN, COLOR_HATCH, COLOR_LIFE, COLOR_DIM, COLOR_FIRST };

#endif
