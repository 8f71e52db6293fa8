// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Descriptions of the records in the form of tracefs. Tracepoints of the systems sched, task and irq have the names and
 * fields of the kernel's; the system bcos is for entries without a tracepoint of Linux.
 */
#include "write.h"

#define FIELD(declaration, offset, size, sign) \
	"\tfield:" declaration ";\toffset:" #offset ";\tsize:" #size ";\tsigned:" #sign ";\n"
#define COMM_FIELD(name, offset) FIELD("char " name "[16]", offset, 16, 0)
#define PID_FIELD(name, offset) FIELD("pid_t " name, offset, 4, 1)
#define INT_FIELD(name, offset) FIELD("int " name, offset, 4, 1)
#define U32_FIELD(name, offset) FIELD("u32 " name, offset, 4, 0)
#define TEXT_FIELD(name, offset) FIELD("__data_loc char[] " name, offset, 4, 0)

const struct perf_point points[POINTS] = {
	[POINT_SWITCH] = { "sched", "sched_switch",
		COMM_FIELD("prev_comm", 8) PID_FIELD("prev_pid", 24) INT_FIELD("prev_prio", 28)
		FIELD("long prev_state", 32, 8, 1)
		COMM_FIELD("next_comm", 40) PID_FIELD("next_pid", 56) INT_FIELD("next_prio", 60),
		"\"prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%ld ==> next_comm=%s next_pid=%d next_prio=%d\", "
		"REC->prev_comm, REC->prev_pid, REC->prev_prio, REC->prev_state, REC->next_comm, REC->next_pid, REC->next_prio" },
	[POINT_WAKEUP] = WAKE_POINT("sched_wakeup"),
	[POINT_FORK] = { "sched", "sched_process_fork",
		COMM_FIELD("parent_comm", 8) PID_FIELD("parent_pid", 24)
		COMM_FIELD("child_comm", 28) PID_FIELD("child_pid", 44),
		"\"comm=%s pid=%d child_comm=%s child_pid=%d\", REC->parent_comm, REC->parent_pid, REC->child_comm, "
		"REC->child_pid" },
	[POINT_EXEC] = { "sched", "sched_process_exec",
		TEXT_FIELD("filename", 8) PID_FIELD("pid", 12) PID_FIELD("old_pid", 16),
		"\"filename=%s pid=%d old_pid=%d\", __get_str(filename), REC->pid, REC->old_pid" },
	[POINT_EXIT] = { "sched", "sched_process_exit",
		COMM_FIELD("comm", 8) PID_FIELD("pid", 24) INT_FIELD("prio", 28),
		"\"comm=%s pid=%d prio=%d\", REC->comm, REC->pid, REC->prio" },
	[POINT_RENAME] = { "task", "task_rename",
		PID_FIELD("pid", 8) COMM_FIELD("oldcomm", 12) COMM_FIELD("newcomm", 28)
		FIELD("short oom_score_adj", 44, 2, 1),
		"\"pid=%d oldcomm=%s newcomm=%s oom_score_adj=%hd\", REC->pid, REC->oldcomm, REC->newcomm, REC->oom_score_adj" },
	[POINT_IRQ_ENTRY] = { "irq", "irq_handler_entry",
		INT_FIELD("irq", 8) TEXT_FIELD("name", 12) U32_FIELD("bcos_device", 16),
		"\"irq=%d name=%s\", REC->irq, __get_str(name)" },
	[POINT_IRQ_EXIT] = { "irq", "irq_handler_exit",
		INT_FIELD("irq", 8) INT_FIELD("ret", 12),
		"\"irq=%d ret=%s\", REC->irq, REC->ret ? \"handled\" : \"unhandled\"" },
	[POINT_TRANSFER] = { "bcos", "bcos_transfer",
		U32_FIELD("device", 8) U32_FIELD("output", 12) U32_FIELD("bytes", 16) TEXT_FIELD("name", 20),
		"\"device=0x%08x name=%s output=%u bytes=%u\", REC->device, __get_str(name), REC->output, REC->bytes" },
	[POINT_EVENT] = { "bcos", "bcos_event",
		U32_FIELD("about", 8) U32_FIELD("subject", 12) U32_FIELD("id", 16) U32_FIELD("severity", 20)
		TEXT_FIELD("text", 24),
		"\"%s %u: event 0x%08x, severity 0x%02x: %s\", __print_symbolic(REC->about, { 0, \"process\" }, { 1, \"core\" }, "
		"{ 2, \"CPU\" }, { 3, \"device\" }), REC->subject, REC->id, REC->severity, __get_str(text)" },
	[POINT_CALLS] = { "bcos", "bcos_calls",
		U32_FIELD("process", 8) FIELD("__data_loc u32[] functions", 12, 4, 0),
		"\"process=%u functions=%s\", REC->process, __print_array(__get_dynamic_array(functions), "
		"__get_dynamic_array_len(functions) / 4, 4)" },
	[POINT_CHANGE] = { "bcos", "bcos_change",
		U32_FIELD("type", 8) U32_FIELD("subject", 12) U32_FIELD("value", 16) TEXT_FIELD("text", 20),
		"\"type=0x%04x subject=%u value=%u text=%s\", REC->type, REC->subject, REC->value, __get_str(text)" },
};
