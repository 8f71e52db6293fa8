/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The events of a trace that is made from a log, and their fields. Where LTTng's kernel tracer has an event for an
 * entry, the event has its name and fields, since viewers look for these. The names of all other events begin with
 * bcos_.
 */
#ifndef CONVERT_CTF_SCHEMA_H
#define CONVERT_CTF_SCHEMA_H

#include "core/format/entry.h"

/* Events before CTF_LTTNG_END are those of LTTng. */
enum ctf_layout_id {
	CTF_SCHED_SWITCH,
	CTF_SCHED_WAKING,
	CTF_SCHED_WAKEUP,
	CTF_SCHED_PROCESS_FORK,
	CTF_SCHED_PROCESS_EXEC,
	CTF_SCHED_PROCESS_EXIT,
	CTF_SCHED_PROCESS_FREE,
	CTF_IRQ_HANDLER_ENTRY,
	CTF_IRQ_HANDLER_EXIT,
	CTF_BLOCK_RQ_COMPLETE,
	CTF_NET_IF_RECEIVE_SKB,
	CTF_NET_DEV_XMIT,
	CTF_STATEDUMP_START,
	CTF_STATEDUMP_PROCESS_STATE,
	CTF_STATEDUMP_BLOCK_DEVICE,
	CTF_STATEDUMP_NETWORK_INTERFACE,
	CTF_STATEDUMP_INTERRUPT,
	CTF_STATEDUMP_END,
	CTF_LTTNG_END,
	CTF_PROCESS_RENAME = CTF_LTTNG_END,
	CTF_KERNEL_CALL,
	CTF_GENERIC_PROCESS,
	CTF_GENERIC_CORE,
	CTF_GENERIC_CPU,
	CTF_GENERIC_DEVICE,
	CTF_CORE_ONLINE,
	CTF_CORE_OFFLINE,
	CTF_CPU_ONLINE,
	CTF_CPU_OFFLINE,
	CTF_DEVICE_NAME,
	CTF_DEVICE_END,
	CTF_DEVICE_INPUT,
	CTF_DEVICE_OUTPUT,
	CTF_STATE_PROCESS,
	CTF_STATE_CORE,
	CTF_STATE_CPU,
	CTF_STATE_DEVICE,
	CTF_STATE_ASSIGN,
	CTF_LAYOUTS
};

enum ctf_kind {
	CTF_NONE,
	CTF_U8,
	CTF_U16,
	CTF_U32,
	CTF_U64,
	CTF_S32,
	CTF_S64,
	CTF_TEXT,
	CTF_LIST,	/* elements of 32 bits, as CTF_U32 */
	CTF_KINDS
};

#define CTF_FIELDS_MAX 12

/* A field. The list of an event's fields ends with CTF_NONE. */
struct ctf_field {
	const char *name;
	enum ctf_kind kind;
};

struct ctf_layout {
	const char *name;
	struct ctf_field fields[CTF_FIELDS_MAX + 1];
};

extern const struct ctf_layout ctf_layouts[CTF_LAYOUTS];

/*
 * The event of each type of entries, in the order of bcos_types, where no event of LTTng's takes its place. Its fields
 * are the source, those of the type, and of a historical entry its time. Processes are threads in it.
 */
extern const u8 ctf_type_layouts[BCOS_TYPES];

/* Events of LTTng's kernel tracer that become entries, and the fields that are used. */
enum ctf_kernel_event {
	CTF_KERNEL_SWITCH,	/* prev_tid next_tid prev_comm next_comm prev_state next_prio */
	CTF_KERNEL_FORK,	/* parent_tid child_tid child_pid parent_pid */
	CTF_KERNEL_EXEC,	/* tid filename */
	CTF_KERNEL_EXIT,	/* tid */
	CTF_KERNEL_IRQ,		/* irq name */
	CTF_KERNEL_BLOCK,	/* dev nr_sector rwbs error errors */
	CTF_KERNEL_RECEIVE,	/* len name */
	CTF_KERNEL_RECEIVE_OLD,	/* len name: before LTTng 2.7 */
	CTF_KERNEL_XMIT,	/* len name rc */
	CTF_KERNEL_QUEUE,	/* len name */
	CTF_KERNEL_PROCESS,	/* tid pid ppid name type */
	CTF_KERNEL_DUMPED,	/* no field: this event ends the state dump */
	CTF_KERNEL_DISK,	/* dev diskname */
	CTF_KERNEL_INTERFACE,	/* name */
	CTF_KERNEL_WAKING,	/* tid comm */
	CTF_KERNEL_WAKEUP,	/* tid comm */
	CTF_KERNEL_WAKEUP_NEW,	/* tid comm */
	CTF_KERNEL_PERF_FORK,	/* ptid tid pid time: of perf alone, as are the next two */
	CTF_KERNEL_PERF_EXIT,	/* tid */
	CTF_KERNEL_PERF_COMM,	/* pid tid comm */
	CTF_KERNEL_EVENTS
};

struct ctf_kernel_layout {
	const char *name;
	const char *fields[CTF_FIELDS_MAX];
};

extern const struct ctf_kernel_layout ctf_kernel_layouts[CTF_KERNEL_EVENTS];
/*
 * These are the events as "perf data convert --to-ctf" writes them: with names and fields of the kernel's tracepoints, and
 * as many fields. An event that perf does not write, or writes without what is needed, has no name here.
 */
extern const struct ctf_kernel_layout ctf_perf_layouts[CTF_KERNEL_EVENTS];

/*
 * Returns the number of fields of an event of LTTng's kernel tracer. In a record, a process and its thread may follow
 * them, from the context of the event.
 */
static inline unsigned int ctf_kernel_fields(enum ctf_kernel_event which)
{
	unsigned int count = 0;

	while (ctf_kernel_layouts[which].fields[count])
		count++;
	return count;
}

/* The fields that each event has in its context: the number of the entry in the log, and the precision of its time. */
#define CTF_ORDER "bcos_order"
#define CTF_PRECISION "bcos_precision"

/*
 * This entry of the environment marks a trace that was made from a log. Its value is the version of the events' layout.
 */
#define CTF_ENVIRONMENT "bcos_evlog"
#define CTF_ENVIRONMENT_VERSION 1

/*
 * Thread 0 of a trace is the idle thread, so the kernel, which is process 0 of a log, gets another number. The process
 * of a log that has this number gets -1, which no process of a log has. -2 stands for an unknown thread.
 */
#define CTF_TID_KERNEL 0x7FFFFFFF
#define CTF_TID_UNKNOWN (-2)
/* In the field for the process of a switch: the switch is between threads of one process, and no entry became it. */
#define CTF_NO_ENTRY (-3)

static inline s32 ctf_tid(u32 process)
{
	if (unlikely(!process))
		return CTF_TID_KERNEL;
	return process == 0xFFFFFFFFu ? 0 : process == CTF_TID_KERNEL ? -1 : (s32)process;
}

#endif
