/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* States of threads, as the class "state" of a log tells them: see bcoslog(5). */
#ifndef CONVERT_STATES_H
#define CONVERT_STATES_H

#include "../log/log_writer.h"
#include "core/format/phrase.h"

/*
 * Bits of the state in which a thread leaves a CPU that mean dead: 0x10 and 0x20 are dead and zombie, 0x40 is dead
 * before Linux 4.14. Later kernels use 0x40 for parked threads, which only the kernel has.
 */
#define STATE_DEAD 0x70u

/**
 * struct side - one of the two threads of a switch
 * @told: the log tells of this thread, since it belongs to a process and not to the kernel
 * @process: the thread's process
 * @thread: the thread's ID
 */
struct side {
	bool told;
	u32 process, thread;
};

/* Tells the log_writer the state of a thread of the process @process. Returns 0 or a negative errno. */
int states_tell(struct log_writer *log, u64 time, u32 process, const struct bcos_thread_phrase *phrase);
/*
 * The thread leaves its CPU in the state @state, by the numbers of the kernel's tracepoint. Returns 0 or a negative
 * errno.
 */
int states_leave(struct log_writer *log, u64 time, const struct side *side, u64 state);
/* The CPU @cpu runs the thread. @priority: by the kernel's numbers, or NULL. Returns 0 or a negative errno. */
int states_run(struct log_writer *log, u64 time, const struct side *side, u32 cpu, const s32 *priority);

#endif
