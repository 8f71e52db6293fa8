// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The account: threads. With the class state the log says which thread a CPU executes, and who woke the thread.
 *
 * The account keeps for each CPU the thread that the log named last on this CPU. While the CPU executes the process of
 * that thread, the CPU's time is the thread's time. So the times of threads add up to the time of their process.
 */
#include <stdlib.h>

#include "core/format/entry.h"
#include "core/format/thread_text.h"
#include "account.h"
#include "state/thread_name.h"

static struct thread *thread_of(const struct order *order)
{
	return item_of(order, struct thread, order);
}

/* ---- turns ------------------------------------------------------------------------ */

void account_thread_charge(struct bcoslog_account *account, struct cpu *cpu, u64 until)
{
	u64 span = account_span(account, cpu->thread_from, until);

	cpu->thread_from = until;
	if (cpu->thread && cpu->thread->in_turn)
		sum_add(&cpu->thread->public.time, span);
}

/* Return: true if a CPU executes the thread, as far as the log says. */
static bool has_cpu(const struct thread *thread)
{
	return thread->on && thread->on->thread == thread && thread->in_turn;
}

static void begin_turn(struct bcoslog_account *account, struct cpu *cpu, struct thread *thread)
{
	cpu->thread = thread;
	chain_add(&account->to_detach, &cpu->to_detach);
	thread->on = cpu;
	thread->in_turn = true;
	thread->turn.cpu = cpu->public.id;
	thread->turn.begin = account->now;
}

static void begin_wait(struct bcoslog_account *account, struct thread *thread)
{
	thread->waits_since = account->now;
	thread->wait_unseen = account_unseen_sum(account, &account->thread_unseen);
}

static void end_turn(struct bcoslog_account *account, struct thread *thread, u32 left)
{
	struct bcoslog_thread_turn *turn = &thread->turn;

	thread->in_turn = thread->left_unseen = false;
	thread->off_since = account->now;
	thread->off_unseen = account_unseen_sum(account, &account->thread_unseen);
	if (thread->state == BCOS_STATE_RUNS) {
		/* The thread neither blocked nor ended, so it was preempted, and waits for a CPU. */
		begin_wait(account, thread);
		thread->preempted = true;
		thread->surmised = false;
	}
	turn->left = left;
	turn->thread = &thread->public;
	if (account->threads.turn && account->now > account->options.since && turn->begin < account->options.until) {
		turn->begin = account_clip(account, turn->begin);
		turn->end = account_clip(account, account->now);
		account->threads.turn(account->threads.context, turn);
	}
}

/* Separate a thread from the CPU that executes it, or would execute it after the next assignment. Its turn ends. */
static void detach_thread(struct bcoslog_account *account, struct thread *thread)
{
	if (has_cpu(thread)) {
		account_thread_charge(account, thread->on, account->now);
		end_turn(account, thread, thread->state);
	}
	if (thread->on && thread->on->thread == thread)
		thread->on->thread = NULL;
	if (thread->on && thread->on->next_thread == thread)
		thread->on->next_thread = NULL;
	thread->on = NULL;
}

static void remove_thread(struct bcoslog_account *account, struct thread *thread)
{
	detach_thread(account, thread);
	account_thread_sleeps(account, thread, false);
	thread->process->thread_count--;
	thread->public.at_least |= thread->losses != account->thread_losses_counted;
	if (account->threads.ended)
		account->threads.ended(account->threads.context, &thread->public);
	if (thread->public.ended)
		thread_name_ended(&account->thread_names, &account->memory, thread->process->public.id, thread->public.id);
	account_remove(account, &account->thread_table, thread, sizeof(*thread), offsetof(struct thread, order));
}

void account_thread_leaves(struct bcoslog_account *account, struct cpu *cpu, bool to_kernel)
{
	struct thread *thread = cpu->thread;

	if (!thread || !thread->in_turn)
		return;
	/*
	 * The thread may be in a system call if the CPU passes to the kernel, the thread's state is still "runs", and
	 * the class kernel_time may be on. Then it is unknown whether the thread was preempted.
	 */
	end_turn(account, thread,
		 to_kernel && !account->no_calls && thread->state == BCOS_STATE_RUNS ? BCOS_STATES : thread->state);
	/* The log states the death of a thread before the assignment that ends the thread's last turn. */
	if (thread->public.ended)
		remove_thread(account, thread);
}

/*
 * Separate a thread from a CPU on which another thread's turn begins. If the class kernel_time is on, the thread was in
 * a system call until now, and waits for a CPU from now on.
 */
static void pass_on(struct bcoslog_account *account, struct thread *thread)
{
	if (account->calls && thread->waits_since && thread->preempted)
		begin_wait(account, thread);
	detach_thread(account, thread);
}

void account_thread_comes(struct bcoslog_account *account, struct cpu *cpu)
{
	struct thread *thread = cpu->next_thread;

	if (thread && thread->process == cpu->process) {
		if (cpu->thread && cpu->thread != thread)
			pass_on(account, cpu->thread);
		cpu->next_thread = NULL;
		begin_turn(account, cpu, thread);
		return;
	}
	thread = cpu->thread;
	if (!thread || thread->process != cpu->process || thread->state != BCOS_STATE_RUNS)
		return;
	/* The CPU was the kernel's during a system call of the thread (class kernel_time), which is no wait. */
	account->calls = true;
	account->no_calls = false;
	thread->waits_since = 0;
	thread->turn = (struct bcoslog_thread_turn){ 0 };
	thread->before = (struct bcoslog_before){ 0 };
	begin_turn(account, cpu, thread);
}

/* ---- waits ------------------------------------------------------------------------ */

static bool is_same(const struct bcoslog_waker *left, const struct bcoslog_waker *right)
{
	return left->by == right->by && left->process == right->process && left->thread == right->thread;
}

/*
 * Count a wake-up by @waker. If there is no room for another waker, @waker replaces the waker with the smallest count,
 * and takes over that count as its error.
 */
static void count_waker(struct bcoslog_account_thread *public, const struct bcoslog_waker *waker)
{
	struct bcoslog_wakes *rarest = &public->wakes[0];
	u32 i;

	for (i = 0; i < public->wakers; i++) {
		if (is_same(&public->wakes[i].waker, waker)) {
			public->wakes[i].count++;
			return;
		}
		if (public->wakes[i].count < rarest->count)
			rarest = &public->wakes[i];
	}
	if (public->wakers < BCOSLOG_WAKERS) {
		public->wakes[public->wakers++] = (struct bcoslog_wakes){ .waker = *waker, .count = 1 };
		return;
	}
	rarest->waker = *waker;
	rarest->error = rarest->count++;
}

static void thread_woken(struct bcoslog_account *account, struct thread *thread,
			 const struct bcos_thread_phrase *phrase)
{
	/* A waker that the log lost is nobody whom it tells, and not thread 0, which is idle. */
	struct bcoslog_waker waker = {
		.by = phrase->by == BCOS_WOKEN_LOST ? BCOSLOG_WOKEN_BY_UNKNOWN : (enum bcoslog_woken_by)phrase->by,
		.process = phrase->waker, .thread = phrase->waker_thread,
	};

	if (account_counts(account, account->now)) {
		thread->public.wakeups++;
		if (waker.by != BCOSLOG_WOKEN_BY_UNKNOWN)
			count_waker(&thread->public, &waker);
	}
	if (has_cpu(thread) && thread->state == BCOS_STATE_RUNS) {
		/* The thread may have left its run queue, and be about to block (module/DESIGN.md, 2.9). */
		thread->early = true;
		thread->waker = waker;
		return;
	}
	account_thread_wakes(account, thread);
	/* A thread that is woken twice waits from the first wake-up on. */
	if (thread->waits_since && !thread->surmised)
		return;
	begin_wait(account, thread);
	thread->preempted = thread->surmised = false;
	thread->waker = waker;
	thread->state = BCOS_STATE_WOKEN;
}

/* Take a waking that an entry tells of later, unless the log was opened with BCOSLOG_WAKINGS. */
static void thread_was_woken(struct bcoslog_account *account, struct thread *thread,
			     const struct bcos_thread_phrase *phrase)
{
	u64 now = account->now;

	if (phrase->delay < now)
		account->now -= phrase->delay;
	thread_woken(account, thread, phrase);
	account->now = now;
}

static void thread_blocks(struct bcoslog_account *account, struct thread *thread, u32 state)
{
	/*
	 * A thread blocks in a system call. With the class kernel_time its CPU would have been assigned to the kernel
	 * when the call began, so the class is off.
	 */
	if (state == BCOS_STATE_BLOCKED && has_cpu(thread) && !account->calls)
		account->no_calls = true;
	/* It ran until now, though a loss may have hidden that. */
	if (thread->state == BCOS_STATES && thread->off_since && !has_cpu(thread)) {
		thread->off_since = account->now;
		thread->off_unseen = account_unseen_sum(account, &account->thread_unseen);
		thread->left_unseen = false;
	}
	thread->state = state;
	/* A wake-up that came before the thread blocked may have ended this block, unless another wake-up follows. */
	thread->waits_since = 0;
	if (thread->early)
		begin_wait(account, thread);
	thread->surmised = thread->early;
	account_thread_sleeps(account, thread, !thread->early);
	thread->early = thread->preempted = false;
}

/* Count a wait of at most @waited ns, of which something is unknown, apart from the others. */
static void count_unsure(struct bcoslog_account *account, struct thread *thread, u64 waited)
{
	if (!account_counts(account, account->now))
		return;
	thread->unsure_waits++;
	if (waited > thread->unsure_longest)
		thread->unsure_longest = waited;
}

static void count_wait(struct bcoslog_account *account, struct thread *thread, u64 waited)
{
	struct bcoslog_account_thread *public = &thread->public;

	if (!account_counts(account, account->now))
		return;
	public->waits++;
	sum_add(&public->waited, waited);
	if (waited <= public->longest_wait && public->longest_wait_at)
		return;
	public->longest_wait = waited;
	public->longest_wait_at = account->now;
	public->longest_preempted = thread->preempted;
	public->longest_waker = thread->turn.waker;
}

/* Reckon what came before the turn that begins now. */
static void reckon_before(struct bcoslog_account *account, struct thread *thread)
{
	struct bcoslog_before *before = &thread->before;
	u64 unseen = account_unseen_sum(account, &account->thread_unseen);

	*before = (struct bcoslog_before){ 0 };
	if (thread->off_since) {
		before->off = account->now - thread->off_since;
		before->off_unknown = unseen - thread->off_unseen;
	}
	if (before->off_unknown > before->off)
		before->off_unknown = before->off;
	/* The thread may have kept its CPU if it neither was seen to leave it nor is certain to have had none. */
	if (thread->left_unseen && before->off_unknown == before->off)
		before->off = before->off_unknown = 0;
	if (thread->waits_since) {
		before->waited = account->now - thread->waits_since;
		before->waited_unknown = unseen - thread->wait_unseen;
		if (before->waited_unknown > before->waited)
			before->waited_unknown = before->waited;
	} else if (thread->asleep && thread->asleep_losses != account->state_losses) {
		/* The thread was woken, and its wake-up was lost. */
		before->waited = before->waited_unknown = before->off;
	}
}

static void end_wait(struct bcoslog_account *account, struct thread *thread)
{
	const struct bcoslog_before *before = &thread->before;

	reckon_before(account, thread);
	if (!before->off_unknown)
		thread->turn.off = before->off;
	if (thread->waits_since) {
		thread->turn.preempted = thread->preempted;
		if (!thread->preempted)
			thread->turn.waker = thread->waker;
	}
	if (before->waited_unknown)
		count_unsure(account, thread, before->waited);
	else if (thread->waits_since)
		count_wait(account, thread, before->waited);
	if (!before->waited_unknown)
		thread->turn.waited = before->waited;
	thread->waits_since = 0;
}

/* ---- events of the log --------------------------------------------------------------- */

static void set_name(struct thread *thread, const struct thread_name *name)
{
	thread->public.name_length = name->length;
	memcpy(thread->public.name, name->text, name->length);
}

int account_thread_named(struct bcoslog_account *account, struct process *process, const struct bcos_entry *entry)
{
	struct bcos_thread_name told;
	const struct thread_name *name;
	struct thread *thread;

	if (!bcos_thread_name_read(&told, entry))
		return 0;
	if (thread_name_apply(&account->thread_names, &account->memory, entry))
		return -ENOMEM;
	thread = table_find(&account->thread_table, told.thread);
	name = thread_name_find(&account->thread_names, entry->source, 0, told.thread);
	if (thread && name && thread->process == process && !thread->public.ended)
		set_name(thread, name);
	return 0;
}

static struct thread *add_thread(struct bcoslog_account *account, struct process *process, u32 id)
{
	struct thread *thread = account_add(account, &account->thread_table, id, sizeof(*thread), &process->threads,
					    offsetof(struct thread, order));
	const struct thread_name *name;

	if (!thread)
		return NULL;
	thread->process = process;
	thread->public.process = &process->public;
	thread->public.id = id;
	thread->public.since = account->now;
	thread->state = BCOS_STATES;
	name = thread_name_find(&account->thread_names, process->public.id, process->public.start, id);
	if (name)
		set_name(thread, name);
	process->thread_count++;
	thread->losses = account->thread_losses_counted;
	thread->seen = account->thread_losses;
	return thread;
}

static struct thread *find_thread(struct bcoslog_account *account, struct process *process, u32 id)
{
	struct thread *thread = table_find(&account->thread_table, id);

	/* The ID may have passed to another thread. */
	if (thread && (thread->process != process || thread->public.ended)) {
		remove_thread(account, thread);
		thread = NULL;
	}
	if (!thread)
		return add_thread(account, process, id);
	if (thread->seen != account->thread_losses) {
		thread->seen = account->thread_losses;
		/* States were lost since the log named the thread last, so its state is unknown, unless it has a CPU. */
		if (!has_cpu(thread)) {
			thread->state = BCOS_STATES;
			thread->early = false;
		}
	}
	return thread;
}

static void thread_runs(struct bcoslog_account *account, struct thread *thread, u32 id)
{
	struct cpu *cpu = table_find(&account->cpus, id);

	if (!cpu || !cpu->public.up) {
		account->totals.unnamed++;
		return;
	}
	/* The log repeats that the thread runs. */
	if (cpu->thread == thread && has_cpu(thread) && thread->state == BCOS_STATE_RUNS)
		return;
	account_thread_charge(account, cpu, account->now);
	if (cpu->thread == thread)
		account_thread_leaves(account, cpu, false);
	if (has_cpu(thread)) {
		/* The log does not say when the thread left the other CPU. */
		detach_thread(account, thread);
		thread->waits_since = thread->off_since = 0;
	}
	detach_thread(account, thread);
	thread->turn = (struct bcoslog_thread_turn){ 0 };
	end_wait(account, thread);
	account_thread_sleeps(account, thread, false);
	thread->state = BCOS_STATE_RUNS;
	thread->early = false;
	thread->public.turns += account_counts(account, account->now);
	if (account->now < cpu->thread_blind || account->now < account->thread_blind)
		return;
	if (cpu->process != thread->process) {
		/* The assignment of the CPU to the thread's process follows, and begins the turn. */
		if (cpu->next_thread)
			detach_thread(account, cpu->next_thread);
		cpu->next_thread = thread;
		chain_add(&account->to_detach, &cpu->to_detach);
		thread->on = cpu;
		return;
	}
	account_thread_leaves(account, cpu, false);
	if (cpu->thread)
		detach_thread(account, cpu->thread);
	begin_turn(account, cpu, thread);
}

static void thread_dies(struct bcoslog_account *account, struct thread *thread)
{
	thread->state = BCOS_STATE_DEAD;
	thread->public.ended = true;
	thread->public.end = account->now;
	if (!has_cpu(thread))
		remove_thread(account, thread);
}

static bool thread_lives(const struct bcoslog_account *account, const struct process *process, u32 id)
{
	const struct thread *thread = table_find(&account->thread_table, id);

	return thread && thread->process == process && !thread->public.ended;
}

int account_thread_state(struct bcoslog_account *account, struct process *process, const struct bcos_entry *entry)
{
	struct bcos_thread_phrase phrase;
	struct thread *thread;

	/* The account has no threads of the kernel, to which threads of a process that ends belong, too. */
	if (process->public.id == BCOS_PROCESS_KERNEL || !bcos_thread_told(&phrase, entry))
		return 0;
	if (phrase.state == BCOS_STATE_DEAD && !thread_lives(account, process, phrase.thread)) {
		thread_name_ended(&account->thread_names, &account->memory, process->public.id, phrase.thread);
		return 0;
	}
	thread = find_thread(account, process, phrase.thread);
	if (!thread)
		return -ENOMEM;
	switch (phrase.state) {
	case BCOS_STATE_RUNS:
		if (phrase.by && phrase.by != BCOS_WOKEN_LOST)
			thread_was_woken(account, thread, &phrase);
		if (phrase.has_cpu)
			thread_runs(account, thread, phrase.cpu);
		break;
	case BCOS_STATE_WOKEN:
		thread_was_woken(account, thread, &phrase);
		break;
	case BCOS_STATE_DEAD:
		thread_dies(account, thread);
		break;
	default:
		thread_blocks(account, thread, phrase.state);
		break;
	}
	return 0;
}

void account_threads_end(struct bcoslog_account *account, struct process *process)
{
	struct thread *thread;

	while (process->threads.next != &process->threads) {
		thread = thread_of(process->threads.next);
		if (!thread->public.ended) {
			thread->public.ended = process->public.ended;
			thread->public.end = process->public.end;
		}
		remove_thread(account, thread);
	}
}

/* Separate a thread from its CPU. How its turn ends is lost. */
static void lose_thread(struct bcoslog_account *account, struct thread *thread)
{
	detach_thread(account, thread);
	thread->left_unseen = true;
	thread->state = BCOS_STATES;
	thread->waits_since = 0;
	thread->early = false;
	account_thread_sleeps(account, thread, false);
}

static void lose_threads(struct bcoslog_account *account, struct cpu *cpu)
{
	if (cpu->thread)
		lose_thread(account, cpu->thread);
	if (cpu->next_thread)
		lose_thread(account, cpu->next_thread);
}

void account_threads_lost(struct bcoslog_account *account, struct cpu *cpu, u64 until, bool counts)
{
	u64 *blind = cpu ? &cpu->thread_blind : &account->thread_blind;
	struct link *link;

	account->thread_losses++;
	account->thread_losses_counted += counts;
	account_unseen_until(account, &account->thread_unseen, until);
	if (until > *blind)
		*blind = until;
	if (cpu) {
		lose_threads(account, cpu);
		return;
	}
	while ((link = chain_take(&account->to_detach)))
		lose_threads(account, item_of(link, struct cpu, to_detach));
}

void account_threads_recorded(struct bcoslog_account *account, bool recorded)
{
	if (account->states_off == !recorded)
		return;
	account->states_off = !recorded;
	/* Meanwhile threads end and get other names unseen. */
	thread_names_forget(&account->thread_names, &account->memory);
	account->state_losses++;
	account_unseen_open(account, &account->thread_unseen, recorded ? -1 : 1);
}

void account_threads_finish(struct bcoslog_account *account)
{
	const struct order *order;
	struct cpu *cpu;

	for (order = account->cpu_order.next; order != &account->cpu_order; order = order->next) {
		cpu = item_of(order, struct cpu, order);
		account_thread_charge(account, cpu, account->now);
		account_thread_leaves(account, cpu, false);
	}
}

void account_threads_show(struct bcoslog_account *account, struct process *process)
{
	const struct order *order;
	struct thread *thread;

	for (order = process->threads.next; order != &process->threads; order = order->next) {
		thread = thread_of(order);
		thread->public.at_least |= thread->losses != account->thread_losses_counted;
	}
}

void bcoslog_account_threads(struct bcoslog_account *account, const struct bcoslog_thread_sinks *sinks)
{
	account->has_threads = true;
	if (sinks)
		account->threads = *sinks;
}

const struct bcoslog_account_thread *bcoslog_account_next_thread(const struct bcoslog_account_process *public,
								const struct bcoslog_account_thread *after)
{
	const struct process *process = item_of(public, struct process, public);
	const struct order *order = after ? item_of(after, struct thread, public)->order.next : process->threads.next;

	return order == &process->threads ? NULL : &thread_of(order)->public;
}

void bcoslog_account_set_thread_user(const struct bcoslog_account_thread *public, void *user)
{
	item_of(public, struct thread, public)->public.user = user;
}

const char *bcoslog_account_thread_name(const struct bcoslog_account *account,
					const struct bcoslog_account_process *process, u32 thread, size_t *length)
{
	const struct thread_name *name;

	if (thread == process->id) {
		*length = process->name_length;
		return process->name;
	}
	name = thread_name_find(&account->thread_names, process->id, process->start, thread);
	*length = name ? name->length : 0;
	return name ? name->text : NULL;
}
