/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* bcoslog top as a screen that shows the last interval. */
#ifndef BCOSLOG_TOP_SCREEN_H
#define BCOSLOG_TOP_SCREEN_H

#include "report/report.h"
#include "top_draw.h"

/* @screen of struct report: shows the screen until the user leaves it.  Return: the exit status. */
int top_screen(struct report *report, struct run *run);

#endif
