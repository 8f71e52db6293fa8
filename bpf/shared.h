/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the BPF programs and the library's BPF engine share.
 *
 * Each CPU has a ring of its own in the map bcos_slots, which user space maps:
 * units (raw.h) from CPU * units on. BPF's own ring buffer takes a lock, and
 * costs twice as much; here a program
 *
 *	looks whether there is room			head, tail
 *	takes its place by an atomic addition		head
 *	reads the clock
 *	stores the record, the second word of its
 *	first unit last: that is never zero		slots
 *
 * and user space takes records until it comes to a second word of zero, makes
 * all words zero that it took, and gives the room back (tail).  So a CPU's
 * records are nearly in order of time: an interrupt may come between taking
 * the place and reading the clock.  What finds no room is counted as lost;
 * some is kept for assignments, and more for births and deaths.
 */
#ifndef BCOS_BPF_SHARED_H
#define BCOS_BPF_SHARED_H

#include "../module/core/raw.h"

#define BCOS_BPF_UNITS_MIN 4096

/* Of a ring, what is kept for those that interrupt one who has looked whether there is room. */
#define BCOS_BPF_SLACK 256

/* Actions whose name this CPU recorded: by line, direct-mapped. */
#define BCOS_BPF_SEEN_BITS 6

struct bcos_bpf_seen {
	u32 irq;
	u32 fingerprint;		/* 0: none */
};

/* Of each CPU, in the map "bcos_cpus", which user space maps. */
struct bcos_bpf_cpu {
	u64 head;			/* units taken, ever */
	u64 tail;			/* units given back: written by user space */
	u32 current_id;			/* process of the last SWITCH, lost or not */
	u32 interrupted;		/* what the CPU was assigned to when the interrupt came */
	u32 taken;			/* newest stretch of losses that user space has seen: written by it */
	u32 losing;			/* programs that are writing lost: one inside of another */
	struct bcos_stage_lost lost;	/* sequence: how often it was written */
	struct bcos_bpf_seen seen[1 << BCOS_BPF_SEEN_BITS];
};

/*
 * What tells network interfaces apart: their namespace, of whose number the upper bit is always the same, and their
 * index in it, which has 31 bits.
 */
static inline u64 bcos_bpf_net_key(u32 space, u32 index)
{
	return BCOS_RAW_KEY(BCOS_DEVICE_NETWORK, (u64)(space & 0x7FFFFFFF) << 31 | (index & 0x7FFFFFFF));
}

/* Set before the programs are loaded, so that what is off is not even verified. */
struct bcos_bpf_config {
	u32 classes;			/* BCOS_CLASS_*: what is recorded */
	u32 calls_of;			/* class api: of this process alone, 0: of all */
	u32 units;			/* of each CPU's ring: a power of two, at least BCOS_BPF_UNITS_MIN */
	u32 kick_shift;			/* the log writer is woken each time that head >> this changes */
	u8 switch_has_state;		/* sched_switch: the fourth argument is there */
	u8 victim_is_task;		/* mark_victim: a task, not its ID */
	u8 block_error_is_errno;	/* block_rq_complete */
	u8 has_functions;		/* programs at functions are loaded, too */
	u8 is_inside;			/* a PID namespace, whose processes alone are recorded */
	u8 hide_arguments;		/* programs have none */
	u8 padding[2];
	u32 net;			/* network namespace of user space */
};

#endif
