// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Cuts the time of each thread into slices. The account says when a turn began and ended, and for how long the thread
 * waited for a CPU before; the states of threads in the log say why it had no CPU before that. Where the account is not
 * sure whether a thread ran unseen, the slice is unknown.
 */
#include <stdlib.h>

#include "account/report.h"
#include "core/format/entry.h"
#include "core/format/statement_text.h"
#include "core/format/thread_text.h"
#include "entry/text.h"
#include "why.h"

/* Counts memory that is about to be taken.  Return: whether it may be. */
static bool has_room(struct why *why, u64 size)
{
	why->memory += size;
	why->full |= why->memory > WHY_MEMORY_MAX;
	return !why->full;
}

/* Return: @array with room for one more element; NULL if there is no memory, or too much is taken. */
static void *grow_array(struct why *why, void *array, size_t count, size_t *room, size_t size)
{
	size_t larger = *room ? 2 * *room : 8;
	void *grown;

	if (count < *room)
		return array;
	grown = has_room(why, (u64)(larger - *room) * size) ? reallocarray(array, larger, size) : NULL;
	if (grown)
		*room = larger;
	return grown;
}

/* Return: @size bytes of zeros; NULL if there is no memory, or too much is taken. */
static void *make_zeros(struct why *why, size_t size)
{
	return has_room(why, size) ? calloc(1, size) : NULL;
}

/* ---- processes, threads, CPUs ------------------------------------------------------- */

static struct why_process *process_of(struct why *why, const struct bcoslog_account_process *process)
{
	struct why_process *made = process->user, **larger;

	if (made)
		return made;
	larger = grow_array(why, why->processes, why->process_count, &why->process_room, sizeof(*larger));
	made = larger ? make_zeros(why, sizeof(*made)) : NULL;
	if (larger)
		why->processes = larger;
	if (!made) {
		why->error = -ENOMEM;
		return NULL;
	}
	made->id = process->id;
	made->serial = process->serial;
	made->start = process->born ? process->start : 0;
	made->end = UINT64_MAX;
	why->processes[why->process_count++] = made;
	bcoslog_account_set_user(process, made);
	return made;
}

void why_note_process(struct why *why, const struct bcoslog_account_process *process)
{
	struct why_process *made = process_of(why, process);

	if (!made)
		return;
	made->name_length = utf8_fit(process->name, process->name_length, WHY_NAME);
	if (made->name_length)
		memcpy(made->name, process->name, made->name_length);
	if (process->cgroup) {
		free(made->cgroup);
		made->cgroup = strdup(process->cgroup);
		made->cgroup_cpu = process->cgroup_cpu;
		if (!made->cgroup)
			why->error = -ENOMEM;
	}
	made->fits = filter_wants_life(&why->report->session->filter, process);
	if (process->ended)
		made->end = process->end;
}

void why_process_ended(void *context, const struct bcoslog_account_process *process)
{
	why_note_process(context, process);
}

int why_init(struct why *why)
{
	lacks_init(why);
	return table_init(&why->newest) || table_init(&why->by_id) ? -ENOMEM : 0;
}

/* Makes a thread, which takes the place of an older one with its ID.  Return: NULL if there is no memory. */
static struct why_thread *make_thread(struct why *why, struct why_process *process, u32 id)
{
	struct why_thread **larger, *thread, *older = table_find(&why->newest, id);
	u64 since = why->report->sinks.since;

	larger = grow_array(why, why->threads, why->count, &why->room, sizeof(struct why_thread *));
	if (larger)
		why->threads = larger;
	thread = larger ? make_zeros(why, sizeof(*thread)) : NULL;
	if (!thread) {
		why->error = -ENOMEM;
		return NULL;
	}
	why->threads[why->count++] = thread;
	thread->node.id = id;
	thread->process = process;
	process->has_threads = true;
	thread->end = UINT64_MAX;
	thread->covered = process->start > since ? process->start : since;
	if (older)
		table_remove(&why->newest, &older->node);
	if (table_add(&why->newest, &thread->node))
		why->error = -ENOMEM;
	return thread;
}

static void name_thread(struct why_thread *thread, const char *name, size_t length)
{
	thread->name_length = length;
	memcpy(thread->name, name, length);
}

/* Return: the thread of the process that the log names now; NULL if there is no memory. */
static struct why_thread *thread_of(struct why *why, const struct bcoslog_account_process *of, u32 id)
{
	struct why_process *process = process_of(why, of);
	struct why_thread *thread = table_find(&why->newest, id);
	const char *name;
	size_t length;

	if (!process)
		return NULL;
	if (thread && thread->process == process && thread->end == UINT64_MAX)
		return thread;
	thread = make_thread(why, process, id);
	name = thread && id != of->id ? bcoslog_account_thread_name(why->report->account, of, id, &length) : NULL;
	if (name)
		name_thread(thread, name, length);
	return thread;
}

/* Takes the name that an entry gives a thread. */
static void note_name(struct why *why, const struct bcos_entry *entry)
{
	struct bcos_thread_name name;
	struct why_thread *thread;

	if (!bcos_thread_name_read(&name, entry))
		return;
	thread = table_find(&why->newest, name.thread);
	if (thread && thread->process->id == entry->source && thread->end == UINT64_MAX)
		name_thread(thread, name.name, name.length);
}

struct why_cpu *why_cpu(const struct why *why, u32 id)
{
	return table_find(&why->by_id, id);
}

static struct why_cpu *make_cpu(struct why *why, u32 id)
{
	struct why_cpu **larger = grow_array(why, why->cpus, why->cpu_count, &why->cpu_room, sizeof(struct why_cpu *));
	struct why_cpu *cpu = larger ? make_zeros(why, sizeof(*cpu)) : NULL;

	if (larger)
		why->cpus = larger;
	if (!cpu)
		return NULL;
	why->cpus[why->cpu_count++] = cpu;
	cpu->node.id = id;
	return table_add(&why->by_id, &cpu->node) ? NULL : cpu;
}

void why_interval(void *context, const struct bcoslog_interval *interval)
{
	struct why *why = context;
	struct why_cpu *cpu = why_cpu(why, interval->cpu);
	struct why_use *larger;

	if (why->full)
		return;
	if (!cpu)
		cpu = make_cpu(why, interval->cpu);
	larger = cpu ? grow_array(why, cpu->uses, cpu->count, &cpu->room, sizeof(*larger)) : NULL;
	if (!larger) {
		why->error = -ENOMEM;
		return;
	}
	cpu->uses = larger;
	larger[cpu->count++] = (struct why_use){
		.begin = interval->begin, .end = interval->end, .use = interval->use,
		.process = interval->use == BCOSLOG_USE_PROCESS ? process_of(why, interval->process) : NULL,
	};
}

/* ---- what the log says of waits ----------------------------------------------------- */

static void doubt_until(struct why *why, u64 end)
{
	if (end > why->doubt)
		why->doubt = end;
}

/* Takes a change of the classes, or a statement of them. Only the class state matters. */
static void note_mask(struct why *why, const struct bcos_entry *entry)
{
	size_t length;
	const char *text = bcoslog_text(entry, &length);
	u32 mask;

	if (!bcos_mask_parse(text, length, &mask)) {
		doubt_until(why, entry->time);
		return;
	}
	why->calls = mask & BCOS_CLASS_KERNEL_TIME;
	why->states_on |= !!(mask & BCOS_CLASS_STATE);
	if (why->states_off || !(mask & BCOS_CLASS_STATE))
		doubt_until(why, entry->time);
	why->states_off = !(mask & BCOS_CLASS_STATE);
}

/* Notes up to when states may be missing. */
static void note_doubt(struct why *why, const struct bcos_entry *entry)
{
	u64 end = entry->time > UINT64_MAX - entry->precision ? UINT64_MAX : entry->time + entry->precision;
	struct bcoslog_loss loss;

	if (bcoslog_loss(entry, &loss)) {
		if (loss.lost & BCOSLOG_LOST_STATES)
			doubt_until(why, loss.end > end ? loss.end : end);
	} else if (bcoslog_is_missed(entry)) {
		doubt_until(why, end);
	} else if (entry->type == BCOS_GENERIC_CPU && ((const struct bcos_generic *)entry)->event_id == BCOS_EVENT_MASK) {
		note_mask(why, entry);
	}
}

/* Return: the waking thread, as the log names it now; NULL if the log has no times of it. */
static struct why_thread *waker_of(const struct why *why, const struct bcoslog_waker *waker)
{
	struct why_thread *by = NULL;

	if (waker->by == BCOSLOG_WOKEN_BY_THREAD && waker->process != BCOS_PROCESS_KERNEL)
		by = table_find(&why->newest, waker->thread);
	return by && by->process->id == waker->process ? by : NULL;
}

static void note_state(struct why *why, struct why_thread *thread, const struct bcoslog_thread *state, u64 time)
{
	switch (state->state) {
	case BCOS_STATE_RUNS:
		thread->before = thread->now;
		thread->now = (struct why_mark){ 0 };
		thread->runs_at = time;
		break;
	case BCOS_STATE_WOKEN:
		/* Who is awake already is not woken again. */
		if (thread->now.woken && thread->now.woken_at >= thread->now.blocked_at)
			break;
		thread->now.woken = true;
		thread->now.woken_at = time;
		thread->now.waker = (struct bcoslog_waker){
			.by = state->by, .process = state->waker, .thread = state->waker_thread,
		};
		thread->now.kind = state->by;
		/* The account has one kind of interrupts. */
		if (bcos_is_interrupt((enum bcos_woken_by)state->by))
			thread->now.waker.by = BCOSLOG_WOKEN_BY_INTERRUPT;
		thread->now.by = waker_of(why, &thread->now.waker);
		break;
	case BCOS_STATE_DEAD:
		thread->end = time;
		break;
	case BCOSLOG_STATE_HELD_BACK:
		thread->now.held = true;
		break;
	default:
		thread->now.blocked = true;
		thread->now.state = state->state;
		thread->now.where = (struct why_where){
			.place = state->place, .call = state->call, .io = state->io,
			.hard = state->state == BCOS_STATE_BLOCKED_HARD,
		};
		thread->now.blocked_at = time;
		thread->now.unseen = bcoslog_account_unseen(why->report->account, time);
		break;
	}
}

/* Notes that a time of the thread may be later by @precision, unless all of that is before the window. */
static void note_precision(const struct why *why, struct why_thread *thread, u64 time, u32 precision)
{
	u64 since = why->report->sinks.since;

	if ((time >= since || since - time <= precision) && precision > thread->precision)
		thread->precision = precision;
}

/* Return: the error that ends the reading. print_why() complains of what is too much to be kept. */
static int read_error(const struct why *why)
{
	return why->full ? 0 : why->error;
}

int why_entry(struct report *report, const struct bcos_entry *entry)
{
	const struct bcoslog_account_process *process;
	struct why *why = report->context;
	struct bcoslog_thread state;
	struct why_thread *thread;

	/* The batch in which the window ends may go on. What is too much to be kept is not read on. */
	if ((report->sinks.until && entry->time >= report->sinks.until) || why->full)
		return read_error(why);
	note_doubt(why, entry);
	lacks_entry(why, entry);
	if (entry->type == BCOS_ASSIGN_CPU || entry->type == BCOS_CPU_OFFLINE)
		why->assigned = entry->precision;
	note_name(why, entry);
	if (quota_entry(why, entry))
		why->error = -ENOMEM;
	if (bcoslog_thread(&state, entry) || (state.state >= BCOS_STATES && state.state != BCOSLOG_STATE_HELD_BACK))
		return read_error(why);
	process = bcoslog_account_process(report->account, entry->source);
	if (!process || process->id == BCOS_PROCESS_KERNEL)
		return read_error(why);
	why->states++;
	thread = thread_of(why, process, state.thread);
	if (thread) {
		note_state(why, thread, &state, entry->time);
		note_precision(why, thread, entry->time, entry->precision);
	}
	return read_error(why);
}

/* ---- slices ------------------------------------------------------------------------- */

/* Adds a slice from where the slices end to @end. Slices that say the same are one. */
static void add_slice(struct why *why, struct why_thread *thread, u64 end, struct why_slice slice)
{
	struct why_slice *larger, *last = thread->count ? &thread->slices[thread->count - 1] : NULL;

	if (end <= thread->covered)
		return;
	slice.begin = thread->covered;
	slice.end = thread->covered = end;
	if (last && last->doing == slice.doing && slice.doing == WHY_UNKNOWN) {
		last->end = end;
		return;
	}
	if (why->full)
		return;
	larger = grow_array(why, thread->slices, thread->count, &thread->room, sizeof(*larger));
	if (!larger) {
		why->error = -ENOMEM;
		return;
	}
	thread->slices = larger;
	larger[thread->count++] = slice;
}

/* Is the next slice of the thread the first one of the window? */
static bool begins_window(const struct why *why, const struct why_thread *thread)
{
	return thread->covered == why->report->sinks.since;
}

/*
 * Adds a slice in which the thread was blocked or stopped, until @end. @waker: who woke it, of whom @mark may know the
 * thread; NULL if nobody has woken it yet.
 */
static void add_blocked(struct why *why, struct why_thread *thread, u64 end, const struct why_mark *mark,
			const struct bcoslog_waker *waker)
{
	struct why_slice slice = {
		.doing = mark->state == BCOS_STATE_STOPPED ? WHY_STOPPED : WHY_BLOCKED, .where = mark->where, .open = !waker,
		.cut = begins_window(why, thread) && mark->blocked_at < thread->covered,
	};

	if (waker) {
		slice.waker = *waker;
		slice.by = mark->woken && mark->waker.thread == waker->thread && mark->waker.by == waker->by ?
			mark->by : waker_of(why, waker);
		slice.kind = mark->woken && waker->by == BCOSLOG_WOKEN_BY_INTERRUPT ? mark->kind : waker->by;
	}
	add_slice(why, thread, end, slice);
}

/* Return: whether the log tells all of the time since the thread blocked, as of now. */
static bool mark_holds(const struct why *why, const struct why_mark *mark, u64 time)
{
	return mark->blocked && !why->states_off && why->doubt < mark->blocked_at &&
	       mark->unseen == bcoslog_account_unseen(why->report->account, time);
}

/* Return: since when the CPU, until @end, was the kernel's all the time; @end if it was not. */
static u64 kernel_since(const struct why *why, u32 id, u64 end)
{
	const struct why_cpu *cpu = why_cpu(why, id);
	const struct why_use *last = cpu && cpu->count ? &cpu->uses[cpu->count - 1] : NULL;

	return last && last->use == BCOSLOG_USE_KERNEL && last->end == end ? last->begin : end;
}

/*
 * Was the thread in a system call from its last turn to @end (class kernel_time)? Then the kernel had its CPU all the
 * time, and the log tells of no switch.
 */
static bool in_system_call(const struct why *why, const struct why_thread *thread, u32 cpu, u64 end)
{
	return thread->has_turn && thread->left == BCOS_STATES && thread->cpu == cpu && thread->runs_at <= thread->covered &&
	       !(thread->now.blocked && thread->now.blocked_at < end) && kernel_since(why, cpu, end) <= thread->covered &&
	       !why->states_off && why->doubt < thread->covered;
}

/* Adds what the thread did from its last turn to when it blocked. */
static void add_until_blocked(struct why *why, struct why_thread *thread, u64 blocked_at)
{
	bool kernel = thread->has_turn && thread->left == BCOS_STATES;

	add_slice(why, thread, blocked_at, (struct why_slice){ .doing = kernel ? WHY_KERNEL : WHY_UNKNOWN });
}

/* Adds the time before a turn that begins at @turn->begin. The thread has the CPU before that while it is in a system call. */
static void add_before(struct why *why, struct why_thread *thread, const struct bcoslog_thread_turn *turn)
{
	const struct why_mark *mark = &thread->before;
	struct why_slice has_to_wait = { .doing = mark->held ? WHY_HELD : WHY_READY, .has_cpu = true, .cpu = turn->cpu };
	struct bcoslog_before before;
	u64 begin = turn->begin, ready, got = kernel_since(why, turn->cpu, begin);
	struct why_slice calls = { .doing = WHY_KERNEL };
	bool sure;

	if (in_system_call(why, thread, turn->cpu, begin)) {
		/* It comes back without a switch, so nobody had taken its CPU. */
		why->calls = true;
		add_slice(why, thread, begin, calls);
		return;
	}
	if (thread->runs_at <= thread->covered || thread->runs_at > begin)
		got = begin;
	else if (got < thread->runs_at)
		got = thread->runs_at;
	bcoslog_account_before(turn->thread, &before);
	ready = before.waited_unknown || before.waited > got ? got : got - before.waited;
	sure = before.off ? !before.off_unknown : mark_holds(why, mark, begin);
	if (sure && turn->preempted && thread->has_turn && thread->left != BCOS_STATES)
		ready = thread->covered;
	if (!sure) {
		add_slice(why, thread, ready, (struct why_slice){ .doing = WHY_UNKNOWN });
	} else if (!turn->preempted && mark->blocked) {
		add_until_blocked(why, thread, mark->blocked_at < ready ? mark->blocked_at : ready);
		add_blocked(why, thread, ready, mark, &turn->waker);
	} else {
		add_until_blocked(why, thread, ready);
	}
	has_to_wait.cut = begins_window(why, thread) && ready < thread->covered;
	add_slice(why, thread, got, has_to_wait);
	add_slice(why, thread, begin, calls);
}

void why_turn(void *context, const struct bcoslog_thread_turn *turn)
{
	struct why *why = context;
	struct why_thread *thread = table_find(&why->newest, turn->thread->id);

	/* The log may tell of the end of a thread before the end of its last turn. */
	if (!thread || thread->process != turn->thread->process->user)
		thread = thread_of(why, turn->thread->process, turn->thread->id);
	if (!thread)
		return;
	if (turn->begin > thread->covered)
		add_before(why, thread, turn);
	add_slice(why, thread, turn->end, (struct why_slice){ .doing = WHY_RUNS, .has_cpu = true, .cpu = turn->cpu });
	note_precision(why, thread, turn->end, why->assigned);
	thread->left = turn->left;
	thread->unseen = bcoslog_account_unseen(why->report->account, turn->end);
	thread->has_turn = true;
	thread->cpu = turn->cpu;
}

/* Adds the time from the last turn of the thread to its end, or to the end of the window. */
static void settle_thread(struct why *why, struct why_thread *thread)
{
	struct why_slice ready = { .doing = thread->now.held ? WHY_HELD : WHY_READY, .has_cpu = thread->has_turn, .cpu = thread->cpu, .open = true };
	const struct why_mark *mark = &thread->now;
	u64 end = why->until;
	bool woken;

	if (thread->end < end)
		end = thread->end;
	if (thread->process->end < end)
		end = thread->process->end;
	woken = mark->woken && mark->woken_at >= mark->blocked_at && mark->woken_at < end;
	if (mark->blocked && mark->blocked_at < end && mark_holds(why, mark, why->until)) {
		add_until_blocked(why, thread, mark->blocked_at);
		add_blocked(why, thread, woken ? mark->woken_at : end, mark, woken ? &mark->waker : NULL);
		ready.cut = begins_window(why, thread) && mark->woken_at < thread->covered;
		add_slice(why, thread, end, ready);
	} else if (!mark->blocked && thread->has_turn && thread->left == BCOS_STATE_RUNS && !why->states_off &&
		   why->doubt < thread->covered && thread->unseen == bcoslog_account_unseen(why->report->account, why->until)) {
		add_slice(why, thread, end, ready);
	}
	/* If the class may be off, a thread of the kernel may have taken its CPU. */
	if (why->calls && in_system_call(why, thread, thread->cpu, end))
		add_slice(why, thread, end, (struct why_slice){ .doing = WHY_KERNEL });
	add_slice(why, thread, end, (struct why_slice){ .doing = WHY_UNKNOWN });
}

void why_settle(struct why *why)
{
	size_t i;

	for (i = 0; i < why->count; i++)
		settle_thread(why, why->threads[i]);
}

static void keep_node(struct node *node)
{
	(void)node;
}

void why_free(struct why *why)
{
	size_t i;

	table_destroy(&why->newest, keep_node);
	table_destroy(&why->by_id, keep_node);
	for (i = 0; i < why->count; i++) {
		free(why->threads[i]->slices);
		free(why->threads[i]);
	}
	for (i = 0; i < why->process_count; i++) {
		free(why->processes[i]->cgroup);
		free(why->processes[i]);
	}
	quota_free(why);
	for (i = 0; i < why->cpu_count; i++) {
		free(why->cpus[i]->uses);
		free(why->cpus[i]);
	}
	free(why->wheres);
	free(why->threads);
	free(why->processes);
	free(why->cpus);
}
