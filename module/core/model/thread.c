// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Adds, names and removes threads in the model: see thread.h. */
#include "name.h"
#include "thread.h"

struct bcos_thread *bcos_model_add_thread(struct bcos_model *model, u32 id,
					  const struct bcos_process *process)
{
	struct bcos_threads *all = &model->threads;
	struct bcos_thread *thread = bcos_model_thread(model, id);

	if (thread)
		bcos_model_remove_thread(model, thread);
	if (!all->index.bucket && bcos_index_init(&all->index, &model->heap))
		return NULL;
	thread = bcos_heap_alloc(&model->heap, sizeof(*thread));
	if (!thread)
		return NULL;
	thread->item.key = id;
	thread->process = process->id;
	thread->tag = process->tag;
	bcos_index_add(&all->index, &model->heap, &thread->item);
	thread->older = all->newest;
	*(all->newest ? &all->newest->newer : &all->oldest) = thread;
	all->newest = thread;
	return thread;
}

bool bcos_model_name_thread(struct bcos_thread *thread, const char *comm)
{
	char name[BCOS_NAME_MAX];
	u8 length = bcos_name_of_comm(name, comm);

	if (length == thread->name_length && !memcmp(name, thread->name, length))
		return false;
	memcpy(thread->name, name, length);
	thread->name_length = length;
	return true;
}

void bcos_model_remove_thread(struct bcos_model *model, struct bcos_thread *thread)
{
	struct bcos_threads *all = &model->threads;

	*(thread->older ? &thread->older->newer : &all->oldest) = thread->newer;
	*(thread->newer ? &thread->newer->older : &all->newest) = thread->older;
	bcos_index_remove(&all->index, &thread->item);
	bcos_heap_free(&model->heap, thread, sizeof(*thread));
}

void bcos_model_forget_threads(struct bcos_model *model)
{
	while (model->threads.oldest)
		bcos_model_remove_thread(model, model->threads.oldest);
	if (model->threads.index.bucket)
		bcos_index_destroy(&model->threads.index, &model->heap);
	memset(&model->threads, 0, sizeof(model->threads));
}
