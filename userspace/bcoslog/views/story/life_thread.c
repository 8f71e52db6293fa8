// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Collects the threads of a process: see life.h. */
#include <stdlib.h>

#include "life.h"
#include "account/report.h"

static void set_waker(struct life_waker *waker, const struct bcoslog_account *account, const struct bcoslog_waker *of)
{
	const struct bcoslog_account_process *process = NULL;
	struct recent_use use;
	const char *thread;

	*waker = (struct life_waker){ .waker = *of };
	if (of->by == BCOSLOG_WOKEN_BY_THREAD || of->by == BCOSLOG_WOKEN_BY_EITHER)
		process = bcoslog_account_process(account, of->process);
	if (!process || !process->name)
		return;
	thread = bcoslog_account_thread_name(account, process, of->thread, &waker->thread_length);
	if (waker->thread_length > sizeof(waker->thread_name) || of->thread == of->process)
		waker->thread_length = 0;
	if (waker->thread_length)
		memcpy(waker->thread_name, thread, waker->thread_length);
	recent_name_it(&use, process->name, process->name_length);
	memcpy(waker->name, use.name, use.name_length);
	waker->length = use.name_length;
}

static void set_thread(struct life_thread *to, const struct bcoslog_account *account,
		       const struct bcoslog_account_thread *thread)
{
	const struct bcoslog_wakes *most = NULL, *each;

	for (each = thread->wakes; each < thread->wakes + thread->wakers; each++)
		if (!most || each->count - each->error > most->count - most->error)
			most = each;
	*to = (struct life_thread){ .of = *thread };
	set_waker(&to->longest, account, &thread->longest_waker);
	if (!most)
		return;
	set_waker(&to->most, account, &most->waker);
	/* The count may be too large by @error, so this is a lower bound. */
	to->most_count = most->count - most->error;
}

static int make_room(struct life *life)
{
	struct life_thread *larger;

	if (life->told_count < life->told_room)
		return 0;
	life->told_room = life->told_room ? 4 * life->told_room : 2;
	larger = reallocarray(life->told, life->told_room, sizeof(*larger));
	if (!larger)
		return -ENOMEM;
	life->told = larger;
	return 0;
}

static void add_others(struct life *life, const struct bcoslog_account_thread *thread)
{
	life->other_count++;
	sum_add(&life->other_time, thread->time);
	life->other_least |= thread->at_least;
	life->other_turns += thread->turns;
}

int life_thread(struct life *life, const struct bcoslog_account *account, const struct bcoslog_account_thread *thread)
{
	size_t at;

	if (!thread->turns && !thread->time)
		return 0;
	sum_add(&life->threads_time, thread->time);
	for (at = life->told_count; at && life->told[at - 1].of.time < thread->time; at--)
		;
	if (at == LIFE_THREADS) {
		add_others(life, thread);
		return 0;
	}
	if (life->told_count == LIFE_THREADS)
		add_others(life, &life->told[--life->told_count].of);
	if (make_room(life))
		return -ENOMEM;
	memmove(&life->told[at + 1], &life->told[at], (life->told_count - at) * sizeof(*life->told));
	life->told_count++;
	set_thread(&life->told[at], account, thread);
	return 0;
}
