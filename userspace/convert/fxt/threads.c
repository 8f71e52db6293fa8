// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The threads of an export: see fxt.h. */
#include <stdlib.h>

#include "fxt.h"

#define BITS_MIN 10

int fxt_threads_init(struct fxt_threads *threads)
{
	memset(threads, 0, sizeof(*threads));
	threads->bits = BITS_MIN;
	threads->buckets = calloc((size_t)1 << BITS_MIN, sizeof(*threads->buckets));
	return threads->buckets ? 0 : -ENOMEM;
}

static size_t bucket_of(const struct fxt_threads *threads, u32 pid, u64 cpu)
{
	return ((u64)pid * 0x9E3779B97F4A7C15ull ^ cpu * 0xC2B2AE3D27D4EB4Full) >> (64 - threads->bits);
}

struct fxt_thread *fxt_thread_find(const struct fxt_threads *threads, u32 pid, u64 cpu)
{
	struct fxt_thread *thread = threads->buckets[bucket_of(threads, pid, cpu)];

	while (thread && (thread->pid != pid || thread->cpu != cpu))
		thread = thread->next;
	return thread;
}

static void grow_threads(struct fxt_threads *threads)
{
	size_t i, old = (size_t)1 << threads->bits;
	struct fxt_thread **buckets = threads->buckets, **to, *thread, *next;

	threads->buckets = calloc(2 * old, sizeof(*buckets));
	if (!threads->buckets) {
		threads->buckets = buckets;
		return;
	}
	threads->bits++;
	for (i = 0; i < old; i++) {
		for (thread = buckets[i]; thread; thread = next) {
			next = thread->next;
			to = &threads->buckets[bucket_of(threads, thread->pid, thread->cpu)];
			thread->next = *to;
			*to = thread;
		}
	}
	free(buckets);
}

struct fxt_thread *fxt_thread_add(struct fxt_threads *threads, u32 pid, u64 cpu)
{
	struct fxt_thread *thread = calloc(1, sizeof(*thread)), **bucket;

	if (!thread)
		return NULL;
	if (threads->count >= 1ull << (threads->bits - 1))
		grow_threads(threads);
	thread->pid = pid;
	thread->cpu = cpu;
	bucket = &threads->buckets[bucket_of(threads, pid, cpu)];
	thread->next = *bucket;
	*bucket = thread;
	threads->count++;
	return thread;
}

void fxt_thread_join(struct fxt_thread *process, struct fxt_thread *thread)
{
	thread->process = process;
	thread->renames = process->renames;
	thread->sibling = process->sibling;
	thread->link = &process->sibling;
	if (thread->sibling)
		thread->sibling->link = &thread->sibling;
	process->sibling = thread;
}

void fxt_threads_stale(struct fxt_threads *threads, void (*take)(void *context, struct fxt_thread *thread), void *context)
{
	struct fxt_thread *thread;
	size_t i;

	for (i = 0; i < (size_t)1 << threads->bits; i++)
		for (thread = threads->buckets[i]; thread; thread = thread->next)
			if (fxt_thread_is_stale(thread))
				take(context, thread);
}

int fxt_thread_rename(struct fxt_thread *thread, const char *name, size_t length)
{
	char *copy = malloc(length + 1);

	if (!copy)
		return -ENOMEM;
	memcpy(copy, name, length);
	free(thread->name);
	thread->name = copy;
	thread->length = length;
	return 0;
}

static void drop_thread(struct fxt_threads *threads, struct fxt_thread *thread)
{
	struct fxt_thread **link = &threads->buckets[bucket_of(threads, thread->pid, thread->cpu)];

	while (*link != thread)
		link = &(*link)->next;
	*link = thread->next;
	threads->count--;
	if (thread->slot)
		threads->slots[thread->slot] = NULL;
	free(thread->name);
	free(thread);
}

void fxt_thread_remove(struct fxt_threads *threads, struct fxt_thread *thread)
{
	struct fxt_thread *next, *sibling = thread->process ? NULL : thread->sibling;

	if (thread->process) {
		*thread->link = thread->sibling;
		if (thread->sibling)
			thread->sibling->link = thread->link;
	}
	drop_thread(threads, thread);
	for (; sibling; sibling = next) {
		next = sibling->sibling;
		drop_thread(threads, sibling);
	}
}

void fxt_threads_clear(struct fxt_threads *threads)
{
	struct fxt_thread *thread, *next, **small;
	size_t i;

	for (i = 0; i < (size_t)1 << threads->bits; i++) {
		for (thread = threads->buckets[i]; thread; thread = next) {
			next = thread->next;
			free(thread->name);
			free(thread);
		}
		threads->buckets[i] = NULL;
	}
	threads->count = 0;
	/* The next calls would clear many empty buckets again. */
	small = threads->bits > BITS_MIN ? realloc(threads->buckets, sizeof(*small) << BITS_MIN) : NULL;
	if (small) {
		threads->buckets = small;
		threads->bits = BITS_MIN;
	}
	memset(threads->slots, 0, sizeof(threads->slots));
}

void fxt_threads_free(struct fxt_threads *threads)
{
	if (!threads->buckets)
		return;
	fxt_threads_clear(threads);
	free(threads->buckets);
	threads->buckets = NULL;
}
