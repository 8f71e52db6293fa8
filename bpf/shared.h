/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the BPF programs and the library's BPF engine share.
 *
 * Each CPU has a BPF ring buffer of its own, in which every record (raw.h) is
 * one sample. A CPU's records are nearly in order of time: an interrupt may
 * come between taking the place in the ring and reading the clock.  What finds
 * no room there is counted as lost, but for births and deaths, which go to
 * a ring that all CPUs share (bcos_saved), and are lost only if that is full, too.
 */
#ifndef BCOS_BPF_SHARED_H
#define BCOS_BPF_SHARED_H

#include "../module/core/raw.h"

/* Actions whose name this CPU recorded: by line, direct-mapped. */
#define BCOS_BPF_SEEN_BITS 6

struct bcos_bpf_seen {
	u32 irq;
	u32 fingerprint;		/* 0: none */
};

/* Of each CPU, in the map "bcos_cpus", which user space maps. */
struct bcos_bpf_cpu {
	u32 current_id;			/* process of the last SWITCH, lost or not */
	u32 interrupted;		/* what the CPU was assigned to when the interrupt came */
	u32 records;			/* so many, for who wakes the log writer */
	u32 taken;			/* newest stretch of losses that user space has seen: written by it */
	u32 core;			/* its core's ID: written by user space */
	u32 padding;
	struct bcos_stage_lost lost;
	struct bcos_bpf_seen seen[1 << BCOS_BPF_SEEN_BITS];
};

/* A sample of the ring bcos_saved: of which CPU, and the record. */
struct bcos_bpf_saved {
	u64 cpu;
	struct bcos_unit unit[3];
};

/* A process as the walk of the task list found it. */
struct bcos_bpf_walked {
	u32 id;
	u32 tag;
	u64 start;			/* ns since boot */
	u64 hidden;			/* a user-mode helper before its exec */
	char name[BCOS_RAW_NAME];
};

/* Set before the programs are loaded, so that what is off is not even verified. */
struct bcos_bpf_config {
	u32 classes;			/* BCOS_CLASS_*: what is recorded */
	u32 calls_of;			/* class api: of this process alone, 0: of all */
	u32 kick_mask;			/* the log writer is woken when a CPU's count of records has none of these bits */
	u8 switch_has_state;		/* sched_switch: the fourth argument is there */
	u8 victim_is_task;		/* mark_victim: a task, not its ID */
	u8 block_error_is_errno;	/* block_rq_complete */
	u8 reserved;			/* 0 */
};

#endif
