/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The names of threads that are no leaders, as the class state tells them. The name of a leader is that of its process.
 * A name holds for one thread of one life of a process, so whoever asks says when that process began.
 */
#ifndef BCOSLOG_THREAD_NAMES_H
#define BCOSLOG_THREAD_NAMES_H

#include "core/format/entry.h"
#include "table.h"

struct thread_name {
	struct node node;	/* its ID is that of the thread */
	u32 process;
	u32 length;
	u64 told;		/* when the log gave the name last */
	char text[BCOS_NAME_MAX];
};

/**
 * thread_name_apply() - take the name that an entry gives a thread
 * @names: a table of threads
 * @memory: bytes of all items, for item_add()
 * @entry: any well-formed entry
 *
 * Return: 0, also for other entries; -ENOMEM as item_add().
 */
int thread_name_apply(struct table *names, u64 *memory, const struct bcos_entry *entry);

/* Return: the name of a thread of a process that began at @start; NULL if the log has told none. */
const struct thread_name *thread_name_find(const struct table *names, u32 process, u64 start, u32 thread);

/* Forget the name of a thread of a process, which has ended. */
void thread_name_ended(struct table *names, u64 *memory, u32 process, u32 thread);

/* Forget all names. */
void thread_names_forget(struct table *names, u64 *memory);

struct bcoslog_state;

/*
 * Return: the name of a thread at the present place of the log, and its @length; that of the process for its leader;
 * NULL if the log has told none.
 */
const char *state_thread_name(const struct bcoslog_state *state, u32 process, u32 thread, size_t *length);

#endif
