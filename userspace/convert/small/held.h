/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Events that wait in memory until the log has stated what every event of a journal has. */
#ifndef JOURNALD_HELD_H
#define JOURNALD_HELD_H

#include "core/format/entry.h"
#include "core/host/user.h"

/**
 * struct held - events that wait
 * @bytes: for each of them its size and that of its subject's name, its entry, and the name
 * @used: count of bytes
 * @room: size of @bytes
 */
struct held {
	u8 *bytes;
	size_t used, room;
};

/* Adds an event with the name of its subject, which may be NULL. Returns 0 or -ENOMEM. */
int held_add(struct held *held, const struct bcos_entry *entry, const char *name, size_t length);
/* Returns whether so much waits that no more should. */
bool held_is_full(const struct held *held);
/* Passes on all events, with @name NULL if it was NULL, and forgets them. */
void held_release(struct held *held,
		  void (*take)(void *context, const struct bcos_entry *entry, const char *name, size_t length),
		  void *context);
void held_free(struct held *held);

#endif
