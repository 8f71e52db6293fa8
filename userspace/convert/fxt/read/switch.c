// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Import of the Fuchsia trace format: switches, wake-ups, and the states of threads. */
#include "core/format/phrase.h"
#include "read.h"

/* When a switch happened, where, and the thread that gets the CPU. */
struct turn {
	struct moment when;
	u32 cpu;
	struct fxt_reference in;
	bool idle;
};

static void use_cpu(struct fxt_import *fxt, u32 cpu)
{
	fxt->cpus[cpu / 8] |= (u8)(1u << cpu % 8);
}

static int tell_state(struct fxt_import *fxt, struct moment when, struct fxt_reference thread,
		      struct bcos_thread_phrase phrase)
{
	char text[128];
	int length;

	phrase.thread = fxt_thread_id(fxt, thread.tid);
	length = bcos_phrase_thread(text, sizeof(text), &phrase);
	return log_event(fxt->import->log, when, BCOS_GENERIC_PROCESS, fxt_process_id(fxt, fxt_owner_of(fxt, thread)),
			 BCOS_EVENT_TASK_STATE, BCOS_SEVERITY_DEBUG, text, (size_t)length);
}

/* The thread leaves a CPU in a state of the format. From the other states it can run at once. */
static int tell_leaving(struct fxt_import *fxt, struct moment when, struct fxt_reference thread, u64 state)
{
	static const u8 states[16] = {
		[FXT_SUSPENDED] = BCOS_STATE_STOPPED, [FXT_BLOCKED] = BCOS_STATE_BLOCKED, [FXT_DEAD] = BCOS_STATE_DEAD,
	};

	if (state != FXT_SUSPENDED && state != FXT_BLOCKED && state != FXT_DEAD)
		return 0;
	if (!fxt->wakes) {
		fxt_leave_out(fxt, FXT_LEAVES_STATE);
		return 0;
	}
	return tell_state(fxt, when, thread, (struct bcos_thread_phrase){ .state = states[state] });
}

static int assign_cpu(struct fxt_import *fxt, const struct turn *turn)
{
	u64 process = fxt_owner_of(fxt, turn->in);
	int r = 0;

	if (turn->idle)
		return log_assign(fxt->import->log, turn->when, turn->cpu, BCOS_PROCESS_IDLE);
	if (fxt_is_unknown(fxt, process))
		return log_unassign(fxt->import->log, turn->when, turn->cpu);
	if (fxt->wakes && turn->in.tid)
		r = tell_state(fxt, turn->when, turn->in, (struct bcos_thread_phrase){
			.state = BCOS_STATE_RUNS, .has_cpu = true, .cpu = turn->cpu });
	return r ? r : log_assign(fxt->import->log, turn->when, turn->cpu, fxt_process_id(fxt, process));
}

/* Takes a switch in the older layout. The idle thread has no process and the priority 0. */
static int old_switch(struct fxt_import *fxt, u64 header)
{
	struct turn turn = { .cpu = header >> 16 & 0xFF };
	struct fxt_reference out;
	u64 incoming = header >> 52 & 0xFF;
	int r = 0;

	turn.when = (struct moment){ fxt_time_of(fxt, fxt_next(fxt)), fxt_tick_of(fxt) };
	out = fxt_thread_of_ref(fxt, header >> 28);
	turn.in = fxt_thread_of_ref(fxt, header >> 36);
	if (fxt->bad)
		return 0;
	use_cpu(fxt, turn.cpu);
	turn.idle = !incoming && !turn.in.undefined && !turn.in.pid && !fxt_process_of(fxt, turn.in.tid);
	if (incoming && !turn.idle)
		fxt_leave_out(fxt, FXT_LEAVES_PRIORITY);
	if (out.tid && (out.pid || header >> 44 & 0xFF))
		r = tell_leaving(fxt, turn.when, out, header >> 24 & 0xF);
	return r ? r : assign_cpu(fxt, &turn);
}

/* Returns whether the weight @name is that of an idle thread. Adds 1 to *@known if there is such an argument. */
static bool is_idle_weight(struct fxt_import *fxt, const char *name, unsigned int *known)
{
	*known += fxt_find(fxt, name) != NULL;
	return (u32)fxt_number(fxt, name, 0) == FXT_IDLE_WEIGHT;
}

static int current_switch(struct fxt_import *fxt, u64 header)
{
	struct turn turn = { .cpu = header >> 20 & 0xFFFF };
	struct fxt_reference out = { .undefined = false };
	unsigned int known = 0;
	bool from_idle;
	int r = 0;

	turn.when.time = fxt_time_of(fxt, fxt_next(fxt));
	out.tid = fxt_next(fxt);
	turn.in.tid = fxt_next(fxt);
	fxt_read_arguments(fxt, header >> 16 & 0xF);
	if (fxt->bad)
		return 0;
	use_cpu(fxt, turn.cpu);
	from_idle = is_idle_weight(fxt, "outgoing_weight", &known);
	turn.idle = is_idle_weight(fxt, "incoming_weight", &known);
	turn.when.precision = (u32)fxt_number(fxt, "precision", fxt_tick_of(fxt));
	if (fxt_find(fxt, "incoming_weight") && !turn.idle)
		fxt_leave_out(fxt, FXT_LEAVES_PRIORITY);
	if (fxt->argument_count > known)
		fxt_leave_out(fxt, FXT_LEAVES_SWITCH_ARGUMENT);
	if (out.tid && !from_idle)
		r = tell_leaving(fxt, turn.when, out, header >> 36 & 0xF);
	return r ? r : assign_cpu(fxt, &turn);
}

/* The format does not tell who wakes a thread. */
static int take_wakeup(struct fxt_import *fxt, u64 header)
{
	const struct bcos_thread_phrase phrase = {
		.state = BCOS_STATE_WOKEN, .by = BCOS_WOKEN_BY_UNKNOWN, .has_cpu = true, .cpu = header >> 20 & 0xFFFF,
	};
	struct moment when = { fxt_time_of(fxt, fxt_next(fxt)), fxt_tick_of(fxt) };
	struct fxt_reference thread = { .tid = fxt_next(fxt) };

	fxt_read_arguments(fxt, header >> 16 & 0xF);
	if (fxt->bad || !thread.tid)
		return 0;
	use_cpu(fxt, phrase.cpu);
	fxt->wakes = true;
	if (fxt_find(fxt, "weight"))
		fxt_leave_out(fxt, FXT_LEAVES_PRIORITY);
	if (fxt->argument_count > !!fxt_find(fxt, "weight"))
		fxt_leave_out(fxt, FXT_LEAVES_SWITCH_ARGUMENT);
	return tell_state(fxt, when, thread, phrase);
}

/* A thread goes from one fiber to another. The record does not say which thread, so this is no switch of a CPU. */
static int fiber_switch(struct fxt_import *fxt, u64 header)
{
	struct fxt_happened event = { .type = FXT_INSTANT, .category = { "fiber", 5 } };
	char name[64];
	u64 out, in;

	event.time = fxt_time_of(fxt, fxt_next(fxt));
	event.precision = fxt_tick_of(fxt);
	out = fxt_next(fxt);
	in = fxt_next(fxt);
	fxt_read_arguments(fxt, header >> 16 & 0xF);
	if (fxt->bad)
		return 0;
	event.name.text = name;
	event.name.length = (size_t)snprintf(name, sizeof(name), "%llu -> %llu", (unsigned long long)out,
					     (unsigned long long)in);
	return fxt_foreign(fxt, &event);
}

int fxt_scheduling_record(struct fxt_import *fxt, u64 header)
{
	switch (header >> 60) {
	case FXT_SWITCH_OLD:
		return old_switch(fxt, header);
	case FXT_SWITCH:
		return current_switch(fxt, header);
	case FXT_WAKEUP:
		return take_wakeup(fxt, header);
	case FXT_FIBERS:
		return fiber_switch(fxt, header);
	default:
		fxt_leave_out(fxt, FXT_LEAVES_SCHEDULING);
		return 0;
	}
}
