/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The group of historical entries with which a log, or a part of one, begins. */
#ifndef BCOSLOG_STATE_GROUP_H
#define BCOSLOG_STATE_GROUP_H

#include "bcoslog_state.h"

/**
 * bcoslog_state_group() - create a complete group of historical entries
 * @state: the state that the group describes
 * @put: called for each entry: first the cores, then CPUs, processes, devices and assignments; it returns 0, or
 *	another value to stop
 * @context: first argument of @put
 *
 * A log that begins with this group explains itself.  The group does not include statements.
 *
 * Return: 0, or the value with which @put stopped.
 */
int bcoslog_state_group(const struct bcoslog_state *state, int (*put)(void *context, const struct bcos_entry *entry),
			void *context);

#endif
