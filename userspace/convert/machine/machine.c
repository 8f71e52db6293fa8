// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Threads that begin, end and get CPUs, and interrupts, become facts of a log: see machine.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"
#include "machine.h"

/* No kernel has more CPUs. */
#define CPU_MAX 8192u
/* kthreadd, the parent of all kernel threads. */
#define KTHREADD 2u

static const struct moment before_all = { 0, SINCE_BOOT };

struct machine {
	struct log_writer *log;
	bool grouped;
	int error;
	bool states;		/* the log tells the states of threads */
	bool waking;		/* the trace has sched_waking */
	struct tasks tasks;
	struct interrupts *interrupts;
	const char *why;	/* of @lost */
	bool stateless;		/* switches do not tell the states in which threads leave */
	u32 precision;		/* of the current event */
	u64 start;		/* no record is earlier */
	u64 left[MACHINE_LEAVES];
	u8 seen[CPU_MAX];
	u64 lost[CPU_MAX];	/* records that were lost at an unknown time since the last record of each CPU */
	u64 last[CPU_MAX];	/* the time of the last record of each CPU */
	u32 tid[CPU_MAX];	/* the thread that has each CPU; 0: none, or not known */
};

struct machine *machine_new(struct log_writer *log, bool grouped)
{
	struct machine *machine = calloc(1, sizeof(*machine));

	if (!machine)
		return NULL;
	machine->log = log;
	machine->grouped = grouped;
	machine->interrupts = interrupts_new();
	if (machine->interrupts && !tasks_init(&machine->tasks))
		return machine;
	machine_free(machine);
	return NULL;
}

void machine_free(struct machine *machine)
{
	if (!machine)
		return;
	tasks_destroy(&machine->tasks);
	interrupts_free(machine->interrupts);
	free(machine);
}

int machine_error(const struct machine *machine)
{
	return machine->error;
}

static void tell_result(struct machine *machine, int r)
{
	if (r && !machine->error)
		machine->error = r;
}

static struct moment moment_at(const struct machine *machine, u64 time)
{
	return (struct moment) { time, machine->precision };
}

void machine_imprecise(struct machine *machine, u32 precision)
{
	machine->precision = precision;
}

void machine_starts(struct machine *machine, u64 time)
{
	machine->start = time;
}

void machine_leave_out(struct machine *machine, enum machine_leaves what)
{
	machine->left[what]++;
}

void machine_left_out(const struct machine *machine, struct left_out *left)
{
	static const struct {
		const char *kind, *why;
	} leaves[MACHINE_LEAVES] = {
		[MACHINE_LEAVES_WAKEUP] = { "sched_wakeup", "sched_waking tells of the same wake-ups" },
		[MACHINE_LEAVES_KERNEL_WAKE] = { "wake-up of a kernel thread",
						 "a log has the states of processes' threads alone" },
		[MACHINE_LEAVES_STATE] = { "wake-up", "the switches do not tell in which states threads leave" },
		[MACHINE_LEAVES_NAME] = { "name of a thread", "an import names processes alone" },
		[MACHINE_LEAVES_RUMOUR] = { "saved name of a thread",
					    "no event is about the thread, so it may not have been there" },
		[MACHINE_LEAVES_LINE] = { "interrupt of one more line", "there are more than 65536 lines" },
		[MACHINE_LEAVES_CPU] = { "event on a CPU above 8191", "no machine has such a CPU" },
		[MACHINE_LEAVES_FIELD] = { "event without a field", "it lacks a field that an entry needs" },
		[MACHINE_LEAVES_FORK] = { "sched_process_fork", "records of the recorder tell of the same births" },
		[MACHINE_LEAVES_EXEC] = { "sched_process_exec", "records of the recorder tell of the same names" },
	};
	unsigned int i;

	for (i = 0; i < MACHINE_LEAVES; i++)
		left_out_add(left, leaves[i].kind, leaves[i].why, machine->left[i]);
}

/* The trace does not say which CPUs share a core, so each CPU gets a core of its own. */
bool machine_cpu(struct machine *machine, u32 cpu)
{
	if (cpu >= CPU_MAX)
		return false;
	if (machine->seen[cpu])
		return true;
	machine->seen[cpu] = true;
	tell_result(machine, log_known_core(machine->log, before_all, cpu, 0, 0, NULL, 0));
	tell_result(machine, log_known_cpu(machine->log, before_all, cpu, cpu));
	return true;
}

/* The process of the log that a thread belongs to. */
static u32 process_of(const struct task *task)
{
	return task->group->kernel ? BCOS_PROCESS_KERNEL : task->group->node.id;
}

static struct task *add_task(struct machine *machine, u32 pid, u32 tid)
{
	struct task *task = NULL;

	if (task_is_possible(tid) && task_is_possible(pid)) {
		task = tasks_add(&machine->tasks, pid, tid);
		if (!task)
			tell_result(machine, -ENOMEM);
	}
	if (task && (task->group->node.id == KTHREADD || task->group->node.id == TASK_KERNEL))
		task->group->kernel = true;
	return task;
}

/* The thread ended at @time. */
static void remove_task(struct machine *machine, u64 time, struct task *task)
{
	struct group ended;

	if (tasks_remove(&machine->tasks, task, &ended) && !ended.kernel && !ended.alive)
		tell_result(machine, log_process_end(machine->log, moment_at(machine, time), ended.node.id,
						     BCOS_STATUS_UNKNOWN));
}

static void set_name(struct machine *machine, struct moment when, struct group *group, const char *name, size_t length)
{
	length = length < TASK_NAME - 1 ? length : TASK_NAME - 1;
	if (group->kernel || (group->named && group->length == length && !memcmp(group->name, name, length)))
		return;
	group->length = (u8)length;
	memcpy(group->name, name, length);
	group->named = true;
	/*
	 * Nothing has happened to this process yet. It may have been there before the trace, or its birth may still
	 * come.
	 */
	if (when.precision == SINCE_BOOT)
		return;
	tell_result(machine, log_process(machine->log, when, group->node.id, name, length));
	group->told = true;
}

/* An event is about a thread, so its process exists. */
static void hear_of_task(struct machine *machine, struct task *task)
{
	struct group *group = task->group;

	task->heard = true;
	if (group->told || group->kernel)
		return;
	tell_result(machine, log_known_process(machine->log, before_all, group->node.id,
					       group->named ? group->name : "?", group->named ? group->length : 1));
	group->told = true;
}

void machine_hear(struct machine *machine, u32 tid)
{
	struct task *task = tasks_find(&machine->tasks, tid);

	if (task)
		hear_of_task(machine, task);
}

void machine_thread(struct machine *machine, u32 pid, u32 tid)
{
	struct task *task = tasks_find(&machine->tasks, tid);
	struct group ended;

	/* A thread whose end has begun no longer belongs to a process, so its process stays as it is. */
	if (!task_is_possible(pid) || (task && task->group->node.id == pid))
		return;
	if (task && task->dying)
		return;
	/* The thread was thought to be a process of its own. */
	if (task)
		tasks_remove(&machine->tasks, task, &ended);
	add_task(machine, pid, tid);
}

void machine_name(struct machine *machine, u64 time, u32 pid, u32 tid, const char *name, size_t length)
{
	struct task *task;

	machine_thread(machine, pid, tid);
	task = tasks_find(&machine->tasks, tid);
	if (task && !task->dying && pid != tid && task->group->named)
		machine_leave_out(machine, MACHINE_LEAVES_NAME);
	if (!task || task->dying || (pid != tid && task->group->named))
		return;
	if (time && task->group->named)
		hear_of_task(machine, task);
	set_name(machine, time && task->group->named ? moment_at(machine, time) : before_all, task->group, name, length);
	if (time)
		hear_of_task(machine, task);
}

void machine_rumour(struct machine *machine, u32 tid, const char *name, size_t length)
{
	struct task *task;

	if (tasks_find(&machine->tasks, tid))
		return;
	task = add_task(machine, tid, tid);
	if (!task)
		return;
	task->rumoured = true;
	set_name(machine, before_all, task->group, name, length);
}

void machine_map(struct machine *machine, u32 pid, const char *file, size_t length)
{
	struct task *task;

	machine_thread(machine, pid, pid);
	task = tasks_find(&machine->tasks, pid);
	if (task && !task->dying && !task->group->named)
		set_name(machine, before_all, task->group, file, length);
}

void machine_fork(struct machine *machine, u64 time, u32 pid, u32 tid, u32 parent, const char *name, size_t length)
{
	struct task *task = tasks_find(&machine->tasks, tid), *creator;
	struct group found;

	if (!time) {
		machine_thread(machine, pid, tid);
		task = tasks_find(&machine->tasks, tid);
		if (task && parent == KTHREADD)
			task->group->kernel = true;
		return;
	}
	/*
	 * An old thread of this ID is left. If an event was about it, its end or its last turn was lost. Else it is
	 * this thread, which a record named while it began.
	 */
	if (task && task->heard)
		remove_task(machine, task->dying ? task->exit : time, task);
	else if (task)
		tasks_remove(&machine->tasks, task, &found);
	task = add_task(machine, pid, tid);
	if (!task)
		return;
	/*
	 * If the process has other threads by now, records named them ahead of this event, and its name is a later one.
	 */
	if (pid == tid)
		task->group->named = false;
	creator = tasks_find(&machine->tasks, parent);
	if (parent == KTHREADD)
		task->group->kernel = true;
	if (pid == tid && name && length)
		set_name(machine, moment_at(machine, time), task->group, name, length);
	else if (pid == tid && creator && creator->group->named)
		set_name(machine, moment_at(machine, time), task->group, creator->group->name, creator->group->length);
	else if (pid == tid)
		set_name(machine, moment_at(machine, time), task->group, "?", 1);
	hear_of_task(machine, task);
}

void machine_exit(struct machine *machine, u64 time, u32 tid)
{
	struct task *task = tasks_find(&machine->tasks, tid);

	if (!task || task->dying)
		return;
	hear_of_task(machine, task);
	task->dying = true;
	task->exit = time;
	task->group->exit = time;
}

/* Returns the thread that gets or leaves a CPU. An unknown thread is added, since this is the first event about it. */
static struct task *running_task(struct machine *machine, u64 time, u32 tid, const char *name, size_t length)
{
	struct task *task = tasks_find(&machine->tasks, tid);
	bool is_new = !task, names;

	if (is_new)
		task = add_task(machine, tid, tid);
	if (task && task->dying)
		task->group->exit = time;
	if (!task || task->dying)
		return task;
	/*
	 * The name of this thread is that of its process. The name in the first event is older than one that was told
	 * apart from events, so it replaces that one as the name at the beginning.
	 */
	names = task->group->node.id == tid && (is_new || !machine->grouped);
	if (name && (!task->group->named || (names && !task->group->told)))
		set_name(machine, before_all, task->group, name, length);
	hear_of_task(machine, task);
	if (name && names)
		set_name(machine, moment_at(machine, time), task->group, name, length);
	return task;
}

/* Did the thread have a CPU for the last time? A thread that has begun to end may also be preempted. */
static bool is_last_turn(const struct task *task, const struct machine_turns *turns)
{
	return task->dying && (!turns->has_state || turns->state & STATE_DEAD);
}

static struct side side_of(const struct task *task)
{
	struct side side = { .told = false };

	if (task && !task->group->kernel)
		side = (struct side){ true, task->group->node.id, task->node.id };
	return side;
}

static void tell_sides(struct machine *machine, u64 time, u32 cpu, const struct task *previous, const struct task *next,
		       const struct machine_turns *turns)
{
	const struct side from = side_of(previous), to = side_of(next);

	if (turns->has_state)
		tell_result(machine, states_leave(machine->log, time, &from, turns->state));
	tell_result(machine, states_run(machine->log, time, &to, cpu, turns->has_priority ? &turns->priority : NULL));
}

void machine_wake(struct machine *machine, u64 time, u32 cpu, const struct machine_wake *wake)
{
	struct bcos_thread_phrase phrase = {
		.thread = wake->tid,
		.state = BCOS_STATE_WOKEN,
		.by = wake->by,
		.waker_thread = wake->waker,
		.has_cpu = true,
		.cpu = cpu,
	};
	const struct task *task, *waker;

	machine->waking |= wake->event == MACHINE_WAKING;
	if (machine->error)
		return;
	if (wake->event == MACHINE_WAKEUP && machine->waking) {
		machine_leave_out(machine, MACHINE_LEAVES_WAKEUP);
		return;
	}
	machine->states = !machine->stateless;
	task = running_task(machine, time, wake->tid, wake->name, wake->length);
	if (!task || task->dying)
		return;
	if (task->group->kernel || machine->stateless) {
		machine_leave_out(machine, machine->stateless ? MACHINE_LEAVES_STATE : MACHINE_LEAVES_KERNEL_WAKE);
		return;
	}
	if (wake->by == BCOS_WOKEN_BY_THREAD && wake->waker) {
		waker = tasks_find(&machine->tasks, wake->waker);
		phrase.by = waker ? BCOS_WOKEN_BY_THREAD : BCOS_WOKEN_BY_UNKNOWN;
		phrase.waker = waker ? process_of(waker) : 0;
	}
	tell_result(machine, states_tell(machine->log, time, task->group->node.id, &phrase));
}

u32 machine_running(const struct machine *machine, u32 cpu)
{
	return cpu < CPU_MAX ? machine->tid[cpu] : 0;
}

void machine_switch(struct machine *machine, u64 time, u32 cpu, const struct machine_turns *turns)
{
	struct task *previous = NULL, *next = NULL;

	if (machine->error || !machine_hear_cpu(machine, time, cpu))
		return;
	/* Each CPU has an idle thread, and all of them have the ID 0. */
	if (turns->tid[0] && turns->tid[0] != MACHINE_UNKNOWN)
		previous = running_task(machine, time, turns->tid[0], turns->name[0], turns->length[0]);
	if (turns->tid[1] && turns->tid[1] != MACHINE_UNKNOWN)
		next = running_task(machine, time, turns->tid[1], turns->name[1], turns->length[1]);
	machine->tid[cpu] = turns->tid[1] == MACHINE_UNKNOWN ? 0 : turns->tid[1];
	/* Without the state in which a thread leaves, a reader of the log would take it for one that could run. */
	if (!turns->has_state) {
		machine->stateless = true;
		machine->states = false;
	}
	if (machine->states)
		tell_sides(machine, time, cpu, previous, next, turns);
	if (turns->tid[1] == MACHINE_UNKNOWN)
		tell_result(machine, log_unassign(machine->log, moment_at(machine, time), cpu));
	else if (!turns->tid[1] || next)
		tell_result(machine, log_assign(machine->log, moment_at(machine, time), cpu,
						next ? process_of(next) : BCOS_PROCESS_IDLE));
	if (previous && previous != next && is_last_turn(previous, turns))
		remove_task(machine, time, previous);
}

void machine_exec(struct machine *machine, u64 time, u32 tid, const char *file, size_t length)
{
	const char *slash = memrchr(file, '/', length);
	struct task *task;

	if (slash) {
		length -= (size_t)(slash + 1 - file);
		file = slash + 1;
	}
	task = running_task(machine, time, tid, file, length);
	if (task && !task->dying)
		set_name(machine, moment_at(machine, time), task->group, file, length);
}

void machine_irq(struct machine *machine, u64 time, u32 cpu, u32 number, const char *name, size_t length)
{
	bool is_new;
	u32 device;
	int r;

	if (machine->error || !machine_hear_cpu(machine, time, cpu))
		return;
	r = interrupts_device(machine->interrupts, number, name, name ? length : 0, &device, &is_new);
	if (r == -ENOSPC)
		machine_leave_out(machine, MACHINE_LEAVES_LINE);
	else
		tell_result(machine, r);
	if (r)
		return;
	if (is_new)
		tell_result(machine, log_known_device(machine->log, before_all, device, BCOS_PROCESS_KERNEL,
						      interrupts_name(machine->interrupts),
						      strlen(interrupts_name(machine->interrupts))));
	tell_result(machine, log_irq(machine->log, moment_at(machine, time), device, 0));
}

/* States the losses of unknown time of a CPU, now that the CPU has a record again. */
static void state_lost(struct machine *machine, u32 cpu, u64 time)
{
	u64 count = machine->lost[cpu];

	machine->lost[cpu] = 0;
	machine_lost(machine, time, cpu, count, machine->why);
}

bool machine_hear_cpu(struct machine *machine, u64 time, u32 cpu)
{
	if (!machine_cpu(machine, cpu)) {
		machine_leave_out(machine, MACHINE_LEAVES_CPU);
		return false;
	}
	if (machine->lost[cpu])
		state_lost(machine, cpu, time);
	machine->last[cpu] = time;
	return true;
}

bool machine_is_grouped(const struct machine *machine)
{
	return machine->grouped;
}

u32 machine_process(const struct machine *machine, u32 tid)
{
	const struct task *task = tasks_find(&machine->tasks, tid);

	return task ? task->group->node.id : 0;
}

bool machine_knows(const struct machine *machine, u32 tid)
{
	return tasks_find(&machine->tasks, tid);
}

void machine_lost(struct machine *machine, u64 time, u32 cpu, u64 count, const char *why)
{
	u64 from;

	if (machine->error || !machine_cpu(machine, cpu))
		return;
	from = machine->last[cpu] ? machine->last[cpu] : machine->start;
	tell_result(machine, log_loss(machine->log, (struct moment){ from && from < time ? from : time, 0 }, time, cpu,
				      count, "events", why));
	machine->last[cpu] = time;
}

void machine_lost_before_next(struct machine *machine, u32 cpu, u64 count, const char *why)
{
	if (!machine_cpu(machine, cpu)) {
		machine_leave_out(machine, MACHINE_LEAVES_CPU);
		return;
	}
	machine->lost[cpu] += count;
	machine->why = why;
}

/* States the losses that no record of their CPU follows. */
static void state_last_losses(struct machine *machine)
{
	u64 end = machine->start;
	u32 cpu;

	for (cpu = 0; cpu < CPU_MAX; cpu++)
		end = machine->last[cpu] > end ? machine->last[cpu] : end;
	for (cpu = 0; cpu < CPU_MAX; cpu++)
		if (machine->lost[cpu])
			state_lost(machine, cpu, end);
}

/*
 * A thread that has a CPU at the end is alive, even if the trace says that it has begun to end. The other threads that
 * have begun to end ended then.
 */
void machine_end(struct machine *machine)
{
	struct task *task;
	size_t bucket = 0;
	u32 cpu;

	machine->precision = 0;
	state_last_losses(machine);
	for (cpu = 0; cpu < CPU_MAX; cpu++) {
		task = tasks_find(&machine->tasks, machine->tid[cpu]);
		if (task)
			task->group->alive = true;
	}

	for (task = tasks_next(&machine->tasks, NULL, &bucket); task;
	     task = tasks_next(&machine->tasks, task, &bucket))
		if (!task->dying) {
			task->group->alive = true;
			if (!task->rumoured || task->heard)
				hear_of_task(machine, task);
			else
				machine_leave_out(machine, MACHINE_LEAVES_RUMOUR);
		}
	for (bucket = 0; (task = tasks_next(&machine->tasks, NULL, &bucket));)
		remove_task(machine, task->group->exit, task);
}
