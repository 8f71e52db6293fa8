/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * For which time a log has the events of a class: it states its classes where they change, and with each group if they are
 * not the default ones.
 */
#ifndef BCOSLOG_REQUESTS_RECORDED_H
#define BCOSLOG_REQUESTS_RECORDED_H

#include "report/report.h"

/**
 * struct recorded - what the log told so far of a class; zeros at first, but for the class
 * @class: BCOS_CLASS_*
 * @off: the class is off since @since, in ns since boot
 * @until: it was off until then; 0 if it never was
 * @told: a class mask was stated
 * @grouped: the last entries were historical ones and statements, among which a log states its mask
 */
struct recorded {
	u32 class;
	bool off, told, grouped;
	u64 since, until;
};

/* Takes the next entry of the log, in the window of the report or not. */
void recorded_entry(struct recorded *recorded, const struct report *report, const struct bcos_entry *entry);
/* Return: whether the class was off for some of the time from @begin, in ns since boot, to the end of the window. */
bool recorded_lacks(const struct recorded *recorded, u64 begin);

#endif
