/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The entries of a log that goes on in another ring. */
#ifndef BCOSLOG_OLD_ENTRIES_H
#define BCOSLOG_OLD_ENTRIES_H

#include "core/image/image.h"
#include "core/ring/ring.h"

#include "bcoslog_state.h"

/**
 * old_entries_take() - put the entries of a log into a ring of the same size, at the same offsets
 * @ring: initialised, and not yet written to
 * @image: the log
 * @state: a new state; receives the state after the newest entry
 * @time: receives the time of the newest normal entry, ns since boot
 *
 * Return: 0; -EBADMSG if an entry is damaged; -ENOMEM.
 */
int old_entries_take(struct bcos_ring *ring, const struct bcos_image *image, struct bcoslog_state *state, u64 *time);

#endif
