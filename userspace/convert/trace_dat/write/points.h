/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The tracepoints of an export to trace.dat, and their records. These are little-endian, with the layout that the
 * descriptions state.
 */
#ifndef TRACE_DAT_POINTS_H
#define TRACE_DAT_POINTS_H

#include "../../perf/write/switches.h"

enum point {
	POINT_SWITCH,
	POINT_WAKEUP,
	POINT_FORK,
	POINT_EXEC,
	POINT_EXIT,
	POINT_RENAME,
	POINT_IRQ_ENTRY,
	POINT_IRQ_EXIT,
	POINT_TRANSFER,
	POINT_EVENT,
	POINT_CALLS,
	POINT_CHANGE,
	POINTS,
};

/* In the order of enum point. */
extern const struct perf_point points[POINTS];

#define COMM 16

struct common {
	u16 number;
	u8 flags, preempt_count;
	u32 pid;
};

struct record_switch {
	struct common common;
	struct switch_fields fields;
} __attribute__((packed));

struct record_wakeup {
	struct common common;
	struct wake_fields fields;
};

struct record_fork {
	struct common common;
	char parent_comm[COMM];
	u32 parent_pid;
	char child_comm[COMM];
	u32 child_pid;
};

/* A u32 locates a text or list in the record: the low half is its offset, the high half its size in bytes. */
struct record_exec {
	struct common common;
	u32 filename, pid, old_pid;
};

struct record_exit {
	struct common common;
	char comm[COMM];
	u32 pid, prio;
};

struct record_rename {
	struct common common;
	u32 pid;
	char oldcomm[COMM], newcomm[COMM];
	u32 oom_score_adj;	/* u16 */
};

struct record_irq_entry {
	struct common common;
	u32 irq, name, device;
};

struct record_irq_exit {
	struct common common;
	u32 irq, ret;
};

struct record_transfer {
	struct common common;
	u32 device, output, bytes, name;
};

struct record_event {
	struct common common;
	u32 about, subject, id, severity, text;
};

struct record_calls {
	struct common common;
	u32 process, functions;
};

struct record_change {
	struct common common;
	u32 type, subject, value, text;
};

#endif
