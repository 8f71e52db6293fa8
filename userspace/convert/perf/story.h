/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Records of a trace, which come CPU by CPU, are put in the order of time before they are understood: who runs where,
 * and which thread is of which process, depends on what happened before.
 */
#ifndef PERF_STORY_H
#define PERF_STORY_H

#include "../log/log_writer.h"

#include "tracepoints.h"

struct story;

/**
 * story_new() - an empty story
 * @points: describes the records; may still be empty
 * @size: of what is read, in bytes; 0: not known
 *
 * Return: NULL if there is no memory.
 */
struct story *story_new(const struct tracepoints *points, u64 size);
void story_free(struct story *story);

/**
 * struct occasion - when and where
 * @time: ns
 * @cpu: where
 * @pid: the process that had the CPU; 0xFFFFFFFF: not known
 * @tid: its thread
 */
struct occasion {
	u64 time;
	u32 cpu, pid, tid;
};

/* Each returns 0 or a negative errno. */
int story_record(struct story *story, const struct occasion *when, const u8 *bytes, size_t size, bool big);
int story_name(struct story *story, const struct occasion *when, const char *name, size_t length);
int story_map(struct story *story, const struct occasion *when, const char *file, size_t length);
int story_fork(struct story *story, const struct occasion *when, u32 parent);
int story_exit(struct story *story, const struct occasion *when);
int story_lost(struct story *story, const struct occasion *when, u64 count);

/**
 * struct story_clock - what the times of a trace are, and whose
 * @name: as "perf"
 * @is: a sentence without full stop that relates it to the time since boot
 * @wall: the wall clock is known
 * @time: when it was read, of this clock
 * @utc: what it showed, ns since 1970
 * @host: "host NAME", or empty
 * @kernel: "kernel RELEASE", or empty
 */
struct story_clock {
	const char *name, *is;
	bool wall;
	u64 time, utc;
	char host[256], kernel[256];
};

/**
 * story_tell() - tell a log_writer everything
 * @story: complete
 * @log: takes the facts
 * @grouped: the trace tells itself which threads are a process
 * @clock: of its times
 *
 * Return: 0 or a negative errno.
 */
int story_tell(struct story *story, struct log_writer *log, bool grouped, const struct story_clock *clock);

/* How many records were too long. */
u64 story_dropped(const struct story *story);

/* How many EventHeader events were damaged, after story_tell(). */
u64 story_damaged(const struct story *story);

/* How many were told of, of whatever kind. */
u64 story_count(const struct story *story);

#endif
