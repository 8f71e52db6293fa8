/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* bcoslog top on a terminal: what happens now, over the whole screen. */
#ifndef BCOSLOG_TOP_SCREEN_H
#define BCOSLOG_TOP_SCREEN_H

#include "views/report.h"

/* How long an interval is, ns: at least 100 ms. */
extern u64 top_every;
#define TOP_EVERY_MIN 100000000ull

/* As struct report has it. */
int top_screen(struct report *report, struct run *run);

#endif
