/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Records of a trace come CPU by CPU. A story puts them into the order of time before they are interpreted, since it
 * depends on earlier records who runs where and which thread belongs to which process.
 */
#ifndef PERF_STORY_H
#define PERF_STORY_H

#include "../convert.h"

#include "tracepoints.h"

struct story;

/**
 * story_new() - make an empty story
 * @points: describes the records; it may still be empty at this time
 * @input: the input, whose guard bounds what the story keeps
 *
 * Return: NULL if there is no memory.
 */
struct story *story_new(struct tracepoints *points, struct input *input);
void story_free(struct story *story);

/**
 * struct occasion - when and where something happened
 * @time: the time in ns; 0: before the recording
 * @precision: how much later than @time it may have been, in ns
 * @cpu: the CPU; OCCASION_NO_CPU: not known
 * @pid: the process that had the CPU; 0xFFFFFFFF: not known
 * @tid: the thread of @pid that had the CPU
 */
struct occasion {
	u64 time;
	u32 precision, cpu, pid, tid;
};

#define OCCASION_NO_CPU 0xFFFFFFFFu

/* Adds a record. Each of these functions returns 0 or a negative errno. */
int story_record(struct story *story, const struct occasion *when, const u8 *bytes, size_t size, bool big);
int story_name(struct story *story, const struct occasion *when, const char *name, size_t length);
/* A list of names, which may be older than the recording, has a name for a thread. */
int story_rumour(struct story *story, u32 tid, const char *name, size_t length);
int story_map(struct story *story, const struct occasion *when, const char *file, size_t length);
int story_fork(struct story *story, const struct occasion *when, u32 parent);
int story_exit(struct story *story, const struct occasion *when);
int story_lost(struct story *story, const struct occasion *when, u64 count);
/* Records of @when->cpu were lost at an unknown time between the records of this CPU around @when->time. */
int story_lost_somewhere(struct story *story, const struct occasion *when, u64 count);

/**
 * struct story_clock - the clock of a trace, and the machine
 * @name: name of the clock, such as "perf"; "": not known
 * @is: how the clock relates to the time since boot: a sentence without full stop
 * @wall: @time and @utc are known
 * @time: a time of this clock
 * @utc: the time of the wall clock at @time, in ns since 1970
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
 * story_finish() - tell the log_writer all that could be read
 * @story: the story, with all records that could be read
 * @import: the import that the story belongs to
 * @grouped: the trace itself says which threads form a process
 * @clock: the clock of the times
 * @damage: 0, or -EBADMSG if the rest could not be read
 *
 * Return: 0, @damage, or a negative errno. The function has complained of everything that was left out.
 */
int story_finish(struct story *story, struct import *import, bool grouped, const struct story_clock *clock,
		 int damage);

/**
 * story_read_failed() - complain of a failure to read the input
 * @story: the story, or NULL
 * @import: the import that the story belongs to
 * @r: the result of reading
 * @reason: the cause, if @r is -EBADMSG or, for a recording of a kind that cannot be read, -ENOTSUP
 *
 * Return: @r, if the story is to be told nevertheless, which is so for 0, and for -EBADMSG if the story has records;
 *   else the error with which the import ends.
 */
int story_read_failed(const struct story *story, const struct import *import, int r, const char *reason);

#endif
