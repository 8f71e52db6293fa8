/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The model's threads that have a name of their own: those that are no leader, while the class
 * state is on. The name of a leader is that of its process. A thread may outlive its process here,
 * so whoever finds one asks bcos_model_process_of_thread().
 */
#ifndef BCOS_CORE_MODEL_THREAD_H
#define BCOS_CORE_MODEL_THREAD_H

#include "model.h"

struct bcos_thread {
	struct bcos_item item;		/* must be first; its key is the thread's ID */
	struct bcos_thread *older, *newer;
	u64 stated;			/* as in struct bcos_process */
	u64 named;			/* time of the newest name, ns since boot */
	u32 process;
	u32 tag;			/* of the process */
	u32 walk;			/* number of the walk that saw it last */
	u8 name_length;
	char name[BCOS_NAME_MAX];
};

/* Returns the thread with this ID, or NULL. */
static inline struct bcos_thread *bcos_model_thread(const struct bcos_model *model, u32 id)
{
	if (!model->threads.index.bucket)
		return NULL;
	return (struct bcos_thread *)bcos_index_find(&model->threads.index, id);
}

static inline u32 bcos_thread_id(const struct bcos_thread *thread)
{
	return (u32)thread->item.key;
}

/* Returns the process of the thread, or NULL if it is gone, and the thread with it. */
static inline struct bcos_process *bcos_model_process_of_thread(const struct bcos_model *model,
								const struct bcos_thread *thread)
{
	struct bcos_process *process = bcos_model_process(model, thread->process);

	return process && process->tag == thread->tag ? process : NULL;
}

/*
 * Adds a thread of @process, in place of an earlier one with this ID. Returns NULL if there is no
 * memory; then the earlier one is gone, too.
 */
struct bcos_thread *bcos_model_add_thread(struct bcos_model *model, u32 id,
					  const struct bcos_process *process);

/* Names a thread after @comm, which has BCOS_RAW_NAME bytes. Returns true if the name changes. */
bool bcos_model_name_thread(struct bcos_thread *thread, const char *comm);

void bcos_model_remove_thread(struct bcos_model *model, struct bcos_thread *thread);

/* Removes all threads, and frees their memory. */
void bcos_model_forget_threads(struct bcos_model *model);

#endif
