// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The account: stretches without a CPU, and for how much of them a process may have run unseen. */
#include "account.h"

/* ---- time in which something may have happened unseen ----------------------------------- */

/* Return: the end of the unseen time from @unseen->at to @time, which is not before @unseen->at. */
static u64 unseen_end(const struct bcoslog_account *account, const struct unseen *unseen, u64 time)
{
	u64 end = unseen->open || unseen->until > time ? time : unseen->until;

	return end < account->options.until ? end : account->options.until;
}

u64 account_unseen_sum(const struct bcoslog_account *account, struct unseen *unseen)
{
	u64 end = unseen_end(account, unseen, account->now), since = account->options.since;

	if (end > unseen->at) {
		unseen->sum += end - unseen->at;
		if (unseen->at < since)
			unseen->before = unseen->sum - (end > since ? end - since : 0);
	}
	if (unseen->at < account->now)
		unseen->at = account->now;
	return unseen->sum;
}

void account_unseen_open(const struct bcoslog_account *account, struct unseen *unseen, int by)
{
	account_unseen_sum(account, unseen);
	unseen->open += (u32)by;
}

void account_unseen_until(const struct bcoslog_account *account, struct unseen *unseen, u64 until)
{
	account_unseen_sum(account, unseen);
	if (until > unseen->until)
		unseen->until = until;
}

void account_unseen_late(struct bcoslog_account *account, u64 begin, u64 end)
{
	u64 until = end < account->now ? end : account->now;
	u64 span = begin < until ? account_span(account, begin, until) : 0;

	account_unseen_sum(account, &account->unseen);
	account_unseen_sum(account, &account->thread_unseen);
	account->unseen.sum += span;
	account->thread_unseen.sum += span;
}

void account_unknown_cpus(struct bcoslog_account *account, int by)
{
	account->unknown_cpus += (u32)by;
	account_unseen_open(account, &account->unseen, by);
	account_unseen_open(account, &account->thread_unseen, by);
}

/* ---- processes -------------------------------------------------------------------------- */

void account_process_off(struct bcoslog_account *account, struct process *process, bool unseen)
{
	process->public.cpus--;
	process->left_unseen = unseen;
	process->off_since = account->now;
	process->off_unseen = account_unseen_sum(account, &account->unseen);
	process->ran = true;
}

/* Report the stretch for which a process had no CPU, because it gets one now. */
static void process_returns(struct bcoslog_account *account, struct process *process, u32 cpu)
{
	struct bcoslog_stretch stretch = {
		.process = &process->public, .begin = account_clip(account, process->off_since),
		.end = account_clip(account, account->now), .cpu = cpu,
		.cut = process->off_since < account->options.since,
	};
	u64 span = stretch.end - stretch.begin, unseen = account_unseen_sum(account, &account->unseen);

	/* Unknown time before the window does not matter. */
	stretch.unknown = unseen - (process->off_unseen > account->unseen.before ? process->off_unseen :
										 account->unseen.before);
	/* The sum of overlapping causes may exceed the span. */
	if (stretch.unknown > span)
		stretch.unknown = span;
	/* The process may have kept its CPU if it neither was seen to leave it nor is certain to have had none. */
	if (process->public.id == BCOS_PROCESS_KERNEL || !span || (process->left_unseen && stretch.unknown == span))
		return;
	if (span > process->longest.end - process->longest.begin)
		process->longest = stretch;
	if (account->stretch)
		account->stretch(account->stretch_context, &stretch);
	if (stretch.unknown)
		return;
	if (span > process->public.longest_off) {
		process->public.longest_off = span;
		process->public.longest_off_at = stretch.end;
	}
	if (account->options.off)
		account->options.off(account->options.context, &process->public, stretch.begin, stretch.end, cpu);
}

void account_process_on(struct bcoslog_account *account, struct process *process, u32 cpu)
{
	if (!process->public.cpus++ && process->ran)
		process_returns(account, process, cpu);
}

/* ---- sleeps ----------------------------------------------------------------------------- */

static bool is_asleep(const struct bcoslog_account *account, const struct thread *thread)
{
	return thread->asleep && thread->asleep_losses == account->state_losses;
}

void account_thread_sleeps(struct bcoslog_account *account, struct thread *thread, bool asleep)
{
	struct process *process = thread->process;

	if (process->asleep_losses != account->state_losses) {
		process->asleep_losses = account->state_losses;
		process->asleep = 0;
	}
	process->asleep += (u32)asleep - (u32)is_asleep(account, thread);
	thread->asleep = asleep;
	thread->asleep_losses = account->state_losses;
}

void account_thread_wakes(struct bcoslog_account *account, struct thread *thread)
{
	struct process *process = thread->process;

	if (!is_asleep(account, thread))
		return;
	/* The thread has not run since it blocked. */
	thread->off_unseen = account_unseen_sum(account, &account->thread_unseen);
	if (!process->public.cpus && process->asleep == process->thread_count)
		process->off_unseen = account_unseen_sum(account, &account->unseen);
	account_thread_sleeps(account, thread, false);
}

/* ---- for callers ------------------------------------------------------------------------ */

void bcoslog_account_stretches(struct bcoslog_account *account,
			       void (*off)(void *context, const struct bcoslog_stretch *stretch), void *context)
{
	account->stretch = off;
	account->stretch_context = context;
}

void bcoslog_account_longest_stretch(const struct bcoslog_account_process *public, struct bcoslog_stretch *stretch)
{
	*stretch = item_of(public, struct process, public)->longest;
}

__u64 bcoslog_account_unseen(const struct bcoslog_account *account, __u64 time)
{
	const struct unseen *unseen = &account->unseen;
	u64 end = unseen_end(account, unseen, time > unseen->at ? time : unseen->at);

	return unseen->sum + (end > unseen->at ? end - unseen->at : 0);
}

void bcoslog_account_before(const struct bcoslog_account_thread *public, struct bcoslog_before *before)
{
	*before = item_of(public, struct thread, public)->before;
}

__u64 bcoslog_account_uncertain_waits(const struct bcoslog_account_thread *public, __u64 *longest)
{
	const struct thread *thread = item_of(public, struct thread, public);

	*longest = thread->unsure_longest;
	return thread->unsure_waits;
}
