/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The structure of the BPF engine, for the files of this folder. */
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
#include "engine/keep/former.h"
#include "engine/keep/wanted.h"
#include "engine/keep/kept.h"
#include "engine/programs/programs.h"
#include "engine/rings/stream.h"
#include "engine/rings/told.h"

/* The switches of a CPU that the programs missed, and that the log does not state yet. */
struct engine_unseen {
	u64 count;
	u64 since, until;		/* nothing is known of the CPU between these times */
	u64 second;			/* begin of the second in which @stated missed switches were stated by themselves */
	u32 stated;
};

struct engine_cpu {
	struct bcos_stage stage;	/* the input of the merge; only the log writer fills it, so it needs no marks */
	struct stream stream;		/* the records that are not in @stage yet */
	u32 core;			/* the core of the CPU; valid if @has_core */
	bool has_core;
	u64 switched;			/* time of the newest assignment that a program recorded */
	struct engine_unseen unseen;
};

/* The number of interrupt lines whose device the engine remembers. */
#define ENGINE_SENDERS 256

/* The name of the device that sends the interrupts of a line; @tag is from the record about the line. */
struct engine_sender {
	u32 line;
	u16 tag;
	bool known;
	char name[BCOS_RAW_IRQ_BUS];
};

/* How the log outlives this process, if it does. */
struct engine_keep {
	struct engine_pins wanted;
	bool on;
	bool goes_on;			/* the programs that a former recorder left are adopted */
	bool committed;			/* the image has its name: whoever comes next goes on with it */
	bool ended;			/* recording has ended in order */
	bool stays;			/* and yet the next recorder goes on with the log: not all of it is elsewhere */
	struct place place;		/* open as long as the thread lives */
	struct kept kept;
	char pins[PLACE_PATH];		/* the folder of this recorder's pins */
	struct former former;		/* the log that goes on; @bytes is NULL if this one begins */
	struct programs *maps;		/* pinned with @former, and not those of the engine; NULL: none */
	u64 lines, lines_time;		/* the line of the kernel's log after those in the log; when the newest were read */
	u64 since;			/* records before this time are in the log already, ns since boot */
	u64 shown;			/* readers get the log up to this offset, which the image has */
};

/*
 * Events about the log itself, which wait for the next pass. Since @since, which is after that pass has begun, all events are
 * here. @units of @unit are in use.
 */
struct emitted {
	struct bcos_unit *unit;
	size_t units, room;
	u64 since;
};

struct engine {
	struct bcoslog_bpf options;
	struct engine_keep keep;
	struct programs *programs;
	struct grace grace;
	struct engine_cpu *cpu;		/* an element for each CPU, and one more for the records of user space */
	u32 cpus;
	struct hardware hardware;
	struct told told;		/* the records of user space about devices */
	struct emitted emitted;		/* events that programs asked for, protected by @lock */
	bool list_devices;		/* records of devices were lost, so the next pass lists all devices */
	u64 devices_lost;		/* number of records of devices that had been lost at the last pass */
	struct engine_sender sender[ENGINE_SENDERS];
	struct kernel_log kernel;
	struct counters counters;
	u32 *counted_core;		/* the argument @core of counters_look() */
	u32 unavailable;		/* requested classes that this machine cannot record */
	int error;			/* negative errno of a callback without a result; the next pass returns it */
	void *ring;			/* the log's ring, mapped twice, one mapping after the other */
	size_t ring_size;
	u32 staging;			/* bytes of the staging ring of each CPU */
	u64 programs_bytes;		/* memory of rings and maps in bytes */
	struct bcos_log log;
	struct bcos_merge merge;
	u64 missed;			/* programs_missed() at the last pass */
	u64 next_walk, next_estimate;	/* the earliest times of the next walk and estimate, CLOCK_MONOTONIC */
	u64 passes, wakeups;
	int setting;			/* becomes readable when somebody sets the wall clock; -1: nothing tells */

	pthread_t thread;
	bool started;
	pthread_mutex_t lock;		/* protects log, merge, and the following fields */
	pthread_cond_t merged;		/* signals the end of the bring-up, and of each pass */
	u64 asked, answered;		/* numbers of requested and finished flushes */
	bool ending;			/* engine_stop() has asked for the last pass */
	int failed;			/* the negative errno that ended the thread; 0 if none did */
	int wake, news, compacted;	/* eventfds: for the thread; for new entries; for compactions */

	struct bcos_marks known;	/* the state of the ring at the last engine_compaction() */
};

/* Make an eventfd readable. */
void engine_tell(int fd);

/* ---- thread.c ----------------------------------------------------------------------- */

/*
 * Start the thread, and wait until it has called engine_up().
 * Return: 0, or a negative errno with the reason in @error.
 */
int engine_start(struct engine *engine, struct bcoslog_error *error);

/* ---- make_log.c --------------------------------------------------------------------- */

/* Make the log, in memory or in the image.  Return: 0 or a negative errno. */
int engine_make_log(struct engine *engine);
/* Make the merge anew.  Return: 0 or a negative errno. */
int engine_make_merge(struct engine *engine);
/* Forget the model, and keep the entries: the log begins anew behind them.  Return: 0 or a negative errno. */
int engine_begin_anew(struct engine *engine);

/* ---- bring_up.c --------------------------------------------------------------------- */

/*
 * Open everything from which the engine records, and begin the log. The thread calls this function, because the
 * descriptors belong to its own table.
 * Return: 0, or a negative errno with the reason in @error.
 */
int engine_up(struct engine *engine, struct bcoslog_error *error);
/* Close everything that engine_up() has opened. */
void engine_down(struct engine *engine);

/* ---- keeping.c ------------------------------------------------------------------------ */

/* Prepare what engine->keep.wanted asks for.  Return: 0, or a negative errno with the reason in @error. */
int engine_keep_begin(struct engine *engine, const struct programs_options *programs, struct bcoslog_error *error);
/* Pin the programs that this process loaded.  Return: 0, or a negative errno with the reason in @error. */
int engine_keep_pin(struct engine *engine, struct bcoslog_error *error);
/* After a part of a pass: publish what is in the log. */
void engine_keep_part(struct engine *engine);
/* After a pass: publish it, and return the room of its records to the programs. */
void engine_keep_pass(struct engine *engine);
/* After the first pass: from here on the next recorder goes on with this log.  Return: 0 or a negative errno. */
int engine_keep_commit(struct engine *engine);
/* What the former recorder left turned out to be damaged: put it aside.  Return: -EBADMSG after a sentence. */
int engine_keep_refuse(struct engine *engine, struct bcoslog_error *error);
/* The thread ends. @clean: nobody needs to go on. */
void engine_keep_end(struct engine *engine, bool clean);
/* Remove what nobody needs after a recording that ended in order. */
void engine_keep_remove(struct engine *engine);

/* ---- adopt.c --------------------------------------------------------------------------- */

/*
 * Go on with the log of engine->keep.former, whose maps are in @former: its entries, the records that were not merged yet,
 * and the model. If its programs do not go on, the log then says that nothing is recorded from there to here.
 * Return: 0 or a negative errno.
 */
int engine_adopt(struct engine *engine, struct programs *former);

/* ---- pass.c ------------------------------------------------------------------------- */

/* Merge what the programs of engine->programs staged and nobody else will, before programs go on. */
int engine_merge_rest(struct engine *engine);

/* Go on with a log whose model is there.  Return: 0 or a negative errno. */
int engine_go_on(struct engine *engine);

/* Write all events before the call into the log.  Return: 0 or a negative errno. */
int engine_pass(struct engine *engine);

/*
 * Make a consistent copy of the loss counters of a CPU, during which no program has written them.
 * Return: true; false if programs write all the time, and then @stage stays as it was.
 */
bool engine_copy_losses(const struct bcos_bpf_cpu *programs, struct bcos_stage *stage);

/* Find the core of a CPU.  Return: true if the core is known, and then engine->cpu[@cpu].core is valid. */
bool engine_core(struct engine *engine, u32 cpu);

/* ---- records.c ---------------------------------------------------------------------- */

/* Complete the record of a program, and add it to the stream of @cpu.  Return: 0 or a negative errno. */
int engine_take(void *context, u32 cpu, const struct bcos_unit *unit, u32 units);

/* ---- own_records.c: callbacks of struct kernel_log and struct hardware -------------- */

/* Take a record of user space that is not about a device. */
void engine_take_other(void *context, const struct bcos_unit *record, u32 units);
/* Take a record of user space about a device. */
void engine_take_told(void *context, const struct bcos_unit *record, u32 units);
/* Takes the events that programs asked for, once a pass or the end of the recording has begun. */
void engine_take_emitted(struct engine *engine);
/* Record that each device of a range which the log knows, and the last list lacks, is gone. */
void engine_absent(void *context, u32 range);
/* Tell the programs that user space has named a device, or that the device is gone. */
void engine_named(void *context, u64 key, bool there);

/* ---- lost.c ------------------------------------------------------------------------- */

/* State that @count of @what were lost between @since and now; a callback of struct kernel_log and struct hardware. */
void engine_lost(void *context, u64 count, const char *what, u64 since);

/*
 * Note that the kernel ran no program at a switch of @cpu, between the last recorded switch and the time of @record.
 * The record contains the process that left the CPU.
 * Return: 0 or a negative errno.
 */
int engine_unseen(struct engine *engine, u32 cpu, const struct bcos_raw *record);

/*
 * State the missed switches that the log does not state yet, if the first of them was before @before.
 * Return: 0 or a negative errno.
 */
int engine_write_unseen(struct engine *engine, u64 before);

/* Return: the CPU that states a loss whose CPU is unknown: an online CPU, or the last CPU if none is online. */
u32 engine_spokesman(const struct engine *engine);

/* ---- pass.c ------------------------------------------------------------------------- */

/* Begin the log with the present processes and CPUs.  Return: 0 or a negative errno. */
int engine_begin(struct engine *engine);

#endif
