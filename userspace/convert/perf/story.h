/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Records of a trace, which come CPU by CPU, are put in the order of time before they are understood: who runs where,
 * and which thread is of which process, depends on what happened before.
 */
#ifndef PERF_STORY_H
#define PERF_STORY_H

#include "../convert.h"

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
 * story_finish() - tell a log_writer everything that could be read
 * @story: as far as it could be read
 * @import: of which this is
 * @grouped: the trace tells itself which threads are a process
 * @clock: of its times
 * @damage: 0, or -EBADMSG if the rest could not be read
 *
 * Return: 0, @damage, or a negative errno. It has complained of whatever was left out.
 */
int story_finish(struct story *story, const struct import *import, bool grouped, const struct story_clock *clock,
		 int damage);

/**
 * story_read_failed() - complain of what could not be read
 * @story: as far as it could be read, or NULL
 * @import: of which this is
 * @r: what reading returned
 * @reason: why, if that was -EBADMSG
 *
 * Return: @r if the story is to be told nevertheless: it is 0, or -EBADMSG of a story that has begun; else the error
 * with which the import ends.
 */
int story_read_failed(const struct story *story, const struct import *import, int r, const char *reason);

#endif
