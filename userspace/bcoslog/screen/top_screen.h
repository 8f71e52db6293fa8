/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* bcoslog top on a terminal: what happens now, over the whole screen. */
#ifndef BCOSLOG_TOP_SCREEN_H
#define BCOSLOG_TOP_SCREEN_H

#include "views/report.h"
#include "top_draw.h"

/* As struct report has it. */
int top_screen(struct report *report, struct run *run);

#endif
