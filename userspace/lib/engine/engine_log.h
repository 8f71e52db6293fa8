/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The BPF engine, as its own files share it. */
#ifndef BCOSLOG_ENGINE_LOG_H
#define BCOSLOG_ENGINE_LOG_H

#include <pthread.h>

#include "core/ring/cursor.h"
#include "core/merge/merge.h"
#include "bcoslog_bpf.h"
#include "counters.h"
#include "engine/rings/grace.h"
#include "engine/announce/hardware.h"
#include "kernel_log.h"
#include "engine/programs/programs.h"
#include "engine/rings/stream.h"
#include "engine/rings/told.h"

struct engine_cpu {
	struct bcos_stage stage;	/* what the merge reads: filled between passes, so it is never marked */
	struct stream stream;
	u32 core;
	bool has_core;
	u64 switched;			/* time of the newest assignment that its programs recorded */
	u64 unseen;			/* assignments that were not seen, and not stated so far */
	u64 unseen_since, unseen_stated;
};

/* What sends the interrupts of a line. */
#define ENGINE_SENDERS 256

struct engine_sender {
	u32 line;
	u16 tag;
	bool known;
	char name[BCOS_RAW_IRQ_BUS];
};

struct engine {
	struct bcoslog_bpf options;
	struct programs *programs;
	struct grace grace;
	struct engine_cpu *cpu;		/* one more than CPUs: what user space itself tells of */
	u32 cpus;
	struct hardware hardware;
	struct told told;		/* what it tells */
	bool list_devices;		/* some of what programs saw of devices was lost */
	u64 devices_lost;		/* records of devices that found no room, as of the last pass */
	struct engine_sender sender[ENGINE_SENDERS];
	struct kernel_log kernel;
	struct counters counters;
	u32 *counted_core;		/* of each CPU, for a look at the counters */
	u32 unavailable;		/* classes that are asked for and cannot be had */
	int error;			/* of who cannot return one */
	void *ring;			/* mapped twice in a row */
	size_t ring_size;
	u32 staging;			/* bytes of each CPU */
	u64 programs_bytes;		/* memory of rings and maps */
	struct bcos_log log;
	struct bcos_merge merge;
	u64 missed;			/* runs of programs, as of the last pass */
	u64 next_walk, next_estimate;	/* CLOCK_MONOTONIC */
	u64 batches, wakeups;

	pthread_t thread;
	bool started;
	pthread_mutex_t lock;		/* log, merge, and what follows */
	pthread_cond_t merged;
	u64 asked, answered;		/* demands to merge what is there */
	bool ending;
	int failed;			/* why the thread gave up: a negative errno */
	int wake, news, compacted;	/* eventfds */

	struct bcos_marks known;	/* acknowledged compactions */
};

/* Makes an eventfd readable. */
void engine_tell(int fd);

/* Is it known which core the CPU is of?  If so, .core of it has it. */
bool engine_core(struct engine *engine, u32 cpu);

/* thread.c: has the thread bring the engine up, which then records. Return: 0, or a negative errno and why in @error. */
int engine_start(struct engine *engine, struct bcoslog_error *error);

/* By the thread: all that has descriptors.  Return: 0, or a negative errno and why in @error. */
int engine_up(struct engine *engine, struct bcoslog_error *error);
void engine_down(struct engine *engine);

/* pass.c: everything that happened before the call is in the log.  Return: 0 or a negative errno. */
int engine_pass(struct engine *engine);

/* What user space tells of, for struct kernel_log, and for struct hardware. */
void engine_take_other(void *context, const struct bcos_unit *record, u32 units);
void engine_take_told(void *context, const struct bcos_unit *record, u32 units);
void engine_absent(void *context, u32 range);
void engine_named(void *context, u64 key, bool there);

/* lost.c: @count of @what were lost between @since and now; for struct kernel_log, and for struct hardware. */
void engine_lost(void *context, u64 count, const char *what, u64 since);

/*
 * The kernel ran no program at a switch of @cpu, between the last recorded one and the time of @record, which has the
 * process.  Return: 0 or a negative errno.
 */
int engine_unseen(struct engine *engine, u32 cpu, const struct bcos_raw *record);

/* The log ends: states what was not stated so far, at @time.  Return: 0 or a negative errno. */
int engine_state_unseen(struct engine *engine, u64 time);

/* A CPU that this engine reads from, also while none is online: losses of no CPU in particular are stated there. */
u32 engine_spokesman(const struct engine *engine);

/* The task list and the CPUs as they are, and the log begins. Return: 0 or a negative errno. */
int engine_begin(struct engine *engine);

#endif
