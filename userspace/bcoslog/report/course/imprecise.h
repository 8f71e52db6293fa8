/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Remembers entries whose precision may exceed the width of buckets, so that these are marked as imprecise. An entry
 * happened at some moment from its time to its time plus its precision.
 */
#ifndef BCOSLOG_COURSE_IMPRECISE_H
#define BCOSLOG_COURSE_IMPRECISE_H

#include "core/host/user.h"

/* Notes an entry. Call this in the order of time. */
void imprecise_note(u64 time, u32 precision);

/* Return: whether an entry whose precision exceeds @width ns may have happened from @begin to before @end. */
bool imprecise_in(u64 begin, u64 end, u64 width);

/* Calls @mark for each stretch in which such an entry may have happened. */
void imprecise_each(u64 width, void (*mark)(u64 begin, u64 end, u32 precision));

#endif
