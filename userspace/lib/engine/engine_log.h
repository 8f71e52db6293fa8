/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The BPF engine, for its own files. */
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
	struct bcos_stage stage;	/* the input of the merge; it is filled between passes, so it needs no marks */
	struct stream stream;
	u32 core;
	bool has_core;
	u64 switched;			/* time of the newest assignment from a program */
	u64 unseen;			/* number of missed assignments that the log does not state yet */
	u64 unseen_since, unseen_stated;
};

/* The device that an interrupt line belongs to. */
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
	struct engine_cpu *cpu;		/* for each CPU, and one more for the records of user space */
	u32 cpus;
	struct hardware hardware;
	struct told told;		/* the records of user space about devices */
	bool list_devices;		/* records of devices were lost, so all devices must be listed */
	u64 devices_lost;		/* number of records of devices that found no room, at the last pass */
	struct engine_sender sender[ENGINE_SENDERS];
	struct kernel_log kernel;
	struct counters counters;
	u32 *counted_core;		/* core of each CPU, for reading the counters */
	u32 unavailable;		/* requested classes that are not available */
	int error;			/* error of a function that cannot return one */
	void *ring;			/* mapped twice, one mapping after the other */
	size_t ring_size;
	u32 staging;			/* bytes of the staging ring of each CPU */
	u64 programs_bytes;		/* memory of rings and maps in bytes */
	struct bcos_log log;
	struct bcos_merge merge;
	u64 missed;			/* number of missed runs of programs, at the last pass */
	u64 next_walk, next_estimate;	/* CLOCK_MONOTONIC */
	u64 passes, wakeups;

	pthread_t thread;
	bool started;
	pthread_mutex_t lock;		/* protects log, merge, and the following fields */
	pthread_cond_t merged;
	u64 asked, answered;		/* numbers of requested and finished flushes */
	bool ending;
	int failed;			/* the negative errno that ended the thread */
	int wake, news, compacted;	/* eventfds */

	struct bcos_marks known;	/* the acknowledged compactions */
};

/* Make an eventfd readable. */
void engine_tell(int fd);

/* thread.c: start the thread, which brings the engine up. Return: 0, or a negative errno with the reason in @error. */
int engine_start(struct engine *engine, struct bcoslog_error *error);

/* bring_up.c: the thread opens everything that has a descriptor.  Return: 0, or a negative errno with the reason in @error. */
int engine_up(struct engine *engine, struct bcoslog_error *error);
void engine_down(struct engine *engine);

/* pass.c: write all events before the call into the log.  Return: 0 or a negative errno. */
int engine_pass(struct engine *engine);

/* Return: true if the core of the CPU is known, and then its .core is valid. */
bool engine_core(struct engine *engine, u32 cpu);

/* records.c: complete the record of a program, and add it to the stream of @cpu.  Return: 0 or -ENOMEM. */
int engine_take(void *context, u32 cpu, const struct bcos_unit *unit, u32 units);

/* own_records.c: take a record of user space, for struct kernel_log and struct hardware. */
void engine_take_other(void *context, const struct bcos_unit *record, u32 units);
void engine_take_told(void *context, const struct bcos_unit *record, u32 units);
void engine_absent(void *context, u32 range);
void engine_named(void *context, u64 key, bool there);

/* lost.c: note that @count of @what were lost between @since and now, for struct kernel_log and struct hardware. */
void engine_lost(void *context, u64 count, const char *what, u64 since);

/*
 * Note that the kernel ran no program at a switch of @cpu between the last recorded switch and the time of @record,
 * which contains the process.  Return: 0 or a negative errno.
 */
int engine_unseen(struct engine *engine, u32 cpu, const struct bcos_raw *record);

/* State, when the log ends at @time, the losses that it does not state yet.  Return: 0 or a negative errno. */
int engine_write_unseen(struct engine *engine, u64 time);

/* Return: a CPU of this engine, also if none is online, for the statements of losses that no CPU is known for. */
u32 engine_spokesman(const struct engine *engine);

/* Begin the log with the present processes and CPUs. Return: 0 or a negative errno. */
int engine_begin(struct engine *engine);

#endif
