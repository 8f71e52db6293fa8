// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Explains the time of a thread. A wait that another thread ended is replaced by what that thread did meanwhile, and so
 * on: the end of the chain is to blame, and not the direct waker. Whoever wakes a thread ran just before, so each step
 * goes back in time. Each step covers exactly the time of the wait that it explains, so that the rows add up.
 */
#include <stdlib.h>

#include "why.h"

/* Return: the index of the first slice that ends after @time. */
static size_t slice_after(const struct why_thread *thread, u64 time)
{
	size_t low = 0, high = thread->count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (thread->slices[middle].end <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void blame(struct why *why, struct why_thread *thread, enum why_leaf leaf, u64 ns)
{
	if (!ns)
		return;
	if (thread == why->subject) {
		why->own[leaf] += ns;
		return;
	}
	why->chained += ns;
	thread->blamed[leaf] += ns;
	thread->is_blamed = true;
}

static enum why_leaf leaf_of_interrupt(enum bcoslog_woken_by kind)
{
	switch (kind) {
	case BCOSLOG_WOKEN_BY_TIMER:
		return LEAF_TIMER;
	case BCOSLOG_WOKEN_BY_BLOCK:
		return LEAF_BLOCK;
	case BCOSLOG_WOKEN_BY_NET:
		return LEAF_NET;
	case BCOSLOG_WOKEN_BY_LINE:
		return LEAF_DEVICE;
	default:
		return LEAF_INTERRUPT;
	}
}

static enum why_leaf leaf_of_wait(const struct why_slice *slice)
{
	if (slice->open)
		return LEAF_STILL;
	switch (slice->waker.by) {
	case BCOSLOG_WOKEN_BY_INTERRUPT:
		return leaf_of_interrupt(slice->kind);
	case BCOSLOG_WOKEN_BY_EITHER:
		return LEAF_EITHER;
	case BCOSLOG_WOKEN_BY_THREAD:
		if (slice->waker.process == BCOS_PROCESS_KERNEL)
			return LEAF_KERNEL_THREAD;
		/* Nobody wakes itself, so the log contradicts itself. */
		return slice->by ? LEAF_UNKNOWN : LEAF_UNSEEN;
	default:
		return LEAF_UNTOLD;
	}
}

static enum why_leaf leaf_of(const struct why_slice *slice)
{
	switch (slice->doing) {
	case WHY_RUNS:
		return LEAF_RUNS;
	case WHY_KERNEL:
		return LEAF_KERNEL;
	case WHY_READY:
		return LEAF_READY;
	case WHY_HELD:
		return LEAF_HELD;
	case WHY_BLOCKED:
		return leaf_of_wait(slice);
	case WHY_STOPPED:
		return LEAF_STOPPED;
	default:
		return LEAF_UNKNOWN;
	}
}

/* Explains the time of a thread from @begin to @end, which lies in a wait of the subject, or is all of its time. */
static void explain(struct why *why, struct why_thread *thread, u64 begin, u64 end, unsigned int depth)
{
	size_t i = slice_after(thread, begin);
	const struct why_slice *slice;
	u64 until;

	why->precision = thread->precision > why->precision ? thread->precision : why->precision;
	for (; i < thread->count && thread->slices[i].begin < end; i++) {
		slice = &thread->slices[i];
		until = slice->end < end ? slice->end : end;
		if (slice->begin > begin) {
			blame(why, thread, LEAF_UNKNOWN, slice->begin - begin);
			begin = slice->begin;
		}
		/* Whoever woke another thread at the end of this time was not blocked then: the log contradicts itself. */
		if (slice->doing == WHY_BLOCKED && slice->end > end) {
			blame(why, thread, LEAF_UNKNOWN, until - begin);
		} else if (slice->doing == WHY_BLOCKED && slice->by && slice->by != thread) {
			if (depth == WHY_DEPTH)
				blame(why, thread, LEAF_DEEP, until - begin);
			else
				explain(why, slice->by, begin, until, depth + 1);
		} else {
			blame(why, thread, leaf_of(slice), until - begin);
		}
		begin = until;
	}
	if (begin < end)
		blame(why, thread, LEAF_UNKNOWN, end - begin);
}

/* ---- who had the CPU instead -------------------------------------------------------- */

static size_t use_after(const struct why_cpu *cpu, u64 time)
{
	size_t low = 0, high = cpu->count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (cpu->uses[middle].end <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void count_use(struct why *why, const struct why_use *use, u64 ns)
{
	struct why_process *process = use->process;

	switch (use->use) {
	case BCOSLOG_USE_IDLE:
		why->idle += ns;
		return;
	case BCOSLOG_USE_KERNEL:
		why->by_kernel += ns;
		return;
	case BCOSLOG_USE_PROCESS:
		break;
	default:
		why->unseen += ns;
		return;
	}
	process->instead += ns;
}

/* Counts who had the CPU from @begin to @end while the subject was ready. */
static void count_instead(struct why *why, const struct why_slice *slice, u64 begin, u64 end)
{
	struct why_cpu *cpu = slice->has_cpu ? why_cpu(why, slice->cpu) : NULL;
	const struct why_use *use;
	u64 from, until;
	size_t i;

	for (i = cpu ? use_after(cpu, begin) : 0; cpu && i < cpu->count && cpu->uses[i].begin < end; i++) {
		use = &cpu->uses[i];
		from = use->begin > begin ? use->begin : begin;
		until = use->end < end ? use->end : end;
		why->unseen += from - begin;
		count_use(why, use, until - from);
		begin = until;
	}
	why->unseen += end - begin;
}

/* ---- the subject -------------------------------------------------------------------- */

static void note_longest(struct why *why, const struct why_slice *slice)
{
	struct why_slice *longest = why->longest;
	size_t at = WHY_LONGEST;

	while (at && slice->end - slice->begin > longest[at - 1].end - longest[at - 1].begin)
		at--;
	if (at == WHY_LONGEST)
		return;
	memmove(&longest[at + 1], &longest[at], (WHY_LONGEST - 1 - at) * sizeof(*longest));
	longest[at] = *slice;
}

static void note_slice(struct why *why, const struct why_slice *of)
{
	struct why_slice slice = *of;
	struct why_cpu *cpu;
	u64 span;

	slice.begin = slice.begin > why->since ? slice.begin : why->since;
	slice.end = slice.end < why->until ? slice.end : why->until;
	if (slice.begin >= slice.end)
		return;
	span = slice.end - slice.begin;
	cpu = slice.doing == WHY_RUNS ? why_cpu(why, slice.cpu) : NULL;
	if (cpu)
		cpu->ran += span;
	if (slice.doing == WHY_READY)
		count_instead(why, &slice, slice.begin, slice.end);
	why->waits += slice.doing == WHY_BLOCKED;
	if (slice.doing == WHY_BLOCKED && slice.where.hard)
		why->uninterruptible += span;
	if (slice.doing == WHY_BLOCKED && why_count_where(why, &slice.where, span))
		why->error = -ENOMEM;
	if (slice.doing == WHY_READY || slice.doing == WHY_HELD || slice.doing == WHY_BLOCKED)
		note_longest(why, &slice);
}

/* ---- the lists ---------------------------------------------------------------------- */

u64 why_blame(const struct why_thread *thread)
{
	u64 sum = 0;
	int leaf;

	for (leaf = 0; leaf < LEAVES; leaf++)
		sum += thread->blamed[leaf];
	return sum;
}

bool why_least(const struct why *why, enum why_leaf leaf)
{
	if (leaf == LEAF_UNKNOWN)
		return false;
	/* Any wait may be one of those of which the log does not tell the waker. */
	return why->own[LEAF_UNKNOWN] || (leaf >= LEAF_TIMER && leaf <= LEAF_UNSEEN && why->own[LEAF_UNTOLD]);
}

bool why_blame_open(const struct why_thread *thread)
{
	return thread->blamed[LEAF_UNKNOWN] || thread->blamed[LEAF_UNTOLD];
}

bool why_blame_least(const struct why *why)
{
	const struct why_thread *thread;

	for (thread = why->blamed; thread; thread = thread->next_blamed)
		if (why_blame_open(thread))
			return true;
	return why->own[LEAF_UNKNOWN] || why->own[LEAF_UNTOLD];
}

static int most_blamed_first(const void *left, const void *right)
{
	const struct why_thread *a = *(struct why_thread *const *)left, *b = *(struct why_thread *const *)right;
	u64 of_a = why_blame(a), of_b = why_blame(b);

	if (of_a != of_b)
		return of_a > of_b ? -1 : 1;
	return a->node.id < b->node.id ? -1 : a->node.id > b->node.id;
}

static int longest_first(const void *left, const void *right)
{
	const struct why_process *a = *(struct why_process *const *)left, *b = *(struct why_process *const *)right;

	if (a->instead != b->instead)
		return a->instead > b->instead ? -1 : 1;
	return a->serial < b->serial ? -1 : a->serial > b->serial;
}

static int lowest_first(const void *left, const void *right)
{
	const struct why_cpu *a = *(struct why_cpu *const *)left, *b = *(struct why_cpu *const *)right;

	return a->node.id < b->node.id ? -1 : a->node.id > b->node.id;
}

/* Makes the lists, the largest first. The arrays of all threads and processes are not needed in their order any more. */
static void sort_lists(struct why *why)
{
	size_t i;

	qsort(why->cpus, why->cpu_count, sizeof(*why->cpus), lowest_first);
	qsort(why->threads, why->count, sizeof(*why->threads), most_blamed_first);
	why->blamed = NULL;
	for (i = why->count; i; i--) {
		if (!why->threads[i - 1]->is_blamed)
			continue;
		why->threads[i - 1]->next_blamed = why->blamed;
		why->blamed = why->threads[i - 1];
	}
	qsort(why->processes, why->process_count, sizeof(*why->processes), longest_first);
	why->instead = NULL;
	for (i = why->process_count; i; i--) {
		if (!why->processes[i - 1]->instead)
			continue;
		why->processes[i - 1]->next_instead = why->instead;
		why->instead = why->processes[i - 1];
	}
}

/* ---- the answer ---------------------------------------------------------------------- */

void why_explain(struct why *why)
{
	size_t i;

	for (i = 0; i < why->subject->count; i++)
		note_slice(why, &why->subject->slices[i]);
	explain(why, why->subject, why->since, why->until, 0);
	if (quota_sum(why))
		why->error = -ENOMEM;
	sort_lists(why);
	why_sort_wheres(why);
}

u64 why_activity(const struct why *why, const struct why_thread *thread)
{
	u64 begin, end, sum = 0;
	size_t i;

	for (i = 0; i < thread->count; i++) {
		begin = thread->slices[i].begin > why->since ? thread->slices[i].begin : why->since;
		end = thread->slices[i].end < why->until ? thread->slices[i].end : why->until;
		if (begin < end && thread->slices[i].doing <= WHY_HELD)
			sum += end - begin;
	}
	return sum;
}
