/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* States of threads, as the class of states tells them: see bcoslog(5). */
#ifndef CONVERT_STATES_H
#define CONVERT_STATES_H

#include "../log/log_writer.h"
#include "core/format/phrase.h"

/*
 * Bits of the state in which a thread leaves a CPU: dead, zombie, and dead before Linux 4.14. Later kernels use the last one
 * for parked threads, which are the kernel's.
 */
#define STATE_DEAD 0x70u

/**
 * struct side - one of the two threads of a switch
 * @told: the log tells of the thread, which is of a process and not of the kernel
 * @process: its process
 * @thread: its ID
 */
struct side {
	bool told;
	u32 process, thread;
};

/* Tells the state of a thread of a process. Returns 0 or a negative errno. */
int states_tell(struct log_writer *log, u64 time, u32 process, const struct bcos_thread_phrase *phrase);
/* A thread leaves its CPU; @state is what the kernel's tracepoint has. Returns 0 or a negative errno. */
int states_leave(struct log_writer *log, u64 time, const struct side *side, u64 state);
/* A CPU runs a thread. @priority: the kernel's, or NULL. Returns 0 or a negative errno. */
int states_run(struct log_writer *log, u64 time, const struct side *side, u32 cpu, const s32 *priority);

#endif
