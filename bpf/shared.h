/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Definitions that the BPF programs share with the BPF engine of the library.
 *
 * Each CPU has a ring of units (raw.h) in the map bcos_slots, which user space maps. The ring of a
 * CPU begins at CPU number * units. The BPF ring buffer is not used, since it takes a lock and
 * costs twice as much. Instead a program
 *
 *	checks whether there is room			head, tail
 *	reserves its place by an atomic addition	head
 *	reads the clock
 *	stores the record, the second word of its
 *	first unit last: that is never zero		slots
 *
 * User space takes records until it comes to a second word of zero, clears all words that it took,
 * and returns the room (tail). A CPU's records are nearly in order of time, since an interrupt may
 * come between reserving the place and reading the clock. A record that finds no room is counted as
 * lost. Some room is kept for assignments, and more for births and deaths.
 */
#ifndef BCOS_BPF_SHARED_H
#define BCOS_BPF_SHARED_H

#include "core/capture/action.h"
#include "core/capture/handled.h"
#include "core/raw/raw.h"

#define BCOS_BPF_UNITS_MIN 4096

/*
 * The version of the maps, which may outlive the process that made them. It goes up with each
 * change of what is in them.
 */
#define BCOS_BPF_VERSION 2

/*
 * This much room in a ring is kept for programs that interrupt another one after that has checked
 * for room.
 */
#define BCOS_BPF_SLACK 256

/*
 * In the aux of a SWITCH: no program saw this switch, which happened at some time since the SWITCH
 * before it on this CPU.
 */
#define BCOS_BPF_UNSEEN 1

/* State of a CPU, in the map bcos_cpus, which user space maps. */
struct bcos_bpf_cpu {
	u64 head;			/* units ever reserved */
	u64 tail;			/* units ever returned; user space writes this */
	u32 current_id;			/* process of the last SWITCH, also of a lost one */
	u32 interrupted;		/* process that the CPU ran when the interrupt came */
	/*
	 * The task to which the last switch that was seen gave this CPU, by mark_of() in
	 * sched.bpf.c; 0: unknown. If another task leaves the CPU, a switch was not seen.
	 */
	u32 running;
	u32 reserved;
	u64 count_at;			/* address of the CPU's count of interrupts, once found */
	struct bcos_handled handled;
	/* The newest stretch of losses that user space has seen. User space writes this. */
	u32 taken;
	u32 losing;			/* number of nested programs that are writing @lost */
	struct bcos_stage_lost lost;	/* lost.sequence counts the losses */
	/* Actions whose name this CPU has recorded. */
	struct bcos_seen_action seen[BCOS_ACTION_SLOTS];
};

/*
 * The key of a network interface is made of the inode number of its namespace, whose top bit is
 * always the same, and of its index there, which has 31 bits.
 */
static inline u64 bcos_bpf_net_key(u32 space, u32 index)
{
	return BCOS_RAW_KEY(BCOS_DEVICE_NETWORK,
			    (u64)(space & 0x7FFFFFFF) << 31 | (index & 0x7FFFFFFF));
}

/*
 * User space sets this before it loads the programs, so the verifier does not even look at code
 * that is off.
 */
struct bcos_bpf_config {
	u32 classes;			/* recorded classes, BCOS_CLASS_* */
	u32 calls_of;			/* class "api": only this process, 0: all */
	/* Size of each ring, a power of two, at least BCOS_BPF_UNITS_MIN. */
	u32 units;
	/* A kick wakes the log writer when head >> kick_shift changes. */
	u32 kick_shift;
	u8 switch_has_state;		/* sched_switch has the fourth argument */
	u8 victim_is_task;		/* the argument of mark_victim is a task, not its PID */
	u8 block_error_is_errno;	/* the error of block_rq_complete is an errno */
	u8 has_functions;		/* programs that attach to functions are loaded, too */
	u8 is_inside;			/* record only the processes of one PID namespace */
	u8 hide_arguments;		/* record no arguments of programs */
	u8 has_old_groups;		/* control groups of version 1 are in use */
	u8 requests_by_bio;		/* a request is known by its first bio */
	u32 net;			/* inode number of user space's network namespace */
	/*
	 * Distances of two variables of a CPU from its run queue, in bytes: its count of
	 * interrupts, and its current task.
	 */
	s64 count_distance;
	s64 current_distance;
};

#endif
