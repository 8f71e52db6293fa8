/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The data and functions that the files of an export to Perfetto share. A function without memory sets "starved" in one
 * of the messages.
 */
#ifndef CONVERT_PERFETTO_H
#define CONVERT_PERFETTO_H

#include "../convert.h"
#include "../cpus.h"
#include "../fxt/fxt.h"
#include "../proto.h"

/* Numbers of the fields of each message. The comment names the message. */
enum { PACKET = 1 };						/* Trace */
enum {
	FTRACE_EVENTS = 1,
	PROCESS_TREE = 2,
	CLOCK_SNAPSHOT = 6,
	TIMESTAMP = 8,
	SEQUENCE = 10,
	SYSTEM_INFO = 45
}; /* TracePacket */
enum { BUNDLE_CPU = 1, BUNDLE_EVENT = 2, BUNDLE_LOST = 3 };	/* FtraceEventBundle */
enum {
	EVENT_TIME = 1,
	EVENT_PID = 2,
	EVENT_PRINT = 3,
	EVENT_SWITCH = 4,
	EVENT_CPU_IDLE = 13,
	EVENT_WAKING = 20,
	EVENT_FREE = 240
}; /* FtraceEvent */
enum { PRINT_BUF = 2 };
enum { PREV_COMM = 1, PREV_PID, PREV_PRIO, PREV_STATE, NEXT_COMM, NEXT_PID, NEXT_PRIO };	/* SchedSwitch */
enum { WAKING_COMM = 1, WAKING_PID, WAKING_PRIO, WAKING_SUCCESS, WAKING_CPU };	/* SchedWaking */
enum { FREE_COMM = 1, FREE_PID = 2 };
enum { IDLE_STATE = 1, IDLE_CPU = 2 };			/* CpuIdle */
enum { TREE_PROCESS = 1, TREE_THREAD = 2 };
enum { PROCESS_PID = 1, PROCESS_PARENT = 2, PROCESS_CMDLINE = 3, PROCESS_BEGIN = 7 };
enum { THREAD_TID = 1, THREAD_NAME = 2, THREAD_TGID = 3 };
enum { SNAPSHOT_CLOCK = 1, SNAPSHOT_PRIMARY = 2 };		/* ClockSnapshot */
enum { CLOCK_ID = 1, CLOCK_TIME = 2 };				/* ClockSnapshot.Clock */
enum { CLOCK_REALTIME = 1, CLOCK_BOOTTIME = 6 };		/* BuiltinClock */
enum { SYSTEM_NAMES = 1 };					/* SystemInfo */
enum { NAMES_SYSTEM = 1, NAMES_RELEASE = 3, NAMES_MACHINE = 4 };	/* Utsname */

/* Thread IDs are signed numbers of 32 bits, and 0 is idle. */
#define KERNEL 0x7FFFFFFFu
#define UNKNOWN 0x7FFFFFFEu
/* A thread of the kernel, which only wakes others. */
#define INTERRUPT 0x7FFFFFFDu
#define PRIORITY 120
/* The prev_state of a thread that has ended. */
#define STATE_DEAD 16
/*
 * The prev_state of a thread whose CPU the kernel gets, parked: as long as the thread neither blocks nor another thread
 * gets the CPU, the log does not say whether the kernel works for it. No thread of a process has this state otherwise.
 */
#define STATE_PARKED 0x40
/* The state of an idle CPU that ends to be idle. */
#define IDLE_ENDS 0xFFFFFFFFu

/*
 * An item that is not a thread of a process on a CPU has its kind in fxt_thread.cpu: a process, a device, or a thread
 * that the log names, with the thread's ID in the low bits.
 */
#define A_PROCESS (1ull << 32)
#define A_DEVICE (2ull << 32)
#define A_THREAD (4ull << 32)

/* The fields of a thread in a switch have at least this much memory. */
#define SIDE_ROOM 48u
#define IDLE_LENGTH 11u

/* A packet holds about this many bytes of events of a CPU. */
#define BUNDLE 4096u
/* Memory is bounded: assignments of CPUs with a number from here on are left out and counted. */
#define CPUS_MAX CPU_SET_MAX

struct lane {
	struct proto events;
	bool known, lost, stated;
	u32 process;
	/* with @stated: what a group states; it holds from the next entry that is not historical on */
	u32 stated_process;
	struct fxt_thread *runs;	/* the thread of @process; NULL: it has to be looked up */
	/* A log with the class "state" also tells these. */
	bool threaded;		/* @runs is a thread that the log names */
	u8 state; /* the state in which @runs is about to leave the CPU, by the kernel's numbers; 0: it still runs */
	/* when the CPU is assigned to this process, it runs this thread; 0: the log has not said */
	u32 next_process, next_thread;
	struct fxt_thread *behind;	/* the parked thread whose CPU the kernel has, or NULL */
};

struct perfetto {
	struct outfile *file;
	struct fxt_threads threads;
	struct lane *cpus;
	u32 cpu_count;
	u32 last_cpu;		/* the highest CPU that was assigned */
	u64 beyond;
	struct proto packet, bundle, tree, item, event, detail;
	/* The CPUs that have events for a bundle, of which the log may say what they run, that may have @stated, and @runs. */
	struct cpu_set filled, known, stated, cached;
	bool begun;		/* @first is set */
	u64 time, first;	/* of the latest entry that is not historical, and of the first one */
	u64 freed;		/* when a process ended last */
	/* The latest switch: when which process left which CPU. */
	u64 left_at;
	u32 left_cpu, left_process;
	bool interrupted;	/* the thread INTERRUPT is written */
	struct fxt_thread *born;	/* a new process that is not written yet, since its parent may follow; or NULL */
};

/* The number of a process in 31 bits. */
static inline u32 perfetto_pid(u32 process)
{
	return process == BCOS_PROCESS_KERNEL ? KERNEL : process == BCOSLOG_NO_PROCESS ? UNKNOWN : process & 0x7FFFFFFF;
}

/* The number of a thread, made as in an export to FXT, but in 31 bits: different large numbers may become the same. */
static inline u32 perfetto_tid(u32 process, u64 cpu)
{
	if (unlikely(cpu >> 32))
		return (u32)cpu & 0x7FFFFFFF;
	return (u32)((cpu + 1) << 22 | (process & 0x3FFFFF)) & 0x7FFFFFFF;
}

/* ---- packets.c -------------------------------------------------------------------- */

/* Writes the events of all CPUs so far, so that no bundle is much older than the others. */
void perfetto_write_bundles(struct perfetto *perfetto);
/* Writes the tree of processes that was built. */
void perfetto_write_tree(struct perfetto *perfetto);
/* Writes what @perfetto->detail holds as the field @field of a packet. */
void perfetto_write_detail(struct perfetto *perfetto, u32 field);
/* Returns the CPU @id, making room for it, or NULL if there is no memory. */
struct lane *perfetto_cpu(struct perfetto *perfetto, u32 id);
/*
 * Returns the CPU whose events the marks and the end of a process are among. Where times are equal, readers only keep the
 * order of the events of one CPU. A process that leaves a CPU and ends at one time must not end first.
 */
u32 perfetto_lane(const struct perfetto *perfetto, u64 time, u32 process);
/* Ends an event on the CPU @id. perfetto->detail holds the contents of its field @field. */
void perfetto_put_event(struct perfetto *perfetto, u32 id, u64 time, u32 pid, u32 field);

/* ---- processes.c ------------------------------------------------------------------ */

/* Returns a process, after writing its name if it is new, or NULL if there is no memory. */
struct fxt_thread *perfetto_process(struct perfetto *perfetto, u32 pid, const char *name, size_t length);
/* Returns the thread of a process on a CPU, after writing its name if it is new, or NULL if there is no memory. */
struct fxt_thread *perfetto_thread(struct perfetto *perfetto, u32 pid, u64 cpu);
/* Returns the name of a thread, which is that of its process unless it has one of its own. */
const char *perfetto_thread_name(const struct fxt_thread *thread, size_t *length);
/* Takes the name of a thread.  Return: whether the thread had it already. */
bool perfetto_thread_named(struct perfetto *perfetto, const struct bcos_entry *entry);
/* Writes the names of all threads that have been written with a former name of their process. */
void perfetto_refresh_threads(struct perfetto *perfetto);
/* The CPU that a thread had last forgets that it shows the thread. */
void perfetto_leave_lane(struct perfetto *perfetto, struct fxt_thread *thread);
/* Writes that a thread has ended. It must not have a CPU any more. */
void perfetto_thread_ended(struct perfetto *perfetto, u64 time, u32 cpu, u32 pid, u64 thread);
/* Writes a new process. @entry may tell its parent; it is the entry after that of its name, or NULL. */
void perfetto_settle_birth(struct perfetto *perfetto, const struct bcos_entry *entry);
/* Takes the program that a process executes. */
void perfetto_executed(struct perfetto *perfetto, const struct bcos_entry *entry);
void perfetto_named(struct perfetto *perfetto, const struct bcos_entry *entry);
void perfetto_ended(struct perfetto *perfetto, const struct bcos_entry *entry);

/* ---- switches.c ------------------------------------------------------------------- */

void perfetto_switch(struct perfetto *perfetto, u64 time, u32 id, u32 process);
/* The thread that the kernel parked on the CPU @id leaves it in @state, by the kernel's numbers. */
void perfetto_leave_parked(struct perfetto *perfetto, u64 time, u32 id, u8 state);
void perfetto_assigned(struct perfetto *perfetto, const struct bcos_assign_cpu *entry);
/* From @time on nobody knows what the CPU @id runs. */
void perfetto_unknown(struct perfetto *perfetto, u64 time, u32 id);
void perfetto_all_unknown(struct perfetto *perfetto, u64 time);
/* Forgets all names and threads, since nothing that was known has to be true any more. */
void perfetto_forget(struct perfetto *perfetto);
/* A group has ended, so the assignments that it states hold from the present time on. */
void perfetto_settle(struct perfetto *perfetto);

/* ---- states.c ---------------------------------------------------------------------- */

/* Takes an event of a process about the state of one of its threads. Returns false if the text is no such state. */
bool perfetto_put_state(struct perfetto *perfetto, const struct bcos_entry *entry);

/* ---- prints.c ---------------------------------------------------------------------- */

/*
 * Writes an event that a viewer shows at a process: "I|PID|TEXT", a counter "C|PID|NAME|NUMBER", or "N|PID|NAME|TEXT"
 * in a row of its own. @after is what follows the text or name.
 */
void perfetto_print(struct perfetto *perfetto, u64 time, u32 process, char kind, const char *text, size_t length,
		    const char *after);

/* ---- machine.c --------------------------------------------------------------------- */

/* Takes the events by which a log tells of its clock and its kernel. */
void perfetto_put_statement(struct perfetto *perfetto, const struct bcos_entry *entry);
/* Takes the event about an idle CPU. Returns false if the text tells more than a counter can. */
bool perfetto_put_idle(struct perfetto *perfetto, const struct bcos_entry *entry);
/* Writes power and performance of a core as counters. */
void perfetto_put_core(struct perfetto *perfetto, const struct bcos_entry *entry);

/* ---- events.c ---------------------------------------------------------------------- */

/* Writes the events for an entry. */
void perfetto_put_entry(struct perfetto *perfetto, const struct bcos_entry *entry);

#endif
