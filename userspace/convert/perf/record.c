// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Records of tracepoints, by their fields, tell a machine what happens. */
#include "../machine/machine.h"
#include "tracepoints.h"

static void record_switch(struct machine *machine, u64 time, u32 cpu, const struct tracepoint_record *record)
{
	struct machine_turns turns = { 0 };
	u64 tid[2];

	if (!tracepoint_number(record, SWITCH_PREV_PID, &tid[0]) || !tracepoint_number(record, SWITCH_NEXT_PID, &tid[1]))
		return;
	turns.tid[0] = (u32)tid[0];
	turns.tid[1] = (u32)tid[1];
	turns.name[0] = tracepoint_string(record, SWITCH_PREV_COMM, &turns.length[0]);
	turns.name[1] = tracepoint_string(record, SWITCH_NEXT_COMM, &turns.length[1]);
	turns.has_state = tracepoint_number(record, SWITCH_PREV_STATE, &turns.state);
	machine_switch(machine, time, cpu, &turns);
}

static void record_fork(struct machine *machine, u64 time, const struct tracepoint_record *record)
{
	u64 parent, child;

	if (!tracepoint_number(record, FORK_PARENT, &parent) || !tracepoint_number(record, FORK_CHILD, &child))
		return;
	/* Where the trace says which process a new thread is of, it has said so already. */
	if (machine_is_grouped(machine) && machine_knows(machine, (u32)child))
		return;
	machine_fork(machine, time, (u32)child, (u32)child, (u32)parent);
}

static void record_exec(struct machine *machine, u64 time, const struct tracepoint_record *record)
{
	size_t length;
	const char *file = tracepoint_string(record, EXEC_FILE, &length);
	u64 pid;

	if (!machine_is_grouped(machine) && file && tracepoint_number(record, EXEC_PID, &pid))
		machine_exec(machine, time, (u32)pid, file, length);
}

static void record_exit(struct machine *machine, u64 time, const struct tracepoint_record *record)
{
	u64 tid;

	if (tracepoint_number(record, EXIT_PID, &tid))
		machine_exit(machine, time, (u32)tid);
}

static void record_irq(struct machine *machine, u64 time, u32 cpu, const struct tracepoint_record *record)
{
	const char *name;
	size_t length = 0;
	u64 number;

	if (!tracepoint_number(record, IRQ_NUMBER, &number))
		return;
	name = tracepoint_string(record, IRQ_NAME, &length);
	machine_irq(machine, time, cpu, (u32)number, name, length);
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
	default:
		break;
	}
}
