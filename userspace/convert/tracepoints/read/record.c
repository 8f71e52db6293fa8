// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Takes the fields of a record, and tells the machine what happened. */
#include "../../bytes.h"
#include "../../machine/machine.h"
#include "core/format/phrase.h"
#include "read.h"

/* The common fields of a record: u16 number, u8 flags, u8 count, u32 thread. */
#define COMMON_FLAGS 2
#define COMMON_THREAD 4
#define COMMON_SIZE 8u
/* Bits of the flags that mean: the CPU handles an interrupt, a softirq or an NMI. */
#define FLAGS_INTERRUPT 0x58u

static void record_switch(struct machine *machine, u64 time, u32 cpu, const struct tracepoint_record *record)
{
	struct machine_turns turns = { 0 };
	u64 tid[2], priority = 0;

	if (!tracepoint_number(record, SWITCH_PREV_PID, &tid[0]) ||
	    !tracepoint_number(record, SWITCH_NEXT_PID, &tid[1])) {
		machine_leave_out(machine, MACHINE_LEAVES_FIELD);
		return;
	}
	turns.tid[0] = (u32)tid[0];
	turns.tid[1] = (u32)tid[1];
	turns.name[0] = tracepoint_string(record, SWITCH_PREV_COMM, &turns.length[0]);
	turns.name[1] = tracepoint_string(record, SWITCH_NEXT_COMM, &turns.length[1]);
	turns.has_state = tracepoint_number(record, SWITCH_PREV_STATE, &turns.state);
	turns.has_priority = tracepoint_number(record, SWITCH_NEXT_PRIO, &priority);
	turns.priority = (s32)priority;
	machine_switch(machine, time, cpu, &turns);
}

static void record_fork(struct machine *machine, u64 time, const struct tracepoint_record *record)
{
	const char *name;
	size_t length;
	u64 parent, child;

	name = tracepoint_string(record, FORK_COMM, &length);
	if (!tracepoint_number(record, FORK_PARENT, &parent) || !tracepoint_number(record, FORK_CHILD, &child))
		machine_leave_out(machine, MACHINE_LEAVES_FIELD);
	/* If the trace tells the process of each thread, it has already told that of the new one. */
	else if (machine_is_grouped(machine) && machine_knows(machine, (u32)child))
		machine_leave_out(machine, MACHINE_LEAVES_FORK);
	else
		machine_fork(machine, time, (u32)child, (u32)child, (u32)parent, name, length);
}

static void record_exec(struct machine *machine, u64 time, const struct tracepoint_record *record)
{
	size_t length;
	const char *file = tracepoint_string(record, EXEC_FILE, &length);
	u64 pid;

	if (machine_is_grouped(machine))
		machine_leave_out(machine, MACHINE_LEAVES_EXEC);
	else if (file && tracepoint_number(record, EXEC_PID, &pid))
		machine_exec(machine, time, (u32)pid, file, length);
	else
		machine_leave_out(machine, MACHINE_LEAVES_FIELD);
}

static void record_exit(struct machine *machine, u64 time, const struct tracepoint_record *record)
{
	u64 tid;

	if (tracepoint_number(record, EXIT_PID, &tid))
		machine_exit(machine, time, (u32)tid);
	else
		machine_leave_out(machine, MACHINE_LEAVES_FIELD);
}

static void record_irq(struct machine *machine, u64 time, u32 cpu, const struct tracepoint_record *record)
{
	const char *name;
	size_t length = 0;
	u64 number;

	if (!tracepoint_number(record, IRQ_NUMBER, &number)) {
		machine_leave_out(machine, MACHINE_LEAVES_FIELD);
		return;
	}
	name = tracepoint_string(record, IRQ_NAME, &length);
	machine_irq(machine, time, cpu, (u32)number, name, length);
}

/*
 * sched_waking names the waker. sched_wakeup does not: it may come from the CPU that gets the thread, where another
 * thread runs.
 */
static void record_wake(struct machine *machine, u64 time, u32 cpu, const struct tracepoint_record *record,
			enum machine_wakes event)
{
	struct machine_wake wake = { .event = event, .by = BCOS_WOKEN_BY_UNKNOWN };
	u64 tid;

	if (record->size < COMMON_SIZE || !tracepoint_number(record, WAKE_PID, &tid)) {
		machine_leave_out(machine, MACHINE_LEAVES_FIELD);
		return;
	}
	wake.tid = (u32)tid;
	wake.name = tracepoint_string(record, WAKE_COMM, &wake.length);
	if (event != MACHINE_WAKEUP) {
		wake.by =
			record->bytes[COMMON_FLAGS] & FLAGS_INTERRUPT ? BCOS_WOKEN_BY_INTERRUPT : BCOS_WOKEN_BY_THREAD;
		wake.waker = get32(record->bytes + COMMON_THREAD, record->big);
	}
	machine_wake(machine, time, cpu, &wake);
}

void machine_record(struct machine *machine, u64 time, u32 cpu, const struct tracepoint_record *record)
{
	if (machine_error(machine) || !machine_hear_cpu(machine, time, cpu))
		return;
	switch (record->point->kind) {
	case TRACEPOINT_SWITCH:
		record_switch(machine, time, cpu, record);
		break;
	case TRACEPOINT_FORK:
		record_fork(machine, time, record);
		break;
	case TRACEPOINT_EXEC:
		record_exec(machine, time, record);
		break;
	case TRACEPOINT_EXIT:
		record_exit(machine, time, record);
		break;
	case TRACEPOINT_IRQ:
		record_irq(machine, time, cpu, record);
		break;
	case TRACEPOINT_WAKING:
		record_wake(machine, time, cpu, record, MACHINE_WAKING);
		break;
	case TRACEPOINT_WAKEUP:
		record_wake(machine, time, cpu, record, MACHINE_WAKEUP);
		break;
	case TRACEPOINT_WAKEUP_NEW:
		record_wake(machine, time, cpu, record, MACHINE_WAKEUP_NEW);
		break;
	default:
		break;
	}
}
