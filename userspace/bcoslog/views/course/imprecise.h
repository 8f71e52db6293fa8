/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Entries whose time is known so poorly that they may belong to another stretch of a course: each has happened at some
 * moment from its time to its time plus its precision, which is marked.
 */
#ifndef BCOSLOG_VIEWS_IMPRECISE_H
#define BCOSLOG_VIEWS_IMPRECISE_H

#include "core/host/user.h"

/* Notes an entry. They come in order of their times. */
void imprecise_note(u64 time, u32 precision);

/* Returns whether some entry whose precision exceeds @width may have happened from @begin to before @end. */
bool imprecise_in(u64 begin, u64 end, u64 width);

/* Calls @mark for each stretch in which that is so. */
void imprecise_each(u64 width, void (*mark)(u64 begin, u64 end, u32 precision));

#endif
