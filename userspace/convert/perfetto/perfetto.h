/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* An export to Perfetto, as the files of this folder share it. Memory that is missing is noted in its messages. */
#ifndef CONVERT_PERFETTO_H
#define CONVERT_PERFETTO_H

#include "../convert.h"
#include "../fxt/threads.h"
#include "../proto.h"

/* Fields of the messages; the comment says of which. */
enum { PACKET = 1 };						/* Trace */
enum { FTRACE_EVENTS = 1, PROCESS_TREE = 2, TIMESTAMP = 8, SEQUENCE = 10 };	/* TracePacket */
enum { BUNDLE_CPU = 1, BUNDLE_EVENT = 2, BUNDLE_LOST = 3 };	/* FtraceEventBundle */
enum { EVENT_TIME = 1, EVENT_PID = 2, EVENT_PRINT = 3, EVENT_SWITCH = 4, EVENT_WAKING = 20, EVENT_IRQ_ENTRY = 36, EVENT_IRQ_EXIT = 37,
       EVENT_FREE = 240 };					/* FtraceEvent */
enum { PRINT_BUF = 2 };
enum { PREV_COMM = 1, PREV_PID, PREV_PRIO, PREV_STATE, NEXT_COMM, NEXT_PID, NEXT_PRIO };	/* SchedSwitch */
enum { WAKING_COMM = 1, WAKING_PID, WAKING_PRIO, WAKING_SUCCESS, WAKING_CPU };	/* SchedWaking */
enum { FREE_COMM = 1, FREE_PID = 2 };
enum { IRQ_NUMBER = 1, IRQ_NAME = 2 };
enum { TREE_PROCESS = 1, TREE_THREAD = 2 };
enum { PROCESS_PID = 1, PROCESS_CMDLINE = 3 };
enum { THREAD_TID = 1, THREAD_NAME = 2, THREAD_TGID = 3 };

/* IDs are signed numbers of 32 bits, and 0 is idle. */
#define KERNEL 0x7FFFFFFFu
#define UNKNOWN 0x7FFFFFFEu
#define PRIORITY 120
/* prev_state of a thread that is no more. */
#define STATE_DEAD 16

/* In the place of a CPU: a process, a device, or a thread that the log tells of, with its ID in the low bits. */
#define A_PROCESS (1ull << 32)
#define A_DEVICE (2ull << 32)
#define A_THREAD (4ull << 32)

/* A thread's side of a switch has at least so much memory. */
#define SIDE_ROOM 48u
#define IDLE_LENGTH 11u

/* So many bytes of events of a CPU go into one packet. */
#define BUNDLE 4096u
/* Memory is bounded: what happens on CPUs from here on is left out, and counted. */
#define CPUS_MAX 65536u

struct lane {
	struct proto events;
	bool known, lost, stated;
	u32 process;
	u32 stated_process;	/* if @stated: as a group has stated, which holds from the first entry after it on */
	const struct fxt_thread *runs;	/* the thread of @process, or NULL: it is to be looked up */
	/* A log with the class of states tells the rest. */
	bool threaded;		/* @runs is one that the log tells of */
	u8 state;		/* in which it is going to leave the CPU, as the kernel numbers states; 0: it still runs */
	u32 next_process, next_thread;	/* the CPU runs this thread whenever this process has it; 0: nothing has told */
};

struct perfetto {
	struct outfile *file;
	struct fxt_threads threads;
	struct lane *cpus;
	u32 cpu_count;
	u64 beyond;
	struct proto packet, bundle, tree, item, event, detail;
	bool stated;		/* of any CPU */
	u64 time;
};

/* A process in 31 bits. */
static inline u32 perfetto_pid(u32 process)
{
	return process == BCOS_PROCESS_KERNEL ? KERNEL : process == BCOSLOG_NO_PROCESS ? UNKNOWN : process & 0x7FFFFFFF;
}

/* As FXT has it, in 31 bits. Larger numbers share threads with others. */
static inline u32 perfetto_tid(u32 process, u64 cpu)
{
	if (unlikely(cpu >> 32))
		return (u32)cpu & 0x7FFFFFFF;
	return (u32)((cpu + 1) << 22 | (process & 0x3FFFFF)) & 0x7FFFFFFF;
}

/* ---- packets.c -------------------------------------------------------------------- */

/* Writes all events so far, so that no bundle is much older than another. */
void perfetto_write_bundles(struct perfetto *perfetto);
/* Writes the tree that was put together. */
void perfetto_write_tree(struct perfetto *perfetto);
/* Returns a CPU, for which it makes room, or NULL if there is no memory. */
struct lane *perfetto_cpu(struct perfetto *perfetto, u32 id);
/* Ends an event, whose @field is in detail, on a CPU. */
void perfetto_put_event(struct perfetto *perfetto, u32 id, u64 time, u32 pid, u32 field);

/* ---- processes.c ------------------------------------------------------------------ */

/* Returns a process that viewers know by then, or NULL if there is no memory. */
struct fxt_thread *perfetto_process(struct perfetto *perfetto, u32 pid, const char *name, size_t length);
/* Returns the thread of a process on a CPU, which viewers know by then, or NULL if there is no memory. */
struct fxt_thread *perfetto_thread(struct perfetto *perfetto, u32 pid, u64 cpu);
/* A thread that no CPU runs is no more. */
void perfetto_thread_ended(struct perfetto *perfetto, u64 time, u32 cpu, u32 pid, u64 thread);
void perfetto_named(struct perfetto *perfetto, const struct bcos_entry *entry);
void perfetto_ended(struct perfetto *perfetto, const struct bcos_entry *entry);

/* ---- switches.c ------------------------------------------------------------------- */

void perfetto_switch(struct perfetto *perfetto, u64 time, u32 id, u32 process);
void perfetto_assigned(struct perfetto *perfetto, const struct bcos_assign_cpu *entry);
/* Nobody knows what a CPU runs from @time on. */
void perfetto_unknown(struct perfetto *perfetto, u64 time, u32 id);
void perfetto_all_unknown(struct perfetto *perfetto, u64 time);
/* Nothing that was known has to be true any more. */
void perfetto_forget(struct perfetto *perfetto);
/* A group has ended: what it states of CPUs holds from the present time on. */
void perfetto_settle(struct perfetto *perfetto);

/* ---- states.c ---------------------------------------------------------------------- */

/* Tells what an event of a process says of a thread. */
void perfetto_put_state(struct perfetto *perfetto, const struct bcos_entry *entry);

/* ---- events.c ---------------------------------------------------------------------- */

/* Writes what an entry says. */
void perfetto_put_entry(struct perfetto *perfetto, const struct bcos_entry *entry);

#endif
